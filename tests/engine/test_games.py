"""Games are found by their folders: a sixth one is played with no edit anywhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.games import GAMES, find_games

SIXTH = """
from tests.engine import duel_game

GAME = duel_game.DUEL
"""


def test_the_order_of_the_list() -> None:
    """The games are listed from the simplest to the largest; the first is the one a new table begins with."""
    expected = ["small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch", "clutch"]
    assert expected == list(GAMES)


def test_a_folder_is_all_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a `GAME` beside the others is found, and comes after those that ask for an earlier place."""
    package = tmp_path / "sixth_games"
    (package / "coin").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "coin" / "__init__.py").write_text(SIXTH, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = find_games([str(package)], "sixth_games")
    assert ["coin"] == [module.rpartition(".")[2] for module in sys.modules if module.startswith("sixth_games.")]
    assert 1 == len(found)
    assert all(key == game.key for key, game in found.items())
