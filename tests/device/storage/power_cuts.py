"""Power cuts at every write of the store.

`python -m tests.device.storage.power_cuts [STATES [SEED]]` tries STATES disks, or all that it finds.

A real process plays (tests/device/storage/recorded_writer.py) while strace records its system calls. From that record
the script builds each disk that a cut could have left. Synced data is there. Of what was written since, none, all or
any part is there, in any order, torn at any sector or byte. A name that was made, changed or deleted is certain only
once its folder was synced. Every such disk is opened as at a new start.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from device.storage.decks import DeckLibrary
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.roll_pictures import RollPictures
from device.storage.seat_settings import parse_seat_settings
from device.storage.store import Store
from engine.journal import JournalEntry
from tests.device.storage import recorded_writer
from vision.tray import saved_trays
from vision.tray.outline import TrayError

CALLS = (
    *("?open", "openat", "?creat", "close", "dup", "?dup2", "dup3", "fcntl", "mmap"),
    *("write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate", "copy_file_range"),
    *("sendfile", "fsync", "fdatasync", "sync_file_range", "?mkdir", "mkdirat", "?rmdir", "?unlink", "unlinkat"),
    *("?rename", "renameat", "renameat2", "?link", "linkat", "?symlink", "symlinkat"),
)

LINE = re.compile(r"(?:(?P<pid>\d+) +)?(?P<call>\w+)\((?P<args>.*)\) += (?P<result>-?\w+)")
SECTOR = 512

SWIFT = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A folder in memory, for tests that need no disk."""


