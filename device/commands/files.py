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

STANDARD = Path("-")
"""Standard output or input, as on the command line."""


@contextmanager
def written(path: Path, command: str) -> Iterator[BinaryIO]:
    """Open a file that takes the place of the one at `path`, for its owner alone, or `STANDARD`.

    `command` is what the person typed before the name. Raises CommandError, and OSError, also when it is closed.
    """
    if path == STANDARD and os.isatty(1):
        raise CommandError(f"name a file: {command} FILE")
    with _standard(1, "wb") if path == STANDARD else _named(atomic_file.replacing, path, f"{command} >") as file:
        yield file


@contextmanager
def opened(path: Path, command: str) -> Iterator[BinaryIO]:
    """Open a file to read it, or `STANDARD`. Raises CommandError and OSError."""
    if path == STANDARD and not stat.S_ISREG(os.fstat(0).st_mode):
        raise CommandError(f"name a file: {command} FILE")
    with _standard(0, "rb") if path == STANDARD else _named(open_file, path, f"{command} <") as file:
        yield file


def _standard(number: int, mode: Literal["rb", "wb"]) -> BinaryIO:
    return open(number, mode, closefd=False)


@contextmanager
def _named(way: Callable[[Path], AbstractContextManager[BinaryIO]], path: Path, command: str) -> Iterator[BinaryIO]:
    path = path.absolute()  # a library may change the working directory
    with ExitStack() as stack:
        try:
            if os.geteuid() == 0 and rights.owner_of(path.parent) is not None:
                raise PermissionError(errno.EACCES, "its folder belongs to another user")
            file = stack.enter_context(way(path))
        except PermissionError as error:
            words = f"{path}: {error.strerror or error}. With sudo, let your shell open it: sudo {command} {path}"
            raise CommandError(words) from error
        yield file
