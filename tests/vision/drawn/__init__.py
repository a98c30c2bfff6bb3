"""Tests of vision/drawn."""
