"""Everything around the games: the draft, the regular season and the playoffs, or a duel.

Only `rules` and the scoreboard may import this package. It starts the games in `innings`.
"""
