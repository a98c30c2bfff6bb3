"""One game: line-ups, halves, offense and defense, the dice pool, relief pitching, and the end.

`season` and `rules` may import this folder; it imports no season.
"""
