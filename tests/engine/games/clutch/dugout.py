"""Two fixture teams with their line-ups, and steps of line-ups and substitutions played on them."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Arrange, Choose, Roll, Secret
from engine.clock import Clock, Half
from engine.games.clutch.pitching.rest import Rest
from engine.games.clutch.rules import ACTIONS
from engine.games.clutch.squad import Runner, Squad
from engine.games.clutch.state import State
from engine.games.clutch.substitutions import lineup
from engine.games.clutch.substitutions.substitutions import change, changes
from engine.games.clutch.words import WORDS
from engine.seats import SEATS, Seat
from tests.engine.games.clutch.fixture import HOUSE, box

T = TypeVar("T")
Step = Generator[Any, Any, T]


CARDS = box()

NEVER_MIND = "never-mind"

SUBS = ("H-CA2", "H-1B2", "H-SS2", "H-LF2")
"""Home's bench."""


def fresh(
    cards: Mapping[str, str] | None = None,
    house: Mapping[str, str] | None = None,
    rests: Mapping[str, int] | None = None,
    home: Seat = "home",
) -> State:
    """Return two teams before their line-ups; `rests` are games of rest owed, `home` is the chair of the home side."""
    s = State(
        box=box(cards) if cards else CARDS,
        house={**HOUSE, "level": "players", **(house or {})},
        actions=ACTIONS,
        home=home,
    )
    owed = {name: Rest(owes) for name, owes in (rests or {}).items()}
    s.rests = (owed, owed)
    s.squads = (Squad(s.box.rosters["Away"]), Squad(s.box.rosters["Home"]))
    return s


def ready(
    inning: int = 6,
    half: Half = "top",
    bases: str = "",
    cards: Mapping[str, str] | None = None,
    house: Mapping[str, str] | None = None,
    rests: Mapping[str, int] | None = None,
    starter: str = "",
) -> State:
    """Return a position with both line-ups as their rosters have them.

    Px, or `starter`, pitches for home and has pitched long enough to leave. Runners on `bases`, as "13", are the last
    three of the order at bat, from first on.
    """
    s = fresh(cards, house, rests)
    for side in SEATS:
        names = lineup.starters(s, side)
        first = starter if side == "home" and starter else names[0]
        play(lineup.starter(s, side), *((first,) if len(names) > 1 else ()))
        play(lineup.line_up(s, side), "roster")
    s.clock, s.news = Clock(inning, half), ()
    arm(s, outs=9, faced=12, finished=True)
    order, mound = s.squad(s.offence).order, s.pitcher.name
    first_base, second, third = (Runner(order[-base], mound) if str(base) in bases else None for base in (1, 2, 3))
    s.bases = (first_base, second, third)
    return s


def arm(s: State, **facts: Any) -> None:
    """Change the record of the pitcher on the mound."""
    s.pitched(s.defence, replace(s.arm, **facts))


def order(s: State, side: Seat = "home") -> tuple[tuple[str, str], ...]:
    """Return who bats, and his position."""
    squad = s.squad(side)
    return tuple(zip(squad.order, squad.spots, strict=True))


# Playing -------------------------------------------------------------------------------------------------------------


def play(step: Step[T], *answers: object) -> T:
    """Run a step with these answers; it must use all of them, and every sentence must be complete."""
    given = list(answers)
    try:
        ask = next(step)
        while True:
            say(ask)
            assert given, ask
            ask = step.send(ask.check(given.pop(0)))
    except StopIteration as end:
        assert not given, given
        value: T = end.value
        return value


def do(s: State, code: str, *answers: object, side: Seat = "home") -> bool:
    """Make a legal substitution; return True if it was made."""
    assert code in changes(s, side)
    return play(change(s, side, code), *answers)


def until(step: Step[Any], *answers: object) -> Choose | Arrange | Roll:
    """Return what is asked after these answers, in secret or not."""
    ask = next(step)
    for answer in answers:
        ask = step.send(ask.check(answer))
    step.close()
    if isinstance(ask, Secret):
        ask = ask.ask
    else:
        say(ask)
    assert isinstance(ask, Choose | Arrange | Roll)
    return ask


def options(step: Step[Any], *answers: object) -> tuple[str, ...]:
    """Return the options after these answers."""
    ask = until(step, *answers)
    assert isinstance(ask, Choose)
    return ask.options


def say(ask: Choose | Arrange | Roll) -> str:
    """Return the sentence of an ask; its labels and notes must belong to its options."""
    offered = ask.options if isinstance(ask, Choose) else (*ask.pieces, *ask.places) if isinstance(ask, Arrange) else ()
    for code in offered:
        assert WORDS.option(code, ask.facts)
    assert set(ask.facts.get("notes", {})) | set(ask.facts.get("labels", {})) <= set(offered)
    return WORDS.ask(ask.why, ask.facts)


def event_sentences(s: State) -> list[str]:
    """Return the events, as sentences."""
    return [WORDS.event(event) for event in s.news]
