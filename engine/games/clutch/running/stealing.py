"""Stolen bases before the pitch (3.14, CL-301 to CL-311)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine.games.clutch.numbers.modifiers import is_allowed
from engine.games.clutch.records.score_book import emit_play, record_entry
from engine.games.clutch.running.advancing import (
    BasesTried,
    ask_throw_target,
    legal_tries,
    remaining_tries,
    run_tries,
    tries_not_held,
    tries_odds_text,
    tries_text,
)
from engine.games.clutch.state import State, Step, ThrowOrCheck
from engine.games.clutch.strategy_cards import muting
from engine.games.clutch.strategy_cards.windows import open_window

STEAL_TRIES: Mapping[str, BasesTried] = {"steal-second": (2,), "steal-third": (3,), "steal-both": (2, 3)}
"""Bases of each steal. Home cannot be stolen (CL-303)."""

STEAL_OF_THIRD_BONUS = 3  # Of the battery (CL-305).


def legal_steals(s: State) -> tuple[str, ...]:
    """Return the codes in `STEAL_TRIES` that the offense may declare (CL-302 to CL-309, AM-69)."""
    unlimited = s.house["stealsPerAtBat"] == "unlimited"
    if (s.at.stolen and not unlimited) or not is_allowed(s, "steal"):
        return ()
    ways = tries_not_held(s, legal_tries(s.bases, (2, 3)))
    return tuple(code for code, tried in STEAL_TRIES.items() if tried in ways)


def steal(s: State, what: str) -> Step[None]:
    """Play a declared steal. The defense throws at one runner or at nobody (CL-304 to CL-307, CL-310). A third out ends
    the half-inning before the pitch (CL-311), which the caller checks.
    """
    tried = STEAL_TRIES[what]
    muting.forget_early_passes(s, s.defense)
    s.update_at_bat(stolen=True, tries=tries_text(s, tried, "goes for"))
    s.emit("tries", seat=s.offense, tries=s.at.tries)
    yield from open_window(s, "steal")
    tried = remaining_tries(s, tried)
    target = (yield from ask_throw_target(s, tried, steal_throw)) if tried else 0
    ran = yield from run_tries(s, tried, target, steal_throw)
    if ran.out:
        record_entry(s, "CS", ran.out[0].name)
        s.update_at_bat(tags=s.at.tags | {"caught"})
    for runner, _ in ran.on:
        record_entry(s, "SB", runner.name)
        s.update_at_bat(tags=s.at.tags | {"steal"})
    if ran.on or ran.out:
        lead = ran.out[0] if ran.out else ran.on[0][0]
        what = ran.result_sentence((), "steals")
        tell = partial(emit_play, s, "caught" if ran.out else "stolen", what=what, runner=lead.name, outs=s.outs)
        if len(ran.on) > 1 and not ran.out:
            tell(behind=ran.on[1][0].name)
        else:
            tell()


def steal_odds_text(s: State, what: str) -> str:
    return tries_odds_text(s, STEAL_TRIES[what], steal_throw)


def steal_throw(name: str, base: int) -> ThrowOrCheck:
    """Return the throw at a runner who steals (CL-304, CL-305)."""
    return ThrowOrCheck("steal", "battery", name, base, speed="st", help=STEAL_OF_THIRD_BONUS * (base == 3))
