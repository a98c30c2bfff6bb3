"""Pictures of counted rolls that a camera read, and clips of the throws.

They never endanger the journal. They have their own folder and are not synced one by one. The oldest are deleted when
the folder is full, each clip with its picture.
"""

from __future__ import annotations

import logging
import os
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Protocol

log = logging.getLogger("dugout.evidence")

JPEG_START = b"\xff\xd8"  # first bytes of a JPEG
JPEG_END = b"\xff\xd9"  # last bytes of a JPEG

COMMENT_MARKER = b"\xff\xfe"
"""Start of a JPEG comment. The next two bytes are its length, including themselves."""

RIFF_HEADER = b"RIFF"
"""First bytes of a WebP. The next four are the number of bytes that follow them."""

NAME_PATTERN = re.compile(r"([0-9]{6,})-([0-9]{5,})\.(jpg|webp)")  # game, index of the answer, kind

MAX_WAITING_CLIPS = 2
"""Clips that may wait to be stored, of several MB each. Older ones are discarded."""

CLIP_NICENESS = 10  # `nice` value of the thread that stores clips, so that other work goes first

AnswerKey = tuple[int, int]  # number of a game, and index of an answer in its journal


class EncodableClip(Protocol):
    """A clip of a throw that can be encoded, such as `vision.clips.ThrowClip`."""

    def encode_webp(self) -> bytes | None:
        """Encode it as an animated WebP. None if that fails. May take a second. Any thread may call."""


