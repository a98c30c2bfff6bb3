"""Clutch: numbers with the cards in force."""
