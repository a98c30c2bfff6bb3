"""Games are found by their folders, and house rules have plain names for the settings page."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from device.storage.decks import house_deck
from engine.cards import cards_in_decks
from engine.errors import HouseRuleError
from engine.game import PACE_TITLES, HouseRule, Rulebook
from engine.games import GAMES, find_games

OPEN = HouseRule("who", "Who?", {"a": "One", "b": "The other"}, "A1", under="Cards")

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


def test_a_rule_says_its_value_in_words() -> None:
    """After the question, or after a colon; the first value is the default."""
    assert ("a", "b") == OPEN.values
    assert ["Who? The other", "Rosters: Any"] == [
        OPEN.value_in_words("b"),
        HouseRule("format", "Rosters", {"open": "Any"}).value_in_words("open"),
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_house_rule_is_in_words(game: Rulebook) -> None:
    """Its title, and the label of each value, read as words, never as a code such as "betweenRolls" or "true"."""
    for rule in game.house_rules:
        assert len(rule.values) == len(set(rule.labels.values())), rule.key
        for value, label in rule.labels.items():
            words = label != value or value.lstrip("-").isdigit()
            assert (words, label[:1]) == (True, label[:1].upper()), (rule.key, value)
            assert not re.search("[a-z][A-Z]|_", label), (rule.key, label)
            assert label.lower() not in ("true", "false", "on", "off"), rule.key
        assert rule.title[:1].isupper(), rule.key
        assert not rule.title.endswith((".", ":")), rule.key


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_game_has_three_paces(game: Rulebook) -> None:
    """Quick, classic, and the rulebook's own; each sets the same rules, so that one replaces the other entirely."""
    quick, classic, box = game.paces
    assert [*PACE_TITLES] == [quick.key, classic.key, box.key]
    assert set(quick.house) == set(classic.house) == set(box.house)
    assert game.resolve_house_rules({}) == game.resolve_house_rules(box.house)
    assert game.resolve_house_rules(quick.house) != game.resolve_house_rules({})
    assert (True, False, False) == (quick.asks_little, classic.asks_little, box.asks_little)
    assert quick.answers <= classic.answers <= box.answers
    for pace in game.paces:
        game.start(cards_in_decks([house_deck(game)]), game.resolve_house_rules(pace.house))
        assert re.fullmatch(r"[A-Z][^:]+: about \d+ questions and rolls, \d+ minutes\.", pace.sentence)


def test_an_unknown_pace_is_refused() -> None:
    """The error names those that there are; no pace at all is none."""
    game = GAMES["small-ball"]
    with pytest.raises(HouseRuleError, match=r"Small Ball has no pace .slow.; it has quick, classic and box"):
        game.find_pace("slow")
    assert (None, "Quick") == (game.find_pace(""), (game.find_pace("quick") or game.paces[2]).title)
    with pytest.raises(HouseRuleError, match=r"no pace .quick.; it has none"):
        replace(game, paces=()).find_pace("quick")
