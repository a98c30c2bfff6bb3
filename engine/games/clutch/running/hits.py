"""Hits and extra bases on them (3.12.A and B, CL-245 to CL-263)."""

from __future__ import annotations

from engine import diamond
from engine.diamond import HOME_BASE
from engine.games.clutch.numbers.modifiers import is_allowed
from engine.games.clutch.records.score_book import emit_play, record_entry
from engine.games.clutch.records.sentences import moves_ending
from engine.games.clutch.running.advancing import (
    GOING_HOME_BONUS,
    TryResult,
    ask_throw_target,
    ask_tries,
    batter_as_runner,
    counting_runners,
    legal_tries,
    run_tries,
    score_runners,
    would_win,
)
from engine.games.clutch.state import State, Step, ThrowOrCheck

HIT_BASES = {"1B": (1, "single"), "2B": (2, "double"), "3B": (3, "triple"), "HR": (HOME_BASE, "home-run")}
"""Base to which a hit takes the batter, and its event."""

TWO_OUTS_BONUS = 3  # Of a runner who tries for an extra base (CL-256, CL-257).


def play_hit(s: State, code: str) -> Step[None]:
    """Advance the batter and all runners by the hit. Runners may then try for extra bases (CL-245 to CL-249)."""
    base, event = HIT_BASES[code]
    outs = s.outs
    s.bases, home = diamond.advance_on_hit(s.bases, batter_as_runner(s), base)
    # The batter himself never tries (CL-250, AM-58).
    ways = legal_tries(s.bases, range(base + 2, HOME_BASE + 1)) if is_allowed(s, "extra-base") else ()
    late = bool(ways) and outs == 2 and s.house["thirdOutRuns"] == "none" and not would_win(s, len(home))
    record_entry(s, code)
    runs = [] if late else score_runners(s, home)
    on = [(one.name, at) for at, one in enumerate(s.bases, 1) if one and one.name != s.batter_card.name]
    emit_play(s, event, runs, home=moves_ending([name for name in runs if name != s.batter_card.name], on), ending=code)
    if s.is_walk_off:
        return

    def throw_at(name: str, base: int) -> ThrowOrCheck:
        return extra_base_throw(name, base, outs)

    tried = yield from ask_tries(s, "extra-base", ways, throw_at)
    ran = TryResult()
    if tried:
        target = yield from ask_throw_target(s, tried, throw_at)
        ran = yield from run_tries(s, tried, target, throw_at)
    runs = score_runners(s, counting_runners(s, ran, (*(home if late else ()), *ran.home)))
    if runs or ran.on or ran.out:
        emit_play(s, "ran", runs, what=ran.result_sentence(runs), outs=s.outs)


def extra_base_throw(name: str, base: int, outs: int) -> ThrowOrCheck:
    """Return the throw at a runner who tries for an extra base (CL-253 to CL-258, AM-54). `outs` are before the hit."""
    bonus = GOING_HOME_BONUS * (base == HOME_BASE) + TWO_OUTS_BONUS * (outs == 2)
    return ThrowOrCheck("hit", "outfield", name, base, bonus=bonus)
