"""The copy of the journal: soon up to date, only of what is whole, never in the way."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from device.app import App
from device.inputs import random_player
from device.settings import parse_settings
from device.storage import database, game_list, hash_chain, journal_copy
from device.storage.store import Store
from engine.journal import Source
from engine.table import Table
from tests.device.process import SETTINGS
from tests.device.storage.recorded_writer import play, table
from tests.device.storage.test_repair import clock
from tests.device.stored_games import latest


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db", clock)
    yield store
    store.close()


def copy_of(store: Store) -> Path:
    return store.path.with_name("journal.db.copy")


def copied(store: Store, game: int) -> int | None:
    """How many answers of a game the copy has; None when it has not even the game."""
    with closing(database.open_read_only(copy_of(store))) as db:
        chain = hash_chain.longest_chain([db], game)
    assert chain is None or chain.whole
    return None if chain is None else len(chain.rows)


def rows(db: sqlite3.Connection) -> dict[str, list[object]]:
    """All that a file holds."""
    return {
        table: db.execute(f"select * from {table} order by 1, 2").fetchall()
        for table in ("meta", "game", "entry", "turn")
    }


def play_copied(store: Store, game: int, at: Table, answers: int) -> None:
    """Give this many answers, with time for the copy after each."""
    for n in range(answers):
        play(store, game, at, 1, n)
        store.update_copy()


def test_the_copy_catches_up_with_each_change(store: Store) -> None:
    """A game begun, an answer, a name, a value, a game taken up again."""
    with closing(sqlite3.connect(copy_of(store))) as copy:

        def same() -> None:
            store.update_copy()
            assert rows(copy) == rows(store._db)

        same()
        first, at = store.begin_game(table()), table()
        same()
        for n in range(3):
            play(store, first, at, 1, n)
            same()
        store.begin_game(table())
        same()
        store.rename_game(first, "Autumn league")
        same()
        store.get_or_create_value("key", lambda: "k")
        store.save_values({"code": "1", "lit": "2"})
        same()
        store.resume_game(first, at)
        same()
        play(store, first, at, 1)
        same()


def test_the_copy_catches_up_with_many_changes(store: Store) -> None:
    """Of several games, names and values, made before it was written once."""
    first, at = store.begin_game(table()), table()
    play_copied(store, first, at, 2)
    play(store, first, at, 3)
    second, other = store.begin_game(table()), table()
    play(store, second, other, 4)
    store.rename_game(first, "Autumn league")
    store.resume_game(first, at)
    store.save_values({"code": "1"})
    play(store, first, at, 2)
    assert copied(store, first) == 2
    store.update_copy()
    with closing(sqlite3.connect(copy_of(store))) as copy:
        assert rows(copy) == rows(store._db)
    assert (copied(store, first), copied(store, second)) == (7, 4)


def test_closing_writes_the_copy(tmp_path: Path) -> None:
    """What was new since it was written last is in it, and a copy that cannot be written does not keep the store."""
    for broken in (False, True):
        path, at = tmp_path / str(broken) / "journal.db", table()
        store = Store(path, clock)
        game = store.begin_game(at)
        store.update_copy()
        play(store, game, at, 5)
        assert copied(store, game) == 0
        if broken:
            assert store.copy._db is not None
            store.copy._db.execute("drop table entry")
        store.close()
        if not broken:
            assert copied(store, game) == 5
        with closing(Store(path, clock)) as found:
            assert (found.trouble, latest(found).journal, copied(found, game)) == (None, at.journal, 5)


def test_answers_that_the_copy_lacks_may_be_lost_with_the_journal(tmp_path: Path) -> None:
    """A process killed before the copy caught up, and then a journal that is spoilt: the rest is there, and the table
    says that the last answers may be missing."""
    store, at = Store(tmp_path / "live" / "journal.db", clock), table()
    game = store.begin_game(at)
    play_copied(store, game, at, 9)
    play(store, game, at, 2)
    killed = shutil.copytree(tmp_path / "live", tmp_path / "killed") / "journal.db"
    store.close()
    for name in ("", "-wal"):
        file = Path(f"{killed}{name}")
        file.write_bytes(bytes(file.stat().st_size))
    with closing(Store(killed, clock)) as found:
        assert found.trouble is not None
        assert "The last answers may be missing" in found.trouble
        assert latest(found).journal == at.journal[:9]


def test_what_the_copy_lacks_is_copied_at_the_next_start(tmp_path: Path) -> None:
    """After a power cut its last changes may be gone: answers, games, names, values."""
    store = Store(tmp_path / "journal.db", clock)
    first, at = store.begin_game(table()), table()
    play(store, first, at, 5)
    old = tmp_path / "old"
    store.close()
    shutil.copy(copy_of(store), old)
    store = Store(store.path, clock)
    play(store, first, at, 5)
    second = store.begin_game(table())
    store.begin_game(table())
    store.rename_game(second, "Autumn league")
    store.save_values({"code": "1"})
    store.resume_game(first, at)
    store.close()
    shutil.copy(old, copy_of(store))
    with closing(Store(store.path, clock)) as found, closing(sqlite3.connect(copy_of(store))) as copy:
        assert found.trouble is None
        assert rows(copy) == rows(found._db)


def test_damage_in_the_journal_is_not_copied(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The copy keeps what it has, goes on, and stays whole; without a copy, a damaged game is not copied."""
    store, at = Store(tmp_path / "journal.db", clock), table()
    game = store.begin_game(at)
    play_copied(store, game, at, 12)
    spoil = "update entry set body = replace(body, ':', ' :') where place = 4"
    store._db.execute(spoil)
    play_copied(store, game, at, 3)
    assert copied(store, game) == 15
    store.begin_game(table())
    store.close()
    copy_of(store).unlink()
    with caplog.at_level(logging.WARNING):
        store = Store(store.path, clock)
    assert "not as it was written" in caplog.text
    assert [copied(store, one) for one in (game, game + 1)] == [None, 0]
    store.close()


