"""What the house does at a table: it makes the random draws, and in a solo game it plays the away seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engine.asks import Ask, Draw, Secret, Thrown
from engine.game import Solo
from engine.journal import Source
from engine.table import Given, Table


def plays(table: Table) -> Solo | None:
    """Return the game's house player, if it plays at this table."""
    return table.game.solo(table.house)


def drawn(table: Table) -> Mapping[int, Draw]:
    """Return the open draws, by ask number."""
    return {n: draw for n, ask in table.asks() if (draw := _draw(ask))}


def draws(table: Table) -> int:
    """Return how many draws have been made in this game."""
    return sum(_draw(one.ask) is not None for one in table.answers)


def deal(key: str, game: int, place: int, draw: Draw) -> str:
    """Return one of the options of a draw, each with the same chance.

    The result depends only on the secret `key`, `game` and `place` (0 for its first draw), so undoing a draw and
    drawing again changes nothing, whatever else was answered before.
    """
    return Random(f"{key} {game} {place}").choice(draw.options)


def decided(table: Table, sources: Sequence[Source]) -> int | None:
    """Return the number of the last answer that a person gave, None if there is none.

    Undoing an answer of the house would change nothing: it gives the same one at once. `sources` as in `person`.
    """
    return next((one.n for one in reversed(table.answers) if person(table, one, sources)), None)


def person(table: Table, one: Given, sources: Sequence[Source]) -> bool:
    """True if a person gave this answer, not the house, a computer manager, or the table by itself.

    `sources` say who gave each entry of the journal; if there are none, nobody knows, and it was a person.
    """
    return not by(table, one.ask) and (not sources or sources[one.entry].is_person)


def by(table: Table, ask: Ask) -> bool:
    """True if the house answers this ask, not a person."""
    return _draw(ask) is not None or (ask.seat == "away" and not isinstance(ask, Thrown) and plays(table) is not None)


def _draw(ask: Ask) -> Draw | None:
    inner = ask.ask if isinstance(ask, Secret) else ask
    return inner if isinstance(inner, Draw) else None
