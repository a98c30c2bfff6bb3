"""A full card: the games still open, or the error says what to do; and leftovers of power cuts do not fill it."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from device.storage import atomic_file, disk_space, repair, roll_pictures
from device.storage.store import Store, StoreError
from tests.device.storage.small_disk import on_a_small_disk

FULL = """
import errno, os, shutil, sys
from pathlib import Path
from random import Random
from device.cli import main
from device.storage.store import Store, StoreError
from tests.device.storage import recorded_writer

disk = Path(sys.argv[1])
for how in ("closed", "killed"):
    for rest in ("pictures", "damaged", ""):
        for old in disk.iterdir():
            shutil.rmtree(old)
        random, folder, at = Random(4), disk / "games", recorded_writer.table()
        store = Store(disk / "live" / "journal.db")
        game = store.begin_game(at)
        for n in range(6):
            recorded_writer.step(at, random)
            store.append(game, at, "phone")
        if how == "closed":
            store.close()
        shutil.copytree(disk / "live", folder)
        if how == "killed":
            store.close()
        shutil.rmtree(disk / "live")
        (folder / "evidence").mkdir()
        for n in range(4):
            if rest == "pictures":
                (folder / "evidence" / f"000001-{n:05}.jpg").write_bytes(bytes(150000))
            elif rest:
                (folder / f"journal.db.damaged-2026010{n}-100000").write_bytes(bytes(400000))
        (disk / "filler").mkdir()
        filler = os.open(disk / "filler" / "file", os.O_RDWR | os.O_CREAT)
        for size in (65536, 4096, 1):
            try:
                while os.write(filler, bytes(size)):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC
        os.close(filler)
        (away := disk.parent / "away.zip").unlink(missing_ok=True)
        assert main(["backup", str(away), "--data", str(folder)]) == 0
        assert main(["backup", str(folder / "here.zip"), "--data", str(folder)]) == 2
        try:
            store = Store(folder / "journal.db")
        except StoreError as error:
            print(how, "refused:", error)
            continue
        assert store.current_game().table.journal == at.journal
        recorded_writer.step(at, random)
        store.append(game, at, "phone")
        left = sorted(one.name for one in folder.rglob("*") if one.name.endswith(("jpg", "-100000")))
        print(how, store.trouble, left)
        store.close()
"""


@pytest.mark.slow
def test_a_full_card_makes_room_for_its_games(tmp_path: Path) -> None:
    """Pictures go, then damaged journals, the oldest first and no more than needed, however the table ended.

    If nothing is left to delete, the error says what to do. A backup to another disk works even then."""
    done = on_a_small_disk(tmp_path / "disk", "4m", FULL)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("closed", "killed"))]
    left = [f"journal.db.damaged-2026010{n}-100000" for n in (1, 2, 3)]
    assert lines == [
        line.format(how)
        for how in ("closed", "killed")
        for line in ("{0} None []", f"{{0}} None {left}", f"{{0}} refused: {disk_space.DISK_FULL_ADVICE}")
    ], done.stdout + done.stderr
    assert (
        done.stdout.count(f"1 game, decks, leagues, calibrations and settings are kept in {tmp_path / 'away.zip'}.")
        == 6
    )
    assert done.stderr.count("the disk is full: free up space, or name a file on another disk.") == 6


MANY_FILES = """
import errno, shutil, sys
from pathlib import Path
from random import Random
from device.cli import main
from device.install.host import Host, SetupError
from device.install.requirements import check_room
from device.storage.store import Store, StoreError
from tests.device.storage import recorded_writer

disk = Path(sys.argv[1])
for rest in ("pictures", "damaged", ""):
    for old in disk.iterdir():
        shutil.rmtree(old)
    random, folder, at = Random(4), disk / "games", recorded_writer.table()
    store = Store(folder / "journal.db")
    game = store.begin_game(at)
    store.close()
    (folder / "evidence").mkdir()
    for n in range(4):
        if rest == "pictures":
            (folder / "evidence" / f"000001-{n:05}.jpg").write_bytes(bytes(1500))
        elif rest:
            (folder / f"journal.db.damaged-2026010{n}-100000").write_bytes(bytes(4000))
    (disk / "filler").mkdir()
    try:
        for n in range(100):
            (disk / "filler" / str(n)).touch()
    except OSError as error:
        assert error.errno == errno.ENOSPC
    assert main(["backup", str(folder / "here.zip"), "--data", str(folder)]) == 2
    try:
        store = Store(folder / "journal.db")
    except StoreError as error:
        print("refused:", error)
        continue
    recorded_writer.step(at, random)
    store.append(game, at, "phone")
    print("opened", store.trouble, len(list(folder.rglob("0*.jpg"))), len(list(folder.glob("*-100000"))))
    store.close()
