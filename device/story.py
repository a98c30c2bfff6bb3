"""What a table has played, as plain data for everyone: the play log, the rolls, and what a correction would change."""

from __future__ import annotations

from collections.abc import Mapping
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
