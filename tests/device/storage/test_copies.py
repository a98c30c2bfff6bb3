"""Copies of the journal: made in turns, of what is whole, never in the way."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from device.storage import copies, hash_chain, repair
from device.storage.copies import Copier, Copies
from device.storage.store import Store
from engine.table import Table
from tests.device.process import Program
from tests.device.storage import recorded_writer
from tests.device.storage.test_repair import clock
from tests.device.stored_games import Clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db", clock)
    yield store
    store.close()


def play(store: Store, game: int, at: Table, answers: int, seed: int = 2) -> None:
    random = Random(seed)
    for _ in range(answers):
        recorded_writer.step(at, random)
        store.append(game, at, "phone")


def held(store: Store, end: str, game: int) -> int | None:
    """How many answers of a game a copy has; None when it has not even the game."""
    with closing(repair.reader(store.path.with_name(store.path.name + end))) as db:
        kept = hash_chain.chain([db], game)
    assert kept is None or kept.whole
    return None if kept is None else len(kept.rows)


def test_copies_are_made_in_turns(store: Store) -> None:
    """The older one is brought up to date, the other left alone."""
    at = recorded_writer.table()
    game = store.begin(at)
    found = []
    for _ in range(4):
        play(store, game, at, 3)
        assert store.copies.make()
        found.append(
            [held(store, end, game) for end in repair.COPIES if (store.path.with_name(store.path.name + end)).exists()]
        )
    assert [[3], [3, 6], [9, 6], [9, 12]] == found


def test_copies_take_turns_whatever_the_clock_says(store: Store) -> None:
    """It went back since one was made, and the table was started again: that one is not made again and again. One that
    was cut off while it was made is made again first."""
    at = recorded_writer.table()
    game = store.begin(at)
    first, second = (store.path.with_name(store.path.name + end) for end in repair.COPIES)
    found = []
    for n in range(4):
        play(store, game, at, 1, n)
        assert Copies(store.path).make()
        found.append([held(store, end, game) for end in repair.COPIES[: n + 1]])
        os.utime(first, (4e9, 4e9))
    assert [[1], [1, 2], [3, 2], [3, 4]] == found
    second.with_name(second.name + "-journal").touch()
    play(store, game, at, 1)
    assert Copies(store.path).make()
    assert (held(store, ".copy-1", game), held(store, ".copy-2", game)) == (3, 5)


def test_a_copy_is_due_after_answers_and_at_once_for_a_new_game(store: Store) -> None:
    """Ten answers, the end of a half-inning, a game begun, a new code; and not after each answer."""
    at = recorded_writer.table()
    game = store.begin(at)
    assert store.copies.due
    store.copies.make()
    play(store, game, at, 1)
    assert (store.copies.changed, store.copies.due) == (True, False)
    half = at.scoreboard().half
    for n in range(40):
        play(store, game, at, 1, n)
        if at.scoreboard().half != half:
            break
        assert store.copies.due == (n >= 8)
    assert store.copies.due
    store.copies.make()
    store.keep({"code": "1"})
    assert store.copies.due


def test_what_is_spoiled_in_the_journal_is_not_copied(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """The copy keeps what it has, and stays whole."""
    at = recorded_writer.table()
    game = store.begin(at)
    play(store, game, at, 12)
    store.copies.make()
    store._db.execute("update entry set body = replace(body, ':', ' :') where place = 4")
    play(store, game, at, 3)
    with caplog.at_level(logging.WARNING):
        store.copies.make()
        store.copies.make()
    assert "not as it was written" in caplog.text
    assert held(store, ".copy-1", game) == 12


def test_a_copy_that_is_spoiled_is_made_anew(store: Store) -> None:
    """At the next turn but one it is there again."""
    at = recorded_writer.table()
    game = store.begin(at)
    play(store, game, at, 5)
    for _ in range(2):
        store.copies.make()
    one = store.path.with_name("journal.db.copy-1")
    one.write_bytes(b"no copy" * 999)
    assert not store.copies.make()
    assert store.copies.make()
    assert held(store, ".copy-1", game) == 5


def test_a_copy_of_another_past_is_made_anew(store: Store) -> None:
    """A game that was begun otherwise under the same number does not mix with the one that is."""
    other = store.path.parent / "other"
    with closing(Store(other / "journal.db", clock)) as before:
        play(before, before.begin(recorded_writer.table()), recorded_writer.table(), 9, seed=8)
        before.copies.make()
    shutil.copy(other / "journal.db.copy-1", store.path.with_name("journal.db.copy-1"))
    at = recorded_writer.table()
    game = store.begin(at)
    play(store, game, at, 4)
    for _ in range(2):
        assert store.copies.make()
    assert (held(store, ".copy-1", game), held(store, ".copy-2", game)) == (4, 4)


def test_without_room_there_is_no_copy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal comes first on a disk that is almost full."""
    store.begin(recorded_writer.table())
    monkeypatch.setattr(copies, "ROOM", 1 << 62)
    assert not store.copies.make()
    assert not list(store.path.parent.glob("*.copy-*"))


def test_a_copy_keeps_nobody_waiting(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is being made, on another thread, answers are written."""
    at = recorded_writer.table()
    game = store.begin(at)
    begun, go = threading.Event(), threading.Event()
    real = copies._update

    def slow(source: sqlite3.Connection, copy: sqlite3.Connection) -> None:
        source.execute("select count(*) from game").fetchone()
        begun.set()
        assert go.wait(60)
        real(source, copy)

    monkeypatch.setattr(copies, "_update", slow)
    making = threading.Thread(target=store.copies.make)
    making.start()
    assert begun.wait(60)
    play(store, game, at, 5)
    go.set()
    making.join(60)
    assert held(store, ".copy-1", game) == 0
    assert store.copies.changed


def test_the_copier_waits_for_a_quiet_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It makes what is due once nobody answers, after some patience all the same, and both at the end."""
    time = Clock()
    made = list[float]()
    kept = Copies(tmp_path / "journal.db", time)

    class Looks:
        """A thread's event that lets half a second pass at each look; ends after six seconds."""

        def __init__(self) -> None:
            self.left = 12

        def wait(self, seconds: float) -> bool:
            time.now += seconds
            self.left -= 1
            if 4 < self.left:
                kept.note(now=True)
            return self.left < 0

        def set(self) -> None:
            pass

        def is_set(self) -> bool:
            return False

    monkeypatch.setattr(kept, "make", lambda: made.append(time.now) or setattr(kept, "_news", 0))  # type: ignore[func-returns-value]
    monkeypatch.setattr(threading, "Event", Looks)
    monkeypatch.setattr(threading.Thread, "start", threading.Thread.run)
    monkeypatch.setattr(threading.Thread, "join", lambda *_: None)
    monkeypatch.setattr(Copies, "quiet", property(lambda self: self._clock() - self._last >= 1))
    copier = Copier(kept)
    assert made == [103.0, 104.5]
    kept.note()
    copier.stop()
    assert len(made) == 4


def test_a_table_that_ends_leaves_both_copies_whole(tmp_path: Path) -> None:
    """The real program brings them up to date as it is told to end."""
    with Program(tmp_path) as program:
        program.post("answer", seat="away", n=0, value="blue")
        assert program.end() == 0
    for end in repair.COPIES:
        with closing(repair.reader(tmp_path / f"journal.db{end}")) as db:
            kept = hash_chain.chain([db], 1)
            assert kept is not None
            assert (len(kept.rows), kept.whole) == (1, True)
            assert hash_chain.remembered(db)[0].keys() >= {"code", "key"}
