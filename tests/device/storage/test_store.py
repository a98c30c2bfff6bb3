"""The journal's file: durable, restored, put aside when damaged."""

from __future__ import annotations

import copy
import errno
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from device.storage import disk_space
from device.storage.database import CHECKPOINT_PAGES
from device.storage.store import SavedGame, Store, StoreError
from engine.seats import SEATS
from engine.table import Table
from tests.device.storage.small_disk import on_a_small_disk
from tests.device.stored_games import latest, table


def clock() -> datetime:
    return datetime(2026, 4, 1, 19, 5, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "journal.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path, clock)
    yield store
    store.close()


def play(store: Store, game: int, at: Table) -> None:
    for n, value in enumerate(("bat", [2], "bat", [6])):
        at.answer_ask("away", n, value)
        store.append(game, at, "phone")


def refused(store: Store, words: str) -> None:
    """The game on the table cannot be continued, and the sentence has these words."""
    saved = store.current_game()
    assert saved is not None
    assert (saved.table, words in str(saved.trouble)) == (None, True)


def test_every_connection_is_wal_and_full(store: Store) -> None:
    """The pragmas that make a commit durable hold on the connection that writes."""
    assert store.sync_settings() == ("wal", "full")


def test_a_game_comes_back_as_it_was(path: Path) -> None:
    """What was appended is there after the file was closed and opened again: answers, undo and amend. So it is in the
    files as they are while the connection is open, as after a killed process."""
    with closing(Store(path, clock)) as store:
        at = table()
        game = store.begin_game(at)
        play(store, game, at)
        at.undo(3)
        store.append(game, at, "buttons")
        at.correct_answer(1, [5])
        store.append(game, at, "phone")
        crashed = shutil.copytree(path.parent, path.parent.with_name("crashed")) / path.name
    for file in (path, crashed):
        with closing(Store(file, clock)) as again:
            assert latest(again).view_for(None) == at.view_for(None)
            assert latest(again).journal == at.journal


def test_two_programs_do_not_share_a_journal(store: Store, path: Path) -> None:
    """The second is refused in words; once the first has closed it may open."""
    with pytest.raises(StoreError, match="another Dugout stores its games there"):
        Store(path, clock)
    store.close()
    Store(path, clock).close()
    store._lock = os.open(path, os.O_RDONLY)  # for the fixture to close


def test_the_journal_is_for_its_owner_alone(store: Store, path: Path) -> None:
    """It holds the operator's code and the key of the cookies."""
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize(
    "change",
    [
        'update entry set body = \'{"seat":"away","n":1,"value":["hush"]}\' where place = 1',
        "update entry set body = '{hush' where place = 1",
        "update game set snapshot = '{hush'",
        "update game set header = 'hush'",
        "update game set snapshot = 'null'",
        "update game set decks = '[]', header = '[]'",
        "update entry set body = 'null' where place = 1",
    ],
)
def test_a_game_these_rules_cannot_read_is_reported(store: Store, change: str) -> None:
    """If the rules refuse a journal, or it is damaged, the game is not restored. Everybody reads the reason, so it
    repeats no answer: that may be a secret."""
    at = table()
    play(store, store.begin_game(at), at)
    store._db.execute(change)
    refused(store, "cannot be continued")
    assert "hush" not in str(store.current_game())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            'update entry set body = \'{"seat":"away","n":1,"value":[1]}\' where place = 1',
            "a different score than was shown",
        ),
        ("update game set decks = replace(decks, 'Pip Marlowe', 'Pip Barlow')", "its cards are not the ones"),
        ("update game set header = replace(header, 'small-ball', 'curling')", "something in its journal"),
    ],
)
def test_a_game_that_would_stand_differently_is_reported(store: Store, change: str, words: str) -> None:
    """If the rules now lead to a different score than was shown, the cards are others, or there is no such game."""
    at = table()
    play(store, store.begin_game(at), at)
    store._db.execute(change)
    refused(store, words)


def shown(store: Store) -> dict[str, Any]:
    """What was shown last of a game that has runners on second and third."""
    at = table()
    play(store, store.begin_game(at), at)
    snapshot: dict[str, Any] = json.loads(store._db.execute("select snapshot from game").fetchone()[0])
    assert [False, True, True] == [bool(runner) for runner in snapshot["scoreboard"]["bases"]]
    return snapshot


def again(store: Store, snapshot: dict[str, Any]) -> SavedGame:
    """The game as it comes back where `snapshot` was stored with it."""
    store._db.execute("update game set snapshot = ?", (json.dumps(snapshot),))
    saved = store.current_game()
    assert saved is not None
    return saved


