"""Tests of the web room."""
