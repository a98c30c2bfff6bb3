"""Runners and the throws at them: hits, ground balls, extra bases and steals; defensive throws and checks."""
