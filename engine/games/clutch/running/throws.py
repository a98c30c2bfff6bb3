"""Defensive throws and checks (3.11)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Prompt
from engine.games.clutch.at_bat import required_rolls
from engine.games.clutch.at_bat.dice import cast
from engine.games.clutch.state import Pending, Standing, State, Throw
from engine.games.clutch.strategy_cards import windows
from engine.games.clutch.strategy_cards.context import IN_UNIT
from engine.games.clutch.strategy_cards.modifiers import added, die, ignored, number
from engine.games.clutch.substitutions import lineup

T = TypeVar("T")
Step = Generator[Prompt, Any, T]

Aside = tuple[Throw | None, tuple[Pending, ...], tuple[Standing, ...]]
"""The throw or check that is interrupted by another, with what waits for it and what is in force for it alone."""

BASES = ("", "first", "second", "third", "home")


def throw(s: State, called: Throw) -> Step[bool]:
    """A throw at a runner; True: he is out, and a tie is safe (CL-236 to CL-239). Nothing comes of one at somebody whom
    a card has moved meanwhile, and nothing is told of it."""
    aside, runs = _begin(s, called), _runs(s, called)
    tags = (called.kind, called.unit, BASES[called.base])
    yield from windows.window(s, "throw", *tags)
    if runs == _runs(s, called):
        facts = {"runner": called.runner, "base": BASES[called.base], "unit": called.unit}
        yield from _cast(s, "throw", **needed(s), **facts)
        yield from windows.window(s, "throw-roll", *tags)
        judge(s)
        yield from windows.window(s, "throw-result", *tags)
    if runs != _runs(s, called):
        s.throw = replace(called, made=False)
    out = _made(s)
    if s.throw and s.throw.total is not None:
        s.tell(
            f"throw-{'out' if out else 'safe'}",
            seat=s.defence,
            runner=called.runner,
            base=BASES[called.base],
            total=s.throw.total,
            speed=s.throw.against,
        )
    yield from _settle(s, "throw", aside)
    return out


def check(s: State, unit: str, target: int = 20) -> Step[bool]:
    """A check; True: it is made, and a tie makes it (CL-240 to CL-242)."""
    aside = _begin(s, Throw("check", unit, target=target))
    tags = (unit,)
    yield from windows.window(s, "check", *tags)
    yield from _cast(s, "check", **needed(s), unit=unit)
    yield from windows.window(s, "check-roll", *tags)
    judge(s)
    yield from windows.window(s, "check-result", *tags)
    made = _made(s)
    if s.throw:
        facts = {"total": s.throw.total, "target": s.throw.against}
        s.tell(f"check-{'made' if made else 'failed'}", seat=s.defence, unit=unit, **facts)
    yield from _settle(s, "check", aside)
    return made


def _begin(s: State, called: Throw) -> Aside:
    """A throw or a check is under way. What is for the one that it interrupts waits aside until it is settled."""
    outer, s.throw = s.throw, called
    if outer is None and called.kind not in ("card", "check"):
        return None, (), ()
    waits = tuple(one for one in s.pending if one.of in ("throw", "check"))
    s.pending = tuple(one for one in s.pending if one not in waits)
    holds = tuple(one for one in s.standing if one.lasts.unit in ("throw", "roll")) if outer else ()
    s.standing = tuple(one for one in s.standing if one not in holds)
    return outer, waits, holds


def _settle(s: State, what: str, aside: Aside) -> Step[None]:
    yield from windows.settle(s, what)
    windows.lapse(s, "throw", "roll")
    s.throw, waits, holds = aside
    s.pending, s.standing = (*waits, *s.pending), (*holds, *s.standing)


def _runs(s: State, called: Throw) -> bool:
    """Whether the runner is on his way: the batter to first, or who stands on the base before."""
    on = s.bases[called.base - 2] if called.base > 1 else None
    return called.base <= 1 or (on is not None and on.name == called.runner)


def judge(s: State) -> None:
    """The throw or the check under way as its die lies, with the cards in force: a throw must beat the runner, a check
    must reach its target (CL-238, CL-241)."""
    assert s.throw is not None
    total, against = _total(s, s.throw.what), wanted(s)
    made = total >= against if s.throw.kind == "check" else total > against
    s.throw = replace(s.throw, total=total, against=against, made=made)


def _made(s: State) -> bool:
    return bool(s.throw and s.throw.made)


def _cast(s: State, what: str, **facts: Any) -> Step[None]:
    assert s.throw is not None
    kind, face = yield from cast(s, what, s.defence, **facts)
    s.throw = replace(s.throw, die=kind, natural=face)


def _total(s: State, what: str) -> int:
    """Rating, die, and what cards add to the roll and to the action: each is a number of its own (CL-213, CL-216)."""
    assert s.throw is not None
    assert s.throw.natural is not None
    rolled = number(s, f"{what}_roll", s.throw.natural)
    s.throw = replace(s.throw, roll=rolled)
    return number(s, what, rating(s) + rolled)


def rating(s: State) -> int:
    """What the fielders of the throw or check under way have, with cards on the unit and on each of them (CL-089)."""
    assert s.throw is not None
    unit = s.throw.unit
    spots = IN_UNIT.get(unit, tuple(unit.split("+")))
    by_cards = added(s, "unit", (unit,))
    squad = s.squad(s.defence)
    for spot in spots:
        by_cards += added(s, "defense", (spot, ""), name=squad.playing(spot))
    helped = 0 if ignored(s, "unit bonus") else s.throw.help
    return lineup.unit(s, s.defence, unit) + helped + by_cards


def speed(s: State) -> int:
    """What the throw under way is compared with: the runner's speed, what the play adds, and cards."""
    assert s.throw is not None
    card = s.box.batters[s.throw.runner]
    printed = card.stealing if s.throw.speed == "st" else card.baserunning
    bonus = 0 if ignored(s, "runner bonus") else s.throw.bonus
    return number(s, s.throw.speed, printed + bonus, name=s.throw.runner)


def needed(s: State) -> dict[str, Any]:
    """What the die of the throw or check under way has to show (`need`), and what that is made of (`made`)."""
    assert s.throw is not None
    what, done, more = ("check", "made", 0) if s.throw.kind == "check" else ("throw", "out", 1)
    kind, has, against = die(s, what), rating(s), wanted(s)
    good = required_rolls.enough(s, what, kind, has, against + more)
    none = "no roll makes it" if s.throw.kind == "check" else "no roll is an out"
    made = f"{required_rolls.signed(has)}{required_rolls.cards(s, what, has)} against {against}"
    numbers = {"rating": has, "target" if what == "check" else "speed": against}
    return {"need": required_rolls.shown(done, good, kind, none), "made": made, **numbers}


def helped(s: State) -> int:
    """The rating of the throw or check under way with what cards add to it and to its roll."""
    assert s.throw is not None
    return required_rolls.total(s, "check" if s.throw.kind == "check" else "throw", rating(s))(0)


def target(s: State) -> int:
    """What the check under way must reach, with cards."""
    assert s.throw is not None
    return number(s, "check_target", s.throw.target)


def wanted(s: State) -> int:
    """What the throw under way must beat, or the check reach."""
    assert s.throw is not None
    return target(s) if s.throw.kind == "check" else speed(s)
