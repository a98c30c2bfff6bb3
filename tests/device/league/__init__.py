"""Tests of device/league."""
