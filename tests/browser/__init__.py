"""Tests with a real browser on the real program."""
