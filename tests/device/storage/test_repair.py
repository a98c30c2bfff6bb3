"""A damaged journal: whatever a card did to it, the table opens, says so, and shows no score that never was."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from device.storage import database, hash_chain
from device.storage.store import Store
from device.table.session import Session
from engine.journal import Entry
from engine.table import Table
from engine.views import plain
from tests.device.storage import recorded_writer
from tests.device.storage.power_cuts import SWIFT

Damage = tuple[str, str, int, int]
"""Which file, what happens to it, where and over what length, in millionths of its size."""


def clock() -> datetime:
    return datetime(2026, 4, 1, 19, 5, tzinfo=UTC)


class Kept:
    """Two games in a journal, and in its copy, as a killed process leaves them; the second has 36 answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "kept"
        live = Store(folder / "live" / "journal.db", clock)
        live.remember("key", lambda: "k")
        random, self.real = Random(4), dict[int, list[Entry]]()
        for game, answers in ((1, 15), (2, 36)):
            at = recorded_writer.table()
            assert live.begin(at) == game
            for n in range(answers):
                recorded_writer.step(at, random)
                live.append(game, at, "phone")
                if game == 2 and n == 24:
                    for db in (live._db, live.copy._db):
                        assert db is not None
                        db.execute("pragma wal_checkpoint (truncate)")
            self.real[game] = list(at.journal)
        shutil.copytree(folder / "live", self.folder)
        live.close()
        for name in ("journal.db-wal", "journal.db.copy-wal"):
            assert (self.folder / name).stat().st_size > 40_000


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(tmp_path_factory.mktemp("repair"))


