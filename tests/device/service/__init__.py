"""Tests of device/service."""
