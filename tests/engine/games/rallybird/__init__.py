"""Tests of RallyBird, by rule."""
