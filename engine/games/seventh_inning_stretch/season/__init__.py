"""Everything around the games: the draft, the regular season, the playoffs, or a duel.

Only `rules` and the scoreboard may import this folder. It starts the games in `innings`.
"""
