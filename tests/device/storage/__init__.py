"""Tests of device/storage."""
