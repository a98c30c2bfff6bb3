"""Match a throw that a camera saw to the open roll or reroll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.asks import Reroll, Roll
from engine.dice import Die as Asked
from engine.dice import Face, faces_by_likelihood
from engine.events import spoken_list
from vision.matching import WantedDie, dice_count_doubt, dice_text, match_dice
from vision.reading import DOUBT_ADVICE, DieReading, Reading
from vision.tray.at_rest import DiceAtRest

if TYPE_CHECKING:
    from vision.clips import ThrowClip

MIN_CLEAR_PROBABILITY = 0.85
"""From this probability, a die is clear even if another die of its roll was read badly."""

SINGLE_DIE_DOUBTS = ("unclear", "glare")
"""Doubts about how well single dice were read."""


@dataclass(frozen=True, slots=True)
class SeenThrow:
    """A throw that a camera saw.

    began: when its dice started to move, in seconds of the session's clock.
    picture: a small JPEG of the dice.
    touched: True if the dice were turned or moved in place, not thrown.
    by_hand: True if a hand was in the tray since the dice last rested.
    glimpse: what `device.inputs.corrections` needs to learn from the throw.
    clip: the throw in slow motion.
    is_photograph: True if a person took its picture with a phone, so no camera goes on watching its dice.
    """

    reading: Reading
    began: float
    picture: bytes | None = None
    touched: bool = False
    glimpse: Any = None
    clip: ThrowClip | None = None
    by_hand: bool = False
    is_photograph: bool = False


@dataclass(frozen=True, slots=True)
class DieGuess:
    """A camera's reading of one die of a roll.

    `order` has its possible values, likeliest first. `clear` is True if this die is certain even in a doubtful roll.
    """

    order: tuple[Face, ...] = ()
    clear: bool = False


def other_faces(
    dice: Sequence[Asked], faces: Sequence[Face | None], guesses: Sequence[DieGuess] = ()
) -> list[list[Face]]:
    """Other likely values of each die of a roll that reads `faces`, likeliest first."""
    orders = [guess.order for guess in guesses] or [()] * len(dice)
    return [list(faces_by_likelihood(die, face, order)) for die, face, order in zip(dice, faces, orders, strict=True)]


class RollMatch(NamedTuple):
    """A throw matched to an ask.

    faces: the known faces, in the order of the ask's dice.
    doubt: the reason why the roll must be confirmed, or None.
    advice: its remedy, or None.
    guesses: likely values of each die.
    again: in a reroll, the indexes of the rerolled dice.
    """

    faces: tuple[Face, ...]
    doubt: str | None
    advice: str | None
    guesses: tuple[DieGuess, ...]
    again: tuple[int, ...] | None = None


def match_roll(reading: Reading, ask: Roll) -> RollMatch:
    """Match a throw to a roll. A missing die may be one in the tray that matched no other.

    Dice are identified by kind, and dice of one kind by color. A die's owner is known only if the ask gives each seat
    its own color. If the count of a kind is wrong, the dice that differ stay unknown, and so do too many dice with
    different values. If both picture and match are in doubt, the advice covers both.
    """
    wanted = [WantedDie(die.kind, die.colour, die.owner) for die in ask.dice]
    dice = [die for die in reading.dice if die.value is not None]
    found = match_dice(dice, wanted)
    doubt, advice = found.doubt, found.advice
    dice = list(found.dice) or _known_dice(dice, wanted)
    if reading.doubt == "kind":
        # Nobody knows the odd die's kind, nor whether it replaces a missing one.
        again = f"roll {dice_text([wanted[0].kind]) if len(wanted) == 1 else 'others'}, or enter it"
        doubt, advice = "kind", f"Wrong kind: {'remove it, or confirm' if doubt is None else again}."
    elif doubt == "too-few" and reading.hides and reading.doubt in (None, "cocked", "unclear"):
        doubt, advice = "stacked", f"{advice} {DOUBT_ADVICE['stacked']}"
    elif reading.doubt and doubt != "kind":
        doubt, advice = (
            reading.doubt,
            " ".join(words for words in (reading.advice, advice if reading.dice else None) if words),
        )
    left = [die for die in reading.dice if not any(die is one for one in dice)]
    guesses = [
        DieGuess(die.likely, doubt is None or (doubt in SINGLE_DIE_DOUBTS and die.confidence >= MIN_CLEAR_PROBABILITY))
        for die in dice
    ]
    guesses += [DieGuess(_likely_faces(left, want.kind, wanted)) for want in wanted[len(dice) :]]
    return RollMatch(tuple(die.value for die in dice if die.value is not None), doubt, advice, tuple(guesses))


def _known_dice(dice: Sequence[DieReading], wanted: Sequence[WantedDie]) -> list[DieReading]:
    """The first wanted dice, as far as they are known when the tray holds other, more or fewer dice."""
    piles: dict[str, list[DieReading]] = {}
    for kind in {want.kind for want in wanted}:
        mine, asked = [die for die in dice if die.kind == kind], [want for want in wanted if want.kind == kind]
        # If there are too many, any of them may be the one to remove.
        alike = len(set(asked)) == 1 and (len(mine) < len(asked) or len({die.value for die in mine}) == 1)
        piles[kind] = list(match_dice(mine, asked).dice) or (mine[: len(asked)] if alike else [])
    known = list[DieReading]()
    for want in wanted:
        if not piles[want.kind]:
            break
        known.append(piles[want.kind].pop(0))
    return known


def _likely_faces(left: Sequence[DieReading], kind: str, wanted: Sequence[WantedDie]) -> tuple[Face, ...]:
    """Possible values of a missing die of this kind, from the dice that belong to no other wanted kind."""
    others = {want.kind for want in wanted} - {kind}
    mine = sorted((die for die in left if die.kind not in others), key=lambda die: -die.confidence)
    return tuple(dict.fromkeys(die.value for die in mine if die.value is not None))


def has_expected_faces(ask: Reroll, tray: DiceAtRest) -> bool:
    """True if the dice before the reroll showed the rules' faces, in any order, however they were turned since."""
    return tray.base is not None and Counter(tray.base) == Counter(ask.faces)


