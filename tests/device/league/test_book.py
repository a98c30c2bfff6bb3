"""The record book: any history of games gives the same book as a new one, and as a slow and independent computation."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from device.league import book_file
from device.league.book import RecordBook
from device.league.book_reader import BookReader
from device.league.player_pages import PlayerPages
from device.storage import game_list
from device.storage.decks import house_deck
from device.storage.store import Store
from engine.asks import Roll
from engine.dice import die_sides
from engine.errors import EngineError
from engine.games import GAMES
from engine.league.league import League, LeagueGame, LeagueTeam
from engine.league.views import PlayerLine
from engine.seats import Seat
from engine.table import Table
from managers.simulation import answer_one_ask, random_decision
from tests.device.league.slow_book import SlowBook, StoredGame, slow_books

TEAMS = ("gulls", "owls", "terns")

LEAGUE = League(
    "summer", "Summer", "small-ball", "round-robin", [LeagueTeam(key, key.title()) for key in TEAMS], meetings=1
)

KINDS = (
    ("small-ball", {}),
    ("small-ball", {"innings": "3"}),
    ("rallybird", {}),
    ("bottom-of-the-9th", {}),
    ("seventh-inning-stretch", {}),
)

PLAYERS: dict[Seat, Any] = {"away": random_decision, "home": random_decision}


@cache
def played_table(kind: int, seed: int) -> Table:
    """A finished game with random answers. It must not be changed."""
    key, house = KINDS[kind]
    game = GAMES[key]
    table, chance = Table(game, [house_deck(game)], game.seated | house), Random(seed)
    while not table.outcome:
        answer_one_ask(table, PLAYERS, chance)
    return table


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
        one.number = self.store.begin_game(table, self.standing(one))
        self.games[one.number] = one

    def standing(self, one: StoredGame) -> str:
        found = {"people": dict(one.people), "league": asdict(one.league) if one.league else None}
        return json.dumps({name: value for name, value in found.items() if value})

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
        self.store.save_seat_settings(one.number, self.standing(one))

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
        rolls = [given for given in one.table.answers if isinstance(given.ask, Roll)]
        if rolls:
            given = rolls[int(share * len(rolls))]
            value = [random.choice(die_sides(die.kind, one.table.house)) for die in given.ask.dice]
            self.change(one, lambda table: table.correct_answer(given.n, value))

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
