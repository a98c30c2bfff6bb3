"""Tests of web/security."""
