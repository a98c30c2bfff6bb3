"""Blank cards: nobody typed in the abilities, so the players say what the card did.

Dugout asks at most twice per card and pitch, and only while one of its slots is on: after all three dice are rolled,
before they are judged, and before the race. The choices keep to the rulebook's limits: no die beyond 1 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.effects import LETTERS, RESULTS
from engine.games.bottom_of_the_9th.state import State
from engine.seats import Seat, other

NOTHING = "nothing"


def slot(s: State, seat: Seat) -> str | None:
    """Return the first slot of a blank card that is on, or None; a trait alone does not count."""
    return next((name for name in s.card(seat).abilities if name != "trait" and pitch_dice.on(s, seat, name)), None)


def phrases(s: State, seat: Seat, phase: str) -> tuple[str, ...]:
    """Return what a blank card of `seat` may have done in this phase; empty if nobody is asked."""
    match phase:
        case "swing":
            return (NOTHING, *_before_judging(s, seat))
        case "run":
            return (NOTHING, "race 4", "their race 6", "unopposed")
    return ()


def _before_judging(s: State, seat: Seat) -> Iterator[str]:
    for die in ("swing", "control"):
        face = pitch_dice.value(s, die)
        yield from (f"{die} {by:+}" for by in (1, 2, -1, -2) if face + by == pitch_dice.within(face + by))
    yield from (f"reroll {die}" for die in ("swing", "control", "pitch"))
    letter, result = pitch_dice.letter(s), pitch_dice.result(s)
    yield from (f"{letter} as {turned}" for turned in LETTERS if turned != letter)
    yield from (f"{result} as {turned}" for turned in RESULTS[:4] if turned != result)
    theirs = other(seat)
    yield from (f"cancel {slot}" for slot in s.card(theirs).abilities if pitch_dice.on(s, theirs, slot))
