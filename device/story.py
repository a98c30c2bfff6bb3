"""What a table has played, as plain data for everyone: the play log, the rolls, and what a correction would change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from engine.asks import Roll
from engine.journal import Answer
from engine.secrets import view
from engine.table import Table

Pictures = Mapping[int, str]
"""The name of the picture that a camera took of an answer, by the answer's number."""


def places(table: Table) -> dict[int, int]:
    """Where in the journal each answer was given last, by its number."""
    return {entry.n: place for place, entry in enumerate(table.journal) if isinstance(entry, Answer)}


def pictures(table: Table, game: int, has: Callable[[int, int], bool]) -> dict[int, str]:
    """The name of the picture of each answer that stands and, as `has` says of game and place, has one."""
    standing = {one.n for one in table.answers}
    return {n: f"{game}-{place}" for n, place in places(table).items() if n in standing and has(game, place)}


def told(table: Table) -> int:
    """How many plays there were: answers that something was told of."""
    return len({told.n for told in table.log if told.n >= 0})


def lines(table: Table, pictures: Pictures) -> list[dict[str, Any]]:
    """The play log, oldest first; lines that came of an answer a camera saw name its picture under `evidence`."""
    return [{**asdict(line), "evidence": pictures.get(line.n)} for line in table.lines()]


def rolls(table: Table, pictures: Pictures) -> list[dict[str, Any]]:
    """The rolls that stand, newest first."""
    return [
        {**table.show(one.n, one.ask, None), "value": list(one.value), "evidence": pictures.get(one.n)}
        for one in reversed(table.answers)
        if isinstance(one.ask, Roll)
    ]


def preview(table: Table, n: int, value: Any) -> dict[str, Any]:
    """What correcting answer `n` would change. Raises as `Table.preview` does."""
    found = table.preview(n, value)
    return {
        "kept": list(found.kept),
        "dropped": list(found.dropped),
        "before": view(found.before, None),
        "after": view(found.after, None),
        "sentences": [table.game.words.event(told.event) for told in found.events],
    }
