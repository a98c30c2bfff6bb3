"""Scoreboard of RallyBird for every display. The removed card is sealed for its owner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from engine.events import LoggedEvent
from engine.games.rallybird.rules import may_rally
from engine.games.rallybird.state import State, glove_value
from engine.games.rallybird.words import TEAM_NAMES, describe_result
from engine.scoreboard import GamePanel, Scoreboard, SideScore, line_score
from engine.seats import SEATS, Seat

SIDE_COLORS: dict[Seat, str] = {"away": "red", "home": "blue"}


def build_scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Build the scoreboard. Innings before the first one played stay empty (A20)."""
    fold, skipped = line_score(log), (None,) * (int(s.house["startInning"]) - 1)
    sides = {
        seat: SideScore(
            s.seat_name(seat, TEAM_NAMES[seat]),
            SIDE_COLORS[seat],
            skipped + fold.lines[seat],
            s.score[i],
            fold.hits[seat],
        )
        for i, seat in enumerate(SEATS)
    }
    first, second, third = ("runner" if cube else None for cube in s.bases)
    return Scoreboard(
        game="rallybird",
        sides=sides,
        inning=s.clock.inning,
        half=s.clock.half,
        marker=str(s.clock.inning),
        batting=s.offense if s.seated and not s.outcome else None,
        outs=s.outs,
        bases=(first, second, third),
        dice=s.dice,
        panel={
            "zones": zone_panels(s),
            "gloves": glove_panels(s),
            "card": card_panel(s),
            "laid": s.laid,
            "roll": last_roll(log) if s.dice else None,
            "rallybird": {seat: rallybird_status(s, seat) for seat in SEATS},
            "played": shown_cards(log),
            "removed": s.removed,
        },
    )


@dataclass(frozen=True, slots=True, eq=False)
class GlovePanel(GamePanel):
    """A Glove with the value on its upper side."""

    name: str
    value: int
    back: bool
    icon: bool


@dataclass(frozen=True, slots=True, eq=False)
class GloveStatusPanel(GlovePanel):
    """A Glove, and the reason it is out of this half: "removed", "left out", or "" if it is in."""

    out: str


@dataclass(frozen=True, slots=True, eq=False)
class ZonePanel(GamePanel):
    """A zone with its printed value and its Glove. `tested` is true if the revealed card tests it."""

    printed: int
    place: str
    tested: bool
    glove: GlovePanel | None


def zone_panels(s: State) -> dict[str, ZonePanel]:
    lying = dict(s.lying)
    return {
        letter: ZonePanel(zone.printed, zone.place, letter in s.at_bat.tests, glove_panel(s, lying.get(letter)))
        for letter, zone in s.box.zones.items()
    }


def glove_panels(s: State) -> list[GloveStatusPanel]:
    out = dict.fromkeys(s.gone, "removed") | {s.left_out: "left out"}
    return [
        GloveStatusPanel(name, glove_value(s, name), name in s.backs, one.icon, out.get(name, ""))
        for name, one in s.box.gloves.items()
    ]


def glove_panel(s: State, name: str | None) -> GlovePanel | None:
    return GlovePanel(name, glove_value(s, name), name in s.backs, s.box.gloves[name].icon) if name else None


@dataclass(frozen=True, slots=True, eq=False)
class RevealedCardPanel(GamePanel):
    """The revealed card. `less`, `equal` and `more` are its results in words, "" on a blank card."""

    name: str
    number: int
    tests: tuple[str, ...]
    worths: tuple[int, ...]
    target: int
    less: str
    equal: str
    more: str
    times: int


def card_panel(s: State) -> RevealedCardPanel | None:
    """Return the revealed card of this at-bat, or None."""
    shown, now = s.at_bat.card, s.at_bat
    if shown is None:
        return None
    less, equal, more = (
        describe_result(shown.results[one]) if shown.results else "" for one in ("less", "equal", "more")
    )
    return RevealedCardPanel(
        shown.name, shown.number, now.tests, now.worths, now.target_sum, less, equal, more, 1 + shown.twice
    )


def last_roll(log: Sequence[LoggedEvent]) -> dict[str, int | str] | None:
    """Return the last roll, also once its card is gone, with its `number` in that at-bat. None before the first."""
    rolls = [
        logged.event.facts
        for logged in takewhile(lambda logged: logged.event.code != "shown", reversed(log))
        if logged.event.code == "roll"
    ]
    return {**{key: rolls[0][key] for key in ("sum", "target", "compare")}, "number": len(rolls)} if rolls else None


def shown_cards(log: Sequence[LoggedEvent]) -> list[str]:
    """Return the cards revealed in this half, each once. None of them is the removed one."""
    events = takewhile(lambda event: event.code != "half-inning", (logged.event for logged in reversed(log)))
    shown = [event.facts["card"] for event in events if event.code in ("shown", "shown-blank")]
    return list(dict.fromkeys(reversed(shown)))


def rallybird_status(s: State, seat: Seat) -> str:
    """Return "ready" if a side may reroll now, "no" if not, or "lost" after it lost the RallyBird."""
    if not s.rally[SEATS.index(seat)]:
        return "lost"
    return "ready" if may_rally(s, seat) else "no"
