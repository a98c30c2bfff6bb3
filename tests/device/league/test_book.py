"""The record book: any history of games gives the same book as a new one, and as a slow and independent computation."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from device.league import book_file
from device.league.book import BookInUseError, RecordBook
from device.league.book_reader import BookReader
from device.league.player_pages import PlayerPages
from device.storage import game_list
from device.storage.hash_chain import checksum
from device.storage.store import Store
from engine.asks import Roll
from engine.dice import die_sides
from engine.errors import EngineError
from engine.league.league import LeagueGame
from engine.league.views import PlayerLine
from engine.table import Table
from managers.simulation import answer_one_ask
from tests.device.league.made_games import KINDS, LEAGUE, PLAYERS, TEAMS, Bookkeeping, played_table, settings_json
from tests.device.league.slow_book import SlowBook, StoredGame, slow_books


def stored_rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a book, without its versions."""
    with closing(sqlite3.connect(path)) as db:
        return {
            table: sorted(db.execute(f"select * from {table}").fetchall(), key=repr)
            for table in ("journal", *book_file.DERIVED_TABLES)
        }


def fresh_rows(journal: Path) -> dict[str, list[tuple[Any, ...]]]:
    with TemporaryDirectory() as folder:
        book = RecordBook(Path(folder) / "book.db", journal)
        book.rebuild()
        return stored_rows(book.path)


def reader_of(book: RecordBook) -> BookReader:
    return BookReader(book.path, lambda: [LEAGUE], lambda key: None)


def batting_line(line: PlayerLine) -> tuple[int, ...]:
    did = line.batting
    assert did
    return did.at_bats, did.runs, did.hits, did.driven_in, did.walks, did.strikeouts


def read_book(reader: BookReader, key: str) -> SlowBook:
    """What the pages show of a book."""
    found = SlowBook()
    view = reader.book_view(key)
    assert view
    for row in view.standings:
        if row.wins + row.losses + row.ties:
            found.results[row.team] = [row.wins, row.losses, row.ties, row.runs_for, row.runs_against]
    pages, page = PlayerPages(reader), 0
    while (leaders := pages.leaders_view(key, page := page + 1)) and page <= leaders.pages:
        found.batters |= {(line.team, line.player): batting_line(line) for line in leaders.players if line.batting}
    return found


