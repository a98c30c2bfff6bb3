"""Pages that keep still while a game goes on."""
