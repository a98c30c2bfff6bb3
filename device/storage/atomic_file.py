"""Atomic file replacement. After a power cut a name has its old content or its new one. Also file locks."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device import named_file


def sync_folder(folder: Path) -> None:
    """Make created, renamed and deleted names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_file(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents for their owner only. Durable on return."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
        sync_folder(one.parent)


def unused_path(path: Path) -> Path:
    """This path, or the first with a number appended that does not exist."""
    names = (f"{path.name}{more}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(one for one in map(path.with_name, names) if not one.exists())


def check_target(path: Path) -> None:
    """Check that `path` is free, or a regular file or link that may be replaced. Raises OSError."""
    with suppress(FileNotFoundError):
        if not stat.S_ISLNK((found := path.lstat()).st_mode):
            named_file.check_regular_file(path, found)


@contextmanager
def open_replacement(path: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """Open a new file that replaces `path` at the end. Durable on return. An exception leaves `path` as it was.

    The file is for its owner only by default. Raises OSError, even if a folder, pipe or device is at `path`.
    """
    check_target(path)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            try_lock(
                file.fileno()
            )  # a table that starts in this folder deletes what looks left behind and nobody holds
            with suppress(PermissionError):  # some file systems have no permissions
                os.fchmod(file.fileno(), mode)  # regardless of the umask
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file's content atomically, as `open_replacement` does. Raises OSError."""
    with open_replacement(path, mode) as file:
        file.write(data)


def try_lock(handle: int) -> bool:
    """Lock an open file or folder until it is closed. Return False if another process holds the lock."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
