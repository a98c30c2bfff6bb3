"""Rolls of the dice, the face that counts, and the faces needed (3.8.B, 3.8.D, 3.11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.asks import Roll, roll
from engine.dice import FACES_BY_KIND, Die
from engine.events import Facts
from engine.games.clutch.cards.baseball_terms import signed_text
from engine.games.clutch.numbers.modifiers import card_adjuster, die_with_cards, effects_in_force
from engine.games.clutch.state import EffectInForce, FactsBuilder, State, Step
from engine.lazy import LazyFacts
from engine.seats import Seat
from engine.text.numbers import chance_text

REGULAR_DIE = "d20"  # CL-388.
POWER_DIE = "d24"  # CL-389.

REROLL_SENTENCES = {"": "The new number counts", "best": "The higher number counts", "worst": "The lower number counts"}
"""Number that counts after a die is rolled again."""


def die_name(kind: str) -> str:
    return "Power Die (d24)" if kind == POWER_DIE else kind


def roll_for_side(
    s: State, what: str, side: Seat, usual: str, fixed: bool, facts: FactsBuilder
) -> Step[tuple[str, int]]:
    """Have a side roll, and return the kind of die and the face that counts as natural (CL-223, AM-48).

    `what` is "pitch", "swing", "throw", "check" or "bunt", and the code of the ask. `facts` are the ask's. Cards may
    change the `usual` die unless it is `fixed`.
    """
    kind = usual if fixed else die_with_cards(s, what, usual)
    shown = LazyFacts(lambda s: {"team": s.team_name(side), "which": die_name(kind), **facts(s)}, s)
    (face,) = yield Roll(s.chair(side), what, (Die(kind),), shown)
    for one in effects_in_force(s, "twice", what):
        second = yield from _roll_again(s, what, side, kind, one, shown)
        face = (max if one.effect.of == "best" else min)(face, second)
        _remove_effect(s, one)
    for one in effects_in_force(s, "reroll", what):
        face = yield from _roll_again(s, what, side, kind, one, shown)
        _remove_effect(s, one)
    for one in effects_in_force(s, "face", what):
        face = one.effect.amount
        _remove_effect(s, one)
    s.dice = (face,)
    return kind, face


def _roll_again(s: State, what: str, side: Seat, kind: str, one: EffectInForce, first: Facts) -> Step[int]:
    """Have the die rolled again for a card. `first` are the facts of the first roll."""
    facts = {**first, "card": one.source, "again": reroll_title(what, first.get("wins", ""))}
    facts |= {"counts": REROLL_SENTENCES[one.effect.of if one.effect.verb == "twice" else ""]}
    return int((yield from roll(s.chair(side), f"again-{what}", Die(kind), **facts)))


def reroll_title(what: str, wins: str) -> str:
    """Return the title of a repeated roll, such as "Pitch again: 8+"."""
    return f"{what.capitalize()} again{f': {wins}' if wins else ''}"


def _remove_effect(s: State, one: EffectInForce) -> None:
    s.standing = tuple(other for other in s.standing if other is not one)


def total_by_face(s: State, what: str, built: int) -> Callable[[int], int]:
    """Return a function from a face to the total. `what` is "pitch", "throw" or "check". `built` excludes the die."""
    action, roll = card_adjuster(s, what), card_adjuster(s, f"{what}_roll")
    return lambda face: action(built + roll(face))


def sufficient_faces(s: State, what: str, die: str, built: int, least: int) -> tuple[int, ...]:
    """Return the faces of a die (a key of `FACES_BY_KIND`) with a total of at least `least`."""
    comes_to = total_by_face(s, what, built)
    return tuple(int(face) for face in FACES_BY_KIND[die] if comes_to(int(face)) >= least)


def card_bonus_text(s: State, what: str, built: int) -> str:
    """Return the bonus of cards on an action and its roll, such as " +2 from cards", or "" for none."""
    more = total_by_face(s, what, built)(10) - built - 10
    return f" {signed_text(more)} from cards" if more else ""


def need_for_title(good: Sequence[int], die: str) -> str:
    """Return the winning faces for a title: "8+", "20", "any" or "none". `good` is as in `need_clause`."""
    if not good:
        return "none"
    if len(good) == len(FACES_BY_KIND[die]):
        return "any"
    return f"{good[0]}+" if good[0] < int(FACES_BY_KIND[die][-1]) else str(good[0])


def need_at_start(good: Sequence[int], die: str) -> str:
    """Return the winning faces to begin a sentence: "8 or more", "Only a 20" or "Any roll", or "" for none."""
    short = need_for_title(good, die)
    if short in ("none", "any"):
        return "Any roll" if good else ""
    return f"{good[0]} or more" if short.endswith("+") else f"Only a {short}"


def need_clause(done: str, good: Sequence[int], die: str, none: str = "") -> str:
    """Return the roll needed, such as "out with 5 or more". `good` are the winning faces, which include the highest of
    the die. `none` is the sentence to use if there are none.
    """
    if not good:
        return none or f"no roll does it: {done} is out of reach"
    if len(good) == len(FACES_BY_KIND[die]):
        return f"{done} whatever is rolled"
    return f"{done} with {good[0]} or more" if good[0] < int(FACES_BY_KIND[die][-1]) else f"{done} with {good[0]} alone"


def chance_clause(s: State, what: str, good: Sequence[int], die: str) -> str:
    """Return the chance of the faces `good`, such as " (40%)". "" if it is plain, or a card changes the roll itself."""
    faces = len(FACES_BY_KIND[die])
    if len(good) in (0, faces) or any(effects_in_force(s, verb, what) for verb in ("twice", "reroll", "face")):
        return ""
    return f" ({chance_text(len(good) / faces)})"
