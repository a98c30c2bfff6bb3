"""Tests that every game must pass, written once.

A game describes itself in `tests/engine/games/<game>/contract.py` as a `Contract`: how to play it at random, its
invariants, its secrets, what its index lists, and its stored playthroughs. The tests in this folder run for every
game of `engine.games.GAMES`; a game without a contract fails them.
"""
