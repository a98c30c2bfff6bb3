"""Random draws, which the program makes, and the answers that people gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engine.asks import Ask, Draw, Secret
from engine.journal import Source
from engine.table import CurrentAnswer, Table


def open_draws(table: Table) -> Mapping[int, Draw]:
    return {n: draw for n, ask in table.open_asks() if (draw := _inner_draw(ask))}


def draw_count(table: Table) -> int:
    return sum(_inner_draw(one.ask) is not None for one in table.answers)


def draw_option(key: str, game: int, place: int, draw: Draw) -> str:
    """Choose one option of a draw, all equally likely.

    The result depends only on the secret `key`, `game` and `place` (0 for its first draw). Undoing a draw and drawing
    again changes nothing, whatever else was answered before.
    """
    return Random(f"{key} {game} {place}").choice(draw.options)


def last_person_answer(table: Table, sources: Sequence[Source]) -> int | None:
    """Number of the last answer of a person, or None. Undoing a draw has no effect, as it is repeated at once."""
    return next((one.n for one in reversed(table.answers) if is_from_person(one, sources)), None)


def is_from_person(one: CurrentAnswer, sources: Sequence[Source]) -> bool:
    """True if a person gave this answer, not a draw, a computer manager or an automatic answer.

    `sources` are those of the journal's entries. Without them, every answer but a draw counts as a person's.
    """
    return _inner_draw(one.ask) is None and (not sources or sources[one.entry].is_person)


def _inner_draw(ask: Ask) -> Draw | None:
    inner = ask.ask if isinstance(ask, Secret) else ask
    return inner if isinstance(inner, Draw) else None
