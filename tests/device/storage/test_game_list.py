"""Games are put aside, taken up again and named, through restarts, damage, copies and backups."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from device.storage import backup, backup_restore, database, game_list, hash_chain
from device.storage.store import Store
from engine.errors import IllegalAnswer, StaleAnswer
from engine.table import Table
from tests.device import stored_games
from tests.device.storage.recorded_writer import play, step, table


def clock() -> datetime:
    """A Pi without a network: it is always 1970."""
    return datetime(1970, 1, 1, tzinfo=UTC)


class JournalFile:
    """A journal that is opened and closed."""

    def __init__(self, folder: Path) -> None:
        self.path, self._open = folder / "journal.db", list[Store]()

    def open(self) -> Store:
        self._open = [Store(self.path, clock)]
        return self._open[0]

    def close(self) -> None:
        while self._open:
            self._open.pop().close()

    def delete_copy(self) -> None:
        for one in self.path.parent.glob("journal.db.copy*"):
            one.unlink()

    def reopen(self) -> Store:
        """Close and open the journal, as a restart does."""
        self.close()
        found = self.open()
        assert found.trouble is None
        return found


@pytest.fixture
def file(tmp_path: Path) -> Iterator[JournalFile]:
    file = JournalFile(tmp_path)
    yield file
    file.close()


@pytest.fixture
def store(file: JournalFile) -> Store:
    return file.open()


def played(store: Store, answers: int = 5) -> int:
    """Play a game with this many answers, on the table; return its number."""
    at = table()
    game = store.begin_game(at)
    play(store, game, at, answers)
    return game


def loaded(store: Store, game: int) -> Table:
    """Restore a game that was put aside."""
    saved = store.load_game(game)
    assert saved is not None
    assert saved.table is not None, saved.trouble
    return saved.table


def taken(store: Store, game: int) -> Table:
    at = loaded(store, game)
    store.resume_game(game, at)
    return at


def latest(store: Store) -> tuple[int, int]:
    """The number of the game on the table, and of its entries."""
    return game_list.current_game(store._db)[1], len(stored_games.latest(store).journal)


def order(store: Store) -> list[int]:
    """The games, the one on the table first."""
    return [game for _, game in game_list.games_by_turn(store._db)]


def names(path: Path) -> dict[int, str]:
    """What the games in a file are called."""
    with closing(database.open_read_only(path)) as db:
        return {game: row.name for game, row in game_list.read_rows(db)[0].items() if row.name}


def test_a_game_taken_up_again_is_the_one_that_continues(file: JournalFile, store: Store) -> None:
    """After a restart too, and until another is begun or taken up; the others lose nothing."""
    first, second, third = (played(store, answers) for answers in (4, 5, 6))
    at = taken(store, first)
    assert (first, 4) == latest(store)
    store = file.reopen()
    assert (first, 4) == latest(store)
    play(store, first, at, 3)
    store = file.reopen()
    assert (first, 7) == latest(store)
    taken(store, second)
    fourth = played(store, 1)
    assert (fourth, 1) == latest(file.reopen())
    store = file.reopen()
    assert [fourth, second, first, third] == order(store)
    assert [7, 5, 6] == [len(loaded(store, game).journal) for game in (first, second, third)]


def test_a_game_that_went_on_since_it_was_read_is_not_taken_up(store: Store) -> None:
    """Somebody else took it up, answered, and put it aside again."""
    first, _ = played(store), played(store)
    before = loaded(store, first)
    play(store, first, taken(store, first))
    second = played(store)
    with pytest.raises(StaleAnswer, match="has moved on"):
        store.resume_game(first, before)
    assert (second, 5) == latest(store)
    assert store.load_game(99) is None
    with pytest.raises(StaleAnswer):
        store.resume_game(99, before)


def test_an_old_game_that_is_not_as_it_was_written_is_not_taken_up(store: Store) -> None:
    """The error says so; the game on the table goes on."""
    first, second = played(store), played(store)
    store._db.execute("update entry set source = 'x' where game = ? and place = 2", (first,))
    saved = store.load_game(first)
    assert saved is not None
    assert saved.table is None
    assert "are not as they were written" in str(saved.trouble)
    assert (second, 5) == latest(store)


def test_names_are_kept(file: JournalFile, store: Store, tmp_path: Path) -> None:
    """Of any game, on the table or not, in copies and backups too, and can be taken away again."""
    first, second = played(store), played(store)
    assert store.rename_game(first, "  Autumn league ")
    assert store.rename_game(second, "Nobody's")
    assert store.rename_game(second, "")
    store = file.reopen()
    assert {first: "Autumn league"} == names(store.path)
    assert {first: "Autumn league"} == names(store.path.with_name("journal.db.copy"))
    taken(store, first)
    assert not store.rename_game(99, "No game")
    with (tmp_path / "b.zip").open("w+b") as packed:
        backup.write_backup(packed, tmp_path, None)
        file.close()
        backup_restore.restore_backup(packed, tmp_path / "fresh", None)
    found = Store(tmp_path / "fresh" / "journal.db", clock)
    assert ({first: "Autumn league"}, (first, 5), None) == (names(found.path), latest(found), found.trouble)
    found.close()


@pytest.mark.parametrize("name", ["x" * 41, "two\nlines", "a\tb", "\u2800", "\u200d"])
def test_what_can_be_no_name_is_refused(store: Store, name: str) -> None:
    """The error says why; nothing changes."""
    game = played(store)
    store.rename_game(game, "Before")
    with pytest.raises(IllegalAnswer, match=r"The name (needs|can have)"):
        store.rename_game(game, name)
    assert "Before" == game_list.read_rows(store._db)[0][game].name


def test_a_game_taken_up_is_in_the_copies(store: Store) -> None:
    """What was answered in it since, though younger games were copied before."""
    first, _ = played(store), played(store)
    store.update_copy()
    play(store, first, taken(store, first), 3)
    store.update_copy()
    with closing(database.open_read_only(store.path.with_name("journal.db.copy"))) as copy:
        assert (8,) == copy.execute("select count(*) from entry where game = ?", (first,)).fetchone()
        assert game_list.current_game(store._db) == game_list.current_game(copy)


def test_a_lost_journal_comes_back_with_names_and_the_game_on_the_table(file: JournalFile, store: Store) -> None:
    """From its copy."""
    first, _ = played(store), played(store)
    store.rename_game(first, "Autumn league")
    taken(store, first)
    file.close()
    for end in ("", "-wal", "-shm"):
        store.path.with_name(store.path.name + end).unlink(missing_ok=True)
    found = file.open()
    assert "continues where it was" in str(found.trouble)
    assert ({first: "Autumn league"}, (first, 5)) == (names(store.path), latest(found))


@pytest.mark.parametrize("change", ["name = 'Winter'", "turn = 1", "rev = rev + 5"])
def test_a_damaged_row_comes_from_a_copy(file: JournalFile, store: Store, change: str) -> None:
    """Checksums cover which game is on the table, and the names."""
    first, second = played(store), played(store)
    store.rename_game(first, "Autumn league")
    taken(store, first)
    taken(store, second)
    file.close()
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute(f"update turn set {change}")
    found = file.open()
    assert "has been repaired" in str(found.trouble)
    assert ({first: "Autumn league"}, (second, 5)) == (names(store.path), latest(found))


@pytest.mark.parametrize("guard", ["copy", "note"])
def test_an_older_journal_in_the_place_of_this_one_is_noticed(file: JournalFile, store: Store, guard: str) -> None:
    """By a copy with a later game on the table, which repairs it; else by the note beside the journal, and then the
    sentence says that something may be missing."""
    first, second = played(store), played(store)
    rows = store._db.execute("select * from turn").fetchall()
    taken(store, first)
    file.close()
    if guard == "copy":
        file.path.with_name("journal.db.lock").unlink()
    else:
        file.delete_copy()
    with closing(sqlite3.connect(file.path)) as db, db:
        db.execute("delete from turn")
        db.executemany("insert into turn values (?, ?, ?, ?, ?, ?)", rows)
    found = file.open()
    assert ("check the score and the bases" in str(found.trouble), latest(found)) == (
        True,
        (first if guard == "copy" else second, 5),
    )


def test_a_journal_of_an_older_dugout_has_its_games_in_order(file: JournalFile, store: Store) -> None:
    """It has no turns: the last game begun is on the table, and any can be taken up."""
    first, second = played(store, 3), played(store, 5)
    store._db.execute("drop table turn")
    _, head = store._game_end(second)
    file.close()
    file.delete_copy()
    note = json.dumps([second, 5, head, hash_chain.checksum("end", second, 5, head)])
    file.path.with_name("journal.db.lock").write_text(note.ljust(120))
    store = file.reopen()
    assert (second, 5) == latest(store)
    taken(store, first)
    assert (first, 3) == latest(file.reopen())


def over(store: Store) -> int:
    """A game that was played to its end, on the table."""
    at, random = table(), Random(3)
    while not at.outcome:
        step(at, random)
    return store.begin_game(at)


def test_games_that_are_over_go_before_those_put_aside(tmp_path: Path) -> None:
    """However long ago. No copy brings them back, and no other game gets their numbers."""
    store = Store(tmp_path / "journal.db", clock)
    first = played(store, 9)
    store.rename_game(first, "Season")
    ended = [over(store) for _ in range(3)]
    last = played(store, 9)
    taken(store, ended[2])
    fresh, budget, gone = played(store, 2), 4096 * 100, list[int]()
    while left := [game for game in order(store) if game in ended]:
        gone += [game for game in ended if game not in (*left, *gone)]
        budget -= 4096
        store._budget.limit = budget
        with store._transaction():
            store._budget.enforce(store._db, fresh)
    kept = order(store)
    assert ([fresh, last, first], ended[:2]) == (kept, gone)
    assert fresh == max([first, last, *ended]) + 1
    store.close()
    store.path.unlink()
    found = Store(store.path, clock, store._budget.limit)
    assert kept == order(found)
    found.close()


def test_a_number_that_went_is_not_given_again(tmp_path: Path) -> None:
    """The youngest game may go before an older one that was taken up: pictures go by numbers."""
    store = Store(tmp_path / "journal.db", clock)
    first, young = played(store, 2), played(store, 2)
    at = taken(store, first)
    store._budget.limit = 1
    for _ in range(64):
        play(store, first, at)
    assert [first] == order(store)
    assert young + 1 == store.begin_game(table())
    store.close()


def test_a_damaged_name_without_a_copy_is_removed(file: JournalFile, store: Store) -> None:
    """It is not shown as if somebody had typed it."""
    first, second = played(store), played(store)
    store.rename_game(first, "Autumn league")
    file.close()
    file.delete_copy()
    with closing(sqlite3.connect(file.path)) as db, db:
        db.execute("update turn set name = 'Winter' where game = ?", (first,))
    assert "has been repaired" in str((found := file.open()).trouble)
    assert ({}, (second, 5)) == (names(file.path), latest(found))
