"""Learning from corrections: how a misread face of a taught die looked.

A correction is stored next to the camera's tray and counts like a taught face until its roll is undone. Nothing here
raises into the game. Damaged files are deleted.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.storage import atomic_file

if TYPE_CHECKING:
    from vision.dice.taught_dice import Glimpse, TaughtDie
    from vision.reader import Reader

log = logging.getLogger("dugout.corrections")

MAX_CORRECTIONS = 100  # newest corrections kept for each camera and resolution
MAX_RECENT_ROLLS = 64  # newest rolls that can be corrected
FIRST_CORRECTION_ROUND = 100  # round of the first correction, after those of teaching
FILE_NAME_PATTERN = re.compile(r"([0-9]{6,})-([0-9]+-[0-9]+)\.png")
NOTHING_LEARNED_TEXT = "Nothing learned yet."


class LearnedCorrections:
    """The corrections of one camera at a time. Only `record_roll` and `words` may be used from any thread."""

    def __init__(self) -> None:
        self.words = NOTHING_LEARNED_TEXT  # what was learned, in a sentence
        self._recorded_rolls: deque[tuple[str, Any, Glimpse | None]] = deque(maxlen=256)
        self._seen: OrderedDict[str, Glimpse] = OrderedDict()
        self._known: dict[str, tuple[Path, TaughtDie]] = {}
        self._folder: Path | None = None
        self._reader: Reader | None = None
        self._dice: Sequence[TaughtDie] = ()

    def record_roll(self, game: int, place: int, values: Any, seen: Glimpse | None = None) -> None:
        """Record that a roll at journal index `place` was played as `values`, or undone (None).

        `seen` is what the camera saw. Without it, the values of a known roll are corrected.
        """
        self._recorded_rolls.append((f"{game}-{place}", values, seen))

    def switch_camera(self, home: Path, dice: Sequence[TaughtDie], reader: Reader) -> None:
        """Switch to a camera's taught `dice` and the corrections in its folder `home`, and teach them to `reader`."""
        from vision.dice.taught_dice import TaughtDieError, decode_die

        self._folder, self._dice, self._reader = home, dice, reader
        self._known, names = {}, {one.name for one in dice}
        for path in sorted(home.glob("*.png")):
            if not (found := FILE_NAME_PATTERN.fullmatch(path.name)):
                continue
            try:
                die = decode_die(path.read_bytes())
            except (OSError, TaughtDieError) as error:
                log.warning("The correction %s is deleted: %s", path, error)
                _delete_file(path)
                continue
            if die.name in names:
                self._known[found[2]] = path, die
            else:
                _delete_file(path)
        self._teach_reader()

    def learn_recorded_rolls(self) -> None:
        while self._recorded_rolls:
            self._learn_roll(*self._recorded_rolls.popleft())

    def clear_corrections(self) -> None:
        """Clear all corrections and taught dice in memory. The files stay."""
        self._known, self._dice = {}, ()
        self._teach_reader()

    def _learn_roll(self, roll: str, values: Any, seen: Glimpse | None) -> None:
        from vision.dice.taught_dice import TaughtDie, find_misread_die, find_taught_die

        if seen is not None:
            self._seen[roll] = seen
            while len(self._seen) > MAX_RECENT_ROLLS:
                self._seen.popitem(last=False)
        known = self._known.pop(roll, None)
        if known is not None:
            _delete_file(known[0])
        seen = self._seen.get(roll)
        found = None if seen is None or values is None else find_misread_die(seen, values)
        die = None if found is None else find_taught_die(self._dice, *found)
        if found is not None and die is not None:
            self._store_correction(roll, TaughtDie(die.name, die.kind, (found[1],)))
        if known is not None or die is not None:
            self._teach_reader()

    def _store_correction(self, roll: str, die: TaughtDie) -> None:
        from vision.dice.taught_dice import encode_die

        assert self._folder is not None
        newest = max((int(path.name.partition("-")[0]) for path, _ in self._known.values()), default=0)
        path = self._folder / f"{newest + 1:06d}-{roll}.png"
        try:
            atomic_file.make_folder(self._folder)
            atomic_file.write_file(path, encode_die(die))
        except OSError as error:
            log.warning("The correction %s cannot be stored: %s.", path, error)
            return
        self._known[roll] = path, die
        while len(self._known) > MAX_CORRECTIONS:
            oldest = min(self._known, key=lambda one: self._known[one][0].name)
            _delete_file(self._known.pop(oldest)[0])

    def _teach_reader(self) -> None:
        from vision.dice.taught_dice import FaceBank

        banks, count = [], len(self._known)
        for die in self._dice:
            looks = [one.shown[0] for _, one in self._known.values() if one.name == die.name]
            more = [replace(look, round=FIRST_CORRECTION_ROUND + n) for n, look in enumerate(looks)]
            banks.append(FaceBank(replace(die, shown=(*die.shown, *more))))
        if self._reader is not None:
            self._reader.taught = tuple(banks)
        self.words = f"Learned from {count} correction{'' if count == 1 else 's'}." if count else NOTHING_LEARNED_TEXT


def corrections_folder(trays: Path, camera: str, size: tuple[int, int]) -> Path:
    """Folder of the corrections for this camera and resolution, (width, height) in pixels."""
    from vision.tray import saved_trays

    return saved_trays.tray_folder(trays, camera, size) / "lessons"


def correction_count(trays: Path) -> int:
    return sum(bool(FILE_NAME_PATTERN.fullmatch(path.name)) for path in trays.glob("*/lessons/*.png"))


def _delete_file(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("The correction %s cannot be deleted: %s.", path, error)
