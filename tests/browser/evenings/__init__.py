"""Whole games on the pages of a table, and observers that look at each moment."""
