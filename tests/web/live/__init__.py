"""Tests of web/live."""
