"""Tests of the scorecard."""
