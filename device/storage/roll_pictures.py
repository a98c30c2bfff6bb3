"""Pictures of counted rolls, one for each roll that a camera read. They never endanger the journal.

They have their own folder and are not synced one by one; the oldest are deleted when the folder is full.
"""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from pathlib import Path

log = logging.getLogger("dugout.evidence")

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
"""The first and last bytes of a JPEG."""

NAME = re.compile(r"(\d{6,})-(\d{5,})\.jpg")


class RollPictures:
    """The pictures in `folder`, at most `budget` bytes of them. Not thread-safe: one caller at a time.

    A picture is found by its game's number and the place of its answer in that game's journal. Nothing here raises: a
    picture that cannot be stored is only logged.
    """

    def __init__(self, folder: Path, budget: int = 64 << 20) -> None:
        self._folder, self._budget = folder, budget
        self._sizes: dict[tuple[int, int], int] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.iterdir()):
                found, size = NAME.fullmatch(path.name), path.stat().st_size
                if found and size:
                    self._sizes[int(found[1]), int(found[2])] = size
                elif found or path.suffix == ".new":
                    path.unlink()  # the power went before it was written
        except OSError as error:
            log.warning("There can be no pictures in %s: %s.", folder, error)

    def keep(self, game: int, place: int, jpeg: bytes) -> None:
        """Store the picture of the answer at `place` in the journal of `game`; delete the oldest over the budget."""
        path = self._path(game, place)
        try:
            fresh = path.with_suffix(".new")
            fresh.write_bytes(jpeg)
            fresh.replace(path)
            self._sizes[game, place] = len(jpeg)
            while sum(self._sizes.values()) > self._budget and len(self._sizes) > 1:
                oldest = min(self._sizes)
                self._path(*oldest).unlink(missing_ok=True)
                del self._sizes[oldest]
        except OSError as error:
            log.warning("The picture %s cannot be kept: %s.", path, error)

    def has(self, game: int, place: int) -> bool:
        """True if there is a picture of that answer."""
        return (game, place) in self._sizes

    def find(self, game: int, place: int) -> bytes | None:
        """Return the picture of that answer, a JPEG, or None."""
        if not self.has(game, place):
            return None
        try:
            data = self._path(game, place).read_bytes()
        except OSError:
            return None
        # A power cut leaves a picture cut short, or zeros in the place of what was not written yet.
        torn = data[:1] in (b"", b"\0", SOI[:1]) and not (data.startswith(SOI) and data.endswith(EOI))
        return None if torn else data

    def _path(self, game: int, place: int) -> Path:
        return self._folder / f"{game:06d}-{place:05d}.jpg"


def pictures(folder: Path) -> list[Path]:
    """Return the pictures in a folder, the oldest first; none if it cannot be read."""
    found = list[tuple[int, int, Path]]()
    with suppress(OSError):
        found += [(int(name[1]), int(name[2]), one) for one in folder.iterdir() if (name := NAME.fullmatch(one.name))]
    return [one for *_, one in sorted(found)]
