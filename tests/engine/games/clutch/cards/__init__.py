"""Tests of clutch/cards."""
