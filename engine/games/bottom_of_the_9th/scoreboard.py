"""What every display shows of Bottom of the 9th: only what is open on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.diamond import runners
from engine.dice import Face
from engine.events import Told
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.cards import Player
from engine.games.bottom_of_the_9th.state import PARTS, State
from engine.scoreboard import Scoreboard, Side, line_score
from engine.seats import SEATS, Seat

RUNNERS = 4
"""Baserunners in the box (BN-020)."""

ENDS = {"safe": "safe", "out": "out"}
"""The results of a race."""


def scoreboard(s: State, log: Sequence[Told]) -> Scoreboard:
    """Return the scoreboard. The score is even after eight innings (BN-004)."""
    fold = line_score(log)
    line = fold.lines["home"]
    home = Side("Home", "red", (None,) * 8 + line, sum(runs or 0 for runs in line), fold.hits["home"])
    sides: dict[Seat, Side] = {"away": Side("Visitors", "blue"), "home": home}
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
        pitcher=s.pitcher.name,
        count=(min(3, s.balls), min(2, s.strikes)),
        fatigue=max(s.rows),
        dice=s.dice,
        panel={
            "fatigue": dict(zip(PARTS, s.rows, strict=True))
            | {"floor": s.floor, "bottom": s.bottom, "ace": s.pitcher.ace, "exhausted": s.exhausted()},
            "tokens": {seat: s.held(seat) for seat in SEATS},
            "cards": {seat: card(s, seat) for seat in SEATS},
            "pitch": {
                name: getattr(s.pitch, name) for name in ("thrown", "guess", "control", "letter", "swing", "bonus")
            },
            "race": {"open": s.pitch.race == "open", "wins": race(s), "result": ENDS.get(s.pitch.race)},
            "lineup": lineup,
            "reliever": s.reliever.name if s.reliever else None,
            "waiting": RUNNERS - 1 - len(runners(s.bases)),
            "plate": "home",
        },
    )


def card(s: State, seat: Seat) -> dict[str, Any]:
    """Return the card that acts for a seat: its abilities by slot, and the slots that are on (BN-026)."""
    player: Player = s.card(seat)
    able = {slot: [one.effect.text for one in found] for slot, found in player.abilities.items() if found}
    traits = {("speed" if seat == "home" else "fielding"): player.quick, "unopposed": player.unopposed}
    return {
        "name": player.name,
        "abilities": able,
        "on": [slot for slot in player.abilities if pitch_dice.on(s, seat, slot) and (slot in able or slot != "trait")],
        "traits": [name for name, has in traits.items() if has],
        "blank": player.blank,
    }


def race(s: State) -> dict[str, tuple[Face, ...]]:
    """Return the faces that each seat needs while the race is on."""
    return {seat: pitch_dice.wins(s, seat) for seat in SEATS} if s.pitch.race == "open" else {}
