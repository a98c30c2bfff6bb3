"""Tests of clutch/pitching."""
