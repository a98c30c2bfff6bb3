"""Room on a card that is full: what the table can do without goes, so that its games open all the same."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from device.storage import repair, roll_pictures

log = logging.getLogger("dugout.room")

LITTLE = 1 << 20
"""Bytes that are hardly any room: with less free, an error of the disk is put down to that."""

LOT = 4 << 20
"""Bytes of pictures that go at a time: what the journal's WAL takes."""

WORK = ".dugout-backup-"
"""What the name of a folder begins with in which a backup is made."""

LEFT = (WORK + "????????", ".dugout-????????", ".restore-????????", ".*.part")
"""What a power cut leaves in the folder of the games for good."""

FULL = "No room on the card: make room, delete what is not Dugout's, then start the Pi again."
LOCKED = "The card cannot be written any more: start the Pi again, and take a new card soon."


def full(error: Exception, folder: Path) -> bool:
    """Whether an error says that there is no room, or may where `folder` has hardly any."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            with suppress(OSError):
                return shutil.disk_usage(folder).free < LITTLE
        return code == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def words(error: Exception, folder: Path) -> str | None:
    """What to do about an error of the card in `folder`; None where it is another's."""
    if full(error, folder):
        return FULL
    return LOCKED if isinstance(error, OSError) and error.errno == errno.EROFS else None


def made(claim: Callable[[], sqlite3.Connection], journal: Path) -> sqlite3.Connection:
    """What `claim` opens; on a full card, once what the table can do without has made room. Raises as `claim` does."""
    lots = spare(journal, repair.damaged(journal))
    while True:
        try:
            return claim()
        except (OSError, sqlite3.Error) as error:
            if not full(error, journal.parent) or not next(lots, 0):
                raise


def spare(journal: Path, damaged: Iterable[Path]) -> Iterator[int]:
    """Let go of the oldest pictures beside a journal, then of `damaged` ones; gives the bytes after each lot."""
    gone = 0
    for picture in roll_pictures.pictures(journal.with_name("evidence")):
        gone += _let_go(picture)
        if gone >= LOT:
            yield gone
            gone = 0
    if gone:
        yield gone
    for one in damaged:
        if gone := sum(_let_go(one.with_name(one.name + end)) for end in ("", "-wal", "-shm")):
            yield gone


def _let_go(path: Path) -> int:
    with suppress(OSError):
        size = path.stat().st_size
        path.unlink()
        log.warning("The card is full: %s is deleted.", path)
        return size
    return 0


# What a power cut leaves -----------------------------------------------------------------------------------------


@contextmanager
def working(folder: Path) -> Iterator[Path]:
    """A folder in `folder` to make a backup in, which no `sweep` takes meanwhile; deleted at the end."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=WORK) as name:
        handle = os.open(name, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield Path(name)
        finally:
            os.close(handle)


def sweep(folder: Path, *patterns: str) -> None:
    """Delete the files and folders of such names in `folder`, unless somebody is `working` in it."""
    for one in [one for pattern in patterns for one in folder.glob(pattern)]:
        with suppress(OSError):
            if not one.is_dir():
                one.unlink()
                continue
            handle = os.open(one, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(one)
            finally:
                os.close(handle)
