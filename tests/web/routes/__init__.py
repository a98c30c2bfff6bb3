"""Tests of web/routes."""
