"""Tests of `scripts/pictures`."""
