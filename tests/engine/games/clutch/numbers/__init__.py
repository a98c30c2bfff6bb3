"""Tests of Clutch's numbers with cards in force."""
