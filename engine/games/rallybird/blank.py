"""Blank cards: a card known by its name alone lies on the table, so the table is asked which zones it tests and, after
the roll, what its result is: one that can happen now, and no two that come to the same."""

from __future__ import annotations

from engine.games.rallybird.cards import MOST, ZONES
from engine.games.rallybird.results import ALL, Result, phrase, run, there
from engine.games.rallybird.state import State

ENOUGH = "enough"
"""No more zones."""

RESULTS = tuple(
    phrase(text)
    for text in (
        "batter out",
        "batter grounds out",
        "double play",
        "runner on first out, batter to first",
        "lead runner out, batter to first",
        "batter flies out, lead runner out",
        "batter grounds out, runners +1",
        "batter flies out, runner on third scores",
        "batter flies out, runners +1",
        "batter walks",
        "batter to first",
        "batter to first, runners +1",
        "batter to first, runners +2",
        "batter to second, runners +1",
        "batter to second, runners +2",
        "batter to second, runners +3",
        "batter to third, runners +3",
        "batter to home, runners +3",
        "runner on first +1",
        "runner on second +1",
        "runner on third scores",
        "runner on first out",
        "runner on second out",
        "runner on third out",
        "batter stays",
    )
)
"""What a real card may say."""


def zones(tests: tuple[str, ...]) -> tuple[str, ...]:
    """What may be said after these zones; empty once there are as many as a card can have."""
    if len(tests) == MOST:
        return ()
    return (*ZONES, ENOUGH) if tests else ZONES


def results(s: State) -> tuple[Result, ...]:
    """What the card's result may be in this position."""
    found: dict[object, Result] = {}
    for result in RESULTS:
        if there(result, s.bases) and (any(s.bases) or ALL not in dict(result.runners)):
            ran = run(result, s.bases, s.batter, s.outs, s.house["runOnThirdOut"] == "true")
            found.setdefault((ran.bases, ran.outs, ran.home, ran.moved, result.batter == "walk"), result)
    return tuple(found.values())