def match_reroll(reading: Reading, ask: Reroll, tray: DiceAtRest) -> RollMatch:
    """Match a second throw to a reroll. `tray` tracked these dice before it.

    Dice with equal faces are interchangeable, so those that may be rerolled come first. If the throw does not fit the
    ask, the match has a doubt and the best fit.
    """
    thrown, count = tray.thrown_dice, len(ask.dice)
    if fault := dice_count_doubt([die.kind for die in reading.dice], [die.kind for die in ask.dice]):
        return _doubtful_match(reading, ask, *fault)
    if len(set(ask.dice)) > 1:
        return _doubtful_match(
            reading, ask, "kind", "The dice differ. Which ones did you reroll, and what do they show?"
        )
    if not tray.base:
        return _match_unseen(reading, ask)
    if not has_expected_faces(ask, tray):
        there = f"The tray had {spoken_list(tray.base)}, not {spoken_list(ask.faces)}"
        return _doubtful_match(reading, ask, "unlike", f"{there}. Which dice did you reroll, and what do they show?")
    lost: Counter[object] = Counter(ask.faces)
    lost.subtract(Counter(die.value for die in tray.unthrown_dice))
    # Equal dice look alike, so those that may be rerolled come first.
    order = sorted(range(count), key=lambda place: (place not in ask.free, place))
    places = []
    for place in order:
        if lost[ask.faces[place]] > 0:
            lost[ask.faces[place]] -= 1
            places.append(place)
    places.sort()
    if len(places) != len(thrown):
        return _doubtful_match(reading, ask, "unlike", "A die that should stay was turned. Which dice did you reroll?")
    held = [ask.faces[place] for place in places if place not in ask.free]
    doubt: str | None = None
    advice: str | None = None
    if not thrown:
        doubt, advice = "still", "No die seems to have moved. Which dice did you reroll? Or roll them again."
    elif held:
        doubt, advice = "held", f"The {spoken_list(held)} had to stay: put it back, and enter what the others show."
    elif len(places) > ask.most:
        doubt = "too-many"
        advice = f"I see {len(places)} rerolled dice, but at most {ask.most} can be. Which ones count?"
    elif not tray.unthrown_dice and Counter(die.value for die in thrown) == Counter(ask.faces):
        # Dice that were only picked up and put back look the same.
        doubt, advice = "still", "They show the same as before: confirm if you rolled them, or roll again."
    doubt, advice = _combine_doubts(reading, doubt, advice)
    faces, guesses = list(ask.faces), [DieGuess(clear=True)] * count
    for place, die in zip(places, thrown, strict=True):
        faces[place] = die.value or faces[place]
        guesses[place] = DieGuess(
            die.likely, doubt is None or (doubt in SINGLE_DIE_DOUBTS and die.confidence >= MIN_CLEAR_PROBABILITY)
        )
    return RollMatch(tuple(faces), doubt, advice, tuple(guesses), tuple(places))


def _match_unseen(reading: Reading, ask: Reroll) -> RollMatch:
    """Match dice whose earlier position is unknown. As many as possible keep their faces, first those that must stay.

    If all may be rerolled, all are offered, else those whose faces changed.
    """
    now: Counter[Face] = Counter(die.value for die in reading.dice if die.value is not None)
    rest, faces, changed = (now - Counter(ask.faces)).elements(), list(ask.faces), list[int]()
    for place in sorted(range(len(faces)), key=lambda place: place in ask.free):
        if now[faces[place]] <= 0:
            changed.append(place)
        now[faces[place]] -= 1
    every = ask.most == len(ask.dice) == len(ask.free)
    fits = 1 <= len(changed) <= ask.most and all(place in ask.free for place in changed)
    if len(reading.dice_values) < len(ask.dice) or not (every or fits):
        how = "I didn't see the dice before. Tap the ones you rerolled, and enter what they show."
        return _doubtful_match(reading, ask, "unseen", how)
    which = "all of them, or tap the ones you didn't" if every else "these, or tap the ones you did"
    doubt, advice = _combine_doubts(
        reading, "unseen", f"I didn't see the dice before. Confirm if you rerolled {which}."
    )
    for place in sorted(changed):
        faces[place] = next(rest)
    again = range(len(faces)) if every else sorted(changed)
    return RollMatch(tuple(faces), doubt, advice, (DieGuess(),) * len(faces), tuple(again))


def _doubtful_match(reading: Reading, ask: Reroll, doubt: str, advice: str) -> RollMatch:
    """Match to the old faces with a doubt, because the rerolled dice are unknown."""
    return RollMatch(ask.faces, *_combine_doubts(reading, doubt, advice), (DieGuess(),) * len(ask.dice), ())


def _combine_doubts(reading: Reading, doubt: str | None, advice: str | None) -> tuple[str | None, str | None]:
    """Combine the doubt about the picture with this one. "turned" matters only without another doubt."""
    if reading.doubt is None or doubt == "kind" or (doubt and reading.doubt == "turned"):
        return doubt, advice
    return reading.doubt, " ".join(words for words in (reading.advice, advice) if words)
