"""Tests of device/commands."""
