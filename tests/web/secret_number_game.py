"""Two seats name a number in secret at the same time; the higher scores. Enough rulebook to have something to leak."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine import game
from engine.asks import Choose, Play, Secret, ask_together, roll
from engine.cards import Card
from engine.events import GameWords, LoggedEvent
from engine.game import Rulebook
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore, line_score
from engine.seats import SEATS, Seat

NUMBERS = ("one", "two", "three")


@dataclass(slots=True)
class State(game.GameState):
    rounds: int = 0


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    return State()


def duel(s: State) -> Play:
    """An unimportant die, then both name a number in secret, and the numbers are revealed together."""
    if not s.rounds:
        s.emit("half-inning", seat="away", inning=1, half="top")
    yield from roll("away", "first")
    sealed = yield from ask_together(*(Secret(Choose(seat, "number", NUMBERS)) for seat in SEATS))
    away, home = (s.reveal(sealed[seat]) for seat in SEATS)
    s.emit("named", away=away, home=home)
    s.rounds += 1
    if s.rounds == 2:
        s.outcome = Outcome(None, "regulation", "Nobody wins.")


def next_play(s: State) -> Callable[[State], Play] | None:
    return None if s.outcome else duel


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    lines = line_score(log).lines
    sides: dict[Seat, SideScore] = {
        "away": SideScore("Foxes", "red", lines["away"]),
        "home": SideScore("Geese", "green", lines["home"]),
    }
    return Scoreboard("peek", sides, batting="away", panel={"rounds": s.rounds})


PEEK = Rulebook(
    key="peek",
    title="Peek",
    version=1,
    shapes={},
    house_rules=(),
    words=GameWords(
        asks={"first": "Roll to begin.", "number": "Name a number."},
        events={"half-inning": "They begin.", "named": "Away named {away}, home named {home}."},
    ),
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
)
