"""Stolen bases, before the pitch (3.14, CL-301 to CL-311)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.records.score_book import credit, tell
from engine.games.clutch.running.advancing import Tries, announced, chances, free, going, legal, run, whom
from engine.games.clutch.state import State, Step, Throw
from engine.games.clutch.strategy_cards import muting
from engine.games.clutch.strategy_cards.windows import window

STEALS: Mapping[str, Tries] = {"steal-second": (2,), "steal-third": (3,), "steal-both": (2, 3)}
"""The bases that runners try for; home cannot be stolen (CL-303)."""

TO_THIRD = 3  # Bonus of the battery against a steal of third (CL-305).


def steals(s: State) -> tuple[str, ...]:
    """Return the steals that the offense may declare now, as codes of STEALS (CL-302 to CL-309, AM-69)."""
    unlimited = s.house["stealsPerAtBat"] == "unlimited"
    if (s.at.stolen and not unlimited) or not allowed(s, "steal"):
        return ()
    ways = free(s, legal(s.bases, (2, 3)))
    return tuple(code for code, tried in STEALS.items() if tried in ways)


def steal(s: State, what: str) -> Step[None]:
    """Play a steal that was declared: the defense throws at one runner, or at nobody (CL-304 to CL-307, CL-310). A
    third out ends the half-inning before the pitch (CL-311); the caller checks that.
    """
    tried = STEALS[what]
    muting.stir(s, s.defence)
    s.now(stolen=True, tries=announced(s, tried, "goes for"))
    s.tell("tries", seat=s.offence, tries=s.at.tries)
    yield from window(s, "steal")
    tried = going(s, tried)
    target = (yield from whom(s, tried, thrown)) if tried else 0
    ran = yield from run(s, tried, target, thrown)
    if ran.out:
        credit(s, "CS", ran.out[0].name)
        s.now(tags=s.at.tags | {"caught"})
    for runner, _ in ran.on:
        credit(s, "SB", runner.name)
        s.now(tags=s.at.tags | {"steal"})
    if ran.on or ran.out:
        tell(s, "caught" if ran.out else "stolen", what=ran.sentence((), "steals"), outs=s.outs)


def odds(s: State, what: str) -> str:
    """Return what the die of each throw has to show for an out, the lead runner first."""
    return chances(s, STEALS[what], thrown)


def thrown(name: str, base: int) -> Throw:
    """Return the throw at a runner who steals (CL-304, CL-305)."""
    return Throw("steal", "battery", name, base, speed="st", help=TO_THIRD * (base == 3))
