"""Work out a reroll: which of the dice in the tray were thrown again, and what they show now."""

from __future__ import annotations

from collections import Counter

from device.table.proposed_roll import CLEAR, PLAIN, Guess, RollMatch, SeenThrow
from engine.asks import Reroll
from engine.dice import Face
from engine.events import spoken
from vision.matching import miscounted
from vision.tray.at_rest import DiceAtRest


def lay_as_asked(ask: Reroll, tray: DiceAtRest) -> bool:
    """True if, before the reroll, the dice showed the faces that the rules have. The order does not matter, nor how the
    dice were turned since.
    """
    return tray.base is not None and Counter(tray.base) == Counter(ask.faces)


def match_reroll(seen: SeenThrow, ask: Reroll, tray: DiceAtRest) -> RollMatch:
    """Match a second throw to a reroll; `tray` is the tracker that saw these dice last.

    Dice with equal faces are interchangeable: prefer those that may be thrown again. If the throw does not fit the ask,
    the match has a doubt and the dice as they fit best.
    """
    thrown, count = tray.thrown, len(ask.dice)
    if fault := miscounted([die.kind for die in seen.dice], [die.kind for die in ask.dice]):
        return _doubted(seen, ask, *fault)
    if len(set(ask.dice)) > 1:
        return _doubted(seen, ask, "kind", "The dice differ: say which were thrown again, and what they show.")
    if not tray.base:
        return _unseen(seen, ask)
    if not lay_as_asked(ask, tray):
        there = f"They lay there as {spoken(tray.base)}, not as {spoken(ask.faces)}"
        return _doubted(seen, ask, "unlike", f"{there}: say which were thrown again, and what they show.")
    lost: Counter[object] = Counter(ask.faces)
    lost.subtract(Counter(die.value for die in tray.left))
    # Dice that may be thrown again come first: equal dice cannot be told from one another.
    order = sorted(range(count), key=lambda place: (place not in ask.free, place))
    places = []
    for place in order:
        if lost[ask.faces[place]] > 0:
            lost[ask.faces[place]] -= 1
            places.append(place)
    places.sort()
    if len(places) != len(thrown):
        return _doubted(seen, ask, "unlike", "A die was turned that lay there: say which were thrown again.")
    held = [ask.faces[place] for place in places if place not in ask.free]
    doubt: str | None = None
    advice: str | None = None
    if not thrown:
        doubt, advice = "still", "No die seems to have moved: say which were thrown again, or throw them once more."
    elif held:
        doubt, advice = "held", f"The {spoken(held)} had to be left lying: lay it back, and say what the others show."
    elif len(places) > ask.most:
        doubt = "too-many"
        advice = f"I see {len(places)} dice thrown again, at most {ask.most} may be: say which count."
    elif not tray.left and Counter(die.value for die in thrown) == Counter(ask.faces):
        # Dice that were only picked up and laid back look like this too.
        doubt, advice = "still", "They show what they showed: confirm if they were thrown, or throw again."
    doubt, advice = _combined(seen, doubt, advice)
    faces, guesses = list(ask.faces), [Guess(clear=True)] * count
    for place, die in zip(places, thrown, strict=True):
        faces[place] = die.value or faces[place]
        guesses[place] = Guess(die.likely, doubt is None or (doubt in PLAIN and die.confidence >= CLEAR))
    return RollMatch(tuple(faces), doubt, advice, tuple(guesses), tuple(places))


def _unseen(seen: SeenThrow, ask: Reroll) -> RollMatch:
    """Match dice whose earlier position the camera did not see. If all may be thrown again, offer them all, and keep as
    many faces as possible in their old places.
    """
    now: Counter[Face] = Counter(die.value for die in seen.dice if die.value is not None)
    if ask.most < len(ask.dice) or len(ask.free) < len(ask.dice) or now.total() < len(ask.dice):
        how = "I did not see how they lay: tap those that were thrown again and say what they show."
        return _doubted(seen, ask, "unseen", how)
    how = "I did not see how they lay: confirm if all were thrown again, or tap those that were not."
    doubt, advice = _combined(seen, "unseen", how)
    rest, faces = (now - Counter(ask.faces)).elements(), list[Face]()
    for face in ask.faces:
        faces.append(face if now[face] > 0 else next(rest))
        now[face] -= 1
    return RollMatch(tuple(faces), doubt, advice, (Guess(),) * len(faces), tuple(range(len(faces))))


def _doubted(seen: SeenThrow, ask: Reroll, doubt: str, advice: str) -> RollMatch:
    """Return the old faces with a doubt, since nobody knows which dice were thrown again."""
    return RollMatch(ask.faces, *_combined(seen, doubt, advice), (Guess(),) * len(ask.dice), ())


def _combined(seen: SeenThrow, doubt: str | None, advice: str | None) -> tuple[str | None, str | None]:
    """Combine the doubt about the picture with this one. "turned" matters only if there is no other doubt."""
    if seen.doubt is None or doubt == "kind" or (doubt and seen.doubt == "turned"):
        return doubt, advice
    return seen.doubt, " ".join(words for words in (seen.advice, advice) if words)
