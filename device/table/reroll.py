"""What a second throw tells: which of the dice that lay there were thrown again, and what they show now."""

from __future__ import annotations

from collections import Counter

from device.table.proposed_roll import CLEAR, PLAIN, Guess, RollMatch, SeenThrow
from engine.asks import Reroll
from engine.dice import Face
from engine.events import spoken
from vision.matching import miscounted
from vision.tray.at_rest import DiceAtRest


def lies(ask: Reroll, tray: DiceAtRest) -> bool:
    """Whether the dice lay as the rules have it before any was thrown again; how they were turned since does not
    matter, nor which of them shows what."""
    return tray.base is not None and Counter(tray.base) == Counter(ask.faces)


def again(seen: SeenThrow, ask: Reroll, tray: DiceAtRest) -> RollMatch:
    """What `tray`, which saw these dice last, tells of a second throw.

    Dice that showed the same are as good as one another: those that may be thrown again were. Where it does not fit
    what is asked, that is the doubt, and the dice are offered as they fit best.
    """
    thrown, count = tray.thrown, len(ask.dice)
    if odd := miscounted([die.kind for die in seen.dice], [die.kind for die in ask.dice]):
        return _doubted(seen, ask, *odd)
    if len(set(ask.dice)) > 1:
        return _doubted(seen, ask, "kind", "The dice differ: say which were thrown again, and what they show.")
    if not tray.base:
        return _unseen(seen, ask)
    if not lies(ask, tray):
        there = f"They lay there as {spoken(tray.base)}, not as {spoken(ask.faces)}"
        return _doubted(seen, ask, "unlike", f"{there}: say which were thrown again, and what they show.")
    lost: Counter[object] = Counter(ask.faces)
    lost.subtract(Counter(die.value for die in tray.left))
    # Those that may be thrown again first: of equal dice nobody can say which one it was.
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
        # Swept up and laid back, old dice look like this too.
        doubt, advice = "still", "They show what they showed: confirm if they were thrown, or throw again."
    doubt, advice = _both(seen, doubt, advice)
    faces, guesses = list(ask.faces), [Guess(clear=True)] * count
    for place, die in zip(places, thrown, strict=True):
        faces[place] = die.value or faces[place]
        guesses[place] = Guess(die.likely, doubt is None or (doubt in PLAIN and die.confidence >= CLEAR))
    return RollMatch(tuple(faces), doubt, advice, tuple(guesses), tuple(places))


def _unseen(seen: SeenThrow, ask: Reroll) -> RollMatch:
    """Dice that nobody saw lie: where all may be thrown again they are offered so, as many as can be where one lay that
    showed the same."""
    now: Counter[Face] = Counter(die.value for die in seen.dice if die.value is not None)
    if ask.most < len(ask.dice) or len(ask.free) < len(ask.dice) or now.total() < len(ask.dice):
        how = "I did not see how they lay: tap those that were thrown again and say what they show."
        return _doubted(seen, ask, "unseen", how)
    how = "I did not see how they lay: confirm if all were thrown again, or tap those that were not."
    doubt, advice = _both(seen, "unseen", how)
    rest, faces = (now - Counter(ask.faces)).elements(), list[Face]()
    for face in ask.faces:
        faces.append(face if now[face] > 0 else next(rest))
        now[face] -= 1
    return RollMatch(tuple(faces), doubt, advice, (Guess(),) * len(faces), tuple(range(len(faces))))


def _doubted(seen: SeenThrow, ask: Reroll, doubt: str, advice: str) -> RollMatch:
    """The dice as they lay, since nobody knows which were thrown again."""
    return RollMatch(ask.faces, *_both(seen, doubt, advice), (Guess(),) * len(ask.dice), ())


def _both(seen: SeenThrow, doubt: str | None, advice: str | None) -> tuple[str | None, str | None]:
    """The doubt about the picture, with the advice on both, where that was not all: that dice were turned matters only
    where nothing else is asked."""
    if seen.doubt is None or doubt == "kind" or (doubt and seen.doubt == "turned"):
        return doubt, advice
    return seen.doubt, " ".join(words for words in (seen.advice, advice) if words)
