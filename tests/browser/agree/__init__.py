"""Corrections that the seats agree on, with two phones."""
