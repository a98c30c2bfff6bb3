"""What every game must prove, written once.

A game describes itself in `tests/engine/games/<game>/contract.py` as a `Contract`: how it is played at random, what
holds after every answer, what is secret in it, what its index lists, and which playthroughs are stored. The tests in
this folder run for every game of `engine.games.GAMES`; a game without a contract fails them."""