def test_a_damaged_copy_is_made_again(tmp_path: Path) -> None:
    """At the next start, and nobody hears of it."""
    path, at = tmp_path / "journal.db", table()
    with closing(Store(path, clock)) as store:
        game = store.begin_game(at)
        play(store, game, at, 5)
    with closing(sqlite3.connect(copy_of(store))) as db, db:
        db.execute("update entry set at = '' where place = 2")
    for _ in range(2):
        with closing(Store(path, clock)) as again:
            assert (again.trouble, copied(again, game)) == (None, 5)
        copy_of(store).write_bytes(b"no copy" * 999)


def test_a_copy_that_fails_does_not_stop_the_game(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """Answers are stored; some changes later it is tried again, and has them all."""
    at = table()
    game = store.begin_game(at)
    store.update_copy()
    assert store.copy._db is not None
    store.copy._db.execute("drop table entry")
    with caplog.at_level(logging.WARNING):
        play_copied(store, game, at, 5)
    assert caplog.text.count("cannot be written") == 1
    assert latest(store).journal == at.journal
    assert not copy_of(store).exists()
    play_copied(store, game, at, journal_copy.MAX_SKIPPED_UPDATES)
    assert latest(store).journal == at.journal
    assert copied(store, game) == 5 + journal_copy.MAX_SKIPPED_UPDATES


def test_a_copy_of_another_past_is_made_again(tmp_path: Path) -> None:
    """A game that was begun otherwise under the same number does not mix with the one that is."""
    for name, answers, seed in (("other", 9, 8), ("same", 9, 2), ("longer", 12, 2)):
        path, at = tmp_path / name / "journal.db", table()
        with closing(Store(path, clock)) as store:
            play(store, store.begin_game(at), at, answers, seed)
        if name != "other":
            shutil.copy(tmp_path / "other" / "journal.db.copy", copy_of(store))
        with closing(Store(path, clock)) as store, closing(sqlite3.connect(copy_of(store))) as copy:
            assert store.trouble is None
            assert rows(copy) == rows(store._db)


def test_without_room_there_is_no_copy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal comes first on a disk that is almost full; with room again the copy has it all."""
    at = table()
    game = store.begin_game(at)
    store.update_copy()
    with monkeypatch.context() as patch:
        patch.setattr(journal_copy, "MIN_FREE_BYTES", 1 << 62)
        play_copied(store, game, at, 5)
        store.rename_game(game, "Autumn league")
    assert copied(store, game) == 0
    play_copied(store, game, at, journal_copy.MAX_SKIPPED_UPDATES)
    assert copied(store, game) == 5 + journal_copy.MAX_SKIPPED_UPDATES
    with closing(database.open_read_only(copy_of(store))) as copy:
        assert game_list.read_rows(copy)[0][game].name == "Autumn league"


@pytest.mark.parametrize("damaged", [True, False])
def test_copies_of_an_older_dugout_are_used_and_replaced(tmp_path: Path, damaged: bool) -> None:
    """A damaged journal is repaired from the two, the second made while the power went; they go once there is a copy of
    today's."""
    path, at = tmp_path / "journal.db", table()
    with closing(Store(path, clock)) as store:
        game = store.begin_game(at)
        play(store, game, at, 9)
    with closing(sqlite3.connect(copy_of(store))) as db:
        db.execute("pragma journal_mode = delete")
    shutil.copy(copy_of(store), f"{path}.copy-1")
    with closing(sqlite3.connect(f"{path}.copy-1")) as db, db:
        db.execute("delete from entry where place > 3")
    copy_of(store).rename(f"{path}.copy-2")
    Path(f"{path}.copy-2-journal").touch()
    if damaged:
        path.write_bytes(bytes(path.stat().st_size))
    with closing(Store(path, clock)) as found:
        assert (found.trouble is not None) == damaged
        assert latest(found).journal == at.journal
        assert copied(found, game) == 9
    assert {"journal.db", "journal.db.copy"} == {
        one.name for one in tmp_path.iterdir() if not one.name.endswith((".lock", "-190500"))
    } - {"journal.db.copy-2-journal"}


def test_a_running_table_copies_an_answer_by_itself(tmp_path: Path) -> None:
    """As it looks after its parts. A table that ends leaves the copy whole: answer, code and key, and no WAL."""
    settings = parse_settings(SETTINGS.format(port=1, show=1), "x").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False)
    app.session.seats.answer_ask("away", 0, "blue", Source.PHONE)
    assert copied(app._store, 1) is None
    app._update_components(new=True)
    assert copied(app._store, 1) == 1
    ((n, ask), *_) = app.session.game.table.open_asks()
    app.session.seats.answer_ask(
        ask.seat,
        n,
        random_player.pick_answer(app.session.game.table.ask_view(n, ask, ask.seat), Random(1)),
        Source.PHONE,
    )
    app.stop()
    assert not list(tmp_path.glob("*-wal"))
    assert copied(app._store, 1) == 2
    with closing(database.open_read_only(copy_of(app._store))) as db:
        assert hash_chain.trusted_values(db)[0].keys() >= {"code", "key"}
