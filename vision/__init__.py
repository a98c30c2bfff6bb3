"""Pixels in, dice out: a reading is certain, or it says its doubt."""
