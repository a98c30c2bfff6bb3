"""Watch a source of frames and read each throw once."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from vision.cameras.frames import Frame, FrameSource, Image
from vision.reading import Reading
from vision.tray.motion import DetectedThrow, TrayState, TrayWatcher

# Most frames at rest that are averaged, because together they have less noise, and the seconds in which they are taken.
MAX_AVERAGED_FRAMES = 6
MAX_AVERAGING_S = 0.4


class DiceReader(Protocol):
    """A reader of still pictures, such as `vision.reader.Reader`."""

    def read_dice(self, frame: Image, /) -> Reading:
        """Read the dice in the picture."""


@dataclass(frozen=True, slots=True)
class ThrowReading:
    """A throw that came to rest, and its reading. `picture` is the one that was read. `first` and `last` number the
    source's frames, from 0, in which the dice lay still: up to the frame that was read, or, where the whole rest was
    requested, up to the last before they moved again."""

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
) -> Iterator[ThrowReading]:
    """Watch `source` to its end and yield one reading for each throw, once it has come to rest.

    Dice that were only touched (`Throw.touched`) count as a new throw when they show a value that they did not show
    before, when some of them are gone, or when they were in doubt and are now sure. If a sure reading has changed that
    way, the new one gets the doubt "turned". A picture without dice is not a throw: it becomes the new picture of the
    empty tray.

    The mean of the first `MAX_AVERAGED_FRAMES` frames at rest is read, or of fewer if the camera is slow or the dice
    move sooner.

    A throw is yielded at once, or with `whole` only when the dice move again and the length of their rest is known.
    `on_state` gets the tray's state after every frame; until a throw is read its dice count as moving.
    `on_resting` gets readings of dice at rest that are not a throw: they were touched and show nothing new, or they lay
    there before anything moved. The watcher cannot know whether the tray it saw first was empty; it learns that from
    the reader. Raises CameraError when the source fails. The source is left open.
    """
    watcher = watcher or TrayWatcher()
    held: ThrowReading | None = None
    last: Reading | None = None
    frames = _watch_frames(source, watcher, on_state)
    for frame, state in frames:
        if watcher.unsure_if_empty:
            there = reader.read_dice(frame.full_picture())
            if there.doubt == "none":
                watcher.learn_empty_tray(frame.picture)
            else:
                watcher.mark_occupied()
                if on_resting is not None:
                    on_resting(there)
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
            if reading.doubt == "none":
                watcher.learn_empty_tray(frame.picture)
                continue
            if throw.touched and last is not None:
                if not _has_news(last, reading):
                    if on_resting is not None:
                        on_resting(reading)
                    continue
                # Fewer dice alone do not mean that one was turned: those left show what they showed.
                if (
                    reading.is_sure
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


def _watch_frames(
    source: FrameSource, watcher: TrayWatcher, on_state: Callable[[TrayState], None] | None
) -> Iterator[tuple[Frame, TrayState]]:
    """Yield each frame of a source with the state of the tray, which the watcher has then noted."""
    while (frame := source.read_frame()) is not None:
        state = watcher.process_frame(frame.picture, frame.when)
        if on_state is not None:
            on_state(state)
        yield frame, state


def _has_news(before: Reading, now: Reading) -> bool:
    """True if dice that were touched show anything new: a value, that some are gone, or that they are now sure."""
    return (
        bool(Counter(now.dice_values) - Counter(before.dice_values))
        or len(now.dice) < len(before.dice)
        or (now.is_sure and before.doubt not in (None, "turned"))
    )
