"""What every display shows of RallyBird; the removed card is sealed for its owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.events import Told
from engine.games.rallybird.gloves import value
from engine.games.rallybird.rules import may_rally
from engine.games.rallybird.state import State
from engine.games.rallybird.words import TEAMS, says
from engine.scoreboard import Scoreboard, Side, line_score
from engine.seats import SEATS, Seat

COLOURS: dict[Seat, str] = {"away": "red", "home": "blue"}


def scoreboard(s: State, log: Sequence[Told]) -> Scoreboard:
    """Return the scoreboard. Innings before the first one played stay empty (A20)."""
    fold, skipped = line_score(log), (None,) * (int(s.house["startInning"]) - 1)
    sides = {
        seat: Side(TEAMS[seat], COLOURS[seat], skipped + fold.lines[seat], s.score[i], fold.hits[seat])
        for i, seat in enumerate(SEATS)
    }
    first, second, third = ("runner" if cube else None for cube in s.bases)
    return Scoreboard(
        game="rallybird",
        sides=sides,
        inning=s.clock.inning,
        half=s.clock.half,
        marker=str(s.clock.inning),
        batting=s.offence if s.seated and not s.outcome else None,
        outs=s.outs,
        bases=(first, second, third),
        dice=s.dice,
        panel={
            "zones": zones(s),
            "gloves": gloves(s),
            "card": card(s),
            "laid": s.laid,
            "roll": {"sum": sum(s.dice), "compare": s.at_bat.compare} if s.at_bat.compare else None,
            "rallybird": {seat: rallybird(s, seat) for seat in SEATS},
            "removed": s.removed,
        },
    )


def zones(s: State) -> dict[str, Any]:
    """Return each zone with its printed value, its Glove, and whether the revealed card tests it."""
    lying = dict(s.lying)
    return {
        letter: {
            "printed": zone.printed,
            "place": zone.place,
            "tested": letter in s.at_bat.tests,
            "glove": glove(s, lying[letter]) if letter in lying else None,
        }
        for letter, zone in s.box.zones.items()
    }


def gloves(s: State) -> list[dict[str, Any]]:
    """Return all Gloves in the order of the deck, with why they are out of this half, if they are."""
    out = dict.fromkeys(s.gone, "removed") | {s.left_out: "left out"}
    return [glove(s, name) | {"out": out.get(name, "")} for name in s.box.gloves]


def glove(s: State, name: str) -> dict[str, Any]:
    """Return one Glove with the side that is up."""
    return {"name": name, "value": value(s, name), "back": name in s.backs, "icon": s.box.gloves[name].icon}


def card(s: State) -> dict[str, Any] | None:
    """Return the card of this at-bat once it is revealed, or None. Results are in words, empty on a blank card."""
    shown = s.at_bat.card
    if shown is None:
        return None
    return {
        "name": shown.name,
        "number": shown.number,
        "tests": s.at_bat.tests,
        "worths": s.at_bat.worths,
        "target": s.at_bat.target,
        **{compare: says(shown.results[compare]) if shown.results else "" for compare in ("less", "equal", "more")},
        "times": 1 + shown.twice,
    }


def rallybird(s: State, seat: Seat) -> str:
    """Return whether a side may roll again: "ready" now, "no" not now, "lost" not any more."""
    if not s.rally[SEATS.index(seat)]:
        return "lost"
    return "ready" if may_rally(s, seat) else "no"
