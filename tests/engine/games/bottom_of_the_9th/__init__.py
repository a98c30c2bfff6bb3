"""Tests of Bottom of the 9th, by rule."""
