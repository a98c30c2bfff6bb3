"""Scoreboard of Bottom of the 9th, with public information only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.diamond import runners_on_base
from engine.dice import Face
from engine.events import LoggedEvent
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.state import State
from engine.scoreboard import GamePanel, Scoreboard, SideScore, line_score
from engine.seats import SEATS, Seat

SIDE_NAMES: dict[Seat, str] = {"away": "Visitors", "home": "Home"}

RUNNER_COUNT = 4
"""Baserunners in the box (BN-020)."""

PITCH_DICE = ("control", "letter", "swing", "bonus")
"""The dice of a pitch, as fields of `Pitch`."""

RACE_RESULTS = {"safe": "safe", "out": "out"}
"""Values of `Pitch.race` that are results."""


@dataclass(frozen=True, slots=True, eq=False)
class FatiguePanel(GamePanel):
    """The rows of the fatigue tokens, their top and bottom rows, and the parts of the ace pitch, all and exhausted."""

    direction: int
    location: int
    floor: int
    bottom: int
    ace: tuple[str, ...]
    exhausted: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AbilityPanel(GamePanel):
    """An ability that acted on the last pitch, by seat and slot of its card. `does` is as typed."""

    seat: Seat
    slot: str
    does: str


def build_scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Build the scoreboard. The score is even after eight innings (BN-004)."""
    fold = line_score(log)
    line = fold.lines["home"]
    home = SideScore(
        s.seat_name("home", SIDE_NAMES["home"]),
        "red",
        (None,) * 8 + line,
        sum(runs or 0 for runs in line),
        fold.hits["home"],
    )
    sides: dict[Seat, SideScore] = {"away": SideScore(s.seat_name("away", SIDE_NAMES["away"]), "blue"), "home": home}
    lineup = [batter.name for batter in s.lineup]
    up = state_of_next_batter(s) if s.cleanup == "at-bat" and s.pitch.over else s
    order = [batter.name for batter in up.lineup]
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
        batter=None if s.outcome else order[0],
        on_deck=order[1] if len(order) > 1 and not s.outcome else None,
        due_up=() if s.outcome else tuple(order[:3]),
        pitcher=s.pitcher.name,
        count=(min(3, up.balls), min(2, up.strikes)),
        fatigue=max(s.rows),
        dice=s.dice,
        panel={
            "fatigue": FatiguePanel(*s.rows, s.floor, s.bottom_row, s.pitcher.ace, s.exhausted_parts()),
            "tokens": {seat: s.held_tokens(seat) for seat in SEATS},
            "cards": {seat: card_panel(up, seat) for seat in SEATS},
            "pitch": {
                **{name: getattr(s.pitch, name) for name in ("thrown", "guess", *PITCH_DICE)},
                "count": {name: counted_face(s, name) for name in PITCH_DICE},
            },
            "acted": tuple(AbilityPanel(done.seat, done.slot, done.effect.text) for done in s.pitch.done),
            "used": tuple(sorted(which for _, which in s.spent)),
            "race": {"open": s.pitch.race == "open", "wins": race_faces(s), "result": RACE_RESULTS.get(s.pitch.race)},
            "lineup": lineup,
            "reliever": s.reliever.name if s.reliever else None,
            "waiting": RUNNER_COUNT - 1 - len(runners_on_base(s.bases)),
            "plate": "home",
        },
    )


def state_of_next_batter(s: State) -> State:
    """Return a copy in which the next batter is up. His at-bat begins once the pitcher has decided on relief."""
    twin = s.copy()
    twin.lineup, twin.balls, twin.strikes = s.lineup[1:], 0, 0
    return twin


@dataclass(frozen=True, slots=True, eq=False)
class ActiveCardPanel(GamePanel):
    """The card that acts for a seat, with its abilities by slot, the slots that are on (BN-026), and its traits."""

    name: str
    abilities: Mapping[str, tuple[str, ...]]
    on: tuple[str, ...]
    traits: tuple[str, ...]
    blank: bool


def card_panel(s: State, seat: Seat) -> ActiveCardPanel:
    player = s.acting_card(seat)
    able = {slot: tuple(one.effect.text for one in found) for slot, found in player.abilities.items() if found}
    traits = {("speed" if seat == "home" else "fielding"): player.quick, "unopposed": player.unopposed}
    slots = (slot for slot in player.abilities if slot in able or slot != "trait")
    return ActiveCardPanel(
        player.name,
        able,
        tuple(slot for slot in slots if pitch_dice.is_slot_on(s, seat, slot)),
        tuple(name for name, has in traits.items() if has),
        player.blank,
    )


def counted_face(s: State, name: str) -> Face | None:
    """Return a die of the pitch after abilities, or None before it is rolled."""
    if getattr(s.pitch, name) is None:
        return None
    return pitch_dice.current_letter(s) if name == "letter" else pitch_dice.die_value(s, name)


def race_faces(s: State) -> dict[str, tuple[Face, ...]]:
    """Return each seat's winning faces during a race, else {}."""
    return {seat: pitch_dice.winning_faces(s, seat) for seat in SEATS} if s.pitch.race == "open" else {}
