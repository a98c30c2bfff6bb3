"""Tests of clutch/substitutions."""
