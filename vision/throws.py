"""Read each throw in a stream of frames once."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from vision.cameras.frames import Frame, FrameSource, Image
from vision.reading import PixelBox, Reading
from vision.tray.motion import DetectedThrow, TrayState, TrayWatcher
from vision.tray.spin import is_blurred_by_spin
from vision.tray.unread import RestingTray

MAX_AVERAGED_FRAMES = 6  # Frames at rest are averaged to reduce noise, up to this number.
MAX_AVERAGING_S = 0.4  # time window of the averaged frames
MAX_SPIN_S = 3.0  # After this time without motion, a die that looks like a spinning one is read, in doubt.


class DiceReader(Protocol):
    """Reads still frames, such as `vision.reader.Reader`."""

    def read_dice(self, frame: Image, /) -> Reading:
        """Read the dice in the frame."""


@dataclass(frozen=True, slots=True)
class ThrowReading:
    """A throw that came to rest, and its reading.

    picture: the image that was read.
    first, last: the still frames by number in the source, from 0. `last` is the frame that was read, or with `whole`
        the last one before the dice moved again.
    """

    throw: DetectedThrow
    picture: Image
    reading: Reading
    first: int
    last: int


def read_throws(
    source: FrameSource,
    reader: DiceReader,
    watcher: TrayWatcher | None = None,
    *,
    whole: bool = False,
    on_state: Callable[[TrayState], None] | None = None,
    on_resting: Callable[[Reading], None] | None = None,
    in_tray: Callable[[PixelBox], bool] = lambda box: True,
) -> Iterator[ThrowReading]:
    """Yield one reading for each throw that comes to rest, until `source` ends.

    Dice that were only touched (`DetectedThrow.touched`) count as a new throw if they show a new value, if some are
    gone, or if a doubt about them is cleared. If a hand was there and touched dice change a sure reading, the new one
    gets the doubt "turned". A die that spins in place is still moving: it is not read for `MAX_SPIN_S`, and then gets
    the doubt "moving". An image without dice is not a throw: it becomes the new reference image, unless something came
    to rest. That is a throw without dice and with the doubt "unread", and so is a large object at rest that seemed a
    hand. A throw that left the tray has the doubt "none". What is read is the mean of up to `MAX_AVERAGED_FRAMES`
    frames at rest, fewer if the camera is slow or the dice move sooner.

    whole: yield a throw only when the dice move again and the duration of their rest is known, not at once.
    on_state: gets the tray's state after each frame. Until a throw is read, its dice count as moving.
    on_resting: gets readings of resting dice that are no throw: touched without a new value, or there from the start.
        The watcher can't tell whether the first tray it saw was empty, so the reader decides.
    in_tray: whether an object with this box, in pixels of the full frame, is in the tray. Others are not "unread".
    Raises CameraError if the source fails. Doesn't close the source.
    """
    watcher = watcher or TrayWatcher()
    held: ThrowReading | None = None
    last: Reading | None = None
    calm_since: float | None = None
    rest = RestingTray(in_tray)
    frames = _watch_frames(source, watcher, on_state)
    for frame, state in frames:
        rest.process_frame(frame, state)
        if watcher.unsure_if_empty:
            there = reader.read_dice(frame.full_picture())
            if there.doubt == "none":
                wide = frame.full_picture().shape[1]
                there = rest.explained_reading(frame.picture, there, frame.when, wide)
            if there.doubt == "none":
                watcher.learn_empty_tray(frame.picture)
            else:
                watcher.mark_occupied()
                if on_resting is not None:
                    on_resting(there)
                if not there.dice and rest.has_news(frame.picture):
                    last = there
                    yield _throw_without_dice(frame, there)
        if watcher.missed:
            yield _throw_without_dice(frame, Reading((), "none", 0.0))
        if held is not None:
            if state is TrayState.SETTLED:
                held = replace(held, last=frame.number)
            else:
                yield held
                held = None
        if (throw := watcher.throw) is not None:
            first = frame.number - (throw.last - throw.first)
            pictures, number = [frame.full_picture().copy()], frame.number
            while len(pictures) < MAX_AVERAGED_FRAMES and (later := source.read_frame()) is not None:
                still = watcher.process_frame(later.picture, later.when) is TrayState.SETTLED
                if on_state is not None:
                    on_state(TrayState.MOVING if still else watcher.state)
                if not still or later.when - frame.when > MAX_AVERAGING_S:
                    break
                pictures.append(later.full_picture().copy())
                number = later.number
            picture = np.mean(pictures, axis=0).round().astype(np.uint8)
            reading = reader.read_dice(picture)
            if any(is_blurred_by_spin(picture, die) for die in reading.dice):
                calm_since = throw.end if calm_since is None else calm_since
                if throw.end - calm_since < MAX_SPIN_S:
                    watcher.reject_rest(throw)
                    continue
                reading = replace(reading, doubt=reading.doubt or "moving")
            calm_since = None
            if reading.doubt == "none":
                reading = rest.explained_reading(frame.picture, reading, throw.end, picture.shape[1], hand=True)
            if reading.doubt == "none":
                watcher.learn_empty_tray(frame.picture)
                continue
            if throw.touched and (reading.doubt == "unread" or (last is not None and not _has_news(last, reading))):
                if on_resting is not None:
                    on_resting(reading)
                continue
            # A missing die alone doesn't mean that another was turned.
            if (
                throw.touched
                and last is not None
                and reading.is_sure
                and (throw.by_hand or last.doubt == "turned")
                and last.doubt in (None, "turned")
                and Counter(reading.dice_values) - Counter(last.dice_values)
            ):
                reading = replace(reading, doubt="turned")
            last = reading
            held = ThrowReading(throw, picture, reading, first, number)
            if not whole:
                yield held
                held = None
    if held is not None:
        yield held


def _throw_without_dice(frame: Frame, reading: Reading) -> ThrowReading:
    """Report now what happened in the tray, because no dice say when it began."""
    picture, number = frame.full_picture().copy(), frame.number
    return ThrowReading(
        DetectedThrow(frame.when, frame.when, number, number, picture), picture, reading, number, number
    )


def _watch_frames(
    source: FrameSource, watcher: TrayWatcher, on_state: Callable[[TrayState], None] | None
) -> Iterator[tuple[Frame, TrayState]]:
    """Yield each frame of a source with the tray's state after it."""
    while (frame := source.read_frame()) is not None:
        state = watcher.process_frame(frame.picture, frame.when)
        if on_state is not None:
            on_state(state)
        yield frame, state


def _has_news(before: Reading, now: Reading) -> bool:
    """True if touched dice show a new value, if some are gone, or if a doubt is cleared."""
    return (
        bool(Counter(now.dice_values) - Counter(before.dice_values))
        or len(now.dice) < len(before.dice)
        or (now.is_sure and before.doubt not in (None, "turned"))
    )
