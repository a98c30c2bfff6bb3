"""The random draws, which the house makes, and which answers persons gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engine.asks import Ask, Draw, Secret
from engine.journal import Source
from engine.table import CurrentAnswer, Table


def open_draws(table: Table) -> Mapping[int, Draw]:
    """Return the open draws, by ask number."""
    return {n: draw for n, ask in table.open_asks() if (draw := _inner_draw(ask))}


def draw_count(table: Table) -> int:
    """Return how many draws have been made in this game."""
    return sum(_inner_draw(one.ask) is not None for one in table.answers)


def draw_option(key: str, game: int, place: int, draw: Draw) -> str:
    """Return one of the options of a draw, each with the same chance.

    The result depends only on the secret `key`, `game` and `place` (0 for its first draw), so undoing a draw and
    drawing again changes nothing, whatever else was answered before.
    """
    return Random(f"{key} {game} {place}").choice(draw.options)


def last_person_answer(table: Table, sources: Sequence[Source]) -> int | None:
    """Return the number of the last answer that a person gave, None if there is none.

    Undoing a draw would change nothing: the house draws the same at once. `sources` as in `is_from_person`.
    """
    return next((one.n for one in reversed(table.answers) if is_from_person(one, sources)), None)


def is_from_person(one: CurrentAnswer, sources: Sequence[Source]) -> bool:
    """True if a person gave this answer, not the house, a computer manager, or the table by itself.

    `sources` say who gave each entry of the journal; if there are none, nobody knows, and it was a person.
    """
    return _inner_draw(one.ask) is None and (not sources or sources[one.entry].is_person)


def _inner_draw(ask: Ask) -> Draw | None:
    inner = ask.ask if isinstance(ask, Secret) else ask
    return inner if isinstance(inner, Draw) else None
