"""Defensive throws and checks (3.11)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.numbers.modifiers import held
from engine.games.clutch.numbers.rolls import REGULAR, cast
from engine.games.clutch.state import Pending, Shown, Standing, State, Step, Throw
from engine.games.clutch.strategy_cards.in_play import lapse, settle
from engine.games.clutch.strategy_cards.windows import window

Interrupted = tuple[Throw | None, tuple[Pending, ...], tuple[Standing, ...]]
"""A throw or check that another one interrupts, with what waits for it and what is in force for it alone."""


def throw(s: State, called: Throw) -> Step[bool]:
    """Throw at a runner; return True if he is out. A tie is safe (CL-236 to CL-239). Nothing happens, and no event is
    sent, if a card has moved the runner meanwhile.
    """
    aside, runs = _begin(s, called), _runs(s, called)
    base = BASE_NAMES[called.base - 1]
    tags = (called.kind, called.unit, base)
    yield from window(s, "throw", *tags)
    if runs == _runs(s, called):
        yield from _cast(s, "throw", throw_numbers.throw_facts)
        yield from window(s, "throw-roll", *tags)
        throw_numbers.judge(s)
        yield from window(s, "throw-result", *tags)
    if runs != _runs(s, called):
        s.throw = replace(called, made=False)
    out = _made(s)
    if s.throw and s.throw.total is not None:
        facts: dict[str, Any] = {"runner": called.runner, "base": base, "total": s.throw.total}
        facts |= {"speed": s.throw.against, "brings": throw_numbers.brings(s), "meets": throw_numbers.meets(s)}
        s.tell(f"throw-{'out' if out else 'safe'}", seat=s.defence, **facts, compared=compared(s, s.throw))
    yield from _settle(s, "throw", aside)
    return out


def check(s: State, unit: str, target: int = 20, says: str = "") -> Step[bool]:
    """Make a check; return True if it is made. A tie makes it (CL-240 to CL-242)."""
    aside = _begin(s, Throw("check", unit, target=target, says=says))
    tags = (unit,)
    yield from window(s, "check", *tags)
    yield from _cast(s, "check", throw_numbers.check_facts)
    yield from window(s, "check-roll", *tags)
    throw_numbers.judge(s)
    yield from window(s, "check-result", *tags)
    made = _made(s)
    if s.throw:
        facts: dict[str, Any] = {"total": s.throw.total, "target": s.throw.against}
        facts |= {"brings": throw_numbers.brings(s), "meets": throw_numbers.meets(s), "compared": compared(s, s.throw)}
        facts["fielders"] = throw_numbers.fielders(unit)
        s.tell(f"check-{'made' if made else 'failed'}", seat=s.defence, unit=unit, **facts)
    yield from _settle(s, "check", aside)
    return made


def compared(s: State, settled: Throw) -> str:
    """Return what decided a throw or check, as the end of a sentence: ": 24 with Outfield +4 against speed 18"; "" if a
    card did.
    """
    total, against = settled.total, settled.against
    if total is None or against is None or settled.made != (total >= against + (settled.what == "throw")):
        return ""
    speed = "speed " if settled.what == "throw" else ""
    return f": {total} with {throw_numbers.brings(s)} against {speed}{throw_numbers.meets(s)}"


def _begin(s: State, called: Throw) -> Interrupted:
    """Begin a throw or check; set aside what belongs to the one that it interrupts, until this one is settled."""
    outer, s.throw = s.throw, called
    if outer is None and called.kind not in ("card", "check"):
        return None, (), ()
    waits = tuple(one for one in s.pending if one.of in ("throw", "check"))
    s.pending = tuple(one for one in s.pending if one not in waits)
    holds = tuple(one for one in s.standing if one.lasts.unit in ("throw", "roll")) if outer else ()
    s.standing = tuple(one for one in s.standing if one not in holds)
    return outer, waits, holds


def _settle(s: State, what: str, aside: Interrupted) -> Step[None]:
    yield from settle(s, what)
    lapse(s, "throw", "roll")
    s.throw, waits, holds = aside
    s.pending, s.standing = (*waits, *s.pending), (*holds, *s.standing)


def _runs(s: State, called: Throw) -> bool:
    """True if the runner is on his way: the batter to first, or the runner on the base before. A throw that a card
    calls is at a runner who need not run.
    """
    on = s.bases[called.base - 2] if called.base > 1 else None
    free = called.kind == "card" or not held(s, called.runner)
    return called.base <= 1 or (on is not None and on.name == called.runner and free)


def _made(s: State) -> bool:
    return bool(s.throw and s.throw.made)


def _cast(s: State, what: str, facts: Shown) -> Step[None]:
    kind, face = yield from cast(s, what, s.defence, REGULAR, False, facts)
    s.throw = replace(s.thrown, die=kind, natural=face)
