"""`python -m tests.golden --write`: replay every stored game and write the current results."""

from __future__ import annotations

import sys

from engine.games import GAMES
from tests.golden import path, write

if sys.argv[1:] != ["--write"]:
    sys.exit(__doc__)
for game in GAMES.values():
    write(game)
    print(path(game))
