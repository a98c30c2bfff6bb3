"""`dugout games`. Lists, names and exports stored games, and repairs damaged ones. A table may run."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from device.commands import target
from device.machine import Machine
from device.named_file import error_text
from device.storage import game_list, game_repair
from device.storage.database import JournalConnection, open_read_only
from device.storage.store import JournalInUseError, Store, StoreError
from device.table import game_rows
from device.table.game_rows import GameSummaryReader
from device.table.past_games import PastGames
from engine.scorecard.spreadsheet import BOX_COLUMNS, PLAY_COLUMNS, Row, box_rows, csv_text, play_rows
from engine.text.numbers import parse_whole_number


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "list the stored games, name one, export them, or repair damaged ones"
    parser = commands.add_parser("games", help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument("--name", nargs=2, metavar=("NUMBER", "NAME"), help='name a game; "" removes its name')
    parser.add_argument(
        "--repair",
        nargs="?",
        const="",
        metavar="NUMBER",
        help="repair the damaged games; with a game's number, cut that one before its first damaged answer",
    )
    parser.add_argument(
        "--csv",
        choices=("plays", "box"),
        metavar="WHAT",
        help="print the plays, or the box scores, of all finished games as CSV for a spreadsheet",
    )
    target.add_options(parser)
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """List, name, export or repair games. Raises CommandError."""
    _, data = target.select_table(args, Machine())
    try:
        target.check_readable(data)
        journal = data / "journal.db"
        if not journal.is_file():
            raise LookupError(f"there are no games in {data}")
        if args.csv:
            print(games_csv(journal, args.csv), end="")
        elif args.repair is not None:
            print("\n".join(repair_games(journal, args.repair)))
        else:
            print(rename_game(journal, *args.name) if args.name else "\n".join(game_lines(journal)))
    except (LookupError, ValueError, OSError, sqlite3.Error) as error:
        raise target.CommandError(f"{error_text(error).rstrip('.')}.") from error
    return 0


def game_lines(journal: Path) -> list[str]:
    """Format a line for each game, the last on the table first. Raises OSError and sqlite3.Error."""
    with closing(open_read_only(journal)) as db:
        order = game_rows.recent_game_numbers(db)
        found = list(GameSummaryReader().read_summaries(db, order, order[0] if order else 0))
    rows = [
        (
            str(one.id),
            one.name or "–",
            one.game.title,
            f"{'over' if one.outcome else one.stands or 'not known'}"
            f"{', on the table' if one.now and not one.outcome else ''}{', damaged' if one.damaged else ''}",
            local_time_text(one.played),
        )
        for one in found
    ]
    rows.insert(0, ("No.", "Name", "Game", "Status", "Last played"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def games_csv(journal: Path, what: str) -> str:
    """The plays of all finished games as CSV, oldest game first, or their box scores. Raises OSError and sqlite3.Error.

    A game that cannot be read is left out, and named on standard error.
    """
    columns, rows = (PLAY_COLUMNS, play_rows) if what == "plays" else (BOX_COLUMNS, box_rows)
    past = PastGames(journal, now=lambda: 0, has=lambda game, place: False)
    with closing(open_read_only(journal)) as db:
        order = sorted(game_rows.recent_game_numbers(db))
    found = list[Row]()
    for number in order:
        record = past.game_record(number)
        if record and record.trouble:
            print(f"dugout: game {number}: {record.trouble}", file=sys.stderr)
        elif record and record.table and record.table.outcome:
            found += rows(number, record.log, record.table)
    return csv_text(columns, found)


def local_time_text(stamp: str) -> str:
    """Local time of an ISO time, as 2026-04-01 19:05, or a dash for anything else."""
    with suppress(ValueError, TypeError, OverflowError):
        return f"{datetime.fromisoformat(stamp).astimezone():%Y-%m-%d %H:%M}"
    return "–"


def rename_game(journal: Path, number: str, name: str) -> str:
    """Name a game and return a sentence about it. Raises LookupError, ValueError, OSError and sqlite3.Error."""
    game = _parse_game_number(number)
    try:
        name = game_list.checked_name(name)
    except ValueError as error:
        raise ValueError(f"the name {error}") from None
    if not _store_name(journal, game, name):
        raise LookupError(f"there is no game {game}: dugout games lists them")
    return f"Game {game} is now called {name}." if name else f"Game {game} now has no name."


def repair_games(journal: Path, number: str) -> list[str]:
    """Repair the damaged games, or cut the one of this number short. Return a sentence about each.

    Raises ValueError, OSError and sqlite3.Error.
    """
    game = _parse_game_number(number) if number else 0
    told = list[str]()
    try:
        with closing(Store(journal)) as store:  # opening repairs damage to the complete journal
            told += [store.trouble] if store.trouble else []
    except StoreError as error:
        if not isinstance(error.__cause__, JournalInUseError):
            raise
    told += game_repair.repair_games(journal, game)
    return told or [f"Game {number} is not damaged, or there is none." if number else "No game is damaged."]


def _parse_game_number(number: str) -> int:
    """Parse a typed game number. Raises ValueError."""
    game = parse_whole_number(number, (1 << 31) - 1)
    if not game:
        raise ValueError(f"{number!r} is not a game's number: dugout games lists them")
    return game


def _store_name(journal: Path, game: int, name: str) -> bool:
    try:
        with closing(Store(journal)) as store:
            return store.rename_game(game, name)
    except StoreError as error:
        if not isinstance(error.__cause__, JournalInUseError):
            raise
    # A running table continues to write, and copies the name with its next change.
    with closing(sqlite3.connect(journal, isolation_level=None, timeout=5, factory=JournalConnection)) as db:
        db.execute("pragma synchronous = full")
        db.execute("pragma wal_autocheckpoint = 0")
        with db:
            db.execute("begin immediate")
            return game_list.rename_game(db, game, name)
