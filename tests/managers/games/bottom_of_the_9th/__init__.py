"""Tests of the manager of Bottom of the 9th."""