def traced() -> str | None:
    """Return why nothing can be recorded here, or None."""
    if shutil.which("strace") is None:
        return "there is no strace (apt install strace)"
    tried = subprocess.run(["strace", "-f", "-o", os.devnull, "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "strace may not trace here"


@dataclass
class Node:
    """A file: what is synced, what was done since, and what a process reads now."""

    base: bytes = b""
    done: list[tuple[int, bytes | None]] = field(default_factory=list)
    """(where, what) of a write; (size, None) of a truncation."""
    now: bytearray = field(default_factory=bytearray)

    def do(self, where: int, what: bytes | None) -> None:
        self.done.append((where, what))
        apply(self.now, where, what)

    def sync(self) -> None:
        self.base, self.done = bytes(self.now), []


def apply(data: bytearray, where: int, what: bytes | None) -> None:
    size = where if what is None else where + len(what)
    if what is None:
        del data[size:]
    data.extend(bytes(max(0, size - len(data))))
    if what is not None:
        data[where : where + len(what)] = what


Names = dict[str, Node | None]
"""Files by path; None for a folder."""


class Disk:
    """The folder `root` as the recorded process changed it."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.durable: Names = {}
        self.now: Names = {}
        self.acks: list[str] = []
        self._fds: dict[int, tuple[str, Node | None]] = {}
        self._at: dict[int, int] = {}
        self.changes: list[tuple[set[str], list[tuple[str, Node | bool | None]]]] = []
        """Names that changed: the folders that were not synced since, and each name's new file (False: deleted)."""

    @classmethod
    def found(cls, root: Path) -> Disk:
        """Return a folder as it is, everything synced long ago."""
        disk = cls(root)
        for path in root.rglob("*"):
            disk.durable[str(path)] = (
                None if path.is_dir() else Node(path.read_bytes(), [], bytearray(path.read_bytes()))
            )
        disk.now = dict(disk.durable)
        return disk

    def inside(self, path: str) -> bool:
        return path.startswith(self.root + "/")

    def _name(self, *what: tuple[str, Node | bool | None]) -> None:
        self.changes.append(({str(Path(path).parent) for path, _ in what[:2]}, list(what)))
        rename(self.now, list(what))

    def take(self, call: str, args: list[str], result: int) -> bool:
        """Do what a call did; return True if the disk or the acknowledgments changed."""
        if result < 0:
            return False
        if call.endswith("at"):
            args = self._below(args)
        if call in ("open", "openat", "creat"):
            return self._open(args if call == "openat" else ["", *args], result)
        if call in ("close", "fsync", "fdatasync", "write", "pwrite64", "ftruncate", "dup", "dup2", "dup3", "fcntl"):
            return self._file(call, args, result)
        if call == "mmap":
            fd = int(args[4])
            if fd in self._fds and "MAP_SHARED" in args[3] and "PROT_WRITE" in args[2]:
                assert self._fds[fd][0].endswith("-shm"), f"{self._fds[fd][0]} is mapped"
            return False
        paths = [one for one in (text(arg).decode() for arg in args if arg.startswith('"')) if self.inside(one)]
        touched = [arg for arg in args[:1] if arg.isdecimal() and int(arg) in self._fds]
        if not paths and not touched:
            return False
        if call in ("mkdir", "mkdirat"):
            self._name((paths[0], None))
        elif call in ("unlink", "unlinkat", "rmdir"):
            self._name((paths[0], False))
        elif call.startswith("rename"):
            old, new = paths
            below = [path for path in self.now if path.startswith(old + "/")]
            assert all(path in self.durable for path in below), f"{old} is moved before all in it is synced"
            moved = [(new + path.removeprefix(old), self.now[path]) for path in below]
            self._name((new, self.now[old]), (old, False), *moved, *((path, False) for path in below))
        elif call == "fallocate":
            (node,) = [self._fds[int(args[0])][1]]
            assert node is not None
            node.do(int(args[2]) + int(args[3]), None)
        else:
            raise AssertionError(f"{call} {args} is not known here")
        return True

    def _below(self, args: list[str]) -> list[str]:
        """Return the arguments of a call with whole paths in place of names below an open folder."""
        found = list(args)
        for place, (folder, name) in enumerate(pairwise(args), 1):
            if folder.isdecimal() and int(folder) in self._fds and name.startswith('"'):
                path = f"{self._fds[int(folder)][0]}/{text(name).decode()}"
                found[place] = '"' + "".join(f"\\x{byte:02x}" for byte in path.encode()) + '"'
        return found

    def _open(self, args: list[str], fd: int) -> bool:
        path = text(args[1]).decode()
        if not self.inside(path) and path != self.root:
            if path.endswith("/acks"):
                self._fds[fd] = ("acks", None)
            return False
        new = "O_CREAT" in args[2] and path not in self.now
        if new:
            self._name((path, Node()))
        node = self.now.get(path)
        self._fds[fd], self._at[fd] = (path, node), 0
        if node is not None and "O_TRUNC" in args[2] and not new and node.now:
            node.do(0, None)
            return True
        return new

    def _file(self, call: str, args: list[str], result: int) -> bool:
        fd = int(args[0])
        if fd not in self._fds:
            return False
        path, node = self._fds[fd]
        if call == "close":
            del self._fds[fd]
        elif call in ("fsync", "fdatasync"):
            if node is not None:
                node.sync()
            else:
                for folders, what in self.changes:
                    folders.discard(path)
                    if not folders:
                        rename(self.durable, what)
                self.changes = [one for one in self.changes if one[0]]
        elif call == "write" and path == "acks":
            self.acks += text(args[1]).decode().splitlines()
        elif call == "write":
            assert node is not None
            node.do(self._at[fd], text(args[1])[:result])
            self._at[fd] += result
        elif call == "pwrite64":
            assert node is not None
            node.do(int(args[3]), text(args[1])[:result])
        elif call == "ftruncate":
            assert node is not None
            node.do(int(args[1]), None)
        elif call != "fcntl" or "F_DUPFD" in args[1]:
            self._fds[result], self._at[result] = self._fds[fd], self._at.get(fd, 0)
            return False
        else:
            return False
        return call != "close"

    # What a cut leaves -------------------------------------------------------------------------------------------

    def cut(self, how: str, random: Random) -> Iterator[tuple[str, bytes | None]]:
        """Yield the files, and folders as None, after a cut now with "none", "all" or "some" of the unsynced data."""
        names = dict(self.durable)
        for _, what in self.changes:
            if how == "all" or (how == "some" and random.random() < 0.6):
                rename(names, what)
        for path, node in sorted(names.items(), key=lambda one: len(Path(one[0]).parts)):
            lost = any(str(up) not in names for up in Path(path).parents if self.inside(str(up)))
            if lost or path.endswith("-shm"):
                continue
            yield path, None if node is None else torn(node, how, random)


def rename(names: Names, what: list[tuple[str, Node | bool | None]]) -> None:
    for path, node in what:
        if isinstance(node, bool):
            names.pop(path, None)
        else:
            names[path] = node


def torn(node: Node, how: str, random: Random) -> bytes:
    data = bytearray(node.base)
    if how == "none":
        return bytes(data)
    done = list(node.done)
    if how == "some":
        parts: list[tuple[int, bytes | None]] = []
        for where, what in done:
            match random.randrange(5) if what else random.randrange(2):
                case 0:
                    pass
                case 1 | 2:
                    parts.append((where, what))
                case 3:
                    assert what
                    cuts = range(0, len(what), SECTOR)
                    parts += [(where + at, what[at : at + SECTOR]) for at in cuts if random.random() < 0.7]
                case _:
                    assert what
                    parts.append((where, what[: random.randrange(len(what))]))
        if random.random() < 0.5:
            random.shuffle(parts)
        done = parts
    for where, what in done:
        apply(data, where, what)
    return bytes(data)


# The record ------------------------------------------------------------------------------------------------------


def text(quoted: str) -> bytes:
    """Decode strace's hexadecimal string."""
    assert quoted.endswith('"'), f"cut short: {quoted[-40:]}"
    return bytes.fromhex(quoted.strip('"').replace("\\x", ""))


def record(folder: Path, how: str = "sound") -> tuple[Path, list[str]]:
    """Play and record; return the folder that was played in, and the lines."""
    root = folder / "disk"
    root.mkdir()
    play = [sys.executable, "-m", "tests.device.storage.recorded_writer", str(root), str(folder / "acks"), how]
    return root, trace(play, folder / "calls")


def trace(command: list[str], log: Path) -> list[str]:
    """Run a command and record its calls; return the lines."""
    strace = ["strace", "-f", "-xx", "-s", "1000000", "-e", f"trace={','.join(CALLS)}", "-e", "signal=none"]
    quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run([*strace, "-o", str(log), *command], check=True, env={**os.environ, **quiet}, timeout=800)
    return log.read_text().splitlines()


def boundaries(root: Path, lines: list[str], disk: Disk | None = None) -> Iterator[Disk]:
    """Yield the disk after each call that changed it; `disk` is what was there before, if anything was."""
    disk = disk or Disk(root)
    begun: dict[str, str] = {}
    for line in lines:
        pid = line.split(" ", 1)[0]
        if "<unfinished ...>" in line:
            begun[pid] = line.replace("<unfinished ...>", "").rstrip()
            continue
        if found := re.match(r"\d+ +<\.\.\. \w+ resumed>(.*)", line):
            line = begun.pop(pid) + found[1]
        call = LINE.match(line)
        if call is None or not re.fullmatch(r"-?\d+|0x[0-9a-f]+", call["result"]):
            continue
        args = re.findall(r'"(?:\\x[0-9a-f]{2})*"(?:\.\.\.)?|[^,]+', call["args"])
        if disk.take(call["call"], [one.strip() for one in args], int(call["result"], 0)):
            yield disk


def lay(root: Path, files: Iterator[tuple[str, bytes | None]], onto: Path) -> None:
    """Write a disk as a cut left it to a folder."""
    shutil.rmtree(onto, ignore_errors=True)
    onto.mkdir()
    for path, data in files:
        there = onto / Path(path).relative_to(root)
        if data is None:
            there.mkdir(exist_ok=True)
        else:
            there.write_bytes(data)


# What must hold --------------------------------------------------------------------------------------------------


def played() -> list[JournalEntry]:
    """Return what the recorded process answers."""
    random, at = Random(5), recorded_writer.table()
    for _ in range(recorded_writer.ANSWERS):
        recorded_writer.step(at, random)
    return list(at.journal)


def check(folder: Path, acks: list[str], real: list[JournalEntry]) -> str | None:
    """Start on a disk after a cut; return what is wrong with it."""
    last = dict(one.split() for one in acks if " " in one)
    answers = int(last.get("answer", 0))
    deep = folder / "deep"
    store = Store(deep / "journal.db")
    try:
        if store.trouble:
            return f"there is trouble: {store.trouble}"
        saved = store.current_game()
        if saved is not None and saved.id != 1:
            if "taken" in acks:
                return "the game that was taken up again is not on the table"
            saved = store.load_game(1)
        if saved is None:
            if "game" in acks:
                return "the game is lost"
        elif saved.table is None:
            return f"the game cannot be read: {saved.trouble}"
        else:
            journal = saved.table.journal
            if len(journal) < answers:
                return f"{answers} answers were acknowledged, {len(journal)} are there"
            if len(journal) > answers + 1 or journal != real[: len(journal)]:
                return "there are answers that nobody gave"
            if "stand" in last and parse_seat_settings(saved.standing).get("waits", {}).get("home", -1) < int(
                last["stand"]
            ):
                return "what a seat is asked is lost"
        for number in (2, 4):  # game 3 is begun meanwhile
            added = store.load_game(number)
            if added is None and number <= int(last.get("added", 0)):
                return "a game that was added is lost"
            if added and not (added.table and added.table.outcome and added.standing == recorded_writer.STANDING):
                return f"half a game was added: {added.trouble}"
        if "key" in acks and store.get_or_create_value("key", lambda: "gone") != "k":
            return "what is remembered is lost"
        if "code" in last and int(store.get_or_create_value("code", lambda: "-1")) < int(last["code"]):
            return "a value that was replaced is lost"
        at = recorded_writer.table() if saved is None or saved.table is None else saved.table
        game = store.begin_game(at) if saved is None else saved.id
        store.resume_game(game, at)
        recorded_writer.step(at, Random(1))
        store.append(game, at, "phone")
        again = store.current_game()
        if again is None or again.table is None or again.table.journal != at.journal:
            return "the game does not go on"
    finally:
        store.close()
    return _rest(deep, last)


def _titles_since(n: str) -> list[list[str]]:
    return [[title] for title in recorded_writer.TITLES[int(n) :]]


def _rest(deep: Path, last: dict[str, str]) -> str | None:
    """Check the other files: decks, trays, pictures."""
    evidence = RollPictures(deep / "evidence")
    for place in range(recorded_writer.ANSWERS):
        found = evidence.find_picture(1, place)
        if found is not None and not (found[:1] == b"\xff" == found[-2:-1]):
            return "half a picture is shown"
    RollPictures(deep / "evidence").store_picture(9, 0, recorded_writer.picture(0))
    decks = [about for one in DeckLibrary(deep / "decks").all_decks() for about in one.decks if about.own]
    title = decks[0].title if decks else ""
    if (deep / "decks").is_dir() and title not in ("", *recorded_writer.TITLES):
        return "a deck is spoiled"
    leagues, people = LeagueFiles(deep / "leagues"), PeopleFile(deep / "people.json")
    if wrong := [*leagues.troubles(), *filter(None, [people.trouble()])]:
        return f"a file is spoiled: {wrong}"
    if "league" in last and [one.title for one in leagues.leagues().values()] not in _titles_since(last["league"]):
        return "a league is lost"
    if "person" in last and [one.name for one in people.people()] not in _titles_since(last["person"]):
        return "a person is lost"
    if "deck" in last and title not in recorded_writer.TITLES[int(last["deck"]) :]:
        return "a deck is lost"
    try:
        tray = saved_trays.load_tray(deep / "trays", "cam", (32, 24))
    except TrayError as error:
        return f"a tray is spoiled: {error}"
    if "tray" in last and (tray is None or tray.light < 40 + int(last["tray"])):
        return "a tray is lost"
    return None


def try_all(folder: Path, how: str, states: int | None, seed: int = 1, stop: str = "") -> tuple[int, list[str]]:
    """Record and cut; return how many disks were opened, and what was wrong. Stop at a fault with the words `stop`."""
    root, lines = record(folder, how)
    random, real, wrong = Random(seed), played(), list[str]()
    # The first pass counts them, the second builds them.
    count = sum(1 for _ in boundaries(root, lines))
    ways = ["none", "all", *["some"] * 6]
    wanted = sorted(random.sample(range(count * len(ways)), min(states or count * len(ways), count * len(ways))))
    tried = len(wanted)
    with tempfile.TemporaryDirectory(dir=SWIFT) as onto:
        for place, disk in enumerate(boundaries(root, lines)):
            while wanted and wanted[0] // len(ways) == place:
                way = ways[wanted.pop(0) % len(ways)]
                lay(root, disk.cut(way, random), Path(onto) / "after")
                try:
                    fault = check(Path(onto) / "after", disk.acks, real)
                except Exception as error:  # whatever it is, a start must not end so
                    fault = f"{type(error).__name__}: {error}"
                if fault:
                    wrong.append(f"cut {place}, {way}: {fault}")
                    if stop and stop in fault:
                        return tried - len(wanted), wrong
            if not wanted:
                break
    return tried, wrong


def main() -> int:
    states = int(sys.argv[1]) if len(sys.argv) > 1 else None
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    bad = 0
    for how in ("sound", "normal", "delete"):
        with tempfile.TemporaryDirectory(dir=SWIFT) as folder:
            tried, wrong = try_all(Path(folder), how, states if how == "sound" else 400, seed)
        print(f"{how}: {tried} disks after a cut, {len(wrong)} of them wrong.", flush=True)
        for one in wrong[:8]:
            print(f"  {one}")
        bad += bool(wrong) == (how == "sound")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
