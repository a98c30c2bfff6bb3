"""Replace the table's files by restored ones, all or nothing, even if interrupted.

The new files are prepared in a folder `.restore-XXXXXXXX/new`, with space reserved for the remaining work. Renaming
that folder to `restoring-STAMP` commits the restore. Before it, nothing has changed and the folder is a leftover. After
it, the restored files are valid, and `finish_restore` moves them in, starting over if it is interrupted. It runs before
anything reads or writes the data folder: in a restore, at the start of a table, and in commands that read games.

Settings are in another folder, often another user's. If a backup has some, writing them commits the restore. The folder
`.restore-XXXXXXXX` says which file must have what content. As soon as it does, the restored games are valid, too.

    restoring-STAMP/new exists        the old files are being moved into restoring-STAMP
    restoring-STAMP/moving exists     the restored files are being moved from there into the folder
    neither                           done: it becomes before-restore-STAMP

Callers hold the lock of the journal.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from device import named_file
from device.storage import atomic_file
from device.storage.database import sibling_path

JOURNAL_FILE = "journal.db"

PREPARED_PREFIX = ".restore-"  # prefix of a folder in which a restore is prepared
RESTORING_PREFIX = "restoring-"  # prefix of the folder after the commit
BEFORE_RESTORE_PREFIX = "before-restore-"  # prefix of the folder that keeps the old files after the restore

REPLACED_PATTERNS = (f"{JOURNAL_FILE}*", "decks", "trays", "evidence", "leagues", "people.json", "book.db*")
"""Files replaced by a restore. Roll pictures are included because their names contain game numbers, and the record book
because the table makes it again from the restored games."""

UNTOUCHED_PATTERNS = (f"{JOURNAL_FILE}.lock", f"{JOURNAL_FILE}.damaged-*")
"""Files that stay although they match `REPLACED_PATTERNS`."""

RESERVED_BYTES = 6 << 20
"""Bytes kept free for the steps after the commit and for opening the journal, whose WAL takes up to 4 MiB."""

EXPECTED_SETTINGS_FILE = "settings.json"
"""File next to `new` with the path and the checksum of the settings that commit the restore."""

MAX_SETTINGS_BYTES = 1 << 20  # maximum bytes of a settings file
RESTORED_KEY = "restored"  # key of the time when a journal was restored from a backup, until a table has shown it

UNCHANGED_NOTICE = "A restore was cut off before it changed anything: these are the games from before. Restore again."
CUT_OFF_NOTICE = "A restore was cut off. The table finishes it when it starts: its games are those of the backup."

STAMP_FORMAT = "%Y%m%d-%H%M%S"


class UnmovableFileError(OSError):
    """A file cannot be moved away. The message names it."""


@contextmanager
def prepare_restore(data: Path) -> Iterator[Path]:
    """Create a folder `new` for the files to restore. Delete it at the end unless the restore was committed."""
    made = Path(tempfile.mkdtemp(dir=data, prefix=PREPARED_PREFIX))
    try:
        new = made / "new"
        new.mkdir(mode=0o700)
        yield new
    finally:
        if not _has_expected_settings(made):
            shutil.rmtree(made, ignore_errors=True)


def expect_settings(new: Path, settings: Path, text: bytes) -> None:
    """Make `new` wait for the file `settings` to hold this text, which `replace_files` writes. Raises OSError."""
    about = {"file": os.path.abspath(settings), "sha256": hashlib.sha256(text).hexdigest()}
    (new.parent / EXPECTED_SETTINGS_FILE).write_text(json.dumps(about), "utf-8")


def _has_expected_settings(made: Path) -> bool:
    """True if the settings that a prepared folder waits for are in place."""
    try:
        about = json.loads((made / EXPECTED_SETTINGS_FILE).read_bytes())
        text = named_file.read_file(Path(about["file"]), MAX_SETTINGS_BYTES)
        return bool(about["sha256"] == hashlib.sha256(text).hexdigest())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def replace_files(new: Path, lock: int, place: Callable[[], None] | None = None) -> Path:
    """Replace the table's files by those in `new`. Return the folder with the old ones. Durable on return.

    lock: descriptor of the journal's lock file.
    place: writes the settings announced to `expect_settings`.

    Raises OSError, before the commit if there is no space or something cannot be moved.
    """
    data = new.parent.parent
    for one in _files_to_move(data):
        if one.is_dir() and not one.is_symlink() and not os.access(one, os.W_OK):
            raise UnmovableFileError(f"{one} cannot be moved: it belongs to another user")
    room = os.open(new.parent / "room", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.posix_fallocate(room, 0, RESERVED_BYTES)
        os.fsync(room)
    finally:
        os.close(room)
    for root, folders, files in os.walk(new.parent, topdown=False):
        for name in files:
            atomic_file.sync_file(Path(root, name))
        for folder in (*(Path(root, name) for name in folders), Path(root)):
            atomic_file.sync_folder(folder)
    atomic_file.sync_folder(data)
    if place is not None:
        try:
            place()
        except OSError:
            if not _has_expected_settings(new.parent):
                raise
    _commit_restore(new.parent)
    kept = finish_restore(data, lock)
    assert kept is not None
    return kept


def _commit_restore(made: Path) -> None:
    """Commit the prepared restore: rename its folder and sync."""
    data = made.parent
    stamp = f"{datetime.now():{STAMP_FORMAT}}"
    unused = atomic_file.unused_path(data / f"{BEFORE_RESTORE_PREFIX}{stamp}").name.removeprefix(BEFORE_RESTORE_PREFIX)
    made.rename(data / f"{RESTORING_PREFIX}{unused}")
    atomic_file.sync_folder(data)


def is_restore_pending(data: Path) -> bool:
    """True if a restore was interrupted after its commit. Then `finish_restore` must come first."""
    return any(data.glob(f"{RESTORING_PREFIX}*")) or any(
        map(_has_expected_settings, data.glob(f"{PREPARED_PREFIX}????????"))
    )


def has_aborted_restore(data: Path) -> bool:
    """True if a restore was interrupted before its commit, so that nothing has changed."""
    return any(one.is_dir() and not _has_expected_settings(one) for one in data.glob(f"{PREPARED_PREFIX}????????"))


def finish_restore(data: Path, lock: int) -> Path | None:
    """Finish committed restores. Return the folder with the old files. None if there was nothing to do."""
    kept = None
    for made in filter(_has_expected_settings, data.glob(f"{PREPARED_PREFIX}????????")):
        _commit_restore(made)
    for step in sorted(data.glob(f"{RESTORING_PREFIX}*")):
        for name in ("room", EXPECTED_SETTINGS_FILE):
            (step / name).unlink(missing_ok=True)
        # The note about the journal's end describes the old journal only.
        os.truncate(lock, 0)
        os.fsync(lock)
        new, moving = step / "new", step / "moving"
        if new.exists():
            for one in _files_to_move(data):
                one.rename(step / one.name)
            atomic_file.sync_folder(step)
            atomic_file.sync_folder(data)
            new.rename(moving)
            atomic_file.sync_folder(step)
        if moving.exists():
            for one in moving.iterdir():
                one.rename(data / one.name)
            atomic_file.sync_folder(data)
            atomic_file.sync_folder(moving)
            moving.rmdir()
        kept = data / f"{BEFORE_RESTORE_PREFIX}{step.name.removeprefix(RESTORING_PREFIX)}"
        step.rename(kept)
        atomic_file.sync_folder(data)
    if kept is not None:
        _delete_old_restores(data, kept)
    return kept


def restore_sentence(data: Path, when: str) -> str:
    """Sentence about the restored games and the old files. `when` is the time of the restore."""
    kept = sorted(data.glob(f"{BEFORE_RESTORE_PREFIX}*"), key=lambda one: one.stat().st_ctime_ns)
    before = f" What was there before is kept in {kept[-1].name}." if kept else ""
    return f"A backup was restored on {when}: these are its games.{before}"


def finish_pending_restore(data: Path) -> None:
    """Finish an interrupted restore unless a starting table does so. Raises OSError."""
    if not is_restore_pending(data):
        return
    lock = os.open(sibling_path(data / JOURNAL_FILE, ".lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        if atomic_file.try_lock(lock):
            finish_restore(data, lock)
    finally:
        os.close(lock)


def _files_to_move(data: Path) -> list[Path]:
    stay = {path for name in UNTOUCHED_PATTERNS for path in data.glob(name)}
    return [path for name in REPLACED_PATTERNS for path in data.glob(name) if path not in stay]


def _delete_old_restores(data: Path, last: Path) -> None:
    """Delete all but two folders with old files. A folder without a journal does not count."""
    before = [one for one in data.glob(f"{BEFORE_RESTORE_PREFIX}*") if one != last and (one / JOURNAL_FILE).exists()]
    for one in sorted(before, key=lambda one: one.stat().st_mtime_ns)[:-1]:
        with suppress(OSError):
            shutil.rmtree(one, ignore_errors=True)
