"""Fixtures and teams from CSV texts, and fixtures to CSV.

A text has a header, and commas, semicolons or tabs between its cells. Columns come in any order and case, and others
are left out. Every fault is reported with its line and column, and a text with a fault changes nothing.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from engine.errors import LeagueError
from engine.events import spoken_list
from engine.league.league import TEAM_COLORS, Fixture, League, LeagueTeam, PlayedGame
from engine.league.rules import (
    MAX_FIXTURES,
    MAX_NAME_LENGTH,
    MAX_TEAMS,
    MAX_TITLE_LENGTH,
    comparable_name,
    is_day,
    slug,
)
from engine.league.schedule import check_change
from engine.scorecard.spreadsheet import FORMULA_SIGNS, Row
from engine.text.numbers import parse_whole_number
from engine.text.visible_text import printable_text, visible_line

FIXTURE_COLUMNS = ("number", "round", "day", "away", "home", "title")
"""The columns of an export of fixtures, for `fixtures_rows`. Only the two teams are needed in an import."""

TEAM_COLUMNS = ("team", "name", "color", "person", "manager")
"""The columns of an import of teams. Only `team` is needed."""

COLUMN_SYNONYMS: Mapping[str, str] = {"date": "day", "visitor": "away", "colour": "color"}
"""Other names of columns. If a text has both, it is the one here that counts."""

MAX_TEXT_LENGTH = 4_000_000
"""Characters in a text. 20,000 fixtures have about a quarter of it."""

MAX_CELL_LENGTH = 200
"""Characters in a cell that is read."""

MAX_REPORTED_FAULTS = 10
"""Faults that an error lists. It counts the others."""

SEPARATORS = (",", ";", "\t")
"""What may be between cells. The header has the one that it has most often."""

_ESCAPE_PATTERN = re.compile(f"'+[{re.escape(''.join(FORMULA_SIGNS))}]")
"""A text that an export began with an apostrophe, so that no spreadsheet takes it for a formula."""

T = TypeVar("T")


def parse_fixtures(text: str, league: League) -> list[Fixture]:
    """Return the fixtures of a CSV text, in its order. Raises LeagueError.

    Columns: away (or visitor) and home, the keys or names of teams in any case; and if there are such: date (or day),
    as 2026-04-01 or 20260401; round; title; number. Without numbers, fixtures are numbered from 1. Without rounds, a
    new one begins before each fixture of a team that is already in the current one.
    """
    labels = {team.key: team.key for team in league.teams}
    labels |= {comparable_name(team.name): team.key for team in league.teams}

    def find_team(cell: str) -> str:
        key = labels.get(comparable_name(visible_line(cell, MAX_CELL_LENGTH)))
        if key is None:
            raise ValueError(f"{_quoted_cell(cell)} is not a team of this league.")
        return key

    return _parse_rows(_Table(text, FIXTURE_COLUMNS, ("away", "home")), find_team)


def parse_new_league(text: str, key: str, title: str, game: str) -> League:
    """Return a league of the fixtures of a CSV text, as for `parse_fixtures`. Raises LeagueError.

    Its teams are those of the text, named as there and in the order in which they come. Key, title and game are not
    checked (`engine.league.rules.check_league`).
    """
    teams: dict[str, LeagueTeam] = {}
    colors = [*TEAM_COLORS]

    def find_or_add_team(cell: str) -> str:
        name = visible_line(cell, MAX_NAME_LENGTH)
        label = comparable_name(name)
        if label not in teams:
            if len(teams) == MAX_TEAMS:
                raise ValueError(f"{_quoted_cell(cell)} would be one team more than {MAX_TEAMS}.")
            taken = {one.key for one in teams.values()}
            teams[label] = LeagueTeam(slug(name, taken), name, colors[len(teams) % len(colors)])
        return teams[label].key

    listed = _parse_rows(_Table(text, FIXTURE_COLUMNS, ("away", "home")), find_or_add_team)
    return League(key, title, game, "fixtures", [*teams.values()], listed=listed)


def parse_teams(text: str, league: League, managers: Collection[str] | None = None) -> tuple[League, Mapping[str, str]]:
    """Return a league whose teams are changed by a CSV text, and the names of people by team. Raises LeagueError.

    Columns: team, its key or name in any case; and if there are such, what it gets: name, color, person, manager. An
    empty cell changes nothing. A person is given by name, so the caller finds the key, or adds the person.
    managers: the computers to choose from; without them, those of the text are not checked.
    """
    labels = {team.key: team for team in league.teams}
    labels |= {comparable_name(team.name): team for team in league.teams}
    table = _Table(text, TEAM_COLUMNS, ("team",))
    changed: dict[str, LeagueTeam] = {}
    people: dict[str, str] = {}

    def find_team(cell: str) -> LeagueTeam:
        team = labels.get(comparable_name(visible_line(cell, MAX_CELL_LENGTH)))
        if team is None:
            raise ValueError(f"{_quoted_cell(cell)} is not a team of this league.")
        if team.key in changed:
            raise ValueError(f"{team.name} is there twice.")
        return team

    lines: dict[str, _TableRow] = {}
    for row in table.rows:
        team = row.parse("team", find_team)
        if team is None:
            continue
        lines[team.key] = row
        changed[team.key] = replace(
            team,
            name=row.parse_optional("name", _parse_name) or team.name,
            colour=row.parse_optional("color", _key_parser(TEAM_COLORS)) or team.colour,
            manager=row.parse_optional("manager", _key_parser(managers)) or team.manager,
        )
        person = row.parse_optional("person", _parse_name)
        if person:
            people[team.key] = person
    teams = [changed.get(team.key, team) for team in league.teams]
    for team in teams:
        if [comparable_name(one.name) for one in teams].count(comparable_name(team.name)) > 1 and team.key in lines:
            lines[team.key].add_fault("name", f"{team.name} is the name of another team.")
    table.require_no_faults()
    return replace(league, teams=teams), people


def merge_fixtures(league: League, new: Sequence[Fixture], played: Sequence[PlayedGame]) -> League:
    """Return a league with other listed fixtures. Raises LeagueError unless those that were played stay as they are."""
    merged = replace(league, listed=new)
    check_change(league, merged, played)
    return merged


def fixtures_rows(league: League, fixtures: Sequence[Fixture]) -> Iterator[Row]:
    """Yield fixtures by `FIXTURE_COLUMNS`, for `engine.scorecard.spreadsheet.csv_text`.

    `parse_fixtures` gets the same fixtures from that text, if all have their teams.
    """
    names = {team.key: team.name for team in league.teams} | {"": ""}
    for one in fixtures:
        texts = (names[one.away], names[one.home], one.title)
        yield one.number, one.round, one.day, *(f"'{text}" if _ESCAPE_PATTERN.match(text) else text for text in texts)


def _parse_rows(table: _Table, find_team: Callable[[str], str]) -> list[Fixture]:
    find_team = cache(find_team)  # as each team comes often
    fixtures: list[Fixture] = []
    numbers: set[int] = set()
    busy: set[str] = set()
    current_round = 1
    for row in table.rows:
        away, home = row.parse("away", find_team), row.parse("home", find_team)
        if away is None or home is None:
            away = home = ""
        elif away == home:
            row.add_fault("home", f"{_quoted_cell(row.cells['home'])} is the away team too.")
        if {away, home} & busy:
            current_round += 1
            busy.clear()
        busy |= {away, home}
        number = row.parse("number", _parse_fixture_number) if "number" in table.columns else len(fixtures) + 1
        if number in numbers:
            row.add_fault("number", f"{number} is there twice.")
        numbers.add(number or 0)
        fixtures.append(
            Fixture(
                number or 0,
                row.parse("round", _parse_fixture_number) or 0 if "round" in table.columns else current_round,
                away,
                home,
                row.parse_optional("day", _parse_day) or "",
                row.parse_optional("title", _parse_title) or "",
            )
        )
    table.require_no_faults()
    return fixtures


class _Table:
    """The rows of a CSV text, and the faults that are found in it.

    Raises LeagueError for a text that has no such columns.
    """

    def __init__(self, text: str, columns: Sequence[str], needed: Sequence[str]) -> None:
        self.faults: list[str] = []
        self.rows: list[_TableRow] = []
        self.columns: Mapping[str, int] = {}
        if len(text) > MAX_TEXT_LENGTH:
            raise LeagueError(f"the file: can have at most {MAX_TEXT_LENGTH} characters; it has {len(text)}.")
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        lines = [f"{line}\n" for line in text.split("\n")]
        header = next((line for line in lines if line.strip()), "")
        reader = csv.reader(lines, delimiter=max(SEPARATORS, key=header.count), strict=True)
        line = 1
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    self._add_cells(line, cells, columns, needed)
                line = reader.line_num + 1
        except csv.Error as error:
            raise LeagueError(f"line {line}: is not CSV: {error}.") from error
        if not self.columns:
            raise LeagueError(f"line 1: needs a header with the columns {spoken_list(needed)}.")
        if not self.rows:
            raise LeagueError(f"line {line}: needs a row after the header.")

    def _add_cells(self, line: int, cells: Sequence[str], columns: Sequence[str], needed: Sequence[str]) -> None:
        if not self.columns:
            self.columns = _find_columns(line, cells, columns, needed)
            return
        if len(self.rows) == MAX_FIXTURES:
            raise LeagueError(f"line {line}: is one more than {MAX_FIXTURES} fixtures.")
        found = {name: cells[index].strip() if index < len(cells) else "" for name, index in self.columns.items()}
        unescaped = {name: cell[1:] if _ESCAPE_PATTERN.match(cell) else cell for name, cell in found.items()}
        self.rows.append(_TableRow(line, unescaped, self.faults))

    def require_no_faults(self) -> None:
        """Raise LeagueError with the first faults and the count of the others."""
        more = len(self.faults) - MAX_REPORTED_FAULTS
        if self.faults:
            last = [f"And {more} more."] if more > 0 else []
            raise LeagueError(" ".join([*self.faults[:MAX_REPORTED_FAULTS], *last]))


def _find_columns(line: int, cells: Sequence[str], columns: Sequence[str], needed: Sequence[str]) -> Mapping[str, int]:
    """Return the index of each known column of a header. Raises LeagueError."""
    names = [cell.strip().lower() for cell in cells]
    for name in (*columns, *COLUMN_SYNONYMS):
        if names.count(name) > 1:
            raise LeagueError(f"line {line}: the column {name} is there twice.")
    found = {name: names.index(name) for name in columns if name in names}
    found |= {column: names.index(name) for name, column in COLUMN_SYNONYMS.items() if name in names}
    found = {name: index for name, index in found.items() if name in columns}
    if missing := [name for name in needed if name not in found]:
        there = ", ".join(_quoted_cell(name) for name in names if name)
        plural = "s" if len(missing) > 1 else ""
        raise LeagueError(f"line {line}: needs the column{plural} {spoken_list(missing)}, but has {there[:200]}.")
    return found


@dataclass(frozen=True, slots=True)
class _TableRow:
    """A row of a table. Values are None where there is a fault, which then is in `faults`."""

    line: int
    cells: Mapping[str, str]
    faults: list[str]

    def add_fault(self, column: str, reason: str) -> None:
        self.faults.append(f"line {self.line}, {column}: {reason}")

    def parse(self, column: str, parse_cell: Callable[[str], T]) -> T | None:
        """Return the value of a cell. `parse_cell` raises ValueError with a reason."""
        cell = self.cells[column]
        try:
            if len(cell) > MAX_CELL_LENGTH:
                raise ValueError(f"can have at most {MAX_CELL_LENGTH} characters; these are {len(cell)}.")
            return parse_cell(cell)
        except ValueError as error:
            self.add_fault(column, str(error))
            return None

    def parse_optional(self, column: str, parse_cell: Callable[[str], T]) -> T | None:
        """Return the value of a cell, None for an empty or missing one."""
        return self.parse(column, parse_cell) if self.cells.get(column) else None


def _parse_fixture_number(cell: str) -> int:
    number = parse_whole_number(cell, MAX_FIXTURES)
    if not number:
        raise ValueError(f"needs a whole number from 1 to {MAX_FIXTURES}, not {_quoted_cell(cell)}.")
    return number


def _parse_day(cell: str) -> str:
    day = re.sub("^([0-9]{4})([0-9]{2})([0-9]{2})$", r"\1-\2-\3", cell)
    if not is_day(day):
        raise ValueError(f"needs a date such as 2026-04-01 or 20260401, not {_quoted_cell(cell)}.")
    return day


def _parse_title(cell: str) -> str:
    return visible_line(cell, MAX_TITLE_LENGTH)


def _parse_name(cell: str) -> str:
    return visible_line(cell, MAX_NAME_LENGTH)


def _key_parser(keys: Collection[str] | None) -> Callable[[str], str]:
    def parse_key(cell: str) -> str:
        key = cell.lower()
        if keys is not None and key not in keys:
            raise ValueError(f"can be {spoken_list(keys, 'or')}, not {_quoted_cell(cell)}.")
        return key

    return parse_key


def _quoted_cell(cell: str) -> str:
    """A cell as a sentence quotes it."""
    words = printable_text(cell)
    return f'"{words[:40]}…"' if len(words) > 40 else f'"{words}"'
