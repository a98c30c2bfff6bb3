"""Plays of runners by themselves: a state with runners on base, and one step of the rules played on it.

The away side bats in the top, home in the bottom. The batter is Bx, or H-DH in the bottom; the runners on first, second
and third are the last three of the order: RF, CF and LF of their side. All are copies of Bx.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from engine.asks import Choose, Roll
from engine.clock import Clock, Half
from engine.errors import EngineError
from engine.games.clutch.cards.card_types import Box
from engine.games.clutch.cards.effects import AT_BAT, Effect
from engine.games.clutch.pitching.pitcher_record import enter
from engine.games.clutch.rules import ACTIONS
from engine.games.clutch.squad import Line, Runner, Squad
from engine.games.clutch.state import Standing, State
from engine.games.clutch.words import WORDS
from engine.seats import SEATS, Seat
from tests.engine.games.clutch.fixture import HOUSE, box
from tests.engine.games.clutch.fixture import batter as card

T = TypeVar("T")

CARDS = box()
SWIFT = box({"A-RF": card("A-RF", "RF +1", stealing=20, baserunning=11)})
"""The runner on first steals better than he runs."""


def at(
    bases: str = "",
    outs: int = 0,
    inning: int = 5,
    half: Half = "top",
    score: tuple[int, int] = (0, 0),
    house: Mapping[str, str] | None = None,
    forbid: str = "",
    cards: Box = CARDS,
    **bat: Any,
) -> State:
    """Return a position; `bases` are those occupied, as "13".

    `forbid` is what a card forbids, `bat` are facts of the at-bat.
    """
    s = State(
        box=cards, house={**HOUSE, "level": "players", **(house or {})}, actions=ACTIONS, clock=Clock(inning, half)
    )
    s.score, s.outs = score, outs
    for side, name in zip(SEATS, ("Away", "Home"), strict=True):
        take_the_field(s, side, name)
    order, mound = s.squad(s.offence).order, s.pitcher.name
    first, second, third = (Runner(order[-base], mound) if str(base) in bases else None for base in (1, 2, 3))
    s.bases = (first, second, third)
    if forbid:
        s.standing = (Standing("a card", s.defence, Effect(forbid, "forbid", forbid), AT_BAT),)
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


def offered(step: Generator[Any, Any, Any], *answers: object) -> tuple[str, Seat, tuple[str, ...]]:
    """Return what is offered after these answers: why, to whom, and the options."""
    ask = until(step, *answers)
    assert isinstance(ask, Choose)
    return ask.why, ask.seat, ask.options


def refused(step: Generator[Any, Any, Any], *answers: object) -> None:
    """Assert that the last of these answers is refused."""
    *before, last = answers
    ask = until(step, *before)
    with pytest.raises(EngineError):
        ask.check(last)
    step.close()


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


def on(s: State) -> str:
    """Return the occupied bases, as "13"."""
    return "".join(str(base) for base, runner in enumerate(s.bases, 1) if runner)


def stand(s: State) -> tuple[str, int, int]:
    """Return bases, outs, and the runs of the side at bat in this play."""
    return on(s), s.outs, s.runs


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


def folds(s: State) -> tuple[int, list[str]]:
    """Return what the box scores of any game read in the events: runs, and how turns at the plate ended."""
    facts = [event.facts for event in s.news]
    turns = [str(one.get("turn", "hit")) for one in facts if "turn" in one or one.get("hit")]
    return sum(one.get("scored", 0) for one in facts), turns


def charged(s: State, base: int, **changes: Any) -> None:
    """Put a runner on a base who is charged to another pitcher, or otherwise changed."""
    bases = list(s.bases)
    runner = bases[base - 1]
    assert runner is not None
    bases[base - 1] = replace(runner, **changes)
    s.bases = (bases[0], bases[1], bases[2])
