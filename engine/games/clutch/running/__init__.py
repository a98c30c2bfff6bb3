"""Runners and the throws at them: hits, ground balls, extra bases and steals; defensive throws and checks.

The at-bat imports this folder. It imports strategy cards, but no substitutions and no at-bat.
"""
