"""Tests of Clutch: its rules, its cards and whole games."""
