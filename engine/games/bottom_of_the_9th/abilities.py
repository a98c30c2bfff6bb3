"""Triggers of abilities, with rerolls and moves of fatigue tokens. `pitch_dice` computes all other effects."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product

from engine.asks import Ask, Choose, choose, roll
from engine.dice import Die, Face
from engine.games.bottom_of_the_9th import blank_cards, pitch_dice, previews
from engine.games.bottom_of_the_9th.cards import NinthPlayer
from engine.games.bottom_of_the_9th.effects import ABILITY_PHRASES, ORDER_IN_PHASE, CardAbility
from engine.games.bottom_of_the_9th.state import PITCH_PARTS, AppliedEffect, State
from engine.games.bottom_of_the_9th.words import describe_effect
from engine.lazy import LazyFact
from engine.seats import Seat, opposite_seat

Step = Generator[Ask, object, None]

WHITE_DIE = Die("d6", "white", "away")
RED_DIE = Die("d6", "red", "home")
LETTER_DIE = Die("pitch", "white", "away")

DICE_WITH_OWNERS: dict[str, tuple[Seat, Die]] = {
    "control": ("away", WHITE_DIE),
    "pitch": ("away", LETTER_DIE),
    "swing": ("home", RED_DIE),
    "bonus": ("home", RED_DIE),
}
"""The seat that rolls each die, and the physical die (BN-007, BN-008)."""

PITCHER_FIRST_PHASES = ("reveal", "pitch", "cleanup")
"""Phases in which the pitcher's card acts first. In the others the batter's does (A19)."""


def trigger_abilities(s: State, phase: str) -> Step:
    """Let every active ability that fits act once, or offer it to its player (A26)."""
    first: Seat = "away" if phase in PITCHER_FIRST_PHASES else "home"
    cards = [(seat, s.acting_card(seat)) for seat in (first, opposite_seat(first))]
    for turn, (seat, card) in product(ORDER_IN_PHASE, cards):
        for slot, place, ability in card.abilities_by_phase.get((phase, turn), ()):
            if pitch_dice.is_slot_on(s, seat, slot):
                yield from use_ability(s, seat, card, slot, place, ability)
        if card.blank and not turn:
            yield from ask_blank_card(s, seat, card, phase)


def use_ability(s: State, seat: Seat, card: NinthPlayer, slot: str, place: int, ability: CardAbility) -> Step:
    """Let one ability act, unless it is used up, does not fit, or its player declines."""
    mark = (ability.uses, f"{card.name}, {slot} {place}")
    if mark in s.spent or not pitch_dice.can_act(s, seat, ability) or is_refused_change(s, ability):
        return
    done = AppliedEffect(seat, slot, ability.effect)
    if ability.may:
        effect, change = ability.effect, LazyFact(previews.describe_change, s, ability, done)
        facts = {"card": card.name, "ability": effect.text, "does": describe_effect(effect), "change": change}
        if (yield from choose(seat, "ability", ("use", "keep"), **facts)) == "keep":
            return
    if ability.uses != "pitch":
        s.spent |= {mark}
    yield from apply_effect(s, card, done)


def state_without_abilities(s: State, phases: tuple[str, ...], die: str, face: Face) -> State:
    """Return a copy after these phases with `die` showing `face` and no optional ability used, up to a reroll."""
    s = s.copy()
    s.update_pitch(**{die: face})
    for phase in phases:
        play = trigger_abilities(s, phase)
        try:
            ask = next(play)
            while isinstance(ask, Choose):
                ask = play.send("keep" if ask.why == "ability" else blank_cards.NO_EFFECT)
        except StopIteration:
            continue
        break
    return s


def is_refused_change(s: State, ability: CardAbility) -> bool:
    """True if the house rules refuse a change past 1 or 6 (A9)."""
    effect = ability.effect
    if effect.verb != "add" or s.house["dieBounds"] == "clamp":
        return False
    face = pitch_dice.die_value(s, effect.what) + int(effect.value)
    return face != pitch_dice.nearest_face(face)


def ask_blank_card(s: State, seat: Seat, card: NinthPlayer, phase: str) -> Step:
    """Ask for the effect of a blank card, if it can have one."""
    slot = blank_cards.active_slot(s, seat)
    if slot is None or not (options := blank_cards.possible_phrases(s, seat, phase)):
        return
    said = yield from choose(seat, "blank", options, card=card.name)
    if said != blank_cards.NO_EFFECT:
        yield from apply_effect(s, card, AppliedEffect(seat, slot, ABILITY_PHRASES.parse_phrase(said).effect))


def apply_effect(s: State, card: NinthPlayer, done: AppliedEffect) -> Step:
    """Record an effect. Only a reroll or a move of fatigue tokens is applied at once."""
    effect = done.effect
    s.emit("ability", seat=done.seat, card=card.name, ability=effect.text, does=describe_effect(effect))
    s.update_pitch(done=(*s.pitch.done, done))
    match effect.verb:
        case "reroll":
            seat, die = DICE_WITH_OWNERS[effect.what]
            fact = "letter" if effect.what == "pitch" else effect.what
            showed = getattr(s.pitch, fact)
            face = yield from roll(seat, "reroll", die, card=card.name, which=effect.what, face=showed)
            s.update_pitch(**{fact: face})
            s.dice = (face,)
        case "fatigue":
            move_fatigue_tokens(s, PITCH_PARTS if effect.what == "both" else (effect.what,), int(effect.value))


def move_fatigue_tokens(s: State, parts: tuple[str, ...], by: int) -> None:
    """Move fatigue tokens down the track, or up if `by` is negative, as far as the track goes (BN-051, BN-122)."""
    before = s.exhausted_parts()
    down, across = (
        max(s.floor, min(s.bottom_row, row + by)) if part in parts else row
        for part, row in zip(PITCH_PARTS, s.rows, strict=True)
    )
    s.rows = (down, across)
    for part in s.exhausted_parts():
        if part not in before:
            s.emit("exhausted", seat="away", pitcher=s.current_pitcher.name, part=part)