class RollPictures:
    """Pictures and clips in `folder`, at most `budget` bytes. Safe to use from any thread.

    A picture and its clip are found by the number of the game and the index of the answer in its journal. Nothing here
    raises, and errors are only logged. A separate thread encodes and writes clips, so that no answer waits for it.
    """

    def __init__(self, folder: Path, budget: int = 64 << 20) -> None:
        self._folder, self._budget = folder, budget
        self._lock = threading.Lock()
        self._sizes: dict[AnswerKey, int] = {}
        self._clips: dict[AnswerKey, int] = {}
        self._waiting: dict[AnswerKey, EncodableClip] = {}
        self._writer: threading.Thread | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.iterdir()):
                found, size = NAME_PATTERN.fullmatch(path.name), path.stat().st_size
                if found and size:
                    # Of the same name, .jpg sorts before .webp.
                    key = int(found[1]), int(found[2])
                    if found[3] == "jpg":
                        self._sizes[key] = size
                    elif key in self._sizes:
                        self._clips[key] = size
                    else:
                        path.unlink()
                elif found or path.suffix == ".new":
                    path.unlink()  # the power failed before it was written
        except OSError as error:
            log.warning("There can be no pictures in %s: %s.", folder, error)

    def store_picture(self, game: int, place: int, jpeg: bytes, clip: EncodableClip | None = None) -> None:
        """Store the picture of an answer, and delete the oldest pictures over the budget.

        The clip of its throw, if any, can be found at once and is stored soon after.
        """
        path = self._file_path(game, place)
        try:
            with self._lock:
                _write_file(path, jpeg)
                self._sizes[game, place] = len(jpeg)
                self._delete_oldest()
                if clip is not None:
                    self._waiting[game, place] = clip
                    while len(self._waiting) > MAX_WAITING_CLIPS:
                        del self._waiting[next(iter(self._waiting))]
                    if self._writer is None:
                        self._writer = threading.Thread(target=self._write_clips, name="clips", daemon=True)
                        self._writer.start()
        except (OSError, RuntimeError) as error:  # without memory, no thread can be started
            log.warning("The picture %s cannot be kept: %s.", path, error)

    def _delete_oldest(self) -> None:
        """Delete the oldest pictures and clips over the budget, but not the newest picture. Raises OSError."""
        while sum(self._sizes.values()) + sum(self._clips.values()) > self._budget and len(self._sizes) > 1:
            oldest = min(self._sizes)
            for path in (self._file_path(*oldest, "webp"), self._file_path(*oldest)):
                path.unlink(missing_ok=True)
            self._clips.pop(oldest, None)
            self._waiting.pop(oldest, None)
            del self._sizes[oldest]

    def _write_clips(self) -> None:
        """Encode and store the waiting clips, then end the thread."""
        with suppress(OSError, AttributeError):  # only on Linux do threads have their own priority
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), CLIP_NICENESS)
        while True:
            with self._lock:
                if not self._waiting:
                    self._writer = None
                    return
                key, clip = next(iter(self._waiting.items()))
            data = None
            try:
                data = clip.encode_webp()
            except Exception:  # whatever OpenCV raises: the roll has counted, with its picture
                log.exception("A clip cannot be encoded.")
            with self._lock:
                if key not in self._waiting:
                    continue  # its picture was deleted in the meantime, or newer clips replaced it
                try:
                    if data is not None:
                        _write_file(self._file_path(*key, "webp"), data)
                        self._clips[key] = len(data)
                        self._delete_oldest()
                except OSError as error:
                    log.warning("The clip %s cannot be kept: %s.", self._file_path(*key, "webp"), error)
                finally:
                    self._waiting.pop(key, None)

    def wait_for_clips(self, seconds: float = 2.0) -> bool:
        """Wait at most `seconds` until all clips are stored. Return False after a timeout."""
        writer = self._writer
        if writer is not None:
            writer.join(seconds)
        return writer is None or not writer.is_alive()

    def has_picture(self, game: int, place: int) -> bool:
        return (game, place) in self._sizes

    def has_clip(self, game: int, place: int) -> bool:
        """True if the answer has a clip, stored or waiting."""
        return (game, place) in self._clips or (game, place) in self._waiting

    def find_picture(self, game: int, place: int) -> bytes | None:
        """JPEG picture of that answer. None if there is none."""
        data = self._read_file(self._file_path(game, place)) if self.has_picture(game, place) else None
        if data is None:
            return None
        # After a power cut a picture may be truncated, or have zeros where nothing was written.
        torn = data[:1] in (b"", b"\0", JPEG_START[:1]) and not (
            data.startswith(JPEG_START) and data.endswith(JPEG_END)
        )
        return None if torn else data

    def find_clip(self, game: int, place: int) -> bytes | None:
        """Clip of that answer's throw as an animated WebP, or None. A waiting clip is encoded first."""
        with self._lock:
            clip = self._waiting.get((game, place))
            stored = (game, place) in self._clips
        if clip is not None:
            return clip.encode_webp()
        data = self._read_file(self._file_path(game, place, "webp")) if stored else None
        whole = data is not None and data[:4] == RIFF_HEADER and len(data) == 8 + int.from_bytes(data[4:8], "little")
        return data if whole else None

    def _read_file(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except OSError:
            return None

    def _file_path(self, game: int, place: int, kind: str = "jpg") -> Path:
        return self._folder / f"{game:06d}-{place:05d}.{kind}"


def with_comment(jpeg: bytes, words: str) -> bytes:
    """JPEG with a comment of at most 65,533 bytes. A longer comment is left out."""
    data = words.encode()
    size = len(data) + 2
    return (
        jpeg
        if size > 0xFFFF
        else JPEG_START + COMMENT_MARKER + size.to_bytes(2, "big") + data + jpeg[len(JPEG_START) :]
    )


def jpeg_comment(jpeg: bytes) -> str | None:
    """Comment of a JPEG written by `with_comment`. None if it has none."""
    start = len(JPEG_START) + len(COMMENT_MARKER)
    if jpeg[len(JPEG_START) : start] != COMMENT_MARKER:
        return None
    end = start + int.from_bytes(jpeg[start : start + 2], "big")
    return jpeg[start + 2 : end].decode(errors="replace")


def _write_file(path: Path, data: bytes) -> None:
    """Replace a file atomically, without a sync. Raises OSError."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def picture_paths(folder: Path) -> list[Path]:
    """Pictures and clips in a folder, the oldest first. Empty if the folder cannot be read."""
    found = list[tuple[int, int, Path]]()
    with suppress(OSError):
        found += [
            (int(name[1]), int(name[2]), one) for one in folder.iterdir() if (name := NAME_PATTERN.fullmatch(one.name))
        ]
    return [one for *_, one in sorted(found)]
