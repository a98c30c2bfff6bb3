"""Starting pitchers, line-ups, the bench, and substitutions.

The at-bat, half-innings and the series import this folder. It imports strategy cards, since cards may answer a player
who comes in.
"""
