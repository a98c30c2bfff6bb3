"""Active abilities and the final values of a pitch's dice. Reads the state only.

`Pitch.done` lists the abilities that acted. Their effects on dice, letter, result and race are computed from it each
time, without the canceled ones. So dice keep their natural faces, and the order of acting hardly matters (A19).
"""

from __future__ import annotations

from typing import Any

from engine.dice import Face
from engine.games.bottom_of_the_9th.effects import AbilityEffect, CardAbility
from engine.games.bottom_of_the_9th.state import State
from engine.seats import Seat, opposite_seat

RESULTS_BY_LETTER = {
    "B": ("ball", "ball", "strike"),
    "S": ("strike", "foul", "contact"),
    "C": ("strike", "contact", "strike"),
}
"""Results by letter, for a swing less than, equal to and more than control (BN-069 to BN-077)."""

BONUS_RESULTS = ("contact", "contact", "1B", "1B", "2B", "HR")
"""Results by the bonus die, from 1 (BN-090 to BN-093)."""

DIE_OWNERS: dict[str, Seat] = {"control": "away", "swing": "home", "bonus": "home"}
"""The seat whose own effects on a die come first (A19)."""


def is_slot_on(s: State, seat: Seat, slot: str) -> bool:
    """True if the abilities in a slot of a seat's card are on for this pitch (BN-043 to BN-050)."""
    if (seat, slot) in s.pitch.canceled_slots:
        return False
    held = s.held_tokens(seat)
    match slot:
        case "mvp":
            return len(held) == 2
        case "ace":
            return s.is_ace_on
        case "trait":
            return bool(held) or s.house["traitsNeedToken"] == "false"
    return slot in held


def active_effects(s: State, *verbs: str) -> list[tuple[Seat, AbilityEffect]]:
    """Return the seats and effects with these verbs that are not canceled, in the order they acted."""
    return [(done.seat, done.effect) for done in s.pitch.effects_in_force if done.effect.verb in verbs]


def effect_total(s: State, verb: str, what: str = "") -> int:
    return sum([int(effect.value) for _, effect in active_effects(s, verb) if effect.what == what])


# Dice ------------------------------------------------------------------------------------------------------------


def die_value(s: State, die: str) -> int:
    """Return a rolled control, swing or bonus die after abilities, 1 to 6 (BN-061, BN-062, BN-138)."""
    face: int = getattr(s.pitch, die)
    names = (die, "swing") if die == "bonus" and s.house["bonusModifiers"] == "swingToo" else (die,)
    changes = [(seat, effect) for seat, effect in active_effects(s, "set", "add") if effect.what in names]
    # Effects that set the die come before those that add, and the owner's before the other's (A19).
    for _, effect in sorted(changes, key=lambda one: (one[1].verb == "add", one[0] != DIE_OWNERS[die])):
        face = int(effect.value) + (face if effect.verb == "add" else 0)
        if s.house["modOrder"] == "clampEachStep":
            face = nearest_face(face)
    return nearest_face(face)


def nearest_face(face: int) -> int:
    """Return `face` clamped to 1 to 6."""
    return max(1, min(6, face))


def current_letter(s: State) -> str:
    """Return the letter of the pitching die after abilities. The die must have been rolled."""
    found = s.pitch.letter or ""
    for _, effect in active_effects(s, "letter"):
        if effect.what == found:
            found = str(effect.value)
    return found


# The pitch -------------------------------------------------------------------------------------------------------


def pitch_result(s: State) -> str:
    """Return ball, strike, foul, contact or crush after all rolls. A natural 6 crushes (BN-088, BN-089, A1)."""
    control, swing = die_value(s, "control"), die_value(s, "swing")
    found = RESULTS_BY_LETTER[current_letter(s)][(swing > control) - (swing < control) + 1]
    if s.pitch.swing == 6 and (found == "contact" or s.house["crushNeedsContact"] == "false"):
        found = "crush"
    for _, effect in active_effects(s, "result"):
        if effect.what == found:
            found = str(effect.value)
    return found


def bonus_result(s: State) -> str:
    """Return the result of a crush after the bonus roll, contact or a hit."""
    face = die_value(s, "bonus")
    rows = {effect.what: str(effect.value) for _, effect in active_effects(s, "bonus")}
    return rows.get(str(face), BONUS_RESULTS[face - 1])


# The race --------------------------------------------------------------------------------------------------------


def winning_faces(s: State, seat: Seat, traits: bool = True) -> tuple[Face, ...]:
    """Return a seat's winning faces in the race: 5, 6, and 4 with speed or fielding (BN-096, BN-107 to BN-109)."""
    lowest = 4 if traits and s.acting_card(seat).quick and is_slot_on(s, seat, "trait") else 5
    for whose, effect in active_effects(s, "race") if traits else ():
        if seat == (whose if effect.what == "race" else opposite_seat(whose)):
            lowest = int(effect.value)
    return tuple(range(lowest, 7))


def has_unopposed_roll(s: State, seat: Seat) -> bool:
    """True if a seat rolls once before the race (BN-102)."""
    by_card = s.acting_card(seat).unopposed and is_slot_on(s, seat, "trait")
    return by_card or any(whose == seat for whose, _ in active_effects(s, "unopposed"))


# Conditions of abilities -----------------------------------------------------------------------------------------


def can_act(s: State, seat: Seat, ability: CardAbility) -> bool:
    """True if an ability of `seat` has its target and meets its conditions, on natural dice or not (BN-060, A10)."""
    known = known_facts(s, seat) if ability.when or ability.unless else {}

    def all_hold(needs: tuple[tuple[str, tuple[Any, ...]], ...]) -> bool:
        return all(known.get(name) in values for name, values in needs)

    wanted = not ability.when or any(map(all_hold, ability.when))
    return wanted and has_target(s, ability.effect) and not any(map(all_hold, ability.unless))


def has_target(s: State, effect: AbilityEffect) -> bool:
    """True if the die or result has the value that an effect changes. "foul as contact" needs a foul, already known."""
    match effect.verb:
        case "letter":
            return effect.what == current_letter(s)
        case "result":
            return effect.what == pitch_result(s)
        case "bonus":
            return effect.what == str(die_value(s, "bonus"))
    return True


def known_facts(s: State, seat: Seat) -> dict[str, str | int | None]:
    """Return the facts known now to a card of `seat`, by the names in `CONDITION_FACTS`."""
    pitch, final = s.pitch, s.house["abilityTriggers"] == "final"
    natural = {"control": pitch.control, "swing": pitch.swing, "bonus": pitch.bonus}
    dice = {die: die_value(s, die) if final and face is not None else face for die, face in natural.items()}
    on_base = zip(("first", "second", "third"), s.bases, strict=True)
    found: dict[str, str | int | None] = {
        **dict(zip(("direction", "location"), pitch.thrown, strict=False)),
        **dict(zip(("direction_row", "location_row"), s.rows, strict=True)),
        **{base: "occupied" if runner else "empty" for base, runner in on_base},
        "tokens": len(s.held_tokens(seat)),
        **dict(zip(("balls", "strikes"), pitch.count, strict=True)),
        "outs": s.outs,
        **dice,
        "letter": current_letter(s) if final else pitch.letter,
    }
    control, swing = dice["control"], dice["swing"]
    if control is not None and swing is not None:
        found["compare"] = ("less", "equal", "more")[(swing > control) - (swing < control) + 1]
        found["result"] = pitch.called or pitch_result(s)
    return found
