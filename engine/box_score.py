"""The box score, folded from the events of any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.events import LoggedEvent
from engine.scoreboard import last_game, line_score
from engine.seats import SEATS, Seat

TURNS = {
    "out": ("at_bats",),
    "strikeout": ("at_bats", "strikeouts"),
    "walk": ("walks",),
    "hit-by-pitch": (),
    "sacrifice": (),
}
"""The statistics for a turn at the plate that was not a hit."""


@dataclass(frozen=True, slots=True)
class Batting:
    """The batting totals of a side or a batter. Walks, hit batters and the game's sacrifices are not at-bats."""

    at_bats: int = 0
    runs: int = 0
    hits: int = 0
    driven_in: int = 0
    walks: int = 0
    strikeouts: int = 0


@dataclass(frozen=True, slots=True)
class Box:
    """A side's box score: runs in each half-inning it batted, its totals, and its batters in the order of their first
    statistic; no batters if the game's batters have no names.
    """

    line: tuple[int | None, ...]
    total: Batting
    batters: Mapping[str, Batting]


def box(log: Sequence[LoggedEvent]) -> dict[Seat, Box]:
    """Fold the events of any game into the box score of each seat; if several games follow each other, that of the
    last.

    Batters are identified by name alone. A run counts for its runner and for the batter who drove it in only once it is
    on the board. Without names it counts for the side alone, and nobody drove it in.
    """
    log = last_game(log)
    line = line_score(log).lines
    totals: dict[Seat, Counter[str]] = {seat: Counter() for seat in SEATS}
    batters: dict[Seat, dict[str, Counter[str]]] = {seat: {} for seat in SEATS}
    seat: Seat = "away"
    home: list[tuple[str, str]] = []

    def count(name: str, *what: str) -> None:
        totals[seat].update(what)
        if name:
            batters[seat].setdefault(name, Counter()).update(what)

    for logged in log:
        facts = logged.event.facts
        if logged.event.code == "half-inning":
            seat, home = facts["seat"], []
        if facts.get("hit"):
            count(facts.get("batter", ""), "at_bats", "hits")
        elif "turn" in facts:
            count(facts.get("batter", ""), *TURNS[facts["turn"]])
        home += [(runner, facts["by"]) for runner in facts.get("runners", ())]
        if scored := facts.get("scored"):
            for runner, by in home or [("", "")] * scored:
                count(runner, "runs")
                if by:
                    count(by, "driven_in")
            home = []
    return {
        seat: Box(line[seat], Batting(**totals[seat]), {name: Batting(**did) for name, did in batters[seat].items()})
        for seat in SEATS
    }
