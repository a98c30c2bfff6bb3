"""A restore is all or nothing: killed, cut off, or out of room, there are the old games and settings or the new."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.cli import main
from device.diagnostics.checks import disk as checks
from device.machine import Machine
from device.storage import atomic_file, backup_switch
from device.storage.decks import DeckLibrary
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import Store
from device.table.session import GameSession
from engine.league.league import League
from tests.device.commands.test_backup import CODES, SETTINGS, Home
from tests.device.diagnostics.machines import facts
from tests.device.storage import power_cuts, recorded_writer
from tests.device.storage.power_cuts import SWIFT, Disk
from tests.device.storage.small_disk import on_a_small_disk
from vision.tray import saved_trays

RESTORE = "from device.cli import main; raise SystemExit(main())"


MINE = "poweroff = false\n"
"""The settings of a table, other than those in the backup."""


def settings_of(data: Path) -> Path:
    """Return the path of the settings of the table in this folder."""
    return data.with_suffix(".toml")


@dataclass(frozen=True)
class Tables:
    """A table's folder `data` with its journal `old`, and a backup `file` of another, whose journal is `new`.

    Its settings are in a file beside that folder (`settings_of`).
    """

    data: Path
    old: list[object]
    file: Path
    new: list[object]

    @classmethod
    def at(cls, folder: Path) -> Tables:
        """Make them in a folder."""
        for name in ("mine", "other"):
            (folder / name).mkdir()
        mine, other = Home(folder / "mine"), Home(folder / "other", 7, seed=2)
        settings_of(mine.data).write_text(MINE)
        for seed, home in enumerate((mine, other), 1):
            league = League("cup", f"Cup {seed}", "small-ball", "best-of", recorded_writer.TEAMS)
            LeagueFiles(home.data / "leagues").save(league)
            PeopleFile(home.data / "people.json").save("", f"Ann {seed}", "red")
            (home.data / "book.db").write_bytes(b"made from the games")
        file = folder / "b.zip"
        with redirect_stdout(None):
            assert other.dugout("backup", file) == 0
        mine.store.close()
        other.store.close()
        return cls(mine.data, list(mine.table.journal), file, list(other.table.journal))

    def command(self, data: Path | None = None) -> list[str]:
        """Return the words of the command that restores the backup into a folder, by default the table's."""
        data = data or self.data
        return ["restore", str(self.file), "--data", str(data), "--settings", str(settings_of(data))]

    def which(self, data: Path) -> tuple[str, str | None]:
        """Start a table there; return which games it has, "old" or "new", and what it says about a restore."""
        with closing(Store(data / "journal.db")) as store:
            assert store.trouble is None, store.trouble
            latest, restored = store.current_game(), store.restored
            assert latest is not None
            assert latest.table is not None, latest.trouble
            assert store.get_or_create_value("code", lambda: "none") == CODES[1], "the code is not this table's"
        (title,) = [about.title for one in DeckLibrary(data / "decks").all_decks() for about in one.decks if about.own]
        tray = saved_trays.load_tray(data / "trays", "cam", (32, 24))
        assert tray is not None
        seen = [list(latest.table.journal), title, tray.light, (data / "evidence").exists()]
        leagues, people = LeagueFiles(data / "leagues"), PeopleFile(data / "people.json")
        seen += [[one.title for one in leagues.leagues().values()], [one.name for one in people.people()]]
        seen.append((data / "book.db").exists())
        seen.append(settings_of(data).read_text())
        (which,) = [
            name
            for name, wanted in (
                ("old", [self.old, "Deck 1", 41, True, ["Cup 1"], ["Ann 1"], True, MINE]),
                ("new", [self.new, "Deck 2", 42, False, ["Cup 2"], ["Ann 2"], False, SETTINGS]),
            )
            if seen == wanted
        ]
        left = [one.name for one in data.iterdir() if one.name.startswith((".restore-", "restoring-"))]
        assert left == [], "something is left of the restore"
        if which == "new":
            (kept,) = data.glob("before-restore-*")
            with closing(Store(kept / "journal.db")) as store:
                before = store.current_game()
            assert before is not None
            assert before.table is not None
            assert list(before.table.journal) == self.old
            assert (kept / "settings.toml").read_text() == MINE
        return which, restored


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables.at(tmp_path)


CALLS = ("fsync", "rename", "mkdir", "unlink", "rmdir", "truncate", "replace", "posix_fallocate")
"""Calls of a disk, at each of which a process may end."""


