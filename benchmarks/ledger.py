"""The answers that the table acknowledged, recorded by the players and compared with its journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURS = ("phone", "operator")
"""The sources of people's entries; the camera and the house made the rest of a journal."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry that was sent. It was acknowledged unless `sure` is False: the reply was lost, or the table itself
    writes the entry (a call in a race).
    """

    entry: Mapping[str, Any]
    sure: bool = True


def strays(lines: Iterable[Line], journal: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the faults in people's entries of one game's journal, in sentences: each certain entry must be there once
    and in order, and every other entry must be an uncertain one.
    """
    faults, waiting = [], list(lines)
    for entry in journal:
        at = next((i for i, line in enumerate(waiting) if fits(line.entry, entry)), None)
        if at is None:
            faults.append(f"nobody gave {json.dumps(entry)}")
            continue
        faults += [f"lost: {json.dumps(dict(line.entry))}" for line in waiting[:at] if line.sure]
        del waiting[: at + 1]
    return faults + [f"lost: {json.dumps(dict(line.entry))}" for line in waiting if line.sure]


def fits(sent: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """True if an entry matches what was sent; for undo of "the last one", the table chooses the number."""
    return ("undo" in kept) if sent.get("undo", 0) is None else sent == kept


class Ledger:
    """Return all games, by their number in the journal at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._games: dict[int, list[Line]] = {}
        self.sure = 0
        """The acknowledged entries."""

    def note(self, entry: Mapping[str, Any], sure: bool = True) -> None:
        """Record an entry sent to the current game."""
        self._games.setdefault(self.game, []).append(Line(entry, sure))
        self.sure += sure

    def begin(self) -> None:
        """Record that a game was or may have been started."""
        ((self.game,),) = self._read("select max(id) from game")
        self._games.setdefault(self.game, [])

    def check(self) -> tuple[int, list[str]]:
        """Compare with the journal; return the number of people's entries and the faults."""
        faults, count = [], 0
        for game, lines in self._games.items():
            kept = self._read("select body from entry where game = ? and source in (?, ?) order by place", game, *OURS)
            entries = [json.loads(body) for (body,) in kept]
            count += len(entries)
            faults += [f"game {game}: {fault}" for fault in strays(lines, entries)]
        return count, faults

    def sources(self) -> dict[str, int]:
        """Return the number of entries by source."""
        return dict(self._read("select source, count(*) from entry group by source order by 2 desc"))

    def _read(self, query: str, *given: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path, timeout=20)) as db:
            return db.execute(query, given).fetchall()
