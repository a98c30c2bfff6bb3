"""Clutch: its rules, its cards and whole games."""