def killed(work: Callable[[], Any], at: int) -> bool:
    """Do this in a process that is gone, as by kill -9, at the call of this number; return True if it got there."""
    child = os.fork()
    if child == 0:
        count = [0]

        def counted(real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*given: Any, **more: Any) -> Any:
                if count[0] == at:
                    os._exit(9)
                count[0] += 1
                return real(*given, **more)

            return call

        for name in CALLS:
            setattr(os, name, counted(getattr(os, name)))
        try:
            with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
                work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def copies(tables: Tables, onto: Path) -> Iterator[Path]:
    """Yield copies of the table's folder, one at a time."""
    for n in range(1000):
        folder = onto / str(n)
        shutil.copytree(tables.data, folder)
        shutil.copyfile(settings_of(tables.data), settings_of(folder))
        yield folder
        shutil.rmtree(folder)


@pytest.mark.slow
def test_killed_at_every_call(tables: Tables, tmp_path: Path) -> None:
    """There are the old games up to one call, and the restored ones from then on; the table says which."""
    found = list[tuple[str, str | None]]()
    for at, data in enumerate(copies(tables, tmp_path / "kills")):
        if not killed(lambda data=data: main(tables.command(data)), at):  # type: ignore[misc]
            break
        begun = any(data.glob(".restore-*"))
        which, said = tables.which(data)
        found.append((which, said))
        if which == "new":
            assert said is not None
            assert said.startswith("A backup was restored on ")
            assert "What was there before is kept in before-restore-" in said
        else:
            assert said == (backup_switch.UNCHANGED_NOTICE if begun else None)
    order = [which for which, _ in found]
    assert order == sorted(order, reverse=True), "once the restored games were there, they stay"
    assert set(order) == {"old", "new"}
    assert backup_switch.UNCHANGED_NOTICE in [said for _, said in found]


@pytest.mark.slow
def test_killed_again_while_it_is_finished(tables: Tables, tmp_path: Path) -> None:
    """Right after the step, and then at every call of the starts after: in the end there are the restored games."""
    real = backup_switch.finish_restore
    with pytest.MonkeyPatch.context() as patch:
        # Only the one that follows the step: there is nothing to finish before it.
        patch.setattr(
            backup_switch,
            "finish_restore",
            lambda data, lock: os._exit(9) if backup_switch.is_restore_pending(data) else None,
        )
        killed(lambda: main(tables.command()), 10**6)
    assert backup_switch.finish_restore is real
    assert backup_switch.is_restore_pending(tables.data)
    count = 0
    for data in copies(tables, tmp_path / "kills"):
        reached = killed(lambda data=data: Store(data / "journal.db").close(), count)  # type: ignore[misc]
        killed(lambda data=data: Store(data / "journal.db").close(), count // 2)  # type: ignore[misc]
        assert tables.which(data)[0] == "new"
        count += 1
        if not reached:
            break
    assert count > 10


@pytest.mark.long("power-cuts")
@pytest.mark.skipif(power_cuts.traced() is not None, reason="no calls can be recorded")
def test_a_power_cut_at_every_write(tmp_path: Path) -> None:
    """Of what was not synced none, all, or any part is there, in any order; names too, also those that moved."""
    root = tmp_path / "disk"
    root.mkdir()
    tables = Tables.at(root)
    tables = replace(tables, file=tables.file.rename(tmp_path / "b.zip"))
    disk = Disk.found(root)
    command = [sys.executable, "-c", RESTORE, *tables.command()]
    lines = power_cuts.trace(command, tmp_path / "calls")
    random, found = Random(7), set[str]()
    with tempfile.TemporaryDirectory(dir=SWIFT) as onto:
        after = Path(onto) / "after"
        for place, state in enumerate(power_cuts.boundaries(root, lines, disk)):
            for way in ("none", "all", "some", "some"):
                power_cuts.lay(root, state.cut(way, random), after)
                for one in after.rglob(backup_switch.EXPECTED_SETTINGS_FILE):
                    one.write_bytes(one.read_bytes().replace(bytes(root), bytes(after)))
                try:
                    found.add(tables.which(after / tables.data.relative_to(root))[0])
                except Exception as error:
                    raise AssertionError(f"cut {place}, {way}: {error!r}") from error
    assert found == {"old", "new"}


FULL = """
import os, shutil, sys
from contextlib import closing
from pathlib import Path
from device.cli import main
from tests.hostile.test_restore import Tables, settings_of

disk, away = Path(sys.argv[1]), Path(sys.argv[1]).parent / "away"
away.mkdir()
tables = Tables.at(away)
for free in (*range(0, 12000, 400), 13000, 16000):
    data = disk / "data"
    shutil.copytree(tables.data, data)
    shutil.copyfile(settings_of(tables.data), settings_of(data))
    filler = os.open(disk / "filler", os.O_RDWR | os.O_CREAT)
    seen = os.statvfs(disk)
    if (size := seen.f_bavail * seen.f_frsize - free * 1024) > 0:
        os.posix_fallocate(filler, 0, size)
    status = main(tables.command(data))
    if status:
        os.truncate(filler, 0)
    # Otherwise the filler stays: the table has to open with the room there is.
    print("case", free, status, tables.which(data)[0])
    os.close(filler)
    (disk / "filler").unlink()
    shutil.rmtree(data)
"""


@pytest.mark.slow
def test_a_card_that_is_nearly_full(tmp_path: Path) -> None:
    """With any room left, a restore succeeds, or says that there is none, and nothing was changed; the table opens."""
    done = on_a_small_disk(tmp_path / "disk", "24m", FULL)
    cases = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("case")]
    assert len(cases) == 32, done.stdout + done.stderr
    assert {("2", "old"), ("0", "new")} == {(status, which) for _, status, which in cases}
    refused = sum(status == "2" for _, status, _ in cases)
    assert done.stderr.count("the disk is full, and nothing was changed: free up space, then restore again.") == refused


