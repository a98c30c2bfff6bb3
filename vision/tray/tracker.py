"""Follows single dice that are thrown again and again: what each shows, and since when it lies still.

A whole reading waits for everything to settle; here one die may lie while another rolls or a hand reaches past it, so
each is judged by itself.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Literal, Protocol, TypeVar

from vision.dice.colour_names import LOOKS, far
from vision.matching import APART, FAR, LAMPS, Wanted, match
from vision.reading import Die, Face, Reading

if TYPE_CHECKING:
    from vision.cameras.frames import Image
    from vision.dice.decide import Judged, Limits

NEAR = 2.0
"""What lies nearer to a die than this many of its widths is looked at when it is judged by itself."""

STILL, LIES = 0.12, 0.35
"""A die lies still if it is found within the first share of its width twice in a row; then as long as within the second
of where it was, since a picture of it as it came to rest is not quite the place."""

LOST = 3.0
"""Seconds after which a die that is not found is no longer taken to be in the air or in a hand."""

WHOLE = ("moved-tray", "blur")
"""Doubts about the whole picture: no die in it is sure."""


@dataclass(frozen=True, slots=True)
class RestingFace:
    """A die that lies still: the face it shows, and when, in seconds, it was first seen to lie there and show it."""

    face: Face
    since: float


MOVING: Final = "moving"
"""The die is not where it lay a moment ago: it is elsewhere, in the air, blurred, or in or under a hand."""

UNSURE: Final = "unsure"
"""The die may lie there, but what it shows is not certain."""

GONE: Final = "gone"
"""Nothing is seen of the die, nor was it lately: it is not in the tray, or has another colour."""

ShownDie = RestingFace | Literal["moving", "unsure", "gone"]
"""What one die shows in one picture."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Single:
    """A die as seen, and the doubt about it alone, a key of `reading.DOUBTS`, or None where it is sure."""

    die: Die
    doubt: str | None = None


class TrackedReader(Protocol):
    """A reader, such as `vision.reader.Reader`, after it read: what it looked at, what it found, what it believes."""

    limits: Limits
    picture: Image | None
    looks: list[Judged]


def singles(reading: Reading, reader: TrackedReader, wide: int) -> list[Single]:
    """Each die of the reading that `reader` just made of a frame `wide` pixels wide, with its own doubt.

    A die that rolls beside one that lies is no reason to doubt the latter; one that touches it is.
    """
    if reading.sure or reading.doubt in WHOLE or reader.picture is None:
        return [Single(die, reading.doubt) for die in reading.dice]
    from vision.dice.decide import judge

    height, width = reader.picture.shape[:2]
    found = []
    for die in reading.dice:
        x, y = (part * width / wide for part in _middle(die))
        reach = NEAR * max(die.box[2:]) * width / wide
        near = [look for look in reader.looks if math.hypot(look.where.x - x, look.where.y - y) < reach]
        found.append(Single(die, judge(near, width, height, reader.limits)[1]))
    return found


@dataclass(slots=True)
class _Lie:
    """Where a die lies, what it shows there (None: not known yet), since when, and in how many readings it did."""

    x: float
    y: float
    width: float
    value: Face | None
    since: float
    times: int = 1

    def holds(self, die: Die) -> bool:
        """Whether a die is where this one lay."""
        x, y = _middle(die)
        return math.hypot(x - self.x, y - self.y) < (STILL if self.times == 1 else LIES) * self.width