class Histories(RuleBasedStateMachine):
    """Games that come, change and go, in a store whose book is now and then brought up to date."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.journal = Path(self.folder.name) / "journal.db"
        self.store = Store(self.journal)
        self.games = dict[int, StoredGame]()
        self.restart()
        for seed in range(3):
            self.store_game(seed % 2, seed, 0, True)

    def teardown(self) -> None:
        try:
            self.update()
        finally:
            self.store.close()
            self.folder.cleanup()

    @rule(
        kind=st.integers(0, len(KINDS) - 1),
        seed=st.integers(0, 2),
        cut=st.sampled_from([0, 0, 0, 0.9]),
        league=st.booleans(),
    )
    def store_game(self, kind: int, seed: int, cut: float, league: bool) -> None:
        table = played_table(kind, seed).clone()
        if cut:
            table.undo(table.answers[int(len(table.answers) * cut)].n)
        one = StoredGame(0, table)
        if league and kind < 2:
            one.league = LeagueGame("summer", 1, "gulls", "owls")
        one.number = self.store.begin_game(table, settings_json(one.league, one.people))
        self.games[one.number] = one

    def game(self, data: st.DataObject) -> StoredGame:
        return self.games[data.draw(st.sampled_from(sorted(self.games)))]

    @precondition(lambda self: self.games)
    @rule(
        data=st.data(),
        fixture=st.integers(0, 4),
        teams=st.permutations(TEAMS),
        friendly=st.booleans(),
        people=st.dictionaries(st.sampled_from(["away", "home"]), st.sampled_from(["pat", "kim"])),
    )
    def assign(self, data: st.DataObject, fixture: int, teams: list[str], friendly: bool, people: Any) -> None:
        one = self.game(data)
        wanted = one.table.game.key == "small-ball" and data.draw(st.booleans())
        one.league = LeagueGame("summer", fixture, teams[0], teams[1], friendly) if wanted else None
        one.people = people
        self.store.save_seat_settings(one.number, settings_json(one.league, one.people))

    @precondition(lambda self: self.games)
    @rule(data=st.data(), share=st.floats(0, 1, exclude_max=True))
    def undo(self, data: st.DataObject, share: float) -> None:
        one = self.game(data)
        if one.table.answers:
            self.change(one, lambda table: table.undo(table.answers[int(share * len(table.answers))].n))

    @precondition(lambda self: self.games)
    @rule(data=st.data(), share=st.floats(0, 1, exclude_max=True), chance=st.integers(0, 99))
    def correct(self, data: st.DataObject, share: float, chance: int) -> None:
        one, random = self.game(data), Random(chance)
        rolls = [(given.n, given.ask.dice) for given in one.table.answers if isinstance(given.ask, Roll)]
        if rolls:
            n, dice = rolls[int(share * len(rolls))]
            value = [random.choice(die_sides(die.kind, one.table.house)) for die in dice]
            self.change(one, lambda table: table.correct_answer(n, value))

    @precondition(lambda self: self.games)
    @rule(data=st.data(), chance=st.integers(0, 9))
    def play_on(self, data: st.DataObject, chance: int) -> None:
        one, random = self.game(data), Random(chance)
        for _ in range(random.choice([3, 300])):
            if not one.table.outcome:
                self.change(one, lambda table: answer_one_ask(table, PLAYERS, random))

    def change(self, one: StoredGame, act: Callable[[Table], object]) -> None:
        before = len(one.table.journal)
        try:
            act(one.table)
        except EngineError:
            assert before == len(one.table.journal)
            return
        self.store.append(one.number, one.table, "phone")

    @precondition(lambda self: self.games)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        number = self.game(data).number
        del self.games[number]
        with self.store._transaction():
            game_list.delete_game(self.store._db, number)

    @rule()
    def restart(self) -> None:
        self.book = RecordBook(Path(self.folder.name) / "book.db", self.journal)
        self.reader = reader_of(self.book)

    @rule()
    def read_early(self) -> None:
        """Pages of a book that is not up to date put nothing wrong into the caches of later ones."""
        for one in self.reader.book_list().books:
            self.reader.book_view(one.key)

    @rule()
    def update(self) -> None:
        self.book.update()
        assert 0 == self.book.update()
        assert fresh_rows(self.journal) == stored_rows(self.book.path)
        slow = slow_books(self.games.values(), LEAGUE)
        listed = {one.key: one.games for one in self.reader.book_list().books}
        assert {"summer": 0} | {key: len(one.games) for key, one in slow.items()} == listed
        for key, expected in slow.items():
            found = read_book(self.reader, key)
            assert expected.results == found.results
            assert expected.batters == {name: line for name, line in found.batters.items() if any(line)} | {
                name: line for name, line in expected.batters.items() if not any(line)
            }


Histories.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestHistories = Histories.TestCase


KILLED = """
import os, signal, sys
from pathlib import Path
from device.league import book, book_file

folder, method, left = Path(sys.argv[1]), sys.argv[2], [int(sys.argv[3])]
usual = book_file.mark_changed

def mark_changed(*given):
    usual(*given)
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)

