"""Alone at the table: the house sits in the away seat and makes its choices, a person does all the rest."""

from __future__ import annotations

from engine.asks import Roll
from engine.play import Solo
from engine.table import Table


def house(table: Table) -> Solo | None:
    """The game's player of the house, where it plays."""
    return table.game.solo if table.house.get("solo") == "houseBot" else None


def decided(table: Table) -> int | None:
    """The number of the last answer that was a person's, None where there is none.

    To take back a choice of the house alone would change nothing: it chooses again at once.
    """
    seat = "away" if house(table) else None
    return next((one.n for one in reversed(table.answers) if one.ask.seat != seat or isinstance(one.ask, Roll)), None)
