"""Tests of device/table/race."""
