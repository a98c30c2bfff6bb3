"""Files that a command writes or reads for the person who runs it: by name, or as standard output and input.

Root opens none in a folder of others, and once it has become another user (`device.commands.rights`), it cannot: the
person's own shell does.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, Literal

from device.commands import rights
from device.commands.target import CommandError
from device.named_file import open_file
from device.storage import atomic_file

STANDARD_STREAM = Path("-")
"""Standard output or input, as on the command line."""


@contextmanager
def open_for_writing(path: Path, command: str) -> Iterator[BinaryIO]:
    """Open a file that takes the place of the one at `path`, for its owner alone, or `STANDARD_STREAM`.

    `command` is what the person typed before the name. Raises CommandError, and OSError, also when it is closed.
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
    """Open a file to read it, or `STANDARD_STREAM`. Raises CommandError and OSError."""
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
            if os.geteuid() == 0 and rights.foreign_owner(path.parent) is not None:
                raise PermissionError(errno.EACCES, "its folder belongs to another user")
            file = stack.enter_context(way(path))
        except PermissionError as error:
            words = f"{path}: {error.strerror or error}. With sudo, let your shell open it: sudo {command} {path}"
            raise CommandError(words) from error
        yield file
