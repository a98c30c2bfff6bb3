"""Track single dice that are thrown repeatedly: what each shows, and since when it lies still.

A whole reading waits until everything has settled. Here one die may lie while another rolls or a hand reaches past it,
so each is judged by itself.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Literal, TypeVar

from vision.dice.color_names import COLOR_LOOKS_RGB, color_distance
from vision.matching import LAMP_GAINS, MAX_COLOR_DISTANCE, MIN_SWAP_PENALTY, WantedDie, match_dice
from vision.reading import DieReading, Face, Reading

# A die lies still if it is found within the first share of its width twice in a row. It then stays the same while
# within the second share of that place: a picture taken as it came to rest does not show quite the final place.
STILL_SHARE = 0.12
SAME_PLACE_SHARE = 0.35
LOST_TIMEOUT_S = 3.0  # seconds until a die that is not found no longer counts as in the air or in a hand
FULL_FRAME_DOUBTS = ("moved-tray", "blur")  # doubts about the whole picture: no die in it is sure


@dataclass(frozen=True, slots=True)
class RestingFace:
    """A die that lies still: its face, and when, in seconds, it was first seen to lie there and show it."""

    face: Face
    since: float


# The die is not where it lay a moment ago: it is elsewhere, in the air, blurred, or in or under a hand.
DIE_MOVING: Final = "moving"
DIE_UNSURE: Final = "unsure"  # the die may lie there, but its face is not certain
DIE_GONE: Final = "gone"  # the die is not visible, nor was it recently: it is not in the tray, or has another color
ShownDie = RestingFace | Literal["moving", "unsure", "gone"]  # what one die shows in one picture

Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class _RestingPlace:
    """Where a die lies, its value there (None: not known yet), since when, and in how many readings."""

    x: float
    y: float
    width: float
    value: Face | None
    since: float
    times: int = 1

    def is_same_place(self, die: DieReading) -> bool:
        """True if a die is where this one lay."""
        x, y = die.center
        return math.hypot(x - self.x, y - self.y) < (STILL_SHARE if self.times == 1 else SAME_PLACE_SHARE) * self.width


class DiceTracker(Generic[Key]):
    """Tracks the dice in `wanted` from reading to reading, and distinguishes them by color.

    A die lies still once two readings in a row show it in one place with one value, both sure; it does so since the
    first of them. It moves while it is somewhere else than before or just gone. A die found again where it last lay
    still, with the same value, was only hidden: it has been lying still since it first did. If it shows another value
    there it was not thrown, and it stays unsure until it moves.

    `before` is the last reading made: the dice in it lie since -inf. For a die missing from it, it is unknown whether
    it lay there; where it is first seen it did not move.
    """

    def __init__(self, wanted: Mapping[Key, WantedDie], before: Reading | None = None) -> None:
        self._wanted = dict(wanted)
        self._lies: dict[Key, _RestingPlace | None] = {}
        self._left: dict[Key, _RestingPlace] = {}
        self._met: dict[Key, float] = {}
        if before is not None and wanted:
            self._remember_places(before)

    def _remember_places(self, before: Reading) -> None:
        """Note where the dice lay before the first picture. A sure reading without a die means that it lay nowhere."""
        whose = self._identify_dice(before.dice)
        for key, want in self._wanted.items():
            mine = [die for die, owner in zip(before.dice, whose, strict=True) if owner == key]
            if len(mine) == 1:
                self._lies[key] = _resting_place(mine[0], mine[0].value if before.is_sure else None, -math.inf, times=2)
            elif (
                before.is_sure
                and not mine
                and all(_color_misfit(die, want) > MAX_COLOR_DISTANCE for die in before.dice)
            ):
                self._lies[key] = None

    def process_reading(self, reading: Reading, when: float) -> dict[Key, ShownDie]:
        """Return what each die shows in the picture taken at `when` seconds, which must grow from call to call. A die
        that rolls beside a lying one raises no doubt about the latter; a die that touches it does."""
        dice = [
            replace(one, doubt=reading.doubt) if reading.doubt in FULL_FRAME_DOUBTS else one for one in reading.dice
        ]
        whose = self._identify_dice(dice)
        shown: dict[Key, ShownDie] = {}
        for key, want in self._wanted.items():
            if self._lies.get(key) is not None:
                self._met.setdefault(key, when)
            mine = [one for one, owner in zip(dice, whose, strict=True) if owner == key]
            sure = [one for one in mine if one.doubt is None]
            found = sure or mine
            if len(found) == 1:
                self._met[key] = when
                shown[key] = self._handle_found_die(key, found[0], when)
            elif found or any(
                owner is None and _color_misfit(one, want) <= MAX_COLOR_DISTANCE
                for one, owner in zip(dice, whose, strict=True)
            ):
                shown[key] = DIE_UNSURE
            else:
                self._handle_missing_die(key)
                shown[key] = DIE_MOVING if when - self._met.get(key, -math.inf) <= LOST_TIMEOUT_S else DIE_GONE
        return shown

    def _handle_found_die(self, key: Key, one: DieReading, when: float) -> ShownDie:
        value = one.value if one.doubt is None else None
        new = key not in self._lies
        lie = self._lies.get(key)
        if lie is not None and lie.is_same_place(one):
            if lie.times > 1 and lie.value is None:
                lie.value = value
            if value is not None and value == lie.value:
                lie.times += 1
                return RestingFace(value, lie.since)
            if value is not None and lie.times == 1:
                self._lies[key] = _resting_place(one, value, when)
            # A die that lay still and shows another value there was turned, or is half hidden: it was not thrown.
            return DIE_UNSURE
        self._handle_missing_die(key)
        left = self._left.get(key)
        if left is not None and left.is_same_place(one) and (value is None or left.value in (value, None)):
            self._lies[key] = left
            left.value = left.value or value
            return DIE_UNSURE if value is None else RestingFace(value, left.since)
        lie = self._lies[key] = _resting_place(one, value, when)
        if not new:
            return DIE_MOVING
        # Before its second reading it is unknown whether a die seen for the first time is moving.
        self._left[key] = lie
        return DIE_UNSURE

    def _handle_missing_die(self, key: Key) -> None:
        """Note that a die is not where it was. Keep where it last lay still, in case it is only hidden."""
        if key not in self._lies:
            return
        lie = self._lies[key]
        if lie is not None and lie.times > 1:
            self._left[key] = lie
        self._lies[key] = None

    def _identify_dice(self, dice: Sequence[DieReading]) -> list[Key | None]:
        """Return the key of each die, None where that is not sure."""
        keys = list(self._wanted)
        if len(dice) == len(keys) and len({*self._wanted.values()}) > 1:
            found = match_dice(dice, list(self._wanted.values()))
            if found.doubt is None:
                owners = {id(die): key for die, key in zip(found.dice, keys, strict=True)}
                return [owners[id(die)] for die in dice]
        return [self._key_by_color(die) for die in dice]

    def _key_by_color(self, die: DieReading) -> Key | None:
        """Return the key of a die seen without all the others: its color must fit one and clearly no other."""
        fits = sorted(((_color_misfit(die, want), place) for place, want in enumerate(self._wanted.values())))
        if fits[0][0] > MAX_COLOR_DISTANCE or (len(fits) > 1 and fits[1][0] - fits[0][0] < MIN_SWAP_PENALTY):
            return None
        return list(self._wanted)[fits[0][1]]


def _color_misfit(die: DieReading, want: WantedDie) -> float:
    """Return how far a die's color is from the wanted one, under the lamp that suits it best."""
    if die.kind != want.kind:
        return math.inf
    if die.tint is None or want.colour not in COLOR_LOOKS_RGB:
        return 0.0
    return min(color_distance(die.tint, want.colour, lamp) for lamp in LAMP_GAINS)


def _resting_place(die: DieReading, value: Face | None, when: float, times: int = 1) -> _RestingPlace:
    x, y = die.center
    return _RestingPlace(x, y, max(die.box[2:]), value, when, times)
