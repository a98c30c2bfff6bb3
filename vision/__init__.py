"""Pixels in, dice out: a reading is certain, or it names its doubt."""
