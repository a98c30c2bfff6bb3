"""Command, On-Base and the outcome of a pitch, with all cards in force (3.8.B, 3.8.C)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.baseball_terms import signed_text, text_with_printed
from engine.games.clutch.numbers.conditions import batting_hand
from engine.games.clutch.numbers.modifiers import (
    card_adjuster,
    card_bonus,
    effects_in_force,
    is_ignored,
    last_effect,
    number_with_cards,
)
from engine.games.clutch.numbers.rolls import card_bonus_text, need_at_start, need_clause, need_for_title
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State


class EvaluatedPitch(NamedTuple):
    """Outcome of a pitch for one face of the die. `advantage` is "batter" or "pitcher"."""

    roll: int
    pitch: int
    mistake: bool
    advantage: str


class PitchNeed(NamedTuple):
    """The roll with which the pitcher gets the Advantage (`need`, and `wins` for a title), and what it is made of
    (`made`). `outlook` says who has the Advantage on which roll, and which rolls are a Mistake Pitch.
    """

    need: str
    made: str
    command: int
    on_base: int
    wins: str
    outlook: str


def current_command(s: State) -> int:
    """Return the pitcher's Command in this at-bat, from print, handedness, fatigue and cards (CL-098, CL-173)."""
    card, arm = s.pitcher_card, s.current_record
    bonus = card.left if batting_hand(s, s.batter_card) == "L" else card.right
    if is_ignored(s, "handedness", "pitcher"):
        bonus = 0
    printed = card.command
    for one in effects_in_force(s, "set", "command"):
        printed = one.effect.amount
    return pitcher_record.total_command(
        printed, bonus, pitcher_record.tired_penalty(arm, s.house), card_bonus(s, "command"), s.house
    )


def current_on_base(s: State) -> int:
    """Return the batter's On-Base in this at-bat (CL-009, CL-179, CL-317)."""
    card = s.batter_card
    bonus = card.left if s.pitcher_card.hand == "L" else card.right
    if is_ignored(s, "handedness", "batter"):
        bonus = 0
    return number_with_cards(s, "on_base", card.on_base + bonus + s.at.on_base_bonus)


def command_text(s: State, now: int) -> str:
    return text_with_printed(now, s.pitcher_card.command)


def on_base_text(s: State, now: int) -> str:
    return text_with_printed(now, s.batter_card.on_base)


def pitch_evaluator(s: State, command: int, on_base: int) -> Callable[[int], EvaluatedPitch]:
    """Return a function from a face of the die to the outcome of the pitch. A tie and a Mistake Pitch give the batter
    the Advantage (CL-173 to CL-179, CL-189 to CL-196).
    """
    roll, action, x_zone = (
        card_adjuster(s, "pitch_roll"),
        card_adjuster(s, "pitch"),
        number_with_cards(s, "x_zone", s.pitcher_card.x_zone),
    )
    forced, given = last_effect(s, "mistake"), last_effect(s, "advantage")

    def evaluate_face(face: int) -> EvaluatedPitch:
        rolled = roll(face)
        total = action(rolled + command + s.at.pitch_bonus)
        mistake = forced.of == "cause" if forced else rolled <= x_zone
        advantage = "batter" if mistake or total <= on_base else "pitcher"
        return EvaluatedPitch(rolled, total, mistake, given.of if given else advantage)

    return evaluate_face


def pitch_need(s: State, die: str) -> PitchNeed:
    has, against = current_command(s), current_on_base(s)
    plus = card_bonus_text(s, "pitch", has + s.at.pitch_bonus)
    missed = f" {signed_text(s.at.pitch_bonus)} for missed bunts" if s.at.pitch_bonus else ""
    made = f"Command {command_text(s, has)}{missed}{plus} against On-Base {on_base_text(s, against)}"
    faces = list(map(int, FACES_BY_KIND[die]))
    judged = list(map(pitch_evaluator(s, has, against), faces))
    good = [face for face, one in zip(faces, judged, strict=True) if one.advantage == "pitcher"]
    need = need_clause("advantage", good, die, f"{s.batter_card.name} has the advantage whatever is rolled")
    mistakes = [face for face, one in zip(faces, judged, strict=True) if one.mistake]
    outlook = (
        f"{_advantage_text(s, good, die)}: the swing is read on that player's chart.{_mistake_text(mistakes, die)}"
    )
    return PitchNeed(need, made, has, against, need_for_title(good, die), outlook)


def _advantage_text(s: State, good: list[int], die: str) -> str:
    """Describe who has the Advantage on which roll. `good` are the pitcher's faces."""
    names = (s.batter_card.name, s.pitcher_card.name)
    if len(good) in (0, len(FACES_BY_KIND[die])):
        return f"Whatever is rolled, {names[bool(good)]} has the advantage"
    return f"{need_at_start(good, die)} gives {names[1]} the advantage, less gives it to {names[0]}"


def _mistake_text(faces: list[int], die: str) -> str:
    """Describe the faces of a Mistake Pitch as a sentence that follows another, or ""."""
    if not faces or len(faces) == len(FACES_BY_KIND[die]):
        return " It is a mistake pitch, hit with the Power Die." if faces else ""
    return f" {faces[0]}{f' to {faces[-1]}' if len(faces) > 1 else ''} is a mistake pitch, hit with the Power Die."
