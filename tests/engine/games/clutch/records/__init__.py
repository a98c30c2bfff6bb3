"""Tests of clutch/records."""
