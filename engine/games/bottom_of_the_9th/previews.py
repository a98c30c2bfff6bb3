"""What an open question leads to, for its sentence: what is known so far, with and without an answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.effects import CardAbility
from engine.games.bottom_of_the_9th.state import AppliedEffect, State
from engine.games.bottom_of_the_9th.words import THING_NAMES

RESULT_CHANGING_VERBS = ("add", "set", "letter", "result", "bonus", "cancel")
"""Effects that can change what the dice are worth."""

GOOD_RESULTS = ("ball", "walk", "contact", "crush")
"""Results of a swing that are good for the batter."""

USE_LIMIT_SENTENCES = {"pitch": "", "at-bat": " Once an at-bat.", "game": " Once a game."}


def result_so_far(s: State) -> str:
    """Return what the pitch is so far: a result, or the strikeout or walk that it leads to.

    Not checked: that all dice were rolled.
    """
    found = pitch_dice.pitch_result(s)
    if found == "strike" and s.strikes + 1 + pitch_dice.effect_total(s, "count", "strike") >= 3:
        return "strikeout"
    if found == "ball" and s.balls + 1 + pitch_dice.effect_total(s, "count", "ball") >= 4:
        return "walk"
    return found


def dice_text(s: State, what: str = "") -> str:
    """Return what the dice on the table are worth, as a thing: "a foul", "control 4", "an S"; "" before the pitch.

    `what` is the die that an ability changes; between pitch and swing this is all there is.
    """
    if s.pitch.bonus is not None:
        return THING_NAMES[pitch_dice.bonus_result(s)]
    if s.pitch.swing is not None:
        return THING_NAMES[result_so_far(s)]
    if s.pitch.control is not None:
        return (
            f"control {pitch_dice.die_value(s, 'control')}"
            if what == "control"
            else THING_NAMES[pitch_dice.current_letter(s)]
        )
    return ""


def describe_change(s: State, ability: CardAbility, done: AppliedEffect) -> str:
    """Return in sentences what an ability would change, and how often it can be used; "" if there is nothing to say."""
    effect, uses, twin = done.effect, USE_LIMIT_SENTENCES[ability.uses], s.copy()
    twin.update_pitch(done=(*s.pitch.done, done))
    before, after = dice_text(s, effect.what), dice_text(twin, effect.what)
    if not before or effect.verb not in (*RESULT_CHANGING_VERBS, "reroll"):
        return uses
    if effect.verb == "reroll":
        return f" It's {before} now.{uses}"
    return (f" It stays {before}." if before == after else f" {before.capitalize()} becomes {after}.") + uses


def relief_plan(s: State, options: Sequence[str]) -> str:
    """Return what can be done for the pitcher with these options: "Rest A", "Bring in B for A" or both."""
    reliever = s.reliever.name if s.reliever else ""
    if not any(option.startswith("relief") for option in options):
        return f"Bring in {reliever} for {s.current_pitcher.name}"
    return f"Rest {s.current_pitcher.name}" + (f" or bring in {reliever}" if "bench" in options else "")


def fatigue_sentence(s: State) -> str:
    """Return how tired the pitcher is, in a sentence."""
    rows = [
        f"{part} is {row} of {s.bottom_row} rows down" for part, row in zip(s.current_pitcher.ace, s.rows, strict=True)
    ]
    return f"{' and '.join(rows)}; on the last row it cannot be thrown.".capitalize()
