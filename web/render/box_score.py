"""The box score of a game whose rulebook keeps a full one, as the lines of a printed sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.scoreboard import Scoreboard
from engine.seats import SEATS

BATTING = ("AB", "R", "H", "RBI", "BB", "SO")
PITCHING = ("IP", "H", "R", "ER", "BB", "SO", "HR")
NOTES = {
    "doubles": "2B",
    "triples": "3B",
    "hr": "HR",
    "sf": "SF",
    "sac": "SAC",
    "fc": "FC",
    "e": "E",
    "gdp": "GDP",
    "sb": "SB",
    "cs": "CS",
    "ibb": "IBB",
    "hbp": "HBP",
}
"""What batters did beside the columns, and what scorers call it."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One printed line: words at the left, and figures in columns. `kind` is "team", "head", "row", "all" or "note"."""

    kind: str
    words: str
    figures: tuple[str, ...] = ()


def lines(board: Scoreboard) -> list[PrintedLine]:
    """Both sides' batters with what they did, and their pitchers; none where the panel of a scoreboard has no box."""
    box = board.panel.get("box")
    return [line for seat in SEATS for line in _side(board.sides[seat].name, box[seat])] if box else []


def _side(name: str, box: Mapping[str, Any]) -> Iterator[PrintedLine]:
    yield PrintedLine("team", name)
    yield PrintedLine("head", "Batter", BATTING)
    seen: set[int] = set()
    for one in box["batting"]:
        indent = "   " if one["spot"] in seen else ""
        seen.add(one["spot"])
        yield PrintedLine("row", f"{indent}{one['name']} {'-'.join(one['positions'])}", _figures(one, BATTING))
    yield PrintedLine("all", "All", _figures(box["total"], BATTING))
    for key, short in NOTES.items():
        if did := [one["name"] + (f" {one[key]}" if one[key] > 1 else "") for one in box["batting"] if one.get(key)]:
            yield PrintedLine("note", f"{short}: {', '.join(did)}")
    yield PrintedLine("head", "Pitcher", PITCHING)
    for one in box["pitching"]:
        yield PrintedLine("row", f"{one['name']} {one['role']}", _figures(one, PITCHING))
    if came := [f"{one['name']} {one['inherited']}, {one['scored']}" for one in box["pitching"] if one["inherited"]]:
        yield PrintedLine("note", f"Inherited, scored: {'; '.join(came)}")
    if good := [one["name"] for one in box["pitching"] if one["quality"]]:
        yield PrintedLine("note", f"QA: {', '.join(good)}")


def _figures(one: Mapping[str, Any], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(one.get(column.lower(), 0)) for column in columns)
