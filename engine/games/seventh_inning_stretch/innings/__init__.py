"""One game with its lineups, halves, offense, defense, dice pool, relief pitching and end.

`season` and `rules` may import this package. It imports no season.
"""
