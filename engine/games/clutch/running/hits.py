"""Hits, and extra bases on them (3.12.A and B, CL-245 to CL-263)."""

from __future__ import annotations

from engine import diamond
from engine.diamond import HOME
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.records.score_book import credit, tell
from engine.games.clutch.records.sentences import moves_ending
from engine.games.clutch.running.advancing import (
    GOING_HOME,
    Ran,
    ask,
    batter,
    come_home,
    legal,
    run,
    standing,
    whom,
    wins,
)
from engine.games.clutch.state import State, Step, Throw

HITS = {"1B": (1, "single"), "2B": (2, "double"), "3B": (3, "triple"), "HR": (HOME, "home-run")}
"""The base a hit takes the batter to, and its event."""

TWO_OUTS = 3  # Bonus of a runner who tries for an extra base with two outs (CL-256, CL-257).


def hit(s: State, code: str) -> Step[None]:
    """Move the batter and all runners as far as the hit says; then runners may try for more (CL-245 to CL-249)."""
    base, event = HITS[code]
    outs = s.outs
    s.bases, home = diamond.hit(s.bases, batter(s), base)
    # The batter himself never tries (CL-250, AM-58).
    ways = legal(s.bases, range(base + 2, HOME + 1)) if allowed(s, "extra-base") else ()
    late = bool(ways) and outs == 2 and s.house["thirdOutRuns"] == "none" and not wins(s, len(home))
    credit(s, code)
    runs = [] if late else come_home(s, home)
    on = [(one.name, at) for at, one in enumerate(s.bases, 1) if one and one.name != s.batter.name]
    tell(s, event, runs, home=moves_ending([name for name in runs if name != s.batter.name], on), ending=code)
    if s.over:
        return

    def at_him(name: str, base: int) -> Throw:
        return thrown(name, base, outs)

    tried = yield from ask(s, "extra-base", ways, at_him)
    ran = Ran()
    if tried:
        target = yield from whom(s, tried, at_him)
        ran = yield from run(s, tried, target, at_him)
    runs = come_home(s, standing(s, ran, (*(home if late else ()), *ran.home)))
    if runs or ran.on or ran.out:
        tell(s, "ran", runs, what=ran.sentence(runs), outs=s.outs)


def thrown(name: str, base: int, outs: int) -> Throw:
    """Return the throw at a runner who tries for an extra base (CL-253 to CL-258, AM-54). `outs` are those before the
    hit.
    """
    bonus = GOING_HOME * (base == HOME) + TWO_OUTS * (outs == 2)
    return Throw("hit", "outfield", name, base, bonus=bonus)
