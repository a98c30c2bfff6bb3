"""Open files that people name: regular files up to a size limit, never a pipe or a device."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

OPEN_FLAGS = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Open flags for a file that others may have put there. Opening must not block."""

MAX_WORD_LENGTH = 200
"""Characters of one word, such as a path, that a sentence repeats. Longer ones are cut in the middle."""

_LONG_WORD_PATTERN = re.compile(rf"\S{{{MAX_WORD_LENGTH + 1},}}", re.ASCII)


MIN_FREE_FILES = 4
"""Files that the disk of an open journal must hold in addition: its WAL, its index, its copy, and one more."""

MANY_FILES_TEXT = "the card holds as many files as it can, although it has free space"

FileStamp = tuple[int, int, int]  # identity of a file's content: inode, modification time in ns, size in bytes


def file_stamp(path: Path) -> FileStamp | None:
    """Identity of the content of a file. None if there is no file."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def existing_folder(path: Path) -> Path:
    """This path, or the nearest of its parents that exists."""
    return next(one for one in (path, *path.absolute().parents) if one.exists())


def free_file_count(path: Path) -> int | None:
    """Number of files that fit on the disk of a path (free inodes). None if nothing limits it. Raises OSError."""
    found = os.statvfs(existing_folder(path))
    return found.f_favail if found.f_files else None  # Btrfs and FAT have no such limit


def is_out_of_files(path: Path) -> bool:
    """True if the disk of a path holds hardly any more files, however many bytes are free."""
    try:
        count = free_file_count(path)
    except OSError:
        return False
    return count is not None and count < MIN_FREE_FILES


def error_text(error: Exception) -> str:
    """Format an error as a sentence. An OSError gives its file and reason, without its number."""
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        if error.errno == errno.ENOSPC and is_out_of_files(Path(os.fsdecode(error.filename or "")).parent):
            return f"{where}{MANY_FILES_TEXT}: delete some."
        return f"{where}{error.strerror.rstrip('.')}."
    return str(error)


def without_long_words(sentence: str) -> str:
    """Cut the middle of each very long word in a sentence."""
    half = MAX_WORD_LENGTH // 2
    return _LONG_WORD_PATTERN.sub(lambda word: f"{word[0][:half]}…{word[0][-half:]}", sentence)


def read_file(path: Path, largest: int) -> bytes:
    """Read a file of at most `largest` bytes. Raises OSError as `open_file` does, and for a larger file."""
    with open_file(path) as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise path_error(path, errno.EFBIG, f"it is larger than {largest >> 10} kB")
    return data


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading, without blocking on a pipe. Raises OSError with a `strerror` for people."""
    if "\0" in str(path):
        raise path_error(path, errno.EINVAL, "a path cannot contain a NUL character")
    check_regular_file(path, path.stat())  # checked before opening, because opening a device can have effects
    handle = os.open(path, os.O_RDONLY | OPEN_FLAGS)
    try:
        check_regular_file(path, os.fstat(handle))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def check_regular_file(path: Path, found: os.stat_result) -> None:
    """Raise OSError unless `found` is the state of a regular file."""
    if stat.S_ISDIR(found.st_mode):
        raise path_error(path, errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise path_error(path, errno.EINVAL, "it is not a regular file")


def path_error(path: Path, number: int, reason: str) -> OSError:
    return OSError(number, reason, str(path))
