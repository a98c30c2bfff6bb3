"""What an outcome of an at-bat does to runners and outs (SI-085 to SI-092)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import diamond
from engine.diamond import HOME, Bases
from engine.events import spoken
from engine.games.seventh_inning_stretch.words import counted

BASES = {"single": 1, "double": 2, "triple": 3, "home-run": HOME}
"""How far a hit takes the batter (SI-085 to SI-089)."""

BEST = ("home-run", "triple", "double", "single", "walk", "sacrifice")
"""Outcomes from the best to the worst, for the house rule and the standing answer that take the best (A19)."""


@dataclass(frozen=True, slots=True)
class After:
    """The outs and the runners after an outcome; `home` are those who scored."""

    outs: int
    bases: Bases[str]
    home: tuple[str, ...] = ()


def after(bases: Bases[str], outs: int, batter: str, outcome: str) -> After:
    """Return what an outcome does; "" puts the batter out (SI-094)."""
    match outcome:
        case "":
            return After(outs + 1, bases)
        case "walk":
            return After(outs, *diamond.force(bases, batter))
        case "sacrifice":
            # Nobody advances on the third out (SI-092, A29).
            return After(outs + 1, *diamond.advance(bases, 1)) if outs < 2 else After(outs + 1, bases)
    return After(outs, *diamond.hit(bases, batter, BASES[outcome]))


def effects(results: Mapping[str, After]) -> dict[str, str]:
    """Return notes on outcomes: the runs, and who is on base then."""
    names = ("first", "second", "third")
    notes = {}
    for code, then in results.items():
        on = [name for runner, name in zip(then.bases, names, strict=True) if runner]
        bases = f"runners on {spoken(on)}" if len(on) > 1 else f"a runner on {on[0]}" if on else "nobody on"
        notes[code] = f"{counted(len(then.home))} in" + (f", {bases}" if then.outs < 3 else ", and the half is over")
    return notes
