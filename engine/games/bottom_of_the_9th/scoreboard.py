"""What every display shows of Bottom of the 9th: only what is open on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.diamond import runners
from engine.dice import Face
from engine.events import LoggedEvent
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.state import State
from engine.scoreboard import Panel, Scoreboard, Side, line_score
from engine.seats import SEATS, Seat

RUNNERS = 4
"""Baserunners in the box (BN-020)."""

DICE = ("control", "letter", "swing", "bonus")
"""The dice of a pitch."""

ENDS = {"safe": "safe", "out": "out"}
"""The results of a race."""


@dataclass(frozen=True, slots=True, eq=False)
class Fatigue(Panel):
    """The rows of the fatigue tokens, the rows they may lie in, the ace, and its words that may not be thrown."""

    direction: int
    location: int
    floor: int
    bottom: int
    ace: tuple[str, ...]
    exhausted: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Acted(Panel):
    """An ability that acted on the last pitch: the seat and the slot of its card, and what it does, as typed."""

    seat: Seat
    slot: str
    does: str


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Return the scoreboard. The score is even after eight innings (BN-004)."""
    fold = line_score(log)
    line = fold.lines["home"]
    home = Side(s.called("home", "Home"), "red", (None,) * 8 + line, sum(runs or 0 for runs in line), fold.hits["home"])
    sides: dict[Seat, Side] = {"away": Side(s.called("away", "Visitors"), "blue"), "home": home}
    lineup = [batter.name for batter in s.lineup]
    if s.pitcher is None:
        panel = {"lineup": lineup}
        return Scoreboard("bottom-of-the-9th", sides, 9, "bottom", "9", batting="home", dice=s.dice, panel=panel)
    return Scoreboard(
        game="bottom-of-the-9th",
        sides=sides,
        inning=9,
        half="bottom",
        marker="9",
        batting="home",
        outs=s.outs,
        bases=s.bases,
        batter=lineup[0],
        on_deck=lineup[1] if len(lineup) > 1 else None,
        due_up=tuple(lineup[:3]),
        pitcher=s.pitcher.name,
        count=(min(3, s.balls), min(2, s.strikes)),
        fatigue=max(s.rows),
        dice=s.dice,
        panel={
            "fatigue": Fatigue(*s.rows, s.floor, s.bottom, s.pitcher.ace, s.exhausted()),
            "tokens": {seat: s.held(seat) for seat in SEATS},
            "cards": {seat: card(s, seat) for seat in SEATS},
            "pitch": {
                **{name: getattr(s.pitch, name) for name in ("thrown", "guess", *DICE)},
                "count": {name: counted(s, name) for name in DICE},
            },
            "acted": tuple(Acted(done.seat, done.slot, done.effect.text) for done in s.pitch.done),
            "used": tuple(sorted(which for _, which in s.spent)),
            "race": {"open": s.pitch.race == "open", "wins": race(s), "result": ENDS.get(s.pitch.race)},
            "lineup": lineup,
            "reliever": s.reliever.name if s.reliever else None,
            "waiting": RUNNERS - 1 - len(runners(s.bases)),
            "plate": "home",
        },
    )


@dataclass(frozen=True, slots=True, eq=False)
class CardPanel(Panel):
    """The card that acts for a seat: its abilities by slot, the slots that are on (BN-026), and its traits."""

    name: str
    abilities: Mapping[str, tuple[str, ...]]
    on: tuple[str, ...]
    traits: tuple[str, ...]
    blank: bool


def card(s: State, seat: Seat) -> CardPanel:
    """Return the card of a seat."""
    player = s.card(seat)
    able = {slot: tuple(one.effect.text for one in found) for slot, found in player.abilities.items() if found}
    traits = {("speed" if seat == "home" else "fielding"): player.quick, "unopposed": player.unopposed}
    slots = (slot for slot in player.abilities if slot in able or slot != "trait")
    return CardPanel(
        player.name,
        able,
        tuple(slot for slot in slots if pitch_dice.on(s, seat, slot)),
        tuple(name for name, has in traits.items() if has),
        player.blank,
    )


def counted(s: State, name: str) -> Face | None:
    """Return what a die of the pitch counts as, abilities included; None before it is rolled."""
    if getattr(s.pitch, name) is None:
        return None
    return pitch_dice.letter(s) if name == "letter" else pitch_dice.value(s, name)


def race(s: State) -> dict[str, tuple[Face, ...]]:
    """Return the faces that each seat needs while the race is on."""
    return {seat: pitch_dice.wins(s, seat) for seat in SEATS} if s.pitch.race == "open" else {}
