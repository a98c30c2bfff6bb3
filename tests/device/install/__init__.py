"""Tests of device/install."""
