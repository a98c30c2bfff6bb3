"""The rolls that one camera's limits are learned from: kept beside its tray, judged again when there is time.

They never endanger the journal: nothing here raises into the game, a file is replaced whole or not at all, and one
that is damaged is dropped. The limits themselves are not kept: they are chosen anew from the rolls after each start.
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

MOST = 400
"""So many rolls are kept of each camera and resolution, the newest: 4 to 15 MiB."""

NAME = re.compile(r"(\d{6,})-(\d+-\d+)\.png")

NOTHING = "Nothing learned yet."


class RollSamples:
    """The rolls seen by one camera at a time, kept below `trays`, at most `most` of each.

    `hear` may be called from any thread, and `words` read; all else belongs to the camera's.
    """

    def __init__(self, trays: Path, most: int = MOST) -> None:
        self.words = NOTHING
        """What was learned, in a sentence."""
        self._trays, self._most = trays, most
        self._heard: deque[tuple[str, Any, SampleView | None]] = deque(maxlen=256)
        self._home: Path | None = None
        self._reader: Reader | None = None
        self._clear()

    def _clear(self) -> None:
        self._files: dict[str, Path] = {}
        self._unjudged: list[str] = []
        self._judged: dict[str, tuple[bool, NDArray[np.int64]]] = {}
        self._fresh = False

    def hear(self, game: int, place: int, values: Any, seen: SampleView | None = None) -> None:
        """The roll at `place` in the journal of `game` was played as these values, or with None taken back.

        `seen` is what the camera saw of it; without it, a roll heard of before is corrected.
        """
        self._heard.append((f"{game}-{place}", values, seen))

    def meet(self, camera: str, size: tuple[int, int], reader: Reader) -> None:
        """A camera of this name was opened that gives frames of `size`, (width, height); `reader` reads them."""
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
        self._unjudged = list(self._files)
        self._fresh = bool(self._files)
        self._reader.limits = USUAL
        count = len(self._files)
        self.words = f"{count} roll{' is' if count == 1 else 's are'} judged again." if count else NOTHING

    def forget(self) -> None:
        """Delete what is kept of this camera, and believe as usual."""
        for roll in list(self._files):
            self._drop(roll)
        if self._home is not None:
            self._start()

    def attend(self) -> bool:
        """Do one small piece of what there is to do: a roll to keep, or to judge again. Gives whether there was one."""
        if self._home is None:
            return False
        try:
            if self._heard:
                self._keep(*self._heard.popleft())
            elif self._unjudged:
                self._judge(self._unjudged.pop())
            elif self._fresh:
                self._choose()
            else:
                return False
        except Exception:  # whatever a roll does to OpenCV: the game goes on without its lesson
            log.exception("A roll could not be learned from.")
        return True

    def _keep(self, roll: str, values: Any, seen: SampleView | None) -> None:
        from vision import tuning

        if seen is not None:
            # Of a journal that was lost there may be one of this name.
            self._drop(roll)
        elif (kept := self._read(roll)) is not None:
            seen = kept.view
        else:
            return
        taught = None if values is None else tuning.make_sample(seen, values)
        if taught is None:
            self._drop(roll)
            return
        assert self._home is not None
        path = self._files.get(roll) or self._home / f"{self._next():06d}-{roll}.png"
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".new")
            fresh.write_bytes(tuning.pack_sample(taught))
            fresh.replace(path)
        except OSError as error:
            log.warning("The roll %s cannot be kept: %s.", path, error)
            return
        self._files[roll] = path
        self._weigh(roll, taught)
        while len(self._files) > self._most:
            self._drop(min(self._files, key=lambda one: self._files[one].name))

    def _next(self) -> int:
        return max((int(path.name.partition("-")[0]) for path in self._files.values()), default=0) + 1

    def _read(self, roll: str) -> Sample | None:
        """The roll as it was kept; None when it was not, or is damaged: then it is dropped."""
        from vision.tuning import SampleError, unpack_sample

        path = self._files.get(roll)
        if path is None:
            return None
        try:
            return unpack_sample(path.read_bytes())
        except (OSError, SampleError) as error:
            log.warning("The roll %s is dropped: %s", path, error)
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
        self._judged.pop(roll, None)
        self._fresh = True

    def _judge(self, roll: str) -> None:
        if (kept := self._read(roll)) is not None:
            self._weigh(roll, kept)

    def _weigh(self, roll: str, taught: Sample) -> None:
        from vision.tuning import outcomes

        assert self._reader is not None
        self._judged[roll] = taught.confirmed, outcomes(self._reader, taught)
        self._fresh = True

    def _choose(self) -> None:
        import numpy as np

        from vision.dice.thresholds import USUAL
        from vision.tuning import choose_limits

        assert self._reader is not None
        self._fresh = False
        limits = USUAL
        if self._judged:
            told, costs = zip(*self._judged.values(), strict=True)
            limits = choose_limits(np.array(told), np.stack(costs))
        if limits != self._reader.limits:
            log.info("From %d rolls: %s.", len(self._judged), limits)
        self._reader.limits = limits
        self.words = words(len(self._judged), limits)


def words(count: int, limits: Limits) -> str:
    """What these limits, chosen from so many rolls, mean to the people at the table."""
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
    """How many rolls are kept below the folder `trays`, of every camera."""
    return sum(bool(NAME.fullmatch(path.name)) for path in trays.glob("*/lessons/*.png"))
