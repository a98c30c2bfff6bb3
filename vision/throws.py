"""Frames in, one reading for each throw out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from vision.cameras.frames import Image, Source
from vision.reading import Reading
from vision.tray.motion import Throw, TrayState, Watcher


class DiceReader(Protocol):
    """Something that reads dice off a still picture, such as `vision.reader.Reader`."""

    def read(self, frame: Image, /) -> Reading:
        """What lies in the picture."""


@dataclass(frozen=True, slots=True)
class ReadThrow:
    """A throw that came to rest and what it shows; `picture` is the one that was read.

    `first` and `last` number the frames of the source, from 0, in which the dice lay still: up to the one that was
    read, or to the last before they moved again where the whole rest was asked for.
    """

    throw: Throw
    picture: Image
    reading: Reading
    first: int
    last: int


def throws(
    source: Source,
    reader: DiceReader,
    watcher: Watcher | None = None,
    *,
    whole: bool = False,
    told: Callable[[TrayState], None] | None = None,
    lies: Callable[[Reading], None] | None = None,
) -> Iterator[ReadThrow]:
    """Watch `source` to its end and read each throw once, when it has come to rest.

    Dice that were only touched (`Throw.touched`) land again when they show what they did not show before, when some of
    them are gone, or when they were in doubt and are sure now. Where a value of a sure reading was so changed, the new
    one has the doubt "turned". What holds no die is no landing: it is the tray's new look.

    A landing comes at once, or with `whole` only when the dice move again and the length of their rest is known.
    `told` hears the tray's state after every frame. `lies` hears of dice at rest that are no landing: they were touched
    and tell nothing new, or lay there before anything moved. What the watcher cannot know, whether the tray it first
    saw was empty, it learns from the reader. Raises CameraError when the source fails; the source is left open.
    """
    watcher = watcher or Watcher()
    held: ReadThrow | None = None
    last: Reading | None = None
    while (frame := source.read()) is not None:
        state = watcher.see(frame.picture, frame.when)
        if told is not None:
            told(state)
        if watcher.wonders:
            there = reader.read(frame.full())
            if there.doubt == "none":
                watcher.learn(frame.picture)
            else:
                watcher.occupied()
                if lies is not None:
                    lies(there)
        if held is not None:
            if state is TrayState.SETTLED:
                held = replace(held, last=frame.number)
            else:
                yield held
                held = None
        if (throw := watcher.throw) is not None:
            first = frame.number - (throw.last - throw.first)
            picture = frame.full()
            reading = reader.read(picture)
            if reading.doubt == "none":
                watcher.learn(frame.picture)
                continue
            if throw.touched and last is not None:
                if not _tells(last, reading):
                    if lies is not None:
                        lies(reading)
                    continue
                # Dice that are only fewer were not turned; those left show what they showed.
                if reading.sure and last.doubt in (None, "turned") and Counter(reading.values) - Counter(last.values):
                    reading = replace(reading, doubt="turned")
            last = reading
            held = ReadThrow(throw, picture, reading, first, frame.number)
            if not whole:
                yield held
                held = None
    if held is not None:
        yield held


def _tells(before: Reading, now: Reading) -> bool:
    """Whether dice that were touched since they were read say anything new: a value, that some are gone, or surely."""
    return (
        bool(Counter(now.values) - Counter(before.values))
        or len(now.dice) < len(before.dice)
        or (now.sure and before.doubt not in (None, "turned"))
    )
