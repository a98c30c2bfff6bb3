"""Tests of device/display."""
