"""Tests of clutch/at_bat."""
