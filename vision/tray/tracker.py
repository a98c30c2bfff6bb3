"""Track individual dice that are thrown repeatedly: the face of each and since when it is at rest.

A full reading waits until everything is at rest. Here one die may be at rest while another rolls or a hand reaches past
it, so each is judged alone.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Literal, TypeVar

from vision.dice.color_names import COLOR_LOOKS_RGB, color_distance
from vision.matching import LAMP_GAINS, MAX_COLOR_DISTANCE, MIN_SWAP_PENALTY, WantedDie, match_dice
from vision.reading import DieReading, Face, Reading

STILL_SHARE = 0.12  # A die comes to rest if two detections in a row are within this share of its width.
# It remains the same die within this share. An image taken as it came to rest doesn't show quite the final position.
SAME_PLACE_SHARE = 0.35
LOST_TIMEOUT_S = 3.0  # a die that is not detected for longer no longer counts as in the air or in a hand
FULL_FRAME_DOUBTS = ("moved-tray", "blur")  # doubts about the full frame, which make all dice unsure


@dataclass(frozen=True, slots=True)
class RestingFace:
    """A die at rest: its face, and the time in seconds of the first detection there with that face."""

    face: Face
    since: float


DIE_MOVING: Final = "moving"  # The die left its position: it is elsewhere, in the air, blurred, or in or under a hand.
DIE_UNSURE: Final = "unsure"  # The die may be at rest, but its face is not certain.
DIE_GONE: Final = "gone"  # The die has not been visible for a while. It is not in the tray, or has another color.
ShownDie = RestingFace | Literal["moving", "unsure", "gone"]  # state of one die in one image

Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class _RestingPlace:
    """Position and value of a die (None if unknown), since when, and in how many readings."""

    x: float
    y: float
    width: float
    value: Face | None
    since: float
    times: int = 1

    def is_same_place(self, die: DieReading) -> bool:
        x, y = die.center
        return math.hypot(x - self.x, y - self.y) < (STILL_SHARE if self.times == 1 else SAME_PLACE_SHARE) * self.width


class DiceTracker(Generic[Key]):
    """Tracks the `wanted` dice from reading to reading and distinguishes them by color.

    A die is at rest after two sure readings in a row with the same position and value, counted from the first. It is
    moving while its position changes or it just disappeared. A die that reappears at its last position with the same
    value was only hidden, and its rest continues. If it reappears there with another value it was not thrown, and stays
    unsure until it moves.

    before: the previous reading. Its dice are at rest since -inf. For a die that is not in it, the first detection does
        not count as motion.
    """

    def __init__(self, wanted: Mapping[Key, WantedDie], before: Reading | None = None) -> None:
        self._wanted = dict(wanted)
        self._positions: dict[Key, _RestingPlace | None] = {}
        self._last_rests: dict[Key, _RestingPlace] = {}
        self._last_seen: dict[Key, float] = {}
        if before is not None and wanted:
            self._remember_places(before)

    def _remember_places(self, before: Reading) -> None:
        """Record the dice of the previous reading. A die missing from a sure reading was not in the tray."""
        whose = self._identify_dice(before.dice)
        for key, want in self._wanted.items():
            mine = [die for die, owner in zip(before.dice, whose, strict=True) if owner == key]
            if len(mine) == 1:
                self._positions[key] = _resting_place(
                    mine[0], mine[0].value if before.is_sure else None, -math.inf, times=2
                )
            elif (
                before.is_sure
                and not mine
                and all(_color_misfit(die, want) > MAX_COLOR_DISTANCE for die in before.dice)
            ):
                self._positions[key] = None

    def process_reading(self, reading: Reading, when: float) -> dict[Key, ShownDie]:
        """Return the state of each die in the reading at `when` seconds, which must increase. A rolling die next to one
        at rest raises no doubt about the latter, unless they touch."""
        dice = [
            replace(one, doubt=reading.doubt) if reading.doubt in FULL_FRAME_DOUBTS else one for one in reading.dice
        ]
        whose = self._identify_dice(dice)
        shown: dict[Key, ShownDie] = {}
        for key, want in self._wanted.items():
            if self._positions.get(key) is not None:
                self._last_seen.setdefault(key, when)
            mine = [one for one, owner in zip(dice, whose, strict=True) if owner == key]
            sure = [one for one in mine if one.doubt is None]
            found = sure or mine
            if len(found) == 1:
                self._last_seen[key] = when
                shown[key] = self._handle_found_die(key, found[0], when)
            elif found or any(
                owner is None and _color_misfit(one, want) <= MAX_COLOR_DISTANCE
                for one, owner in zip(dice, whose, strict=True)
            ):
                shown[key] = DIE_UNSURE
            else:
                self._handle_missing_die(key)
                shown[key] = DIE_MOVING if when - self._last_seen.get(key, -math.inf) <= LOST_TIMEOUT_S else DIE_GONE
        return shown

    def _handle_found_die(self, key: Key, one: DieReading, when: float) -> ShownDie:
        value = one.value if one.doubt is None else None
        new = key not in self._positions
        lie = self._positions.get(key)
        if lie is not None and lie.is_same_place(one):
            if lie.times > 1 and lie.value is None:
                lie.value = value
            if value is not None and value == lie.value:
                lie.times += 1
                return RestingFace(value, lie.since)
            if value is not None and lie.times == 1:
                self._positions[key] = _resting_place(one, value, when)
            # A resting die that shows another value was turned or is half hidden. It was not thrown.
            return DIE_UNSURE
        self._handle_missing_die(key)
        left = self._last_rests.get(key)
        if left is not None and left.is_same_place(one) and (value is None or left.value in (value, None)):
            self._positions[key] = left
            left.value = left.value or value
            return DIE_UNSURE if value is None else RestingFace(value, left.since)
        lie = self._positions[key] = _resting_place(one, value, when)
        if not new:
            return DIE_MOVING
        # After only one reading it is unknown whether a die is moving.
        self._last_rests[key] = lie
        return DIE_UNSURE

    def _handle_missing_die(self, key: Key) -> None:
        """Mark a die as missing. Keep its last position of rest, in case it is only hidden."""
        if key not in self._positions:
            return
        lie = self._positions[key]
        if lie is not None and lie.times > 1:
            self._last_rests[key] = lie
        self._positions[key] = None

    def _identify_dice(self, dice: Sequence[DieReading]) -> list[Key | None]:
        """Return the key of each die, or None if ambiguous."""
        keys = list(self._wanted)
        if len(dice) == len(keys) and len({*self._wanted.values()}) > 1:
            found = match_dice(dice, list(self._wanted.values()))
            if found.doubt is None:
                owners = {id(die): key for die, key in zip(found.dice, keys, strict=True)}
                return [owners[id(die)] for die in dice]
        return [self._key_by_color(die) for die in dice]

    def _key_by_color(self, die: DieReading) -> Key | None:
        """Return the key of a die seen without all the others. Its color must match one and clearly no other."""
        fits = sorted(((_color_misfit(die, want), place) for place, want in enumerate(self._wanted.values())))
        if fits[0][0] > MAX_COLOR_DISTANCE or (len(fits) > 1 and fits[1][0] - fits[0][0] < MIN_SWAP_PENALTY):
            return None
        return list(self._wanted)[fits[0][1]]


def _color_misfit(die: DieReading, want: WantedDie) -> float:
    """Return the color distance of a die from the wanted color under the best illuminant."""
    if die.kind != want.kind:
        return math.inf
    if die.tint is None or want.colour not in COLOR_LOOKS_RGB:
        return 0.0
    return min(color_distance(die.tint, want.colour, lamp) for lamp in LAMP_GAINS)


def _resting_place(die: DieReading, value: Face | None, when: float, times: int = 1) -> _RestingPlace:
    x, y = die.center
    return _RestingPlace(x, y, max(die.box[2:]), value, when, times)
