"""`python -m tests.golden --write`: plays every stored game again and writes what it gives now."""

from __future__ import annotations

import sys

from engine.games import GAMES
from tests.golden import path, write

if sys.argv[1:] != ["--write"]:
    sys.exit(__doc__)
for game in GAMES.values():
    write(game)
    print(path(game))
