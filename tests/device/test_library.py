"""The owner's decks: made, typed in card by card, copied, taken from elsewhere, removed; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device import scribe
from device.decks import Library, house_deck
from engine.cards import parse
from engine.games import GAMES
from engine.play import Game

EACH = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "decks")


def deck(library: Library, game: str, name: str) -> dict[str, Any]:
    """One deck, as a phone gets it: JSON knows all of it."""
    found = library.deck(game, name)
    assert found is not None
    assert json.loads(json.dumps(found)) == found
    return found


def typed(card: dict[str, Any]) -> dict[str, Any]:
    """A card as a phone sends it: what the game reads by itself as a text."""
    return {**card["fields"], **card["typed"]}


@EACH
def test_the_house_deck_typed_in_card_by_card_is_the_house_deck(game: Game, library: Library) -> None:
    """Into an empty deck, phrases and their tables as texts: every card reads as the one it was read from."""
    house = deck(library, game.key, "house")
    name = library.new(game.key, "Mine", None)
    for card in house["cards"]:
        library.write(game.key, name, card["kind"], None, typed(card), None)
    mine = deck(library, game.key, name)
    assert ([card["fields"] for card in house["cards"]], []) == (
        [card["fields"] for card in mine["cards"]],
        mine["lacks"],
    )
    assert ("Mine", True, False) == (mine["title"], mine["own"], house["own"])
    text = library.text(game.key, name)
    assert text is not None
    kinds = list(game.shapes)
    ours = sorted(house_deck(game).cards, key=lambda card: kinds.index(card.kind))
    theirs = sorted(parse(text, "house.toml", game.key, game.shapes).cards, key=lambda card: kinds.index(card.kind))
    assert ours == theirs


@EACH
def test_a_copy_written_over_card_by_card_stays_as_it_is(game: Game, library: Library) -> None:
    """Letter by letter: comments, order and how a value was typed."""
    name = library.new(game.key, "Copy", "house")
    text = library.text(game.key, name)
    for card in deck(library, game.key, name)["cards"]:
        assert card["place"] == library.write(game.key, name, card["kind"], card["place"], typed(card), card["mark"])
    assert text == library.text(game.key, name)
    assert text is not None
    assert (
        scribe.draft(text, "copy.toml").data == scribe.draft(library.text(game.key, "house") or "", "house.toml").data
    )
