"""Tests of device/table/entry."""
