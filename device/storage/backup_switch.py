"""Put a restored set of files in the place of the table's own, all of it or nothing, whatever happens meanwhile.

The new files are prepared in a folder `.restore-XXXXXXXX/new`, with all the room that the rest takes. Renaming that
folder to `restoring-STAMP` is the step: without it, nothing has changed and the folder is a leftover; after it, the
restored files count, and `finish_restore` moves them in, again and again from the start if it is cut off. It runs
before anything reads or writes the folder: in a restore, when a table starts, and in the commands that look at games.

Settings are in another folder, often another user's. Where a backup has some, placing them is the step, and the folder
`.restore-XXXXXXXX` says which file has to hold what: as soon as it does, the restored games count too.

    restoring-STAMP/new exists       what was there is moved out, into restoring-STAMP
    restoring-STAMP/moving exists    the restored files are moved from there into the folder
    neither                          done: it becomes before-restore-STAMP

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

PREPARED_PREFIX = ".restore-"
"""What the name of a folder begins with in which a restore is prepared."""

RESTORING_PREFIX = "restoring-"
BEFORE_RESTORE_PREFIX = "before-restore-"
"""What the folder's name begins with after the step, and in the end."""

REPLACED_PATTERNS = (f"{JOURNAL_FILE}*", "decks", "trays", "evidence")
"""What makes way for a backup; pictures of dice too, because they go by the numbers of games."""

UNTOUCHED_PATTERNS = (f"{JOURNAL_FILE}.lock", f"{JOURNAL_FILE}.damaged-*")
"""What does not."""

RESERVED_BYTES = 6 << 20
"""Bytes that are kept free for the steps after, and for the table to open: its WAL takes up to 4 MiB."""

EXPECTED_SETTINGS_FILE = "settings.json"
"""The file beside `new` that says which settings its games go with."""

MAX_SETTINGS_BYTES = 1 << 20
"""Bytes that settings may have."""

RESTORED_KEY = "restored"
"""The key under which a journal says when it came out of a backup, until a table has shown it."""

UNCHANGED_NOTICE = "A restore was cut off before it changed anything: these are the games from before. Restore again."
CUT_OFF_NOTICE = "A restore was cut off. The table finishes it when it starts: its games are those of the backup."

STAMP_FORMAT = "%Y%m%d-%H%M%S"


class UnmovableFileError(OSError):
    """A file cannot make way; the sentence says which."""


@contextmanager
def prepare_restore(data: Path) -> Iterator[Path]:
    """Make a folder `new` for the files to restore; delete it at the end unless they count by then."""
    made = Path(tempfile.mkdtemp(dir=data, prefix=PREPARED_PREFIX))
    try:
        new = made / "new"
        new.mkdir(mode=0o700)
        yield new
    finally:
        if not _has_expected_settings(made):
            shutil.rmtree(made, ignore_errors=True)


def expect_settings(new: Path, settings: Path, text: bytes) -> None:
    """Let what is in `new` count as soon as the file `settings` holds this text, which `switch_files` places.

    Raises OSError.
    """
    about = {"file": os.path.abspath(settings), "sha256": hashlib.sha256(text).hexdigest()}
    (new.parent / EXPECTED_SETTINGS_FILE).write_text(json.dumps(about))


def _has_expected_settings(made: Path) -> bool:
    """True if the settings that a prepared folder waits for are in their place."""
    try:
        about = json.loads((made / EXPECTED_SETTINGS_FILE).read_bytes())
        text = named_file.read_file(Path(about["file"]), MAX_SETTINGS_BYTES)
        return bool(about["sha256"] == hashlib.sha256(text).hexdigest())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def switch_files(new: Path, lock: int, place: Callable[[], None] | None = None) -> Path:
    """Put what is in `new` in the place of the table's files; return the folder that keeps those. Durable on return.

    `lock` is the journal's lock file. `place` puts the settings in their place that `expect_settings` was called with.
    Raises OSError, before the step if there is no room or something cannot be moved.
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
    """Let what was prepared in this folder count, durably."""
    data = made.parent
    stamp = f"{datetime.now():{STAMP_FORMAT}}"
    unused = atomic_file.unused_path(data / f"{BEFORE_RESTORE_PREFIX}{stamp}").name.removeprefix(BEFORE_RESTORE_PREFIX)
    made.rename(data / f"{RESTORING_PREFIX}{unused}")
    atomic_file.sync_folder(data)


def is_restore_pending(data: Path) -> bool:
    """True if a restore was cut off after its step: `finish_restore` it with the lock, before anything else."""
    return any(data.glob(f"{RESTORING_PREFIX}*")) or any(
        map(_has_expected_settings, data.glob(f"{PREPARED_PREFIX}????????"))
    )


def has_aborted_restore(data: Path) -> bool:
    """True if a restore was cut off before its step, so that nothing has changed."""
    return any(one.is_dir() and not _has_expected_settings(one) for one in data.glob(f"{PREPARED_PREFIX}????????"))


def finish_restore(data: Path, lock: int) -> Path | None:
    """Do what is left of a restore; return the folder that keeps what was there before, None if nothing was left."""
    kept = None
    for made in filter(_has_expected_settings, data.glob(f"{PREPARED_PREFIX}????????")):
        _commit_restore(made)
    for step in sorted(data.glob(f"{RESTORING_PREFIX}*")):
        for name in ("room", EXPECTED_SETTINGS_FILE):
            (step / name).unlink(missing_ok=True)
        # What it says about the end of the journal is true of the old one only.
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
    """Return where the games are from that were restored at this time."""
    kept = sorted(data.glob(f"{BEFORE_RESTORE_PREFIX}*"), key=lambda one: one.stat().st_ctime_ns)
    before = f" What was there before is kept in {kept[-1].name}." if kept else ""
    return f"A backup was restored on {when}: these are its games.{before}"


def finish_pending_restore(data: Path) -> None:
    """Finish a restore that was cut off, unless a table that is starting does it. Raises OSError."""
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
    """Delete all but two folders with what was there before; one without a journal counts as none."""
    before = [one for one in data.glob(f"{BEFORE_RESTORE_PREFIX}*") if one != last and (one / JOURNAL_FILE).exists()]
    for one in sorted(before, key=lambda one: one.stat().st_mtime_ns)[:-1]:
        with suppress(OSError):
            shutil.rmtree(one, ignore_errors=True)
