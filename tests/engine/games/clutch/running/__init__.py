"""Tests of clutch/running."""
