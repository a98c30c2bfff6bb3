"""Pixels in, dice out."""
