"""Tests of device/table."""
