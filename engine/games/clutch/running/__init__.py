"""Runners and the throws at them: hits, ground balls, extra bases and steals."""
