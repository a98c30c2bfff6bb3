"""Tests of device/simulator."""
