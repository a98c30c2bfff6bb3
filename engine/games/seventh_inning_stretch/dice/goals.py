"""What a roll has to meet, with its odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.events import spoken
from engine.games.seventh_inning_stretch.dice.conditions import At, Dice, Line, hopes, met, odds, rerolls, ways
from engine.games.seventh_inning_stretch.dice.odds import FACES

SAFE = "safe"
"""The outcome of a runner who succeeds."""

TITLES = {
    "single": "single",
    "double": "double",
    "triple": "triple",
    "home-run": "home run",
    "walk": "walk",
    "sacrifice": "sacrifice",
    SAFE: SAFE,
}
"""The names of outcomes."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The conditions of a roll: those of a batter's card, or what a runner needs.

    `blank` is True if people read the real card, whose lines are not known here.
    """

    lines: tuple[Line, ...]
    blank: bool = False

    def met(self, faces: tuple[int, ...], at: At) -> tuple[str, ...]:
        """Return the outcomes that these dice meet."""
        return met(self.lines, faces, at)

    def reads(self, faces: tuple[int, ...], at: At) -> str:
        """Return what these dice are, in a word or two."""
        if self.blank:
            return "as the card says"
        found = spoken([TITLES[one] for one in self.met(faces, at)], "or")
        return found or ("not safe" if any(one.outcome == SAFE for one in self.lines) else "no result yet")

    def odds(self, count: int, at: At) -> str:
        """Return the odds of `count` dice, in words."""
        return _in_words(odds(self.lines, count, at))

    def hopes(self, faces: tuple[int, ...], rerolls: int, nudges: int, at: At) -> Mapping[str, Fraction | None]:
        """Return for each outcome the chance to get it from these dice with these tokens; None if merely possible."""
        return hopes(self.lines, faces, rerolls, nudges, at)

    def rerolled(self, faces: tuple[int, ...], nudges: int, at: At) -> str:
        """Return the odds of these dice if some are rolled again, with `nudges` after it, in words."""
        return _in_words(rerolls(self.lines, faces, nudges, at))


def needs(face: int) -> Goal:
    """Return the goal of a runner: a die that shows `face` or more (SI-068, SI-072, SI-102, SI-104)."""
    return Goal((Line(f"highest {face}+: {SAFE}", SAFE, ways(f"highest {face}+")),))


@dataclass(frozen=True, slots=True)
class Brings:
    """The aim of a die that says how many dice a batter brings: the more, the better."""

    dice: Dice
    blank: bool = False

    def reads(self, faces: tuple[int, ...], at: At) -> str:
        """Return how many dice this die brings, in words."""
        return dice_in_words(self.dice.count(at, faces[0]))

    def odds(self, count: int, at: At) -> str:
        """Return nothing: the number of dice thrown is fixed."""
        return ""

    def rerolled(self, faces: tuple[int, ...], nudges: int, at: At) -> str:
        """Return what it brings on average if it is rolled again, and turned by all `nudges` at best, in words."""
        near = [[face + by for by in range(-nudges, nudges + 1) if face + by in FACES] for face in FACES]
        mean = Fraction(sum(max(self.dice.count(at, one) for one in some) for some in near), len(FACES))
        return f"{float(mean):.1f} dice on average"


Aim = Goal | Brings
"""What a roll is for."""


def dice_in_words(count: int) -> str:
    """Return a number of dice in words."""
    return "1 die" if count == 1 else f"{count} dice"


def chances(goal: Aim, at: At, codes: tuple[str, ...], faces: tuple[int, ...] = (), nudges: int = 0) -> dict[str, str]:
    """Return a note for each of `codes`.

    For a number of dice it has their odds; with `faces` on the table, what each way to spend a token makes of them.
    """

    def note(code: str) -> str:
        if goal.blank or code == "0":
            return ""
        if code.isdigit():
            return goal.odds(int(code), at)
        if code == "keep":
            return goal.reads(faces, at)
        if code == "reroll":
            return goal.rerolled(faces, nudges, at)
        return goal.reads(nudged(faces, code), at) if code.endswith(("-up", "-down")) else ""

    return {code: note(code) for code in codes}


def nudged(dice: tuple[int, ...], code: str) -> tuple[int, ...]:
    """Return the dice with one turned by "4-up" or "4-down": the first one with that face (SI-056)."""
    face, way = code.split("-")
    place = dice.index(int(face))
    return (*dice[:place], int(face) + (1 if way == "up" else -1), *dice[place + 1 :])


def _in_words(chances: Mapping[str, Fraction | None]) -> str:
    """Return the chances of outcomes in words, without impossible ones."""
    some = [f"{TITLES[one]} {_percent(chance)}" for one, chance in chances.items() if chance != 0]
    return ", ".join(some) or "nothing"


def _percent(chance: Fraction | None) -> str:
    if chance is None:
        return "possible"
    if chance == 1:
        return "sure"
    return f"{min(99, max(1, round(100 * chance)))} %"
