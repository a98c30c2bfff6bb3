"""Acknowledged answers, recorded by the simulated players and compared with the journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PEOPLE_SOURCES = ("phone", "operator")
"""Sources of people's entries. The camera and automatic answers made the rest of a journal."""


@dataclass(frozen=True, slots=True)
class SentEntry:
    """A sent entry. `sure` is False if the reply was lost or the table writes the entry itself (a call in a race)."""

    entry: Mapping[str, Any]
    sure: bool = True


def entry_faults(lines: Iterable[SentEntry], journal: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return sentences about faults in people's entries of one game's journal.

    Each certain entry must be there exactly once and in order. Every other entry must be an uncertain one.
    """
    faults, waiting = [], list(lines)
    for entry in journal:
        at = next((i for i, line in enumerate(waiting) if is_match(line.entry, entry)), None)
        if at is None:
            faults.append(f"nobody gave {json.dumps(entry)}")
            continue
        faults += [f"lost: {json.dumps(dict(line.entry))}" for line in waiting[:at] if line.sure]
        del waiting[: at + 1]
    return faults + [f"lost: {json.dumps(dict(line.entry))}" for line in waiting if line.sure]


def is_match(sent: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """True if an entry matches the sent one. If "undo" names no entry, the table chooses the number."""
    return ("undo" in kept) if sent.get("undo", 0) is None else sent == kept


class Ledger:
    """Sent entries of all games, by the games' numbers in the journal at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._games: dict[int, list[SentEntry]] = {}
        self.sure = 0
        """Number of acknowledged entries."""

    def record(self, entry: Mapping[str, Any], sure: bool = True) -> None:
        """Record an entry sent to the current game."""
        self._games.setdefault(self.game, []).append(SentEntry(entry, sure))
        self.sure += sure

    def begin_game(self) -> None:
        """Record that a game was or may have been started."""
        ((self.game,),) = self._read("select max(id) from game")
        self._games.setdefault(self.game, [])

    def check(self) -> tuple[int, list[str]]:
        """Compare with the journal. Return the number of people's entries and the faults."""
        faults, count = [], 0
        for game, lines in self._games.items():
            kept = self._read(
                "select body from entry where game = ? and source in (?, ?) order by place", game, *PEOPLE_SOURCES
            )
            entries = [json.loads(body) for (body,) in kept]
            count += len(entries)
            faults += [f"game {game}: {fault}" for fault in entry_faults(lines, entries)]
        return count, faults

    def entries_by_source(self) -> dict[str, int]:
        return dict(self._read("select source, count(*) from entry group by source order by 2 desc"))

    def _read(self, query: str, *given: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path, timeout=20)) as db:
            return db.execute(query, given).fetchall()
