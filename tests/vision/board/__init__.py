"""Tests of vision/board."""
