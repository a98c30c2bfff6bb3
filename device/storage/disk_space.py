"""Make room on a full card. The table deletes what is dispensable, so that its games still open."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from device.named_file import MANY_FILES_TEXT, is_out_of_files
from device.storage import atomic_file, database, repair, roll_pictures

log = logging.getLogger("dugout.room")

LOW_SPACE_BYTES = 1 << 20  # free bytes below which a full disk counts as the cause of a disk error
SPARE_BYTES = 64 << 20  # free bytes that stay for the games on the table when others are added
DELETION_BATCH_BYTES = 4 << 20  # bytes of pictures deleted at a time, the size of the journal's WAL

LEFTOVER_PATTERNS = (".dugout-????????", ".restore-????????", ".*.part")
"""Names left by a power cut in the games' folder. Nothing uses them again."""

DISK_FULL_ADVICE = "The card is full: delete what isn't Dugout's, then restart the Pi."
MANY_FILES_ADVICE = f"{MANY_FILES_TEXT.capitalize()}: delete files that aren't Dugout's, then restart the Pi."
UNWRITABLE_CODES = {
    *(sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY),
}
"""Extended SQLite codes for a card that accepts no more writes."""

CARD_UNWRITABLE_ADVICE = "The card can no longer be written: restart the Pi, and replace the card soon."


def is_disk_full(error: Exception, folder: Path) -> bool:
    """True if an error says that the disk is full, or may mean that and `folder` has hardly any space.

    A disk that holds no more files is full, too.
    """
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            with suppress(OSError):
                return shutil.disk_usage(folder).free < LOW_SPACE_BYTES or is_out_of_files(folder)
        return code == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def disk_error_advice(error: Exception, folder: Path) -> str | None:
    """Advice on a card error in `folder`. None for any other error."""
    if is_disk_full(error, folder):
        return MANY_FILES_ADVICE if is_out_of_files(folder) else DISK_FULL_ADVICE
    return CARD_UNWRITABLE_ADVICE if is_card_unwritable(error) else None


def is_card_unwritable(error: Exception) -> bool:
    """True if an error says that the card accepts no more writes."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) in UNWRITABLE_CODES
    return isinstance(error, OSError) and error.errno == errno.EROFS


def retry_with_room(open_journal: Callable[[], sqlite3.Connection], journal: Path) -> sqlite3.Connection:
    """Call `open_journal`. On a full card, make room and retry. Raises its error if nothing is left to delete."""
    lots = make_room(journal, repair.damaged_journals(journal))
    while True:
        try:
            return open_journal()
        except (OSError, sqlite3.Error) as error:
            if not is_disk_full(error, journal.parent) or not next(lots, 0):
                raise


def make_room(journal: Path, damaged: Iterable[Path]) -> Iterator[int]:
    """Delete the oldest pictures of a journal, then `damaged` journals. Yield the bytes freed by each batch."""
    gone = 0
    for picture in roll_pictures.picture_paths(journal.with_name("evidence")):
        gone += _delete_file(picture)
        if gone >= DELETION_BATCH_BYTES:
            yield gone
            gone = 0
    if gone:
        yield gone
    for one in damaged:
        if gone := _delete_file(one):
            yield gone


def _delete_file(path: Path) -> int:
    if gone := database.delete_journal(path):
        log.warning("The card is full: %s is deleted.", path)
    return gone


# Leftovers of a power cut ----------------------------------------------------------------------------------------


def delete_leftovers(folder: Path, *patterns: str) -> None:
    """Delete the files and folders in `folder` that match the patterns, except those locked by a process."""
    for one in [one for pattern in patterns for one in folder.glob(pattern)]:
        with suppress(OSError):
            if one.is_symlink():
                one.unlink()
                continue
            handle = os.open(one, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if not atomic_file.try_lock(handle):
                    continue
                if one.is_dir():
                    shutil.rmtree(one)
                else:
                    one.unlink()
            finally:
                os.close(handle)
