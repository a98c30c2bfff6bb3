"""Blank cards, whose effects nobody typed in, so the players enter what each one did.

Dugout asks at most twice per card and pitch, and only while a slot of the card is on. It asks before the three rolled
dice are judged, and before the race. The choices keep to the rulebook's limit that no die goes beyond 1 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.effects import PITCH_LETTERS, PITCH_RESULTS
from engine.games.bottom_of_the_9th.state import State
from engine.seats import Seat, opposite_seat

NO_EFFECT = "nothing"


def active_slot(s: State, seat: Seat) -> str | None:
    """Return the first slot of a blank card that is on, or None. A trait alone does not count."""
    return next(
        (name for name in s.acting_card(seat).abilities if name != "trait" and pitch_dice.is_slot_on(s, seat, name)),
        None,
    )


def possible_phrases(s: State, seat: Seat, phase: str) -> tuple[str, ...]:
    """Return the phrases that a blank card of `seat` may have in this phase, or () to ask nobody."""
    match phase:
        case "swing":
            return (NO_EFFECT, *_swing_phrases(s, seat))
        case "run":
            return (NO_EFFECT, "race 4", "their race 6", "unopposed")
    return ()


def _swing_phrases(s: State, seat: Seat) -> Iterator[str]:
    for die in ("swing", "control"):
        face = pitch_dice.die_value(s, die)
        yield from (f"{die} {by:+}" for by in (1, 2, -1, -2) if face + by == pitch_dice.nearest_face(face + by))
    yield from (f"reroll {die}" for die in ("swing", "control", "pitch"))
    letter, result = pitch_dice.current_letter(s), pitch_dice.pitch_result(s)
    yield from (f"{letter} as {turned}" for turned in PITCH_LETTERS if turned != letter)
    yield from (f"{result} as {turned}" for turned in PITCH_RESULTS[:4] if turned != result)
    theirs = opposite_seat(seat)
    yield from (f"cancel {slot}" for slot in s.acting_card(theirs).abilities if pitch_dice.is_slot_on(s, theirs, slot))
