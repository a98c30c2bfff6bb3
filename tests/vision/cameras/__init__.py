"""Tests of vision/cameras."""
