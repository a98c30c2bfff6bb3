"""Setups, tables and random decks of RallyBird for the tests of its manager."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random

from device.storage.decks import house_deck
from engine.ask_views import AnyAskView
from engine.cards import Deck, parse_deck
from engine.games.rallybird import GAME
from engine.games.rallybird.cards import CARD_SHAPES
from engine.seats import Seat
from engine.table import Table
from managers.manager import GameSetup, next_manager_ask
from managers.simulation import answer_one_ask, random_decision
from tests.engine.games.rallybird.fixture import source

PHRASES = (
    "batter flies out",
    "batter out",
    "batter grounds out",
    "double play",
    "batter flies out, lead runner out",
    "batter grounds out, runners +1",
    "lead runner out, batter to first; else batter out",
    "batter to first",
    "batter walks",
    "batter to first, runners +2",
    "batter to second, runners +2",
    "batter to home, runners +3",
)

STEAL = """tests = ["A", "B"]
requires = "second"
less = "runner on second out"
equal = "batter stays"
more = "runner on second +1"
"""


def setup(cards: Deck | None = None, house: Mapping[str, str] | None = None) -> GameSetup:
    """Return a setup with the house deck by default."""
    chosen = cards or house_deck(GAME)
    return GameSetup(
        "rallybird", (chosen,), dict(Table(GAME, [chosen], {"visitor": "agreed"} | dict(house or {})).house)
    )


def new(of: GameSetup) -> Table:
    """Return a new table of this setup."""
    return Table(GAME, list(of.decks), of.house)


def any_house(chance: Random) -> dict[str, str]:
    """Return random house rules for a short game."""
    house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}
    return house | {"startInning": chance.choice(["8", "9"])}


def any_deck(chance: Random) -> Deck:
    """Return a deck of random cards and Gloves; some cards need two rolls, steal, or never change a Glove."""
    cards = {}
    for number in range(1, 18):
        zones = json.dumps([chance.choice("ABCDEF") for _ in range(chance.choice((1, 2, 2, 3)))])
        less, equal, more = (chance.choice(part) for part in (PHRASES[:7], PHRASES[2:9], PHRASES[7:]))
        text = f'tests = {zones}\nless = "{less}"\nequal = "{equal}"\nmore = "{more}"\n'
        text += (
            f"twice = {chance.choice(['true', 'false', 'false'])}\nwears = {chance.choice(['false', 'true', 'true'])}\n"
        )
        cards[f"C-{number}"] = text
    cards["C-1"] += "beginner = false\n"
    cards["C-2"] = STEAL
    gloves = {zone: (chance.randint(1, 6), chance.randint(1, 6)) for zone in "ABCDEFX"}
    return deck_of(cards, gloves)


def deck_of(cards: dict[str, str], gloves: dict[str, tuple[int, int]]) -> Deck:
    """Return a deck of exactly these cards."""
    return parse_deck(source(cards, gloves), "f.toml", GAME.key, CARD_SHAPES)


def moments(table: Table, chance: Random) -> Iterator[tuple[Table, Seat, AnyAskView]]:
    """Play a table to its end by random answers, and yield it before each decision, with the seat that decides."""
    while table.outcome is None:
        ((_, ask),) = table.open_asks()
        if open_ask := next_manager_ask(table.view_for(ask.seat)):
            yield table, ask.seat, open_ask
        answer_one_ask(table, {"away": random_decision, "home": random_decision}, chance)
