"""Command, On-Base, and what a pitch comes to, with all cards in force (3.8.B, 3.8.C)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.dice import FACES
from engine.games.clutch.cards.baseball_terms import beside, signed
from engine.games.clutch.numbers.conditions import bats
from engine.games.clutch.numbers.modifiers import added, changed, ignored, in_force, last, number
from engine.games.clutch.numbers.rolls import from_cards, short_need, spoken_need, worded_need
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State


class JudgedPitch(NamedTuple):
    """What a face of the die makes of a pitch. `advantage` is "batter" or "pitcher"."""

    roll: int
    pitch: int
    mistake: bool
    advantage: str


class PitchNeed(NamedTuple):
    """The roll that gives the pitcher the Advantage (`need`), what it is made of (`made`), and both numbers. `wins` is
    the roll for a title, and `outlook` says who has the Advantage on which roll, and what is a Mistake Pitch.
    """

    need: str
    made: str
    command: int
    on_base: int
    wins: str
    outlook: str


def command(s: State) -> int:
    """Return the pitcher's Command in this at-bat: printed, plus his handedness, less tiredness (CL-098, CL-173)."""
    card, arm = s.pitcher, s.arm
    bonus = card.left if bats(s, s.batter) == "L" else card.right
    if ignored(s, "handedness", "pitcher"):
        bonus = 0
    printed = card.command
    for one in in_force(s, "set", "command"):
        printed = one.effect.amount
    return pitcher_record.command(printed, bonus, pitcher_record.penalty(arm, s.house), added(s, "command"), s.house)


def on_base(s: State) -> int:
    """Return the batter's On-Base in this at-bat (CL-009, CL-179, CL-317)."""
    card = s.batter
    bonus = card.left if s.pitcher.hand == "L" else card.right
    if ignored(s, "handedness", "batter"):
        bonus = 0
    return number(s, "on_base", card.on_base + bonus + s.at.on_base_bonus)


def brings(s: State, now: int) -> str:
    """Return the Command that counts now, with the printed one beside it if that differs."""
    return beside(now, s.pitcher.command)


def meets(s: State, now: int) -> str:
    """Return the On-Base that counts now, with the printed one beside it if that differs."""
    return beside(now, s.batter.on_base)


def judge(s: State, command: int, on_base: int) -> Callable[[int], JudgedPitch]:
    """Return a function from a face of the die to what the pitch comes to. A tie is the batter's, and so is a Mistake
    Pitch (CL-173 to CL-179, CL-189 to CL-196).
    """
    roll, action, x_zone = changed(s, "pitch_roll"), changed(s, "pitch"), number(s, "x_zone", s.pitcher.x_zone)
    forced, given = last(s, "mistake"), last(s, "advantage")

    def judged(face: int) -> JudgedPitch:
        rolled = roll(face)
        total = action(rolled + command + s.at.pitch_bonus)
        mistake = forced.of == "cause" if forced else rolled <= x_zone
        advantage = "batter" if mistake or total <= on_base else "pitcher"
        return JudgedPitch(rolled, total, mistake, given.of if given else advantage)

    return judged


def needed(s: State, die: str) -> PitchNeed:
    """Return what this die has to show for the Advantage."""
    has, against = command(s), on_base(s)
    plus = from_cards(s, "pitch", has + s.at.pitch_bonus)
    missed = f" {signed(s.at.pitch_bonus)} for missed bunts" if s.at.pitch_bonus else ""
    made = f"Command {brings(s, has)}{missed}{plus} against On-Base {meets(s, against)}"
    faces = list(map(int, FACES[die]))
    judged = list(map(judge(s, has, against), faces))
    good = [face for face, one in zip(faces, judged, strict=True) if one.advantage == "pitcher"]
    need = spoken_need("advantage", good, die, f"{s.batter.name} has the advantage whatever is rolled")
    mistakes = [face for face, one in zip(faces, judged, strict=True) if one.mistake]
    outlook = f"{_advantage(s, good, die)}: the swing is read on that player's chart.{_mistake(mistakes, die)}"
    return PitchNeed(need, made, has, against, short_need(good, die), outlook)


def _advantage(s: State, good: list[int], die: str) -> str:
    """Return who has the Advantage on which roll; `good` are the pitcher's faces."""
    names = (s.batter.name, s.pitcher.name)
    if len(good) in (0, len(FACES[die])):
        return f"Whatever is rolled, {names[bool(good)]} has the advantage"
    return f"{worded_need(good, die)} gives {names[1]} the advantage, less gives it to {names[0]}"


def _mistake(faces: list[int], die: str) -> str:
    """Return which faces are a Mistake Pitch, as a sentence after another one, or ""."""
    if not faces or len(faces) == len(FACES[die]):
        return " It is a mistake pitch, hit with the Power Die." if faces else ""
    return f" {faces[0]}{f' to {faces[-1]}' if len(faces) > 1 else ''} is a mistake pitch, hit with the Power Die."
