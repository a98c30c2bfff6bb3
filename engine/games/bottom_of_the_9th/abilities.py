"""Let abilities act: ask who has a choice, and apply what cannot wait. pitch_dice computes their effect on dice."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product

from engine.asks import Ask, Choose, choose, roll
from engine.dice import Die, Face
from engine.games.bottom_of_the_9th import blank_cards, pitch_dice, previews
from engine.games.bottom_of_the_9th.cards import Player
from engine.games.bottom_of_the_9th.effects import PHRASES, TURNS, Ability
from engine.games.bottom_of_the_9th.state import PARTS, Done, State
from engine.games.bottom_of_the_9th.words import does
from engine.lazy import Lazy
from engine.seats import Seat, other

Step = Generator[Ask, object, None]

WHITE, RED = Die("d6", "white", "away"), Die("d6", "red", "home")
LETTER = Die("pitch", "white", "away")

DICE: dict[str, tuple[Seat, Die]] = {
    "control": ("away", WHITE),
    "pitch": ("away", LETTER),
    "swing": ("home", RED),
    "bonus": ("home", RED),
}
"""The owner of each die, and the die (BN-007, BN-008)."""

PITCHERS = ("reveal", "pitch", "cleanup")
"""The phases in which the pitcher's card acts first; in the others the batter's does (A19)."""


def act(s: State, phase: str) -> Step:
    """Let every ability that is on and fits act once, or offer it to its player (A26)."""
    first: Seat = "away" if phase in PITCHERS else "home"
    cards = [(seat, s.card(seat)) for seat in (first, other(first))]
    for turn, (seat, card) in product(TURNS, cards):
        for slot, place, ability in card.acting.get((phase, turn), ()):
            if pitch_dice.on(s, seat, slot):
                yield from use(s, seat, card, slot, place, ability)
        if card.blank and not turn:
            yield from ask_table(s, seat, card, phase)


def use(s: State, seat: Seat, card: Player, slot: str, place: int, ability: Ability) -> Step:
    """Let one ability act, unless it is used up, does not fit, or its player declines."""
    mark = (ability.uses, f"{card.name}, {slot} {place}")
    if mark in s.spent or not pitch_dice.fits(s, seat, ability) or out_of_bounds(s, ability):
        return
    done = Done(seat, slot, ability.effect)
    if ability.may:
        effect, change = ability.effect, Lazy(previews.change, s, ability, done)
        facts = {"card": card.name, "ability": effect.text, "does": does(effect), "change": change}
        if (yield from choose(seat, "ability", ("use", "keep"), **facts)) == "keep":
            return
    if ability.uses != "pitch":
        s.spent |= {mark}
    yield from do(s, card, done)


def unaided(s: State, phases: tuple[str, ...], die: str, face: Face) -> State:
    """Return a copy after these phases with this die, as if nobody used what he may use; stop before a reroll."""
    s = s.copy()
    s.now(**{die: face})
    for phase in phases:
        play = act(s, phase)
        try:
            ask = next(play)
            while isinstance(ask, Choose):
                ask = play.send("keep" if ask.why == "ability" else blank_cards.NOTHING)
        except StopIteration:
            continue
        break
    return s


def out_of_bounds(s: State, ability: Ability) -> bool:
    """True if the house rules refuse a change because it goes beyond 1 or 6 (A9)."""
    effect = ability.effect
    if effect.verb != "add" or s.house["dieBounds"] == "clamp":
        return False
    face = pitch_dice.value(s, effect.what) + int(effect.value)
    return face != pitch_dice.within(face)


def ask_table(s: State, seat: Seat, card: Player, phase: str) -> Step:
    """Ask what a blank card did, if it can have done anything."""
    slot = blank_cards.slot(s, seat)
    if slot is None or not (options := blank_cards.phrases(s, seat, phase)):
        return
    said = yield from choose(seat, "blank", options, card=card.name)
    if said != blank_cards.NOTHING:
        yield from do(s, card, Done(seat, slot, PHRASES.read(said).effect))


def do(s: State, card: Player, done: Done) -> Step:
    """Record an effect, and apply what cannot wait: a reroll, or a move of fatigue tokens."""
    effect = done.effect
    s.tell("ability", seat=done.seat, card=card.name, ability=effect.text, does=does(effect))
    s.now(done=(*s.pitch.done, done))
    match effect.verb:
        case "reroll":
            seat, die = DICE[effect.what]
            fact = "letter" if effect.what == "pitch" else effect.what
            showed = getattr(s.pitch, fact)
            face = yield from roll(seat, "reroll", die, card=card.name, which=effect.what, face=showed)
            s.now(**{fact: face})
            s.dice = (face,)
        case "fatigue":
            tire(s, PARTS if effect.what == "both" else (effect.what,), int(effect.value))


def tire(s: State, parts: tuple[str, ...], by: int) -> None:
    """Move fatigue tokens down the track, or up if `by` is negative, as far as the track goes (BN-051, BN-122)."""
    before = s.exhausted()
    down, across = (
        max(s.floor, min(s.bottom, row + by)) if part in parts else row for part, row in zip(PARTS, s.rows, strict=True)
    )
    s.rows = (down, across)
    for part in s.exhausted():
        if part not in before:
            s.tell("exhausted", seat="away", pitcher=s.mound.name, part=part)
