"""Files that a command reads or writes for the person who runs it, with the rights of their folder's owner.

`device.named_file` opens files that somebody names; it has no rights to give up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device.commands import rights
from device.named_file import WAYS, check, open_file
from device.storage import atomic_file


class Destination:
    """A file to be written in place of the one of that name, by descriptor. `file` is written to, then `place` called.

    It is for its owner alone, or else, `alike`, for those who own and may read the one it replaces; for everybody if
    there is none. Raises OSError for anything there that isn't a file.
    """

    def __init__(self, path: Path, alike: bool = False) -> None:
        self._name, self._part = path.name, f".{path.name}.part"
        self._owner = rights.owner_of(path.parent)
        with rights.acting_as(self._owner):
            self._folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                old = self._there(path)
                with suppress(FileNotFoundError):
                    os.unlink(self._part, dir_fd=self._folder)
                ways = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | WAYS
                self.file: BinaryIO = os.fdopen(os.open(self._part, ways, 0o600, dir_fd=self._folder), "w+b")
            except BaseException:
                os.close(self._folder)
                raise
            # A table that starts meanwhile, in this folder, deletes what looks left behind and nobody holds.
            atomic_file.lock(self.file.fileno())
            with suppress(PermissionError):  # a disk may know no owners and no permissions
                if alike and old is not None and os.geteuid() == 0:
                    os.fchown(self.file.fileno(), old.st_uid, old.st_gid)
                if alike:
                    os.fchmod(self.file.fileno(), old.st_mode & 0o777 if old is not None else 0o644)

    def _there(self, path: Path) -> os.stat_result | None:
        try:
            found = os.stat(self._name, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        check(path, found)
        return found

    def add(self, data: bytes) -> None:
        """Write more to the end of the file, durable on return. Raises OSError."""
        self.file.seek(0, os.SEEK_END)
        self.file.write(data)
        self.file.flush()
        os.fsync(self.file.fileno())

    def place(self, data: bytes = b"") -> None:
        """Add `data`, and put the file in its place, durable on return. Raises OSError."""
        self.add(data)
        with rights.acting_as(self._owner):
            os.rename(self._part, self._name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            os.fsync(self._folder)

    def close(self) -> None:
        """Close it; without `place` nothing is left of it."""
        with suppress(OSError):  # what was not written yet may not fit on the disk
            self.file.close()
        with rights.acting_as(self._owner), suppress(FileNotFoundError):
            os.unlink(self._part, dir_fd=self._folder)
        os.close(self._folder)


@contextmanager
def source(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read it. Raises OSError for a link, and for anything that isn't a file."""
    with rights.acting_as(rights.owner_of(path.parent)):
        file = open_file(path, links=False)
    with file:
        yield file
