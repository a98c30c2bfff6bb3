"""Files that a command reads or writes for the person who runs it, by name or as standard input and output.

Root opens none in another user's folder, and after it has become that user (`device.commands.privileges`) it cannot.
The person's own shell opens them.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Literal

from device.commands import privileges
from device.commands.target import CommandError
from device.named_file import open_file
from device.storage import atomic_file

STANDARD_STREAM = Path("-")  # standard output or input, as on the command line


@contextmanager
def open_for_writing(path: Path, command: str) -> Iterator[BinaryIO]:
    """Open `STANDARD_STREAM`, or a new file that replaces `path`, for its owner only.

    `command` is the command line before the name. Raises CommandError, and OSError, even when the file is closed.
    """
    if path == STANDARD_STREAM and os.isatty(1):
        raise CommandError(f"name a file: {command} FILE")
    with (
        _open_standard_stream(1, "wb")
        if path == STANDARD_STREAM
        else _open_named_file(atomic_file.open_replacement, path, f"{command} >") as file
    ):
        yield file


@contextmanager
def open_for_reading(path: Path, command: str) -> Iterator[BinaryIO]:
    """Open a file for reading, or `STANDARD_STREAM`. Raises CommandError and OSError."""
    if path == STANDARD_STREAM and not stat.S_ISREG(os.fstat(0).st_mode):
        raise CommandError(f"name a file: {command} FILE")
    with (
        _open_standard_stream(0, "rb")
        if path == STANDARD_STREAM
        else _open_named_file(open_file, path, f"{command} <") as file
    ):
        yield file


def _open_standard_stream(number: int, mode: Literal["rb", "wb"]) -> BinaryIO:
    return open(number, mode, closefd=False)


@contextmanager
def _open_named_file(
    way: Callable[[Path], AbstractContextManager[BinaryIO]], path: Path, command: str
) -> Iterator[BinaryIO]:
    path = path.absolute()  # a library may change the working directory
    with ExitStack() as stack:
        try:
            if os.geteuid() == 0 and privileges.foreign_owner(path.parent) is not None:
                raise PermissionError(errno.EACCES, "its folder belongs to another user")
            file = stack.enter_context(way(path))
        except PermissionError as error:
            words = f"{path}: {error.strerror or error}. With sudo, let your shell open it: sudo {command} {path}"
            raise CommandError(words) from error
        yield file
