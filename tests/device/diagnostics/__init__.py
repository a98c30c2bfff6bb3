"""Tests of device/diagnostics."""
