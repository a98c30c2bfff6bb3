"""Tests of device/inputs."""
