"""Previews in an ask, with the state of the pitch before and after an answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.effects import CardAbility
from engine.games.bottom_of_the_9th.state import AppliedEffect, State
from engine.games.bottom_of_the_9th.words import THING_NAMES

RESULT_VERBS = ("add", "set", "letter", "result", "bonus", "cancel")
"""Verbs of effects that can change the result."""

GOOD_RESULTS = ("ball", "walk", "contact", "crush")
"""Results of a swing that are good for the batter."""

USE_LIMIT_SENTENCES = {"pitch": "", "at-bat": " Once an at-bat.", "game": " Once a game."}
"""How often an ability can be used, as a sentence by `CardAbility.uses`."""


def result_so_far(s: State) -> str:
    """Return the result of the pitch after all rolls, or the strikeout or walk that it makes."""
    found = pitch_dice.pitch_result(s)
    if found == "strike" and s.strikes + 1 + pitch_dice.effect_total(s, "count", "strike") >= 3:
        return "strikeout"
    if found == "ball" and s.balls + 1 + pitch_dice.effect_total(s, "count", "ball") >= 4:
        return "walk"
    return found


def dice_text(s: State, what: str = "") -> str:
    """Return the dice on the table as a noun, such as "a foul", "control 4" or "an S". Before the pitch it is "".

    `what` is the die that an ability changes. Before the swing, only that die or the letter can be named.
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
    """Return sentences about an ability's change and how often it can be used, or "" without either."""
    effect, uses, twin = done.effect, USE_LIMIT_SENTENCES[ability.uses], s.copy()
    twin.update_pitch(done=(*s.pitch.done, done))
    before, after = dice_text(s, effect.what), dice_text(twin, effect.what)
    if not before or effect.verb not in (*RESULT_VERBS, "reroll"):
        return uses
    if effect.verb == "reroll":
        return f" It's {before} now.{uses}"
    return (f" It stays {before}." if before == after else f" {before.capitalize()} becomes {after}.") + uses


def relief_plan(s: State, options: Sequence[str]) -> str:
    """Return the relief possible with these options: "Rest A", "Bring in B for A" or both."""
    reliever = s.reliever.name if s.reliever else ""
    if not any(option.startswith("relief") for option in options):
        return f"Bring in {reliever} for {s.current_pitcher.name}"
    return f"Rest {s.current_pitcher.name}" + (f" or bring in {reliever}" if "bench" in options else "")


def fatigue_sentence(s: State) -> str:
    rows = [
        f"{part} is {row} of {s.bottom_row} rows down" for part, row in zip(s.current_pitcher.ace, s.rows, strict=True)
    ]
    return f"{' and '.join(rows)}; on the last row it cannot be thrown.".capitalize()
