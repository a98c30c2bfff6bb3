"""The thread that keeps the record book up to date."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from device.league.book_updates import BookUpdates
from device.league.record_pages import RecordPages
from device.storage.decks import house_deck
from device.table.session import GameSession
from engine.asks import Roll
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from managers.simulation import answer_one_ask
from tests.device.league.made_games import LEAGUE, PLAYERS, Bookkeeping, played_table

TIMEOUT_S = 30.0


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Bookkeeping]:
    found = Bookkeeping(tmp_path, LEAGUE)
    yield found
    found.store.close()


def new_table() -> Table:
    known = played_table(1, 0)
    return Table(known.game, known.decks, known.house)


def wait_for(kept: Bookkeeping, games: int) -> None:
    end = time.monotonic() + TIMEOUT_S
    while sum(one.games for one in kept.reader.book_list().books if one.key == "small-ball") != games:
        assert time.monotonic() < end
        time.sleep(0.02)


def answer(session: GameSession, chance: Random) -> None:
    twin = session.game.table.clone()
    answer_one_ask(twin, PLAYERS, chance)
    session.game.submit_entry(twin.journal[-1], Source.PHONE)


def finish(session: GameSession) -> None:
    """Play the game on the table to its end."""
    chance = Random(4)
    while not session.game.table.outcome:
        answer(session, chance)


def test_a_game_is_counted_when_it_ends_and_not_when_that_is_undone(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 0))
    session = GameSession(kept.store, new_table)
    session.game.begin_game(new_table())
    updates = BookUpdates(kept.book, session, RecordPages(kept.reader))
    updates.start()
    wait_for(kept, 1)
    finish(session)
    wait_for(kept, 2)
    session.game.undo_answers()
    wait_for(kept, 1)
    finish(session)
    wait_for(kept, 2)
    kept.put(played_table(1, 1))
    updates.notify()
    wait_for(kept, 3)
    updates.stop()
    assert [] == [one for one in threading.enumerate() if one.name == "record book"]


def test_answers_in_the_midst_of_a_game_wake_nobody(kept: Bookkeeping) -> None:
    session = GameSession(kept.store, new_table)
    updates = BookUpdates(kept.book, session)
    session.game.subscribe(updates._handle_views)
    assert updates._news.is_set()
    updates.update()
    for _ in range(3):
        answer(session, Random(1))
    assert 0 == updates.waiting
    finish(session)
    assert 1 == updates.waiting


def test_a_correction_in_an_earlier_game_of_a_series_counts_at_once(kept: Bookkeeping) -> None:
    """Also while a later game goes on."""
    clutch = GAMES["clutch"]
    house = {"series": "3", "startInning": "7", "level": "basic"}
    session = GameSession(kept.store, lambda: Table(clutch, [house_deck(clutch)], house))
    updates, chance = BookUpdates(kept.book, session), Random(5)
    session.game.subscribe(updates._handle_views)
    while len(session.game.live.log.games) < 2:
        answer(session, chance)
    updates.update()
    answer(session, chance)
    assert 0 == updates.waiting
    later = session.game.live.answers[-1].n
    rolls = [one for one in session.game.live.answers if isinstance(one.ask, Roll) and one.n < later]
    session.game.correct_roll(rolls[-5].n, rolls[-5].value)
    assert 1 == updates.waiting


def test_a_failure_is_retried_and_costs_no_thread(kept: Bookkeeping, caplog: pytest.LogCaptureFixture) -> None:
    session = GameSession(kept.store, lambda: played_table(1, 1).clone())
    updates = BookUpdates(kept.book, session)
    path = kept.book.path
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.mkdir()
    assert not updates.update()
    assert "The record book cannot be updated." in caplog.text
    path.rmdir()
    assert updates.update()
    wait_for(kept, 1)


def test_a_table_that_stops_does_not_wait_for_all_games(kept: Bookkeeping) -> None:
    session = GameSession(kept.store, lambda: played_table(1, 1).clone())
    updates = BookUpdates(kept.book, session)
    updates.stop()
    assert updates.update()
    assert [] == kept.reader.book_list().books[1:]


def test_pages_are_drawn_again_once_the_game_that_is_over_is_counted(kept: Bookkeeping) -> None:
    """Between games the television shows the standings; during a game nothing is sent for the book."""
    session = GameSession(kept.store, new_table)
    session.game.begin_game(new_table())
    updates = BookUpdates(kept.book, session)
    before = session.game.version
    updates.update()
    assert before == session.game.version
    finish(session)
    before = session.game.version
    updates.update()
    assert before < session.game.version
