"""Benchmarks of the pages, run by hand: first view, layout shift, and rooms full of phones."""
