"""Tests of 7th Inning Stretch, by rule."""
