"""A damaged journal: whatever a card did to it, the table opens, says so, and shows no score that never was."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from device.storage import database, game_check, hash_chain
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import JournalEntry
from engine.table import Table
from engine.views import json_data
from tests.device.storage import recorded_writer
from tests.device.storage.power_cuts import SWIFT
from tests.device.stored_games import latest

Damage = tuple[str, str, int, int]
"""Which file, what happens to it, where and over what length, in millionths of its size."""


def clock() -> datetime:
    return datetime(2026, 4, 1, 19, 5, tzinfo=UTC)


class Kept:
    """Two games in a journal, and in its copy, as a killed process leaves them; the second has 36 answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "kept"
        live = Store(folder / "live" / "journal.db", clock)
        live.get_or_create_value("key", lambda: "k")
        random, self.real = Random(4), dict[int, list[JournalEntry]]()
        for game, answers in ((1, 15), (2, 36)):
            at = recorded_writer.table()
            assert live.begin_game(at) == game
            for n in range(answers):
                recorded_writer.step(at, random)
                live.append(game, at, "phone")
                live.update_copy()
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


@pytest.fixture
def file(kept: Kept, tmp_path: Path) -> Path:
    """The journal of a killed process, with its copy."""
    shutil.copytree(kept.folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "journal.db"


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
    saved = found.current_game()
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
            if found.trouble is None or "continues where it was" in found.trouble:
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
                game = found.begin_game(at)
            recorded_writer.step(at, Random(1))
            found.append(game, at, "phone")
        finally:
            found.close()
        assert reopened(Path(name) / "journal.db") == (at.journal, "")


def reopened(file: Path) -> tuple[list[JournalEntry], str]:
    """Open a journal; return the game on the table, and the sentence about a repair."""
    with closing(Store(file, clock)) as found:
        return latest(found).journal, found.trouble or ""


def cut_copy(file: Path) -> None:
    """Delete the last six answers from the copy: it could not be written then."""
    with closing(sqlite3.connect(f"{file}.copy")) as db, db:
        db.execute("delete from entry where game = 2 and place >= 30")


def test_damage_is_reported_and_kept(kept: Kept, file: Path) -> None:
    """A changed answer: the sentence names the damaged file, which is kept, and nothing of the game is lost.

    The copy has that answer, and the file those after the copy's last."""
    cut_copy(file)
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("update entry set body = replace(body, 'seat', 'seed') where game = 2 and place = 3")
    damaged = file.read_bytes()
    journal, trouble = reopened(file)
    assert journal == kept.real[2]
    assert trouble == (
        "The journal was damaged and has been repaired. The game continues where it was. "
        "The old file is kept as journal.db.damaged-20260401-190500."
    )
    assert Path(f"{file}.damaged-20260401-190500").read_bytes() == damaged
    with closing(Store(file.with_name("other.db"), clock)) as empty:
        empty.trouble = trouble
        view = GameSession(empty, recorded_writer.table).game.view_for(None)
    assert trouble in json_data(view)["missing"]


def test_answers_in_a_wal_that_sqlite_passes_over_are_not_lost(kept: Kept, file: Path) -> None:
    """One wrong bit in the WAL's first page hides all answers behind it from SQLite; the copy has them."""
    wal = Path(f"{file}-wal")
    data = bytearray(wal.read_bytes())
    data[10] ^= 1
    wal.write_bytes(data)
    journal, trouble = reopened(file)
    assert (journal, bool(trouble)) == (kept.real[2], True)
    assert Path(f"{file}.damaged-20260401-190500-wal").read_bytes() == data


@pytest.mark.parametrize("files", ["db wal", "db", "wal", ""])
def test_an_interrupted_repair_is_finished(kept: Kept, file: Path, files: str) -> None:
    """The repaired file is there already, and any of the damaged ones may have been set aside."""
    with closing(sqlite3.connect(f"{file}.copy")) as db:
        db.execute("pragma wal_checkpoint (truncate)")
    mended = Path(f"{file}.copy").rename(f"{file}.mended")
    if "db" not in files:
        file.rename(f"{file}.damaged-20260401-190500")
    if "wal" not in files:
        Path(f"{file}-wal").rename(f"{file}.damaged-20260401-190500-wal")
    journal, trouble = reopened(file)
    assert "damaged and has been repaired" in trouble
    assert (journal, mended.exists()) == (kept.real[2], False)


def test_a_cut_while_it_is_put_in_place(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The power goes at each rename: the next start repairs, and has every answer."""
    real = Path.rename
    for stop in range(4):
        file, left = tmp_path / str(stop) / "journal.db", iter(range(stop))
        shutil.copytree(kept.folder, file.parent)
        file.write_bytes(b"\0" * 100_000)

        def rename(self: Path, target: Path, left: Iterator[int] = left) -> Path:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", rename)
            try:
                Store(file, clock).close()
            except KeyboardInterrupt:
                pass
            else:
                break
        journal, trouble = reopened(file)
        assert (journal, bool(trouble)) == (kept.real[2], True)
    assert stop == 3


def test_a_few_damaged_files_are_kept(tmp_path: Path) -> None:
    """The newest three, so that a failing card does not fill up with them; and the one that the sentence names, though
    the clock went back since the others."""
    path = tmp_path / "journal.db"
    for n in range(6):
        path.write_bytes(b"nothing" * (100 + n))
        Store(path, clock).close()
    old = sorted(tmp_path.glob("*.damaged-*"), key=lambda one: one.stat().st_size)
    assert [7 * n for n in (103, 104, 105)] == [one.stat().st_size for one in old]
    for n, one in enumerate(old):
        os.utime(one.rename(f"{path}.damaged-2026112{n}-200000"), (4e9 + n, 4e9 + n))
    path.write_bytes(b"nothing" * 100)
    with closing(Store(path, clock)) as store:
        assert str(store.trouble).endswith("The old file is kept as journal.db.damaged-20260401-190500.")
    kept = sorted(one.name.removeprefix("journal.db.damaged-") for one in tmp_path.glob("*.damaged-*"))
    assert kept == ["20260401-190500", "20261121-200000", "20261122-200000"]


def test_a_damaged_value_comes_from_the_copy(kept: Kept, file: Path) -> None:
    """A game whose cards are damaged in both files stays damaged; the others are whole."""
    for name in (file, f"{file}.copy"):
        with closing(sqlite3.connect(name)) as db, db:
            db.execute("update game set decks = decks || ' ' where id = 1")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("update meta set value = 'x'")
    journal, trouble = reopened(file)
    assert (journal, "continues where it was" in trouble) == (kept.real[2], True)
    assert ["k"] == database.stored_values(file, "key")
    with closing(database.open_read_only(file)) as db:
        assert [1, 2] == hash_chain.game_numbers([db])
        assert [1] == [one.id for one in game_check.damaged_games(db)]


@pytest.mark.parametrize("damage", [sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR_READ])
@pytest.mark.parametrize("other", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_BUSY])
def test_a_failing_read_is_damage_and_a_full_disk_is_not(damage: int, other: int) -> None:
    """SQLite's error code decides whether the file is set aside."""
    error = sqlite3.DatabaseError("x")
    for error.sqlite_errorcode, found in ((damage, True), (other, False)):
        assert database.is_damage_error(error) == found


def test_a_journal_of_an_older_dugout_gets_checksums(tmp_path: Path) -> None:
    """It has none: it is read as it is, and has them from then on."""
    path, at = tmp_path / "journal.db", recorded_writer.table()
    with closing(Store(path, clock)) as before:
        game = before.begin_game(at)
        recorded_writer.play(before, game, at, 5)
        before.get_or_create_value("key", lambda: "k")
    with closing(sqlite3.connect(path)) as db, db:
        for name in ("meta", "game", "entry"):
            db.execute(f"alter table {name} drop column seal")
    for _ in range(2):
        assert reopened(path) == (at.journal, "")
    with closing(database.open_read_only(path)) as db:
        assert hash_chain.longest_chain([db], game) is not None
        assert hash_chain.trusted_values(db) == ({"key": "k"}, True)
