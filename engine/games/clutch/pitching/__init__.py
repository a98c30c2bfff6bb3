"""Pitchers: what they have done in a game, when they tire, and the rest they owe between games."""
