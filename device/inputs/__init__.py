"""Where answers come from besides the phones: cameras, buttons and computer players."""