# Who says which ------------------------------------------------------------------------------------------------------


def cut_off(tables: Tables, when: str) -> None:
    """Cut a restore off before its settings are in their place, between that and its step, or after the step."""
    step = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if path.name.startswith(backup_switch.PREPARED_PREFIX):
            if when == "after":
                step(path, target)
            os._exit(9)
        return step(path, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        if when == "before":
            patch.setattr(atomic_file, "write_file", lambda *_: os._exit(9))
        killed(lambda: main(tables.command()), 10**6)


@pytest.mark.parametrize(
    ("when", "stopped", "running"),
    [
        ("before", backup_switch.UNCHANGED_NOTICE, backup_switch.UNCHANGED_NOTICE),
        ("between", backup_switch.CUT_OFF_NOTICE, "A backup was restored on "),
        ("after", backup_switch.CUT_OFF_NOTICE, "A backup was restored on "),
    ],
)
def test_display_page_and_doctor_say_which(tables: Tables, when: str, stopped: str, running: str) -> None:
    """The doctor before the table starts; then the display and the page, among what is missing, and the doctor again.

    The next start says nothing any more."""
    cut_off(tables, when)
    finding = checks.check_journal(facts(Machine(), data=tables.data))
    assert ("look", stopped) == (finding.verdict, finding.seen)
    with closing(Store(tables.data / "journal.db")) as store:
        session = GameSession(store, recorded_writer.table)
        assert [one for one in session.game.view_for(None).missing if one.startswith(running)]
    with closing(Store(tables.data / "journal.db")) as store:
        assert store.restored is None


COMMANDS = [["games"], ["games", "--name", "1", "x"], ["code"], ["backup", "FILE"], ["restore", "AGAIN"]]


@pytest.mark.parametrize("when", ["between", "after"])
def test_a_command_finishes_a_restore_first(tables: Tables, tmp_path: Path, when: str) -> None:
    """It never works with what is half there."""
    cut_off(tables, when)
    files = {"FILE": str(tmp_path / "new.zip"), "AGAIN": str(tables.file)}
    for command, data in zip(COMMANDS, copies(tables, tmp_path / "commands"), strict=False):
        for one in data.glob(backup_switch.EXPECTED_SETTINGS_FILE):
            one.write_bytes(one.read_bytes().replace(bytes(tables.data), bytes(data)))
        assert main([*(files.get(one, one) for one in command), "--data", str(data)]) == 0, command
        assert not backup_switch.is_restore_pending(data), command
        if command != ["restore", "AGAIN"]:
            assert tables.which(data)[0] == "new", command


def test_what_cannot_be_moved_is_found_before(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of another user's in the data folder ends a restore before its step."""
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "trays" and real(path, mode))
    assert main(tables.command()) == 2
    assert tables.which(tables.data) == ("old", None)


def test_settings_that_cannot_be_stored(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """They end a restore before anything is changed."""

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(atomic_file, "write_file", broken)
    assert main(tables.command()) == 2
    assert tables.which(tables.data) == ("old", None)


def test_settings_that_are_there_although_it_failed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then their games are restored as well."""
    write = atomic_file.write_file

    def broken(path: Path, data: bytes, mode: int) -> None:
        write(path, data, mode)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(atomic_file, "write_file", broken)
    assert main(tables.command()) == 0
    assert tables.which(tables.data)[0] == "new"


def test_a_restore_says_so_at_the_next_start(tables: Tables) -> None:
    """Once: what was played since counts."""
    assert main(tables.command()) == 0
    assert "A backup was restored on" in checks.check_journal(facts(Machine(), data=tables.data)).seen
    which, said = tables.which(tables.data)
    assert which == "new"
    assert said is not None
    with suppress(ValueError), closing(Store(tables.data / "journal.db")) as store:
        GameSession(store, recorded_writer.table)
    assert tables.which(tables.data) == ("new", None)
