"""Moments: what a play means for the game, in one word for all games. Pages, sounds and lights celebrate by it."""

from __future__ import annotations

from collections import Counter
from typing import Literal, get_args

from engine.events import Event
from engine.seats import Seat

Moment = Literal[
    "walk-off",
    "final",
    "home-run",
    "comeback",
    "lead",
    "double-play",
    "strikeout",
    "tie",
    "run",
    "hit",
    "walk",
    "out",
    "half-inning",
]
"""What a play may be, the greatest first. A comeback is the lead of a side that was behind by `BEHIND` runs or more."""

GREATEST: tuple[Moment, ...] = get_args(Moment)

BEHIND = 3
"""From how many runs behind a lead is a comeback."""

ENDINGS = ("game-over", "game-won")
"""The codes of events that end one game."""

TURNS: dict[str, Moment] = {
    "out": "out",
    "strikeout": "strikeout",
    "walk": "walk",
    "hit-by-pitch": "walk",
    "sacrifice": "out",
}
"""What each end of a turn at the plate is, by the fact `turn`."""


class MomentFold:
    """The moments of one game's events, read in their order."""

    def __init__(self) -> None:
        self._runs: Counter[Seat] = Counter()
        self._behind: Counter[Seat] = Counter()
        self._half = ""
        self._took: Seat | None = None
        """The side that took the lead with the last runs of this half-inning."""

    def read(self, event: Event) -> Moment | None:
        """Return the greatest moment of the next event; None if it is none."""
        found = [moment for moment in self._moments(event) if moment]
        return min(found, key=GREATEST.index, default=None)

    def _moments(self, event: Event) -> list[Moment | None]:
        code, facts = event.code, event.facts
        if code == "half-inning":
            self._half, self._took = facts["half"], None
            return ["half-inning"]
        if code in ENDINGS:
            return ["walk-off" if self._half == "bottom" and self._took == "home" else "final"]
        found: list[Moment | None] = [TURNS.get(facts.get("turn", ""))]
        if code == "home-run":
            found.append("home-run")
        elif code.endswith("double-play"):
            found.append("double-play")
        elif facts.get("hit"):
            found.append("hit")
        if scored := facts.get("scored"):
            found.append(self._score(facts["seat"], scored))
        return found

    def _score(self, seat: Seat, scored: int) -> Moment:
        """Put runs on the board, and return what they are."""
        other: Seat = "home" if seat == "away" else "away"
        ahead = self._runs[seat] - self._runs[other]
        self._runs[seat] += scored
        self._behind[seat] = max(self._behind[seat], -ahead)
        self._took = seat if ahead <= 0 < ahead + scored else None
        if self._took:
            return "comeback" if self._behind[seat] >= BEHIND else "lead"
        return "tie" if ahead + scored == 0 else "run"
