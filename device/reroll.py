"""What a second throw tells: which of the dice that lay there were thrown again, and what they show now."""

from __future__ import annotations

from collections import Counter

from device.seen import CLEAR, PLAIN, Fit, Guess, Seen
from engine.asks import Reroll
from engine.events import spoken
from vision.lying import Lying
from vision.reading import DOUBTS, KINDS


def lies(ask: Reroll, tray: Lying) -> bool:
    """Whether the dice lay as the rules have it before any was thrown again; how they were turned since does not
    matter, nor which of them shows what."""
    return tray.base is not None and Counter(tray.base) == Counter(ask.faces)


def again(seen: Seen, ask: Reroll, tray: Lying) -> Fit:
    """What `tray`, which saw these dice last, tells of a second throw.

    Dice that showed the same are as good as one another: those that may be thrown again were. Where it does not fit
    what is asked, that is the doubt, and the dice are offered as they fit best.
    """
    thrown, count = tray.thrown, len(ask.dice)
    known = KINDS.issuperset(die.kind for die in ask.dice) and len(set(ask.dice)) == 1
    if not known or len(seen.dice) != count:
        many = f"I see {len(seen.dice)} {'die' if len(seen.dice) == 1 else 'dice'}, {count} should be in the tray."
        odd = "kind" if not known else "too-few" if len(seen.dice) < count else "too-many"
        return _doubted(seen, ask, odd, DOUBTS["kind"] if not known else many)
    if not lies(ask, tray):
        was = f"They lay there as {spoken(tray.base)}" if tray.base else "How they lay before was not seen"
        there = spoken(ask.faces)
        return _doubted(seen, ask, "unlike", f"{was}, not as {there}: say which were thrown again, and what they show.")
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
    if seen.doubt:
        doubt, advice = seen.doubt, " ".join(words for words in (seen.advice, advice) if words)
    faces, guesses = list(ask.faces), [Guess(clear=True)] * count
    for place, die in zip(places, thrown, strict=True):
        faces[place] = die.value or faces[place]
        guesses[place] = Guess(die.likely, doubt is None or (doubt in PLAIN and die.confidence >= CLEAR))
    return Fit(tuple(faces), doubt, advice, tuple(guesses), tuple(places))


def _doubted(seen: Seen, ask: Reroll, doubt: str, advice: str) -> Fit:
    """The dice as they lay, since nobody knows which were thrown again."""
    if seen.doubt and doubt != "kind":
        doubt, advice = seen.doubt, " ".join(words for words in (seen.advice, advice) if words)
    return Fit(ask.faces, doubt, advice, (Guess(),) * len(ask.dice), ())
