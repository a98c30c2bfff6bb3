"""Effects of an at-bat's outcome on runners and outs (SI-085 to SI-092)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import diamond
from engine.diamond import HOME_BASE, Bases
from engine.events import spoken_list
from engine.games.seventh_inning_stretch.words import runs_text

HIT_BASES = {"single": 1, "double": 2, "triple": 3, "home-run": HOME_BASE}
"""Bases that a hit advances the batter (SI-085 to SI-089)."""

OUTCOMES_BEST_FIRST = ("home-run", "triple", "double", "single", "walk", "sacrifice")
"""Outcomes from best to worst, for the house rule and the automatic answer that take the best (A19)."""


@dataclass(frozen=True, slots=True)
class OutcomeEffect:
    """The outs and the runners after an outcome. `home` are those who scored."""

    outs: int
    bases: Bases[str]
    home: tuple[str, ...] = ()


def outcome_effect(bases: Bases[str], outs: int, batter: str, outcome: str) -> OutcomeEffect:
    """Return the effect of an outcome. "" puts the batter out (SI-094)."""
    match outcome:
        case "":
            return OutcomeEffect(outs + 1, bases)
        case "walk":
            return OutcomeEffect(outs, *diamond.force_runners(bases, batter))
        case "sacrifice":
            # Nobody advances on the third out (SI-092, A29).
            return (
                OutcomeEffect(outs + 1, *diamond.advance_runners(bases, 1))
                if outs < 2
                else OutcomeEffect(outs + 1, bases)
            )
    return OutcomeEffect(outs, *diamond.advance_on_hit(bases, batter, HIT_BASES[outcome]))


def effect_notes(results: Mapping[str, OutcomeEffect]) -> dict[str, str]:
    names = ("first", "second", "third")
    notes = {}
    for code, then in results.items():
        on = [name for runner, name in zip(then.bases, names, strict=True) if runner]
        bases = f"runners on {spoken_list(on)}" if len(on) > 1 else f"a runner on {on[0]}" if on else "nobody on"
        notes[code] = f"{runs_text(len(then.home))} in" + (f", {bases}" if then.outs < 3 else ", and the half is over")
    return notes
