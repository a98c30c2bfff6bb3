"""Measurements of the pages: their first view, how still they are, and rooms full of phones, run by hand."""
