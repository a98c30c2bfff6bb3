"""Exports of a record book as CSV, JSON or SQLite. docs/develop/record-book.md describes each table and column."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from device.league.book_reader import BookReader
from device.league.book_tables import (
    BATTING_LINE_COLUMNS,
    GAME_COLUMNS,
    PITCHING_LINE_COLUMNS,
    STANDING_COLUMNS,
    BookTables,
)
from device.league.sqlite_export import sqlite_export
from engine.league.fixtures_csv import FIXTURE_COLUMNS, fixtures_rows
from engine.scorecard.spreadsheet import csv_text


def export(reader: BookReader, book: str, kind: str) -> bytes | None:
    """Return a file of a book, a `web.league_port.ExportKind`. None if there is no such book or kind.

    Raises sqlite3.Error.
    """
    make = EXPORTS.get(kind)
    if make is None:
        return None
    with reader.open_book(book) as opened:
        return make(BookTables(opened, opened.content.teams(reader.find_person))) if opened else None


def _games_csv(tables: BookTables) -> bytes:
    return csv_text(GAME_COLUMNS, tables.games()).encode()


def _batting_csv(tables: BookTables) -> bytes:
    return csv_text(BATTING_LINE_COLUMNS, tables.batting()).encode()


def _pitching_csv(tables: BookTables) -> bytes:
    return csv_text(PITCHING_LINE_COLUMNS, tables.pitching()).encode()


def _standings_csv(tables: BookTables) -> bytes:
    return csv_text(STANDING_COLUMNS, tables.standings()).encode()


def _fixtures_csv(tables: BookTables) -> bytes:
    """The fixtures as the import reads them. Only leagues have any."""
    league = tables.content.league
    rows = fixtures_rows(league, tables.content.fixtures) if league else ()
    return csv_text(FIXTURE_COLUMNS, rows).encode()


def _json(tables: BookTables) -> bytes:
    content = tables.content
    teams = [
        {"name": tables.teams[key].name, "color": tables.teams[key].colour, "person": tables.teams[key].person}
        for key in content.team_keys
    ]
    fixtures = [
        {"number": one.number, "round": one.round, "day": one.day, "title": one.title}
        | {side: tables.team_name(key) if key else "" for side, key in (("away", one.away), ("home", one.home))}
        | {"game": content.by_fixture[one.number].number if one.number in content.by_fixture else None}
        for one in content.fixtures
    ]
    document = {
        "book": content.key,
        "title": content.title,
        "kind": content.kind,
        "rulebook": content.game,
        "champion": tables.team_name(content.champion) if content.champion else "",
        "teams": teams,
        "standings": tables.dicts(STANDING_COLUMNS, tables.standings()),
        "fixtures": fixtures,
        "games": tables.dicts(GAME_COLUMNS, tables.games()),
        "batting": tables.dicts(BATTING_LINE_COLUMNS, tables.batting()),
        "pitching": tables.dicts(PITCHING_LINE_COLUMNS, tables.pitching()),
    }
    return json.dumps(document, ensure_ascii=False).encode()


EXPORTS: Mapping[str, Callable[[BookTables], bytes]] = {
    "games.csv": _games_csv,
    "batting.csv": _batting_csv,
    "pitching.csv": _pitching_csv,
    "standings.csv": _standings_csv,
    "fixtures.csv": _fixtures_csv,
    "json": _json,
    "sqlite": sqlite_export,
}
"""What makes the file of each `web.league_port.ExportKind`."""
