"""Tests of vision/synthetic."""
