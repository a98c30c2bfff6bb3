"""Games of leagues in the journal: added at once, kept, counted apart."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from device.storage import disk_space, game_budget, game_list
from device.storage.game_budget import USED_BYTES_SQL, league_bytes
from device.storage.seat_settings import league_of
from device.storage.store import Store, StoreError
from device.table.preset_answers import SeatSettings
from engine.league.league import LeagueGame
from tests.device.storage.recorded_writer import finished, play, table


def settings(fixture: int, league: str = "summer") -> str:
    game = LeagueGame(league, fixture, "owls", "lanterns")
    return SeatSettings(managers={"away": "rookie"}, people={"home": "p1"}, league=game).json_text


def add(store: Store, standing: str) -> int:
    return store.add_finished_game(finished(), standing, ["manager"] * len(finished().journal))


def on_table(store: Store) -> int:
    saved = store.current_game()
    assert saved is not None
    return saved.id


def used_bytes(store: Store) -> int:
    ((used,),) = store._db.execute(USED_BYTES_SQL)
    return int(used)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db")
    yield store
    store.close()


def test_a_finished_game_is_stored_whole_and_the_one_on_the_table_stays(tmp_path: Path) -> None:
    """After a restart, too, and after one with the copy alone."""
    path, at = tmp_path / "journal.db", table()
    with closing(Store(path)) as store:
        here = store.begin_game(at)
        play(store, here, at, 5)
        added = [add(store, settings(fixture)) for fixture in (1, 2)]
    for lost in (False, True):
        if lost:
            path.unlink()
        with closing(Store(path)) as again:
            assert here == on_table(again)
            assert lost == (again.trouble is not None)
            for fixture, game in enumerate(added, 1):
                saved = again.load_game(game)
                assert saved is not None
                assert saved.table is not None, saved.trouble
                assert finished().journal == saved.table.journal
                assert (settings(fixture), {"manager"}) == (saved.standing, set(saved.sources))


def test_without_a_game_on_the_table_the_added_one_is_the_last(store: Store) -> None:
    assert add(store, settings(1)) == on_table(store)


def test_a_game_that_goes_on_is_not_added(store: Store) -> None:
    with pytest.raises(ValueError, match="not over"):
        store.add_finished_game(table(), "", [])


def test_a_failed_write_adds_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No part of the game is left for a reader to find."""
    here = store.begin_game(table())
    before = list(store._db.iterdump())

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(game_list, "add_game", fail)
        with pytest.raises(StoreError):
            add(store, settings(1))
    assert (before, here) == (list(store._db.iterdump()), on_table(store))


def test_games_are_no_longer_added_to_a_card_that_is_nearly_full(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game on the table goes on."""
    at = table()
    here = store.begin_game(at)
    monkeypatch.setattr(disk_space, "SPARE_BYTES", 1 << 62)
    with pytest.raises(StoreError, match=r"No more games are added: less than [0-9]+ MiB are free"):
        add(store, settings(1))
    play(store, here, at, 3)


def test_games_begin_on_the_table_while_others_are_added(store: Store) -> None:
    """Every game gets a number of its own, and the one begun last is on the table."""
    added = list[int]()
    adder = threading.Thread(target=lambda: added.extend(add(store, settings(one)) for one in range(40)))
    adder.start()
    begun = [store.begin_game(table()) for _ in range(40)]
    adder.join()
    assert 80 == len({*added, *begun})
    assert begun[-1] == on_table(store)


def test_adding_a_game_reads_as_many_rows_as_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A season of thousands of games is added at the speed of its first."""
    counts, real = list[int](), game_list.row_checksum
    store.begin_game(table())
    for _ in range(20):
        read = list[int]()
        monkeypatch.setattr(
            game_list, "row_checksum", lambda game, row, read=read: read.append(game) or real(game, row)
        )
        add(store, settings(1))
        store.begin_game(table())
        counts.append(len(read))
    assert [counts[1]] * 19 == counts[1:]


def test_league_games_stay_and_leave_the_others_their_space(tmp_path: Path) -> None:
    """Finished ordinary games go, as without a league; those of a league never, finished or put aside."""
    with closing(Store(tmp_path / "journal.db", budget=400_000)) as store:
        paused = store.begin_game(table(), settings(1))
        season = [add(store, settings(fixture)) for fixture in range(2, 42)]
        before = used_bytes(store)
        assert before > 2 * store._budget.limit
        ordinary = [store.begin_game(finished()) for _ in range(30)]
        games = {game for _, game in game_list.games_by_turn(store._db)}
        assert {paused, *season} <= games
        kept = [game for game in ordinary if game in games]
        assert ordinary[-len(kept) :] == kept
        assert 5 <= len(kept) < 30
        assert abs(used_bytes(store) - before - store._budget.limit) < 0.3 * store._budget.limit


def test_measured_bytes_of_league_games_are_about_those_they_take(store: Store) -> None:
    before = used_bytes(store)
    for fixture in range(60):
        add(store, settings(fixture))
    taken = used_bytes(store) - before
    assert abs(league_bytes(store._db, {}) - taken) < 0.1 * taken


def test_a_league_that_ends_gives_its_space_back_little_by_little(tmp_path: Path) -> None:
    """Its games are then ordinary ones with people, and no answer waits until all that are too many are gone."""
    with closing(Store(tmp_path / "journal.db", budget=400_000)) as store:
        season = [add(store, settings(fixture)) for fixture in range(60)]
        other = add(store, settings(1, "winter"))
        assert 60 == store.leave_league("summer")
        standing = game_list.read_rows(store._db)[0][season[0]].standing
        assert replace(SeatSettings.from_json(settings(0)), league=None).json_text == standing
        left = list[int]()
        for _ in range(3):
            store.begin_game(table())
            left.append(sum(game in season for _, game in game_list.games_by_turn(store._db)))
        assert [60 - game_budget.MAX_DELETIONS, 60 - 2 * game_budget.MAX_DELETIONS] == left[:2]
        assert other in game_list.league_games(store._db)


def test_an_old_game_joins_a_league_while_another_is_on_the_table(tmp_path: Path) -> None:
    """The copy gets it, too, and the note about the journal's end is still about the other game."""
    with closing(Store(tmp_path / "journal.db")) as store:
        old = store.begin_game(finished())
        here = store.begin_game(at := table())
        play(store, here, at, 5)
        store.update_copy()
        noted = store._read_end_note()
        store.save_seat_settings(old, settings(4))
        assert noted == store._read_end_note()
    for path in (store.path, store.path.with_name("journal.db.copy")):
        with closing(sqlite3.connect(path)) as db:
            standing = game_list.read_rows(db)[0][old].standing
            assert LeagueGame("summer", 4, "owls", "lanterns") == league_of(standing)[0]
    with closing(Store(store.path)) as again:
        assert (None, here) == (again.trouble, on_table(again))
