"""Plays of runners by themselves: a state with runners on base, and one step of the rules played on it.

The away side bats in the top, home in the bottom. The batter is Bx, or H-DH in the bottom; the runners on first, second
and third are the last three of the order: RF, CF and LF of their side. All are copies of Bx.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Choose, Roll
from engine.clock import Clock, Half
from engine.games.clutch.pitching.pitcher_record import enter
from engine.games.clutch.rules import ACTIONS
from engine.games.clutch.squad import Line, Runner, Squad
from engine.games.clutch.state import State
from engine.games.clutch.words import WORDS
from engine.seats import SEATS, Seat
from tests.engine.games.clutch.fixture import HOUSE, box

T = TypeVar("T")

CARDS = box()


def at(
    bases: str = "",
    outs: int = 0,
    inning: int = 5,
    half: Half = "top",
    score: tuple[int, int] = (0, 0),
    house: Mapping[str, str] | None = None,
    **bat: Any,
) -> State:
    """Return a position; `bases` are those occupied, as "13".

    `bat` are facts of the at-bat.
    """
    s = State(
        box=CARDS, house={**HOUSE, "level": "players", **(house or {})}, actions=ACTIONS, clock=Clock(inning, half)
    )
    s.score, s.outs = score, outs
    for side, name in zip(SEATS, ("Away", "Home"), strict=True):
        take_the_field(s, side, name)
    order, mound = s.squad(s.offence).order, s.pitcher.name
    first, second, third = (Runner(order[-base], mound) if str(base) in bases else None for base in (1, 2, 3))
    s.bases = (first, second, third)
    s.now(**bat)
    return s


def take_the_field(s: State, side: Seat, name: str) -> None:
    """Put a side in the field as its roster has it."""
    roster = s.box.rosters[name]
    spot = {player: position for position, player in roster.fielders.items()}
    starter = roster.rotation[0]
    at = SEATS.index(side)
    squads, arms, lines = list(s.squads), list(s.arms), list(s.lines)
    squads[at] = Squad(roster, roster.order, tuple(spot[one] for one in roster.order), pitchers=(starter,))
    arms[at] = {starter: enter(s.box.pitchers[starter], "SP")}
    lines[at] = {one: Line(one, slot) for slot, one in enumerate(roster.order)}
    s.squads, s.arms, s.lines = (squads[0], squads[1]), (arms[0], arms[1]), (lines[0], lines[1])


# Playing -------------------------------------------------------------------------------------------------------------


def play(step: Generator[Any, Any, T], *answers: object) -> T:
    """Run a step of rules with these answers; it must use all of them, and every sentence must be complete."""
    wanted = list(answers)
    ask = next_ask(step, None)
    while not isinstance(ask, Done):
        assert wanted, ask
        ask = next_ask(step, checked(ask, wanted.pop(0)))
    assert not wanted
    value: T = ask.value
    return value


def until(step: Generator[Any, Any, Any], *answers: object) -> Choose | Roll:
    """Return what is asked after these answers."""
    ask = next_ask(step, None)
    for answer in answers:
        assert not isinstance(ask, Done)
        ask = next_ask(step, checked(ask, answer))
    assert isinstance(ask, Choose | Roll)
    return ask


class Done(StopIteration):
    """The end of a step of rules, with its value."""


def next_ask(step: Generator[Any, Any, Any], answer: Any) -> Any:
    try:
        return step.send(answer)
    except StopIteration as done:
        return Done(done.value)


def checked(ask: Choose | Roll, answer: object) -> Any:
    """Return an answer as the rules receive it; the sentences of the ask and its options must be complete."""
    assert WORDS.ask(ask.why, ask.facts)
    if isinstance(ask, Choose):
        assert all(one in WORDS.options or one in ask.facts["labels"] for one in ask.options)
        assert all(WORDS.option(one, ask.facts) for one in ask.options)
    return ask.check(answer)


# Looking -------------------------------------------------------------------------------------------------------------


def stand(s: State) -> tuple[str, int, int]:
    """Return the occupied bases, as "13", the outs, and the runs of the side at bat in this play."""
    return "".join(str(base) for base, runner in enumerate(s.bases, 1) if runner), s.outs, s.runs


def line(s: State, name: str = "") -> Line:
    """Return the batting line of the batter, or of another player by name."""
    return s.lines[SEATS.index(s.offence)][name or s.batter.name]


def wrote(s: State, name: str = "") -> dict[str, int]:
    """Return a batting line without its zeros."""
    told = line(s, name)
    bare = Line(told.name, told.spot, told.positions)
    return {what: getattr(told, what) for what in Line.__slots__ if getattr(told, what) != getattr(bare, what)}


def event_sentences(s: State) -> list[str]:
    """Return the events as sentences, without the totals of throws."""
    return [WORDS.event(event) for event in s.news if not event.code.startswith("throw-")]


def event_codes(s: State) -> list[str]:
    """Return the codes of all events."""
    return [event.code for event in s.news]


def charged(s: State, base: int, **changes: Any) -> None:
    """Put a runner on a base who is charged to another pitcher, or otherwise changed."""
    bases = list(s.bases)
    runner = bases[base - 1]
    assert runner is not None
    bases[base - 1] = replace(runner, **changes)
    s.bases = (bases[0], bases[1], bases[2])