class DiceTracker(Generic[Key]):
    """Keeps up, from reading to reading, with the dice in `wanted`, which it tells apart by their colours.

    A die lies still once two readings in a row show it at one place with one value, both sure; it does so since the
    first of them. It moves while it is elsewhere than before or just gone. Found again where it last lay still, showing
    what it showed, it was only hidden: then it lies still since it first did. What shows another value there was not
    thrown, and nothing is sure of it until it moves.

    `before` is the last reading that was made: the dice in it lie since -inf. Of a die that it does not tell of nobody
    knows whether it lay there; where it is first seen it did not move.
    """

    def __init__(self, wanted: Mapping[Key, Wanted], before: Reading | None = None) -> None:
        self._wanted = dict(wanted)
        self._lies: dict[Key, _Lie | None] = {}
        self._left: dict[Key, _Lie] = {}
        self._met: dict[Key, float] = {}
        if before is not None and wanted:
            self._remember(before)

    def _remember(self, before: Reading) -> None:
        """Where the dice lay before the first picture; a sure reading without one knows that it lay nowhere."""
        whose = self._told_apart(before.dice)
        for key, want in self._wanted.items():
            mine = [die for die, owner in zip(before.dice, whose, strict=True) if owner == key]
            if len(mine) == 1:
                self._lies[key] = _laid(mine[0], mine[0].value if before.sure else None, -math.inf, times=2)
            elif before.sure and not mine and all(_fit(die, want) > FAR for die in before.dice):
                self._lies[key] = None

    def see(self, dice: Sequence[Single], when: float) -> dict[Key, ShownDie]:
        """What each die shows in the picture taken at `when` seconds, which must grow from call to call."""
        whose = self._told_apart([one.die for one in dice])
        shown: dict[Key, ShownDie] = {}
        for key, want in self._wanted.items():
            if self._lies.get(key) is not None:
                self._met.setdefault(key, when)
            mine = [one for one, owner in zip(dice, whose, strict=True) if owner == key]
            sure = [one for one in mine if one.doubt is None]
            found = sure or mine
            if len(found) == 1:
                self._met[key] = when
                shown[key] = self._found(key, found[0], when)
            elif found or any(
                owner is None and _fit(one.die, want) <= FAR for one, owner in zip(dice, whose, strict=True)
            ):
                shown[key] = UNSURE
            else:
                self._gone(key)
                shown[key] = MOVING if when - self._met.get(key, -math.inf) <= LOST else GONE
        return shown

    def _found(self, key: Key, one: Single, when: float) -> ShownDie:
        value = one.die.value if one.doubt is None else None
        new = key not in self._lies
        lie = self._lies.get(key)
        if lie is not None and lie.holds(one.die):
            if lie.times > 1 and lie.value is None:
                lie.value = value
            if value is not None and value == lie.value:
                lie.times += 1
                return RestingFace(value, lie.since)
            if value is not None and lie.times == 1:
                self._lies[key] = _laid(one.die, value, when)
            # A die that lay still and shows another value there was turned, or is half hidden: it was not thrown.
            return UNSURE
        self._gone(key)
        left = self._left.get(key)
        if left is not None and left.holds(one.die) and (value is None or left.value in (value, None)):
            self._lies[key] = left
            left.value = left.value or value
            return UNSURE if value is None else RestingFace(value, left.since)
        lie = self._lies[key] = _laid(one.die, value, when)
        if not new:
            return MOVING
        # Before its second reading nobody knows whether a die that was never seen before moves.
        self._left[key] = lie
        return UNSURE

    def _gone(self, key: Key) -> None:
        """It is not where it was; where it last lay still is kept, should it only be hidden."""
        if key not in self._lies:
            return
        lie = self._lies[key]
        if lie is not None and lie.times > 1:
            self._left[key] = lie
        self._lies[key] = None

    def _told_apart(self, dice: Sequence[Die]) -> list[Key | None]:
        """Whose each die is, None where that is not sure."""
        keys = list(self._wanted)
        if len(dice) == len(keys) and len({*self._wanted.values()}) > 1:
            found = match(dice, list(self._wanted.values()))
            if found.doubt is None:
                owners = {id(die): key for die, key in zip(found.dice, keys, strict=True)}
                return [owners[id(die)] for die in dice]
        return [self._whose(die) for die in dice]

    def _whose(self, die: Die) -> Key | None:
        """Whose a die is that is seen without all the others: its colour must be one and clearly no other."""
        fits = sorted(((_fit(die, want), place) for place, want in enumerate(self._wanted.values())))
        if fits[0][0] > FAR or (len(fits) > 1 and fits[1][0] - fits[0][0] < APART):
            return None
        return list(self._wanted)[fits[0][1]]


def _fit(die: Die, want: Wanted) -> float:
    """How far a die's colour is from the one wanted, under the lamp that suits it best."""
    if die.kind != want.kind:
        return math.inf
    if die.tint is None or want.colour not in LOOKS:
        return 0.0
    return min(far(die.tint, want.colour, lamp) for lamp in LAMPS)


def _laid(die: Die, value: Face | None, when: float, times: int = 1) -> _Lie:
    x, y = _middle(die)
    return _Lie(x, y, max(die.box[2:]), value, when, times)


def _middle(die: Die) -> tuple[float, float]:
    x, y, wide, tall = die.box
    return x + wide / 2, y + tall / 2
