"""Defensive throws and checks (3.11)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.numbers.modifiers import is_held
from engine.games.clutch.numbers.rolls import REGULAR_DIE, roll_for_side
from engine.games.clutch.state import EffectInForce, FactsBuilder, PendingEffects, State, Step, ThrowOrCheck
from engine.games.clutch.strategy_cards.in_play import end_expired_effects, resolve_pending
from engine.games.clutch.strategy_cards.windows import open_window

InterruptedThrow = tuple[ThrowOrCheck | None, tuple[PendingEffects, ...], tuple[EffectInForce, ...]]
"""An interrupted throw or check, with the effects that wait for it and those in force only for it."""


def make_throw(s: State, called: ThrowOrCheck) -> Step[bool]:
    """Throw at a runner. Return True if he is out, False on a tie or if a card moves him (CL-236 to CL-239)."""
    aside, runs = _begin_throw(s, called), _is_running(s, called)
    base = BASE_NAMES[called.base - 1]
    tags = (called.kind, called.unit, base)
    yield from open_window(s, "throw", *tags)
    if runs == _is_running(s, called):
        yield from _roll_throw_die(s, "throw", throw_numbers.throw_facts)
        yield from open_window(s, "throw-roll", *tags)
        throw_numbers.judge_throw(s)
        yield from open_window(s, "throw-result", *tags)
    if runs != _is_running(s, called):
        s.throw = replace(called, made=False)
    out = _is_made(s)
    if s.throw and s.throw.total is not None:
        facts: dict[str, Any] = {"runner": called.runner, "base": base, "total": s.throw.total}
        facts |= {
            "speed": s.throw.against,
            "brings": throw_numbers.rating_text(s),
            "meets": throw_numbers.required_text(s),
        }
        s.emit(f"throw-{'out' if out else 'safe'}", seat=s.defense, **facts, compared=comparison_ending(s, s.throw))
    yield from _end_throw(s, "throw", aside)
    return out


def make_check(s: State, unit: str, target: int = 20, says: str = "") -> Step[bool]:
    """Make a check, and return True if it succeeds. A tie succeeds (CL-240 to CL-242)."""
    aside = _begin_throw(s, ThrowOrCheck("check", unit, target=target, says=says))
    tags = (unit,)
    yield from open_window(s, "check", *tags)
    yield from _roll_throw_die(s, "check", throw_numbers.check_facts)
    yield from open_window(s, "check-roll", *tags)
    throw_numbers.judge_throw(s)
    yield from open_window(s, "check-result", *tags)
    made = _is_made(s)
    if s.throw:
        facts: dict[str, Any] = {"total": s.throw.total, "target": s.throw.against}
        facts |= {
            "brings": throw_numbers.rating_text(s),
            "meets": throw_numbers.required_text(s),
            "compared": comparison_ending(s, s.throw),
        }
        facts["fielders"] = throw_numbers.unit_name(unit)
        s.emit(f"check-{'made' if made else 'failed'}", seat=s.defense, unit=unit, **facts)
    yield from _end_throw(s, "check", aside)
    return made


def comparison_ending(s: State, settled: ThrowOrCheck) -> str:
    """Return the deciding numbers, such as ": 24 with Outfield +4 against speed 18", or "" if a card decided."""
    total, against = settled.total, settled.against
    if total is None or against is None or settled.made != (total >= against + (settled.roll_kind == "throw")):
        return ""
    speed = "speed " if settled.roll_kind == "throw" else ""
    return f": {total} with {throw_numbers.rating_text(s)} against {speed}{throw_numbers.required_text(s)}"


def _begin_throw(s: State, called: ThrowOrCheck) -> InterruptedThrow:
    """Begin a throw or check, and save the state of the one that it interrupts."""
    outer, s.throw = s.throw, called
    if outer is None and called.kind not in ("card", "check"):
        return None, (), ()
    waits = tuple(one for one in s.pending if one.of in ("throw", "check"))
    s.pending = tuple(one for one in s.pending if one not in waits)
    holds = tuple(one for one in s.standing if one.lasts.unit in ("throw", "roll")) if outer else ()
    s.standing = tuple(one for one in s.standing if one not in holds)
    return outer, waits, holds


def _end_throw(s: State, what: str, aside: InterruptedThrow) -> Step[None]:
    yield from resolve_pending(s, what)
    end_expired_effects(s, "throw", "roll")
    s.throw, waits, holds = aside
    s.pending, s.standing = (*waits, *s.pending), (*holds, *s.standing)


def _is_running(s: State, called: ThrowOrCheck) -> bool:
    """True if the runner is on his way from the base before, or is the batter. For a card's throw he may be held."""
    on = s.bases[called.base - 2] if called.base > 1 else None
    free = called.kind == "card" or not is_held(s, called.runner)
    return called.base <= 1 or (on is not None and on.name == called.runner and free)


def _is_made(s: State) -> bool:
    return bool(s.throw and s.throw.made)


def _roll_throw_die(s: State, what: str, facts: FactsBuilder) -> Step[None]:
    kind, face = yield from roll_for_side(s, what, s.defense, REGULAR_DIE, False, facts)
    s.throw = replace(s.current_throw, die=kind, natural=face)
