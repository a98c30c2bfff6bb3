"""RallyBird on a table without a machine, moment by moment: the house's own cards, the Visitors at bat."""

from __future__ import annotations

from collections.abc import Mapping

from device.storage.decks import house_deck
from engine.games import GAMES
from engine.table import Table
from tests.web.games.bottom_of_the_9th import give

GAME = GAMES["rallybird"]

LAID = {"A": "5/4", "B": "3/4", "C": "4/2", "D": "4/1", "E": "3/2", "F": "3/1"}
"""How the Gloves lie unless a test says otherwise."""


def rally(house: Mapping[str, str] | None = None, removed: str = "Over the fence", inning: int = 7) -> Table:
    """A half-inning begins: the Visitors choose their card."""
    table = Table(GAME, [house_deck(GAME)], {"visitor": "agreed", "startInning": str(inning)} | dict(house or {}))
    give(table, "away", removed)
    give(table, "home", "4/6")
    return table


def laid(table: Table, card: str = "Chop to the left") -> Table:
    """A card lies face down; the Gloves are to be laid."""
    give(table, "away", card)
    return table


def shown(table: Table, card: str = "Chop to the left", gloves: Mapping[str, str] = LAID) -> Table:
    """The card is turned over; the dice are to be rolled."""
    give(laid(table, card), "home", dict(gloves))
    return table


def rolled(table: Table, *dice: int) -> Table:
    give(table, "away", list(dice))
    return table