def test_a_game_goes_on_though_its_labels_are_others_now(store: Store) -> None:
    """Names and what only one game shows may differ from when it was stored, figures may be new."""
    snapshot = shown(store)
    board = snapshot["scoreboard"]
    board |= {
        "bases": [None, "Runner", "Another"],
        "batter": "Somebody",
        "marker": "One",
        "panel": {"new": 1},
        "dice": [],
    }
    board["sides"]["away"] |= {"name": "Old Reds", "colour": "grey"}
    for figure in ("count", "on_deck", "fatigue"):
        del board[figure]
    snapshot["outcome"] = None
    assert again(store, snapshot).trouble is None
    del snapshot["outcome"]
    assert again(store, snapshot).trouble is None


@pytest.mark.parametrize(
    "figures",
    [
        {"inning": 2},
        {"half": "bottom"},
        {"outs": 2},
        {"bases": [None, "runner", None]},
        {"count": [3, 2]},
        {"batting": "home"},
    ],
)
def test_a_figure_that_differs_is_reported(figures: dict[str, Any], store: Store) -> None:
    """Each that the rules decide: where one differs, they lead elsewhere."""
    snapshot = shown(store)
    snapshot["scoreboard"] |= figures
    assert "a different score than was shown" in str(again(store, snapshot).trouble)


def test_runs_and_an_end_that_differ_are_reported(store: Store) -> None:
    """A run more on either side, and a game that was over: who won, or why."""
    snapshot = shown(store)
    for seat in SEATS:
        other = copy.deepcopy(snapshot)
        other["scoreboard"]["sides"][seat]["runs"] += 1
        assert again(store, other).table is None
    for winner, why in ((None, "tie"), ("home", None)):
        other = snapshot | {"outcome": {"winner": winner, "reason": why, "sentence": "It is over."}}
        assert again(store, other).table is None


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/journal\.db"):
        Store(tmp_path / "file" / "journal.db", clock)


def test_a_full_disk_is_an_error_and_rolls_back(store: Store, path: Path) -> None:
    """An append that cannot be written raises, and the place stays free for the next try."""
    at = table()
    game = store.begin_game(at)
    pages = store._db.execute("pragma page_count").fetchone()[0]
    store._db.execute(f"pragma max_page_count = {pages}")
    at.answer_ask("away", 0, "bat")
    with pytest.raises(StoreError, match="cannot be written"):
        store.append(game, at, "x" * 90_000)
    store._db.execute("pragma max_page_count = 1000000")
    assert not store._db.in_transaction
    store.append(game, at, "phone")


