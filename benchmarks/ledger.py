"""What the table said yes to, kept by those who play, to be held against its journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURS = ("phone", "operator")
"""The sources of what people give; the rest of a journal is the camera's and the house's."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was sent. It was acknowledged, unless it is not `sure`: its answer was cut off, or it is the table's to
    write down (a call in a race)."""

    entry: Mapping[str, Any]
    sure: bool = True


def strays(lines: Iterable[Line], journal: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong with the entries of people in one game's journal, in sentences; nothing, where each line that is
    sure is there once and in its order, and nothing else but lines that are not."""
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
    """Whether an entry is what was sent; who takes back "the last one" leaves to the table which that is."""
    return ("undo" in kept) if sent.get("undo", 0) is None else sent == kept


class Ledger:
    """All games, by their number in the journal at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._games: dict[int, list[Line]] = {}
        self.sure = 0
        """Entries that were acknowledged."""

    def note(self, entry: Mapping[str, Any], sure: bool = True) -> None:
        """Something was sent to the game that is on."""
        self._games.setdefault(self.game, []).append(Line(entry, sure))
        self.sure += sure

    def begin(self) -> None:
        """A game was begun, or may have been: look which."""
        ((self.game,),) = self._read("select max(id) from game")
        self._games.setdefault(self.game, [])

    def check(self) -> tuple[int, list[str]]:
        """Hold it against the journal; gives how many entries of people that has, and what is wrong."""
        faults, count = [], 0
        for game, lines in self._games.items():
            kept = self._read("select body from entry where game = ? and source in (?, ?) order by place", game, *OURS)
            entries = [json.loads(body) for (body,) in kept]
            count += len(entries)
            faults += [f"game {game}: {fault}" for fault in strays(lines, entries)]
        return count, faults

    def sources(self) -> dict[str, int]:
        """How many entries came from where."""
        return dict(self._read("select source, count(*) from entry group by source order by 2 desc"))

    def _read(self, query: str, *given: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self._path, timeout=20)) as db:
            return db.execute(query, given).fetchall()
