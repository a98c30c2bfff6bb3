"""Tests of vision/tray."""