def test_a_card_that_fails_under_a_sync_refuses(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync that reports success is not believed once the card takes no change; the answer is refused."""
    at = table()
    game = store.begin_game(at)
    play(store, game, at)

    def fail(*_: int) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "ftruncate", fail)
    at.answer_ask("away", 4, "bat")
    with pytest.raises(StoreError, match=disk_space.CARD_UNWRITABLE_ADVICE):
        store.append(game, at, "phone")
    monkeypatch.undo()
    assert latest(store).journal[:4] == at.journal[:4]


def test_what_is_remembered_stays(path: Path) -> None:
    """A secret made once is the same after a restart."""
    made = list[str]()
    for _ in range(2):
        with closing(Store(path, clock)) as store:
            made.append(store.get_or_create_value("key"))
    assert made[0] == made[1]


def test_two_writers_do_not_mix(store: Store, path: Path) -> None:
    """A second process that holds the write lock makes this one wait, then refuse, and nothing is half written."""
    store._db.execute("pragma busy_timeout = 20")
    at = table()
    game = store.begin_game(at)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    at.answer_ask("away", 0, "bat")
    with pytest.raises(StoreError, match="locked"):
        store.append(game, at, "phone")
    other.execute("rollback")
    other.close()
    store.append(game, at, "phone")


def test_the_oldest_games_go(path: Path) -> None:
    """Games are kept within the budget, the one in play always; what goes, goes from the copy too."""
    budget = 150_000
    store = Store(path, clock, budget)
    for _ in range(40):
        play(store, store.begin_game(table()), table())
    ((least, most),) = store._db.execute("select min(id), max(id) from game")
    assert most == 40
    assert 1 < least < most - 3
    orphans = "select count(*) from entry where game not in (select id from game)"
    assert store._db.execute(orphans).fetchone() == (0,)
    store.close()
    for file in (path, path.with_name("journal.db.copy")):
        assert file.stat().st_size < 2 * budget
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("select max(id) from game").fetchone() == (40,)
            assert db.execute("select min(id) from game").fetchone() == (least,)
    with closing(Store(path, clock, 1)) as alone:
        last = alone.begin_game(table())
        assert alone._db.execute("select id from game").fetchall() == [(last,)]
        assert alone.current_game() is not None
    with closing(Store(path, clock)) as again:
        assert again.trouble is None


def test_a_game_that_goes_on_for_ever_takes_the_room_of_old_ones(path: Path) -> None:
    """The budget is enforced within a game too."""
    store = Store(path, clock, 100_000)
    for _ in range(3):
        game = store.begin_game(table())
    at = table()
    at.answer_ask("away", 0, "bat")
    for _ in range(64):
        store.append(game, at, "x" * 2000)
        at.undo(0)
        store.append(game, at, "x" * 2000)
        at.answer_ask("away", 0, "bat")
    assert store._db.execute("select id from game").fetchall() == [(game,)]
    store.close()


def test_the_wal_stays_small(store: Store, path: Path) -> None:
    """However long people play, it is checkpointed into the file."""
    at = table()
    game = store.begin_game(at)
    most = 0
    for n in range(350):
        at.answer_ask("away", 0, "bat")
        store.append(game, at, "phone")
        at.undo(0)
        store.append(game, at, "phone")
        if n % 20 == 0:
            most = max(most, path.with_name("journal.db-wal").stat().st_size)
    assert most < 2 * CHECKPOINT_PAGES * 4120


FULL = """
import errno, os, sys
from pathlib import Path
from device.storage.store import Store, StoreError
from tests.device.storage import recorded_writer
from random import Random
folder = Path(sys.argv[1])
store, at, random = Store(folder / "journal.db"), recorded_writer.table(), Random(3)
game = store.begin_game(at)
filler = os.open(folder / "filler", os.O_WRONLY | os.O_CREAT)
def fill(size):
    try:
        while os.write(filler, bytes(size)):
            pass
    except OSError as error:
        assert error.errno == errno.ENOSPC
for n in range(6):
    recorded_writer.step(at, random)
    store.append(game, at, "phone")
fill(65536); fill(4096); fill(1)
refused = 0
for n in range(40):
    recorded_writer.step(at, random)
    try:
        store.append(game, at, "phone")
    except StoreError as error:
        assert "full" in str(error), error
        refused = n + 1
        break
assert refused, "the disk was never full"
kept = at.journal[:-1]
store.update_copy()
assert not store.copy.copy_changes(store._db)
saved = store.current_game()
assert saved.table.journal == kept, (len(saved.table.journal), len(kept))
os.ftruncate(filler, 0)
os.lseek(filler, 0, 0)
for n in range(20):
    store.append(game, at, "phone")
    recorded_writer.step(at, random)
store.close()
again = Store(folder / "journal.db")
assert again.trouble is None, again.trouble
assert again.current_game().table.journal == at.journal[:-1]
print("went on")
"""


@pytest.mark.slow
def test_a_disk_that_is_full_and_is_not_any_more(tmp_path: Path) -> None:
    """On a real full file system an answer is refused in words and nothing is lost; with room, play goes on."""
    done = on_a_small_disk(tmp_path / "disk", "1m", FULL)
    assert done.stdout == "mounted\nwent on\n", done.stderr


def test_two_answers_of_one_place_are_refused(store: Store) -> None:
    """A table that is behind the journal overwrites nothing."""
    at = table()
    game = store.begin_game(at)
    play(store, game, at)
    with pytest.raises(StoreError, match="UNIQUE"):
        store.append(game, at, "phone")


def test_closing_waits_for_what_is_being_written(path: Path) -> None:
    """Another thread's answer is whole before the file is closed."""
    store = Store(path)
    with store._transaction():
        thread = threading.Thread(target=store.close)
        thread.start()
        thread.join(0.05)
        assert thread.is_alive()
        assert store._db.in_transaction
    thread.join(300)
    assert not thread.is_alive()


def test_a_game_of_older_rules_says_so(store: Store) -> None:
    """A game that today's rules refuse says under which rules it was begun; one that they still read goes on."""
    at = table()
    play(store, store.begin_game(at), at)
    version = at.game.version
    store._db.execute(f"""update game set header = replace(header, '"version": {version}', '"version": 0')""")
    saved = store.current_game()
    assert saved is not None
    assert saved.table is not None
    store._db.execute("update entry set body = replace(body, '\"bat\"', '\"bunt\"')")
    refused(store, f"It was started under version 0 of its rules, which are now at version {version}.")
