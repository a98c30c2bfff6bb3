"""The rights of a command. Run by root, it has those of the user who owns the folder it works in.

Anybody who can change a folder can plant links there, or swap a name between two looks at it, and so lead root to read,
change or give away any file. So `apart` carries a command out in a child process that has become the folder's owner and
cannot go back. What takes root is done by the parent: files are opened before the child starts, and the few errands
that the command named then, and no others, are run for it. Both touch a folder of others only with its owner's rights
(`acting_as`).
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import pwd
import signal
import socket
import stat
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import PIL

from device.commands.target import CommandError

LINKS = 40
"""Links on the way to a file, as many as the kernel follows."""

LONGEST = 1 << 20
"""Bytes that an errand may be given."""

Errand = Callable[[bytes], None]
"""Does one thing for a command, with the bytes that it is given; raises OSError."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A user and a group by their numbers, with the groups that the user is in, and the home folder if there is one."""

    uid: int
    gid: int
    groups: tuple[int, ...]
    home: str = ""
    name: str = ""

    @classmethod
    def of(cls, found: os.stat_result) -> Owner:
        """Return the owner of a file, with the groups of the account. Without one, the file's, unless it is root's."""
        try:
            account = pwd.getpwuid(found.st_uid)
        except KeyError:
            gid = found.st_gid or found.st_uid
            return cls(found.st_uid, gid, (gid,))
        groups = os.getgrouplist(account.pw_name, account.pw_gid)
        return cls(account.pw_uid, account.pw_gid, tuple(groups), account.pw_dir, account.pw_name)


def owner_of(path: Path) -> Owner | None:
    """Return whose rights root needs to work at `path`, which may not exist yet; None if its own, or without root.

    That is the owner, or else the first on the way there who is not root, links included. Raises CommandError where
    anyone could change the way, and OSError.
    """
    if os.geteuid() != 0:
        return None
    found, others, open_to_all, last = None, None, None, Path("/").lstat()
    # In a container "/" may look like another user's; that user owns everything anyway.
    roots = {0, last.st_uid}
    for one, found in _way(Path(os.path.abspath(path))):
        if found is None:
            if last.st_uid in roots and _shared(last):
                open_to_all = one.parent
            break
        if found.st_uid not in roots and others is None:
            others = found
        if found.st_uid in roots and _shared(found) and not found.st_mode & stat.S_ISVTX:
            open_to_all = one
        last = found
    if found is not None and found.st_uid not in roots:
        others = found
    if others is None and open_to_all is not None:
        raise CommandError(f"others may change {open_to_all}: as root, name a folder that only root may change.")
    return None if others is None else Owner.of(others)


def place_of(paths: Iterable[Path]) -> Path | None:
    """Return one of the paths that a command reads or writes, whose owner's rights it needs; None if all are root's.

    Raises CommandError where they belong to several users, and as `owner_of` does.
    """
    owners = {owner: path for path in paths if (owner := owner_of(path)) is not None}
    if len(owners) > 1:
        raise CommandError("as root, name files and folders of one user at a time.")
    return next(iter(owners.values()), None)


def _shared(found: os.stat_result) -> bool:
    """True for a folder in which others may make or rename something."""
    group = found.st_mode & stat.S_IWGRP and found.st_gid
    return stat.S_ISDIR(found.st_mode) and bool(group or found.st_mode & stat.S_IWOTH)


def _way(path: Path) -> Iterator[tuple[Path, os.stat_result | None]]:
    """Yield each name on the way to an absolute path, with its links; None for a missing one, which is the last."""
    here, rest, links = Path("/"), list(path.parts[1:]), 0
    while rest:
        name = rest.pop(0)
        one = here.parent if name == ".." else here / name
        try:
            found = one.lstat()
        except ValueError:
            raise CommandError("a path cannot contain a NUL character.") from None
        except (FileNotFoundError, NotADirectoryError):
            yield one, None
            return
        yield one, found
        if stat.S_ISLNK(found.st_mode):
            links += 1
            if links > LINKS:
                raise CommandError(f"{path} leads through too many links.")
            where = Path(os.readlink(one))
            here, rest = (Path("/") if where.is_absolute() else here), [*where.parts[where.is_absolute() :], *rest]
        else:
            here = one


