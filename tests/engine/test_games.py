"""Games are found by their folders, and house rules have plain names for the settings page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.game import HouseRule, Rulebook
from engine.games import GAMES, find_games

OPEN = HouseRule("who", ("a", "b"), "A1", "One; or the other.", "Who?", ("One", "The other"), "Cards")

SIXTH = """
from tests.engine.sample_games import duel_game

GAME = duel_game.DUEL
"""


def test_the_order_of_the_list() -> None:
    """The games are listed from the simplest to the most complex; a new table starts with the first."""
    expected = ["small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch", "clutch"]
    assert expected == list(GAMES)


def test_a_new_folder_adds_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a `GAME` is found, and comes after games that ask for an earlier place."""
    package = tmp_path / "sixth_games"
    (package / "coin").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "coin" / "__init__.py").write_text(SIXTH, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = find_games([str(package)], "sixth_games")
    assert ["coin"] == [module.rpartition(".")[2] for module in sys.modules if module.startswith("sixth_games.")]
    assert 1 == len(found)
    assert all(key == game.key for key, game in found.items())


def test_values_have_plain_names() -> None:
    """Separate words, "yes" and "no"; for an "or" rule, the name says which side true means."""
    for rule, called in (
        (HouseRule("k", ("hallOfFamer", "20-man"), "", "How hard."), ("hall of famer", "20-man")),
        (HouseRule("k", ("false", "true"), "", "Whether a run counts, or none."), ("no", "yes")),
        (HouseRule("k", ("false", "true"), "", "Before it, or after."), ("the first", "the second")),
        (OPEN, ("One", "The other")),
    ):
        assert called == rule.value_labels


def test_rules_with_a_title_are_always_shown() -> None:
    """Rules that the rulebook leaves open and have no title are folded away."""
    assert not OPEN.is_interpretation
    assert HouseRule("k", ("a", "b"), "A1", "").is_interpretation
    assert ("Who?", ("One", "The other"), "Cards") == (OPEN.title, OPEN.value_labels, OPEN.under)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_value_has_its_own_name(game: Rulebook) -> None:
    for rule in game.house_rules:
        assert len(rule.values) == len(set(rule.value_labels)), rule.key