try:
    Store(disk / "new" / "games" / "journal.db")
except StoreError as error:
    print("new:", error)
try:
    check_room(Host(disk))
except SetupError as error:
    print(error)
"""


def test_a_card_that_holds_no_more_files_is_a_full_one(tmp_path: Path) -> None:
    """It may have free space. What is dispensable goes; else the error says that it is the number of files."""
    done = on_a_small_disk(tmp_path / "disk", "64m,nr_inodes=24", MANY_FILES)
    lines = done.stdout.splitlines()[1:]
    assert ["opened None 0 0", "opened None 0 2", f"refused: {disk_space.MANY_FILES_ADVICE}"] == lines[:3], done
    assert 3 == done.stderr.count("the card holds as many files as it can, although it has free space: delete some")
    assert f"new: {disk_space.MANY_FILES_ADVICE}" == lines[3]
    assert "Only 0 more files fit on the disk, and 20000 are needed, although 6" in lines[4]


def test_what_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest pictures by game and answer, some at a time; then damaged journals one by one."""
    monkeypatch.setattr(disk_space, "DELETION_BATCH_BYTES", 250)
    folder, journal = tmp_path / "evidence", tmp_path / "journal.db"
    folder.mkdir()
    for game, place in ((1000000, 1), (999998, 2), (999998, 10), (999999, 1)):
        (folder / f"{game:06}-{place:05}.jpg").write_bytes(bytes(100))
    (folder / "mine.jpg").write_bytes(b"mine")
    one, two = (tmp_path / f"journal.db.damaged-{n}" for n in (1, 2))
    for n, damaged in enumerate((two, one)):
        damaged.write_bytes(bytes(10))
        os.utime(damaged, (n, n))
    one.with_name(one.name + "-wal").write_bytes(bytes(5))
    spare, left = disk_space.make_room(journal, repair.damaged_journals(journal)), []
    while gone := next(spare, 0):
        found = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
        left.append((gone, found))
    wal = "journal.db.damaged-1-wal"
    assert left == [
        (300, ["1000000-00001.jpg", "journal.db.damaged-1", wal, "journal.db.damaged-2", "mine.jpg"]),
        (100, ["journal.db.damaged-1", wal, "journal.db.damaged-2", "mine.jpg"]),
        (10, ["journal.db.damaged-1", wal, "mine.jpg"]),
        (15, ["mine.jpg"]),
    ]
    assert roll_pictures.picture_paths(tmp_path / "nowhere") == []


def test_which_errors_are_a_full_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the disk is one only where there is hardly any room."""
    errors = list[Exception]([OSError(errno.ENOSPC, ""), OSError(errno.EIO, "")])
    for code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_CORRUPT):
        errors.append(sqlite3.OperationalError(""))
        errors[-1].sqlite_errorcode = code  # type: ignore[attr-defined]
    for little, found in ((0, [True, False, True, False, False]), (1 << 62, [True, False, True, True, False])):
        monkeypatch.setattr(disk_space, "LOW_SPACE_BYTES", little)
        assert [disk_space.is_disk_full(error, tmp_path) for error in errors] == found


def test_a_card_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel made it read-only: the error says what to do, and nothing is deleted."""
    Store(tmp_path / "journal.db").close()
    (tmp_path / "evidence").mkdir()
    picture = tmp_path / "evidence" / "000001-00001.jpg"
    picture.write_bytes(b"dice")

    def locked(*_: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", locked)
        with pytest.raises(StoreError, match=r"can no longer be written: restart the Pi, and replace the card"):
            Store(tmp_path / "journal.db")
    assert picture.exists()


def test_a_store_that_opens_deletes_what_cuts_left(tmp_path: Path) -> None:
    """Leftovers of restores and repairs; not what a running command holds, nor anything else."""
    (tmp_path / "evidence").mkdir()
    gone = [".dugout-abcdefgh", ".restore-12345678"]
    for name in (*gone, ".restore-running_", ".dugout-mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "journal.db").write_bytes(bytes(9))
    files = [".before-update.zip.part", "journal.db.part", "journal.db.carved"]
    for name in (*files, "mine.part", "before-update.zip"):
        (tmp_path / name).write_bytes(bytes(9))
    handle = os.open(tmp_path / ".restore-running_", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    held = atomic_file.open_replacement(tmp_path / "running.zip")
    with held, closing(Store(tmp_path / "journal.db")):
        left = {one.name for one in tmp_path.iterdir() if not one.name.startswith("journal.db")}
        assert left == {
            ".restore-running_",
            ".dugout-mine",
            ".running.zip.part",
            "before-update.zip",
            "evidence",
            "mine.part",
        }
        assert not {"journal.db.part", "journal.db.carved"} & {one.name for one in tmp_path.iterdir()}
    os.close(handle)
