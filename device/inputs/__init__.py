"""Sources of answers besides the phones: cameras, buttons and computer players."""
