"""Tests of the announcer."""
