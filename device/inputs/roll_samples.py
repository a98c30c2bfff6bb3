"""Rolls from which a camera's reading limits are learned, stored beside its tray.

They never endanger the journal: nothing here raises into the game, files are replaced atomically, and damaged ones are
deleted. The limits themselves are not stored; they are chosen from the rolls again after each start.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.dice.thresholds import Limits
    from vision.reader import Reader
    from vision.tuning import Sample, SampleView

log = logging.getLogger("dugout.lessons")

MOST = 400  # rolls kept for each camera and resolution, the newest; they take 4 to 15 MiB

NAME = re.compile(r"([0-9]{6,})-([0-9]+-[0-9]+)\.png")

NOTHING = "Nothing learned yet."


class RollSamples:
    """The rolls seen by one camera at a time, stored below `trays`, at most `most` for each. Any thread may call `hear`
    and read `words`; everything else belongs to the camera's thread."""

    def __init__(self, trays: Path, most: int = MOST) -> None:
        self.words = NOTHING  # what was learned, in a sentence
        self._trays, self._most = trays, most
        self._heard: deque[tuple[str, Any, SampleView | None]] = deque(maxlen=256)
        self._home: Path | None = None
        self._reader: Reader | None = None
        self._clear()

    def _clear(self) -> None:
        self._files: dict[str, Path] = {}
        self._pending: list[str] = []
        self._costs: dict[str, tuple[bool, NDArray[np.int64]]] = {}
        self._changed = False

    def hear(self, game: int, place: int, values: Any, seen: SampleView | None = None) -> None:
        """Note that the roll at `place` in the journal of `game` was played as `values`, or undone if they are None.
        `seen` is what the camera saw; without it, the values of a known roll are corrected."""
        self._heard.append((f"{game}-{place}", values, seen))

    def meet(self, camera: str, size: tuple[int, int], reader: Reader) -> None:
        """Switch to the camera of this name with frames of `size`, (width, height) in pixels, read by `reader`."""
        from vision.tray.saved import folder

        home = folder(self._trays, camera, size) / "lessons"
        if home != self._home:
            self._home, self._reader = home, reader
            self._start()

    def _start(self) -> None:
        from vision.dice.thresholds import USUAL

        assert self._home is not None
        assert self._reader is not None
        self._clear()
        self._heard.clear()
        try:
            for path in sorted(self._home.glob("*.png")):
                if found := NAME.fullmatch(path.name):
                    self._files[found[2]] = path
            for half in self._home.glob("*.new"):
                half.unlink(missing_ok=True)
        except OSError as error:
            log.warning("No rolls can be learned from in %s: %s.", self._home, error)
        self._pending = list(self._files)
        self._changed = bool(self._files)
        self._reader.limits = USUAL
        count = len(self._files)
        self.words = f"{count} roll{' is' if count == 1 else 's are'} judged again." if count else NOTHING

    def forget(self) -> None:
        """Delete this camera's rolls, and return to the usual limits."""
        for roll in list(self._files):
            self._drop(roll)
        if self._home is not None:
            self._start()

    def attend(self) -> bool:
        """Do one small piece of work: store a roll, or evaluate one; return True if there was any."""
        if self._home is None:
            return False
        try:
            if self._heard:
                self._keep(*self._heard.popleft())
            elif self._pending:
                roll = self._pending.pop()
                if (sample := self._read(roll)) is not None:
                    self._evaluate(roll, sample)
            elif self._changed:
                self._choose()
            else:
                return False
        except Exception:  # whatever OpenCV raises on a roll, the game goes on without its lesson
            log.exception("A roll could not be learned from.")
        return True

    def _keep(self, roll: str, values: Any, seen: SampleView | None) -> None:
        from vision import tuning

        if seen is not None:
            # A lost journal may have left a roll of this name.
            self._drop(roll)
        elif (known := self._read(roll)) is not None:
            seen = known.view
        else:
            return
        sample = None if values is None else tuning.make_sample(seen, values)
        if sample is None:
            self._drop(roll)
            return
        assert self._home is not None
        newest = max((int(path.name.partition("-")[0]) for path in self._files.values()), default=0)
        path = self._files.get(roll) or self._home / f"{newest + 1:06d}-{roll}.png"
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".new")
            fresh.write_bytes(tuning.pack_sample(sample))
            fresh.replace(path)
        except OSError as error:
            log.warning("The roll %s cannot be stored: %s.", path, error)
            return
        self._files[roll] = path
        self._evaluate(roll, sample)
        while len(self._files) > self._most:
            self._drop(min(self._files, key=lambda one: self._files[one].name))

    def _read(self, roll: str) -> Sample | None:
        """Return the stored roll; None if there is none or it is damaged, and then it is deleted."""
        from vision.tuning import SampleError, unpack_sample

        path = self._files.get(roll)
        if path is None:
            return None
        try:
            return unpack_sample(path.read_bytes())
        except (OSError, SampleError) as error:
            log.warning("The roll %s is deleted: %s", path, error)
            self._drop(roll)
            return None

    def _drop(self, roll: str) -> None:
        path = self._files.pop(roll, None)
        if path is None:
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("The roll %s cannot be deleted: %s.", path, error)
        self._costs.pop(roll, None)
        self._changed = True

    def _evaluate(self, roll: str, sample: Sample) -> None:
        from vision.tuning import outcomes

        assert self._reader is not None
        self._costs[roll] = sample.confirmed, outcomes(self._reader, sample)
        self._changed = True

    def _choose(self) -> None:
        import numpy as np

        from vision.dice.thresholds import USUAL
        from vision.tuning import choose_limits

        assert self._reader is not None
        self._changed = False
        limits = USUAL
        if self._costs:
            confirmed, costs = zip(*self._costs.values(), strict=True)
            limits = choose_limits(np.array(confirmed), np.stack(costs))
        if limits != self._reader.limits:
            log.info("From %d rolls: %s.", len(self._costs), limits)
        self._reader.limits = limits
        self.words = words(len(self._costs), limits)


def words(count: int, limits: Limits) -> str:
    """Return what these limits, chosen from `count` rolls, mean to the players."""
    from vision.tuning import asks_less, asks_more

    if not count:
        return NOTHING
    rolls = f"{count} roll{'' if count == 1 else 's'}"
    match asks_less(limits), asks_more(limits):
        case True, False:
            return f"Learned from {rolls}: asks a little less often."
        case False, True:
            return f"Learned from {rolls}: asks a little more often."
        case True, True:
            return f"Learned from {rolls}: asks about other dice than before."
    return f"Nothing learned yet from {rolls}: asks as usual."


def kept(trays: Path) -> int:
    """Return the number of rolls stored below the folder `trays`, of all cameras."""
    return sum(bool(NAME.fullmatch(path.name)) for path in trays.glob("*/lessons/*.png"))
