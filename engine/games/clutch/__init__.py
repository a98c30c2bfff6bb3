"""Clutch: the full card game, at-bat by at-bat."""