def become(owner: Owner) -> None:
    """Be this user from now on, without a way back. Raises OSError."""
    os.setgroups(owner.groups)
    os.setresgid(owner.gid, owner.gid, owner.gid)
    os.setresuid(owner.uid, owner.uid, owner.uid)
    os.environ["HOME"] = owner.home or "/"
    if owner.name:
        os.environ |= {"USER": owner.name, "LOGNAME": owner.name}


@contextmanager
def acting_as(owner: Owner | None) -> Iterator[None]:
    """Have the rights of this user for a moment; of root again afterwards. None: nothing changes. Raises OSError."""
    if owner is None:
        yield
        return
    groups, gid = os.getgroups(), os.getegid()
    os.setgroups(owner.groups)
    os.setegid(owner.gid)
    os.seteuid(owner.uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(gid)
        os.setgroups(groups)


class Errands:
    """What a command may have done with the rights it was started with, by name."""

    def __init__(self, known: Mapping[str, Errand]) -> None:
        self._known = known
        self._line: socket.socket | None = None
        """Leads to the parent, in the child of `apart`."""

    def do(self, name: str, data: bytes = b"") -> None:
        """Have an errand done. Raises OSError as it does."""
        if self._line is None:
            self._known[name](data)
            return
        self._line.sendall(b"%s %d\n" % (name.encode(), len(data)) + data)
        with self._line.makefile("rb") as answers:
            number, _, words = answers.readline().decode().strip().partition(" ")
        if number != "0":
            raise OSError(int(number or 0), words or "it ended too early")

    def serve(self, line: socket.socket) -> None:
        """Do errands for the child at the other end until it ends, or asks for what is none."""
        with line.makefile("rb") as asked:
            while heard := asked.readline(100).split():
                name, size = heard[0].decode("ascii", "replace"), heard[-1]
                if len(heard) != 2 or name not in self._known or not size.isdigit() or int(size) > LONGEST:
                    return
                answer = "0"
                try:
                    self._known[name](asked.read(int(size)))
                except OSError as error:
                    answer = f"{error.errno or 5} {error.strerror or error}"
                line.sendall(answer.replace("\n", " ").encode() + b"\n")

    def at(self, line: socket.socket) -> None:
        """Have all errands done at the other end of this line."""
        self._line = line


def carry_out(args: argparse.Namespace, work: Callable[[], int]) -> int:
    """Carry out a command's `work` with the rights it needs; return its exit status. Raises CommandError and OSError.

    `args.place`, if it is set, returns the folder or file with which the command works, given `args`. `args.prepare`
    opens what the person named into `args`, until the stack given to it is closed, and returns the command's errands,
    which it finds in `args.errands`. `args.stays`: the process that was started itself has to do the work, and has no
    errands.
    """
    place = args.place(args) if hasattr(args, "place") and os.geteuid() == 0 else None
    owner = None if place is None else owner_of(place)
    with ExitStack() as opened:
        args.errands = Errands(args.prepare(args, opened) if hasattr(args, "prepare") else {})
        if owner is None:
            return work()
        if not can_read(owner, os.__file__, __file__, PIL.__file__):
            _import_everything()
        if not hasattr(args, "stays"):
            return apart(owner, work, args.errands)
        become(owner)
        return work()


def can_read(owner: Owner, *files: str) -> bool:
    """Whether this owner may read all these files. Only root can ask."""
    with acting_as(owner):
        return all(os.access(file, os.R_OK, effective_ids=True) for file in files)


def _import_everything() -> None:
    """Import what the program may import later: what lies in root's home folder cannot be read any more then."""
    for package in map(
        import_module, ("device", "engine", "managers", "vision", "web", "encodings", "importlib", "concurrent")
    ):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with suppress(ImportError):  # of a library that only a Pi has, or only Windows
                import_module(module.name)
    import_module("PIL.Image").init()  # its file formats


def apart(owner: Owner, work: Callable[[], int], errands: Errands) -> int:
    """Carry `work` out in a child process that has become `owner`, and do errands for it; return its exit status."""
    ours, theirs = socket.socketpair()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            ours.close()
            errands.at(theirs)
            become(owner)
            status = work()
        except BaseException:
            traceback.print_exc()
        finally:
            with suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)
    theirs.close()
    # Ctrl-C is for the child, which says what it means; the parent waits for it.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ours:
            errands.serve(ours)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        signal.signal(signal.SIGINT, before)
    return ended if ended >= 0 else 128 - ended
