"""What the house does at a table: it draws what chance decides, and in an evening alone it sits in the away seat."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from engine.asks import Ask, Draw, Secret, Thrown
from engine.game import Solo
from engine.table import Table


def plays(table: Table) -> Solo | None:
    """The game's player of the house, where it plays."""
    return table.game.solo if table.house.get("solo") == "houseBot" else None


def drawn(table: Table) -> Mapping[int, Draw]:
    """The open asks that chance answers, by number."""
    return {n: draw for n, ask in table.asks() if (draw := _draw(ask))}


def draws(table: Table) -> int:
    """How many draws stand in this game."""
    return sum(_draw(one.ask) is not None for one in table.answers)


def deal(key: str, game: int, place: int, draw: Draw) -> str:
    """One of what there is to draw, each as likely as the others.

    For one secret `key`, `game` and `place` among its draws, 0 for the first, it is always the same: to take it back
    and draw again changes nothing, whatever else was answered before.
    """
    return Random(f"{key} {game} {place}").choice(draw.options)


def decided(table: Table) -> int | None:
    """The number of the last answer that was a person's, None where there is none.

    To take back what the house did alone would change nothing: it does it again at once.
    """
    return next((one.n for one in reversed(table.answers) if not by(table, one.ask)), None)


def by(table: Table, ask: Ask) -> bool:
    """Whether the house answers this ask, not a person."""
    return _draw(ask) is not None or (ask.seat == "away" and not isinstance(ask, Thrown) and plays(table) is not None)


def _draw(ask: Ask) -> Draw | None:
    inner = ask.ask if isinstance(ask, Secret) else ask
    return inner if isinstance(inner, Draw) else None