book_file.mark_changed = mark_changed
getattr(book.RecordBook(folder / "book.db", folder / "journal.db"), method)()
"""
"""Dies within the n-th game that it folds, before that is committed."""


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Bookkeeping]:
    found = Bookkeeping(tmp_path, LEAGUE)
    yield found
    found.store.close()


@pytest.mark.parametrize("method", ["update", "rebuild"])
def test_a_kill_in_the_midst_counts_no_game_twice_and_loses_none(kept: Bookkeeping, method: str) -> None:
    for seed in range(4):
        kept.put(played_table(1, seed), seed, "gulls owls")
    folder = kept.book.path.parent
    kept.book.update()
    before = stored_rows(kept.book.path)
    kept.assign(2, None)
    kept.put(played_table(0, 1))
    died = subprocess.run([sys.executable, "-c", KILLED, str(folder), method, "2"], cwd=os.getcwd())
    assert -9 == died.returncode
    after = stored_rows(kept.book.path)
    assert before["journal"] == after["journal"] if method == "rebuild" else before["journal"] != after["journal"]
    again = RecordBook(kept.book.path, kept.store.path)
    assert {"update": 1, "rebuild": 2}[method] == again.update()
    assert fresh_rows(kept.store.path) == stored_rows(kept.book.path)


def test_a_page_that_is_being_read_survives_a_rebuild(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 0))
    kept.book.update()
    with kept.reader.open_book("small-ball") as opened:
        kept.put(played_table(1, 1))
        assert 2 == kept.book.rebuild()
        assert opened
        assert [(1,)] == opened.db.execute("select count(*) from journal").fetchall()
    assert [2] == [one.games for one in kept.reader.book_list().books if one.key == "small-ball"]


def test_progress_of_a_rebuild_is_reported(kept: Bookkeeping) -> None:
    for seed in range(3):
        kept.put(played_table(1, seed))
    told = list[tuple[int, int]]()
    kept.book.rebuild(lambda *progress: told.append(progress))
    assert [(1, 3), (2, 3), (3, 3)] == told


def test_two_rebuilds_at_once_are_refused(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 0))
    other = RecordBook(kept.book.path, kept.store.path)

    def rebuild_too(done: int, total: int) -> None:
        with pytest.raises(BookInUseError):
            other.rebuild()

    kept.book.rebuild(rebuild_too)


@pytest.mark.parametrize("damage", ["no database", "one page", "another version", "deleted"])
def test_a_damaged_or_older_book_is_built_again(kept: Bookkeeping, damage: str) -> None:
    for seed in range(6):
        kept.put(played_table(0, seed % 3), seed, "gulls owls")
    kept.book.update()
    path = kept.book.path
    with closing(sqlite3.connect(path)) as db:
        if damage == "another version":
            db.execute("update meta set value = '[0, {}]'")
            db.commit()
        db.execute("pragma wal_checkpoint (truncate)")
    data = bytearray(path.read_bytes())
    if damage == "no database":
        path.write_bytes(b"?" * len(data))
    elif damage == "one page":
        data[8192:12288] = b"?" * 4096
        path.write_bytes(data)
    elif damage == "deleted":
        path.unlink()
    assert 6 == RecordBook(path, kept.store.path).update()
    assert fresh_rows(kept.store.path) == stored_rows(path)


def test_a_page_that_fails_while_the_table_runs_is_noticed(kept: Bookkeeping) -> None:
    for seed in range(3):
        kept.put(played_table(1, seed))
    kept.book.update()
    path = kept.book.path
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma wal_checkpoint (truncate)")
        (page,) = db.execute("select rootpage from sqlite_schema where name = 'journal'").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"?" * 4096
    path.write_bytes(data)
    assert 3 == kept.book.update()
    assert fresh_rows(kept.store.path) == stored_rows(path)


def test_a_game_that_cannot_be_read_is_left_out_with_its_reason(kept: Bookkeeping) -> None:
    """The others are counted, and it counts again once it is repaired."""
    for seed in range(3):
        kept.put(played_table(1, seed))
    (body,) = kept.store._db.execute("select body from entry where game = 2 and place = 9").fetchone()
    query = "update entry set body = ? where game = 2 and place = 9"
    kept.store._db.execute(query, (body.replace("n", "m"),))
    kept.book.update()
    (skipped,) = kept.book.skipped_games()
    assert (2, "This game is damaged: its answers from number 10 of ") == (skipped.number, skipped.reason[:52])
    assert {1, 3} == {one.number for one in kept.reader.games_page("small-ball").games}  # type: ignore[union-attr]
    kept.store._db.execute(query, (body,))
    again = RecordBook(kept.book.path, kept.store.path)
    assert 1 == again.update()
    assert [] == again.skipped_games()


def test_a_game_that_shows_another_score_under_these_rules_is_left_out(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 0))
    db = kept.store._db
    (head,) = db.execute("select seal from entry order by place desc limit 1").fetchone()
    shown = json.loads(db.execute("select snapshot from game").fetchone()[0])
    shown["scoreboard"]["sides"]["home"]["runs"] += 1
    text = json.dumps(shown)
    db.execute("update game set snapshot = ?, seal = ?", (text, checksum(head, text)))
    kept.book.update()
    (skipped,) = kept.book.skipped_games()
    assert skipped.reason.endswith("they lead to a different score than was shown.")


def test_runs_for_are_the_runs_against_and_lines_add_up(kept: Bookkeeping) -> None:
    for seed in range(8):
        kept.put(played_table(seed % 2, seed), seed % 4, ("gulls owls", "owls terns")[seed % 2])
    kept.book.update()
    for key in ("summer", "small-ball"):
        view = kept.reader.book_view(key)
        assert view
        assert sum(row.runs_for for row in view.standings) == sum(row.runs_against for row in view.standings) > 0
        for team in view.teams:
            page = kept.reader.team_view(key, team)
            assert page
            for name in ("at_bats", "hits", "runs", "walks", "strikeouts", "home_runs", "driven_in", "steals"):
                assert getattr(page.total, name) == sum(
                    getattr(line.batting, name) for line in page.players if line.batting
                )
