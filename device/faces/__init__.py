"""Faces: where the game is shown besides the phones."""