def spoil(data: bytes, how: str, where: int, length: int) -> bytes:
    start = where * len(data) // 1_000_000
    size = 1 + length * len(data) // 1_000_000
    match how:
        case "flip":
            return data[:start] + bytes([data[start] ^ (1 << length % 8)]) + data[start + 1 :] if data else data
        case "zero":
            return data[:start] + bytes(len(data[start : start + size])) + data[start + size :]
        case "noise":
            noise = Random(length).randbytes(len(data[start : start + size]))
            return data[:start] + noise + data[start + size :]
        case "torn":
            spoilt = bytearray(data)
            for at in range(start // 512 * 512, min(start + size, len(data)), 1024):
                spoilt[at : at + 512] = bytes(len(spoilt[at : at + 512]))
            return bytes(spoilt)
        case "page":
            page = data[where * (len(data) // 4096) // 1_000_000 * 4096 :][:4096]
            at = length * (len(data) // 4096) // 1_000_000 * 4096
            return data[:at] + page + data[at + 4096 :]
        case _:
            return data[:start]


def opened(kept: Kept, damages: list[Damage], folder: Path) -> tuple[Store, int, Table | None]:
    """Damage the journal and open it; return the store, the number of the game on the table, and its table."""
    shutil.copytree(kept.folder, folder, dirs_exist_ok=True)
    for name, how, where, length in damages:
        path = folder / f"journal.db{name}"
        path.write_bytes(spoil(path.read_bytes(), how, where, length))
    found = Store(folder / "journal.db", clock)
    saved = found.latest()
    return found, saved.id if saved else 0, saved.table if saved else None


places = st.integers(0, 999_999)
damages = st.lists(
    st.tuples(
        st.sampled_from(["", "", "-wal", "-wal", ".copy", ".copy-wal"]),
        st.sampled_from(["flip", "zero", "noise", "torn", "page", "cut"]),
        places,
        st.one_of(st.integers(0, 3000), places),
    ),
    min_size=1,
    max_size=3,
)


@pytest.mark.slow
@given(damages)
@example([("", "zero", 0, 999_999)])
@example([("", "cut", 0, 0)])
@example([("-wal", "flip", 10, 3)])
@example([("-wal", "cut", 950_000, 0)])
@example([("", "flip", 0, 0), ("-wal", "torn", 0, 0)])
@example([("", "flip", 0, 0), (".copy", "flip", 0, 0)])
@example([("", "zero", 0, 999_999), ("-wal", "cut", 0, 0)])
@example([(".copy", "zero", 0, 999_999), (".copy-wal", "flip", 10, 3)])
@example([("-wal", "flip", 500_000, 3)])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_damage(kept: Kept, damages: list[Damage]) -> None:
    """Nothing raises, and play goes on with the real game as far as it goes; a sentence says if any may be missing.

    If either the journal or its copy is intact, nothing is."""
    with TemporaryDirectory(dir=SWIFT) as name:
        found, game, at = opened(kept, damages, Path(name))
        real = kept.real[2]
        try:
            if at is not None:
                assert at.journal == kept.real[game][: len(at.journal)]
            if found.trouble is None or "as it stood" in found.trouble:
                assert game == 2
                assert at is not None
                assert at.journal == real
            spoilt = {one[0] for one in damages}
            if not spoilt & {"", "-wal"} or not spoilt & {".copy", ".copy-wal"}:
                assert at is not None
                assert (game, at.journal) == (2, real)
            if not spoilt & {"", "-wal"}:
                assert found.trouble is None
            if at is None or at.outcome:
                at = recorded_writer.table()
                game = found.begin(at)
            recorded_writer.step(at, Random(1))
            found.append(game, at, "phone")
        finally:
            found.close()
        again = Store(Path(name) / "journal.db", clock)
        saved = again.latest()
        again.close()
        assert again.trouble is None
        assert saved is not None
        assert saved.table is not None
        assert saved.table.journal == at.journal


def cut_copy(folder: Path) -> None:
    """Delete the last six answers from the copy: it could not be written then."""
    with closing(sqlite3.connect(folder / "journal.db.copy")) as db, db:
        db.execute("delete from entry where game = 2 and place >= 30")


def test_damage_is_reported_and_kept(kept: Kept, tmp_path: Path) -> None:
    """A changed answer: the sentence names the damaged file, which is kept, and nothing of the game is lost.

    The copy has that answer, and the file those after the copy's last."""
    shutil.copytree(kept.folder, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "journal.db"
    cut_copy(tmp_path)
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("update entry set body = replace(body, 'seat', 'seed') where game = 2 and place = 3")
    damaged = file.read_bytes()
    found = Store(file, clock)
    saved = found.latest()
    found.close()
    assert saved is not None
    assert saved.table is not None
    assert saved.table.journal == kept.real[2]
    aside = tmp_path / "journal.db.damaged-20260401-190500"
    assert found.trouble == (
        "The journal was damaged and has been repaired. The game goes on as it stood. "
        f"The old file is kept as {aside.name}."
    )
    assert aside.read_bytes() == damaged
    with closing(Store(tmp_path / "other.db", clock)) as empty:
        empty.trouble = found.trouble
        view = Session(empty, recorded_writer.table).view(None)
    assert found.trouble in plain(view)["missing"]


def test_a_missing_end_is_reported(kept: Kept, tmp_path: Path) -> None:
    """Where neither the file nor the copy has the last answers, the sentence says that some may be missing."""
    shutil.copytree(kept.folder, tmp_path, dirs_exist_ok=True)
    cut_copy(tmp_path)
    (tmp_path / "journal.db").write_bytes(b"\0" * 100_000)
    (tmp_path / "journal.db-wal").unlink()
    found = Store(tmp_path / "journal.db", clock)
    saved = found.latest()
    found.close()
    assert saved is not None
    assert saved.table is not None
    assert saved.table.journal == kept.real[2][:30]
    assert found.trouble is not None
    assert "The last answers may be missing: check where the game stands." in found.trouble


def test_answers_in_a_wal_that_sqlite_passes_over_are_not_lost(kept: Kept, tmp_path: Path) -> None:
    """One wrong bit in the WAL's first page hides all answers behind it from SQLite; the copy has them."""
    shutil.copytree(kept.folder, tmp_path, dirs_exist_ok=True)
    wal = tmp_path / "journal.db-wal"
    data = bytearray(wal.read_bytes())
    data[10] ^= 1
    wal.write_bytes(data)
    found = Store(tmp_path / "journal.db", clock)
    saved = found.latest()
    found.close()
    assert found.trouble is not None
    assert saved is not None
    assert saved.table is not None
    assert saved.table.journal == kept.real[2]
    assert (tmp_path / "journal.db.damaged-20260401-190500-wal").read_bytes() == data


@pytest.mark.parametrize("files", ["db wal", "db", "wal", ""])
def test_an_interrupted_repair_is_finished(kept: Kept, tmp_path: Path, files: str) -> None:
    """The repaired file is there already, and any of the damaged ones may have been set aside."""
    shutil.copytree(kept.folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "journal.db"
    copy = path.with_name("journal.db.copy")
    with closing(sqlite3.connect(copy)) as db:
        db.execute("pragma wal_checkpoint (truncate)")
    copy.rename(path.with_name("journal.db.mended"))
    if "db" not in files:
        path.rename(path.with_name("journal.db.damaged-20260401-190500"))
    if "wal" not in files:
        path.with_name("journal.db-wal").rename(path.with_name("journal.db.damaged-20260401-190500-wal"))
    found = Store(path, clock)
    saved = found.latest()
    found.close()
    assert found.trouble is not None
    assert "damaged and has been repaired" in found.trouble
    assert saved is not None
    assert saved.table is not None
    assert saved.table.journal == kept.real[2]
    assert not path.with_name("journal.db.mended").exists()


def test_a_cut_while_it_is_put_in_place(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The power goes at each rename: the next start repairs, and has every answer."""
    names: list[Callable[[], object]] = []
    real = Path.rename
    for stop in range(4):
        folder = tmp_path / str(stop)
        shutil.copytree(kept.folder, folder)
        (folder / "journal.db").write_bytes(b"\0" * 100_000)
        names.clear()

        def rename(self: Path, target: Path, stop: int = stop) -> Path:
            if len(names) == stop:
                raise KeyboardInterrupt
            names.append(lambda: None)
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", rename)
            try:
                Store(folder / "journal.db", clock).close()
            except KeyboardInterrupt:
                pass
            else:
                break
        with closing(Store(folder / "journal.db", clock)) as found:
            saved = found.latest()
        assert found.trouble is not None
        assert saved is not None
        assert saved.table is not None
        assert saved.table.journal == kept.real[2]
    assert stop == 3


def test_a_few_damaged_files_are_kept(tmp_path: Path) -> None:
    """The newest three, so that a failing card does not fill up with them."""
    path = tmp_path / "journal.db"
    for n in range(6):
        path.write_bytes(b"nothing" * (100 + n))
        Store(path, clock).close()
    sizes = sorted(one.stat().st_size for one in tmp_path.glob("*.damaged-*"))
    assert [7 * n for n in (103, 104, 105)] == sizes


def test_the_file_just_put_aside_is_kept_whatever_the_clock_says(tmp_path: Path) -> None:
    """The clock went back since the others: the file that the sentence names is there."""
    for n in range(3):
        (old := tmp_path / f"journal.db.damaged-2026112{n}-200000").write_bytes(b"old")
        os.utime(old, (4e9 + n, 4e9 + n))
    path = tmp_path / "journal.db"
    path.write_bytes(b"nothing" * 100)
    with closing(Store(path, clock)) as store:
        assert store.trouble is not None
        assert store.trouble.endswith("The old file is kept as journal.db.damaged-20260401-190500.")
    kept = sorted(one.name.removeprefix("journal.db.damaged-") for one in tmp_path.glob("*.damaged-*"))
    assert kept == ["20260401-190500", "20261121-200000", "20261122-200000"]


def test_a_journal_that_is_gone_comes_from_its_copy(kept: Kept, tmp_path: Path) -> None:
    """A file that the card lost, name and all, is there again; and the table says so."""
    shutil.copytree(kept.folder, tmp_path, dirs_exist_ok=True)
    for name in ("journal.db", "journal.db-wal"):
        (tmp_path / name).unlink()
    with closing(Store(tmp_path / "journal.db", clock)) as found:
        saved = found.latest()
        assert found.remember("key", lambda: "another") == "k"
    assert found.trouble
    assert saved is not None
    assert saved.table is not None
    assert saved.table.journal == kept.real[2]


def test_a_failing_read_is_damage_and_a_full_disk_is_not() -> None:
    """SQLite's error code decides whether the file is set aside."""
    found = {}
    for code in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_IOERR_READ,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_BUSY,
    ):
        error = sqlite3.DatabaseError("x")
        error.sqlite_errorcode = code
        found[code] = database.damaged(error)
    assert list(found.values()) == [True, True, True, False, False, False]


def test_a_journal_of_an_older_dugout_gets_checksums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has none: it is read as it is, and has them from then on."""
    path = tmp_path / "journal.db"
    with closing(Store(path, clock)) as before:
        at = recorded_writer.table()
        game = before.begin(at)
        for n in range(5):
            recorded_writer.step(at, Random(n))
            before.append(game, at, "phone")
        before.remember("key", lambda: "k")
    with closing(sqlite3.connect(path)) as db, db:
        for name in ("meta", "game", "entry"):
            db.execute(f"alter table {name} drop column seal")
    for _ in range(2):
        with closing(Store(path, clock)) as found:
            saved = found.latest()
            assert found.remember("key", lambda: "another") == "k"
        assert found.trouble is None
        assert saved is not None
        assert saved.table is not None
        assert saved.table.journal == at.journal
    with closing(database.read_only(path)) as db:
        assert hash_chain.chain([db], game) is not None
