"""`dugout league`. Lists leagues and record books, makes and simulates leagues, and rebuilds the record book."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import SystemRandom
from typing import Literal

from device.commands import arguments, files, target
from device.league import exports
from device.league.book import RecordBook
from device.league.book_reader import BookReader
from device.league.exports import EXPORTS
from device.league.fixture_states import LeagueStates
from device.league.league_changes import LeagueChanges
from device.league.leagues import BOOK_FILE
from device.league.simulation import FixtureSimulator, SimulationThread
from device.machine import Machine
from device.named_file import error_text
from device.storage.decks import DeckLibrary
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import JournalInUseError, Store, StoreError
from engine.errors import EngineError, LeagueError
from engine.events import spoken_list
from engine.games import GAMES
from engine.league.fixtures_csv import MAX_TEXT_LENGTH, parse_new_league
from engine.league.rules import MAX_FIXTURES
from engine.league.views import BookView

PROGRESS_GAMES = 100
"""Games between two lines about the progress of a rebuild."""

STANDINGS_COLUMNS = ("", "team", "W", "L", "T", "PCT", "GB", "streak", "RF", "RA")


@dataclass
class _Books:
    """The leagues and record books in a data folder, whether or not a table runs. The book is up to date."""

    data: Path

    def __post_init__(self) -> None:
        journal = self.data / "journal.db"
        if not journal.is_file():
            raise LookupError(f"there are no games in {self.data}")
        self.files, self.people = LeagueFiles(self.data / "leagues"), PeopleFile(self.data / "people.json")
        self.book = RecordBook(self.data / BOOK_FILE, journal)
        self.states = LeagueStates(lambda key: self.files.leagues().get(key), self.book, journal)
        self.library = DeckLibrary(self.data / "decks")
        self.changes = LeagueChanges(self.files, self.people, self.states, self.library)
        self.reader = BookReader(self.book.path, lambda: [*self.files.leagues().values()], self.people.find)

    def view(self, key: str) -> BookView:
        """The front page of a book. Raises LookupError if there is none."""
        self.book.update()
        found = self.reader.book_view(key)
        if found is None:
            raise LookupError(f"there is no league or record book {key}: dugout league list shows them")
        return found


Action = Callable[[argparse.Namespace, _Books], int]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "list leagues and record books, make and simulate leagues, or rebuild the record book"
    parser = commands.add_parser("league", help=about, description=about[0].upper() + about[1:] + ".")
    actions = parser.add_subparsers(metavar="ACTION", required=True, help="what to do")

    def add_action(name: str, action: Action, about: str, key: str = "") -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        if key:
            made.add_argument("key", metavar="KEY", help=key)
        target.add_options(made)
        made.set_defaults(run=run_command, action=action)
        return made

    def add_file(made: argparse.ArgumentParser, about: str) -> None:
        made.add_argument("file", type=arguments.path_argument, metavar="FILE", help=about)

    of_league = "of the league, as dugout league list shows it"
    add_action("list", list_books, "list leagues and record books")
    add_action("show", show_book, "print the standings of a league or record book", "of the book")
    add_action("rebuild", rebuild_book, "count all stored games again; a table may run")
    simulate = add_action("simulate", simulate_fixtures, "have computers play games of a league", of_league)
    which = simulate.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "number", type=arguments.number_between(1, MAX_FIXTURES), metavar="NUMBER", nargs="?", help="of a fixture"
    )
    which.add_argument("--day", action="store_true", help="all that are left of the earliest day or round")
    which.add_argument("--all", action="store_true", help="all that are left")
    add_file(
        add_action("import", import_file, "import fixtures, or teams and people, from a CSV file", of_league), "CSV"
    )
    export = add_action("export", export_book, "write one file of a league or record book", "of the book")
    export.add_argument("kind", choices=tuple(EXPORTS), metavar="KIND", help=spoken_list(tuple(EXPORTS), "or"))
    add_file(export, "the file to write, - for standard output")
    new = add_action("new", create_league, "make a league of the fixtures in a CSV file", "of the new league")
    add_file(new, "CSV with the columns away and home; docs/play/leagues.md explains all")
    new.add_argument("--title", required=True, help="what people call it")
    new.add_argument("--game", required=True, metavar="KEY", help="the rulebook, such as small-ball")


def run_command(args: argparse.Namespace) -> int:
    """Run one action. Raises CommandError."""
    _, data = target.select_table(args, Machine())
    try:
        target.check_readable(data)
        status: int = args.action(args, _Books(data))
        return status
    except (EngineError, LookupError, ValueError, OSError, sqlite3.Error) as error:
        raise target.CommandError(f"{error_text(error).rstrip('.')}.") from error


def list_books(args: argparse.Namespace, books: _Books) -> int:
    books.book.update()
    found = books.reader.book_list().books
    for one in found:
        games = f"{one.games} of {one.fixtures} games" if one.fixtures else f"{one.games} games"
        print(", ".join(filter(None, (f"{one.key}: {one.title}", one.game.title, games, one.leader))))
    for trouble in [*books.files.troubles(), *filter(None, [books.people.trouble()])]:
        print(f"dugout: {trouble}", file=sys.stderr)
    if not found:
        print("No leagues and no finished games.")
    return 0


def show_book(args: argparse.Namespace, books: _Books) -> int:
    print("\n".join(standings_lines(books.view(args.key))))
    return 0


def standings_lines(view: BookView) -> list[str]:
    """Format the standings, with a line for each team."""
    rows = [
        (
            *(f"{row.place}.", view.teams[row.team].name, str(row.wins), str(row.losses), str(row.ties)),
            *("–" if row.pct is None else f"{row.pct:.3f}".removeprefix("0"), f"{row.games_behind:g}", row.streak),
            *(str(row.runs_for), str(row.runs_against)),
        )
        for row in view.standings
    ]
    widths = [max(map(len, column)) for column in zip(STANDINGS_COLUMNS, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 1 else cell.rjust(width) for at, (cell, width) in enumerate(pairs)
        ).rstrip()
        for pairs in (zip(cells, widths, strict=True) for cells in (STANDINGS_COLUMNS, *rows))
    ]
    return [f"{view.summary.title}: {view.summary.game.title}, {view.summary.games} games", *lines]


def rebuild_book(args: argparse.Namespace, books: _Books) -> int:
    def print_progress(done: int, total: int) -> None:
        if done % PROGRESS_GAMES == 0 and done < total:
            print(f"{done} of {total} games")

    count = books.book.rebuild(print_progress)
    skipped = books.book.skipped_games()
    for one in skipped:
        print(f"Left out: game {one.number}. {one.reason}")
    print(f"The record book was built again from {count} stored games.")
    return 0


def simulate_fixtures(args: argparse.Namespace, books: _Books) -> int:
    which: int | Literal["day", "all"] = "day" if args.day else "all" if args.all else int(args.number)
    try:
        store = Store(books.data / "journal.db")
    except StoreError as error:
        if not isinstance(error.__cause__, JournalInUseError):
            raise
        raise LeagueError(f"the table is running. Simulate games on its page /leagues/{args.key}") from error
    with closing(store):
        simulator = FixtureSimulator(books.states, books.library, store, SystemRandom())

        def print_game(number: int) -> None:
            view = books.view(args.key)
            game = next((one for one in view.latest if one.number == number), None)
            if game is not None:
                away, home = view.teams[game.away].name, view.teams[game.home].name
                print(f"Game {number}: {away} {game.away_runs}, {home} {game.home_runs}", flush=True)

        simulation = SimulationThread(simulator, books.states, print_game, lambda: False)
        simulation.request_fixtures(args.key, which)
        while simulation.simulate_next():
            pass
    for trouble in simulation.troubles.values():
        print(f"dugout: {trouble}", file=sys.stderr)
    return 2 if simulation.troubles else 0


def export_book(args: argparse.Namespace, books: _Books) -> int:
    books.view(args.key)
    data = exports.export(books.reader, args.key, args.kind)
    assert data is not None
    with files.open_for_writing(args.file, f"dugout league export {args.key} {args.kind}") as file:
        file.write(data)
    return 0


def import_file(args: argparse.Namespace, books: _Books) -> int:
    text = _read_text(args.file, f"dugout league import {args.key}")
    header = next((line for line in text.splitlines() if line.strip()), "").lower()
    if "home" in header:
        print(f"Fixtures: {books.changes.import_fixtures(args.key, text)}.")
    else:
        print(f"Teams changed: {books.changes.import_teams(args.key, text)}.")
    return 0


def create_league(args: argparse.Namespace, books: _Books) -> int:
    text = _read_text(args.file, f"dugout league new {args.key}")
    league = parse_new_league(text, args.key, args.title, args.game)
    if args.game in GAMES:
        league = replace(league, house=GAMES[args.game].single_game_house())
    books.changes.save_league(league, new=True)
    print(f"{league.title} has {len(league.teams)} teams and {len(league.listed)} fixtures: /leagues/{league.key}")
    return 0


def _read_text(path: Path, command: str) -> str:
    """Read a CSV file. Raises CommandError, LeagueError and OSError."""
    with files.open_for_reading(path, command) as file:
        data = file.read(4 * MAX_TEXT_LENGTH)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LeagueError(f"{path} is not UTF-8 text. Save it as CSV UTF-8") from error
