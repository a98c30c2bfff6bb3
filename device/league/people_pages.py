"""What people have won, and what happened on this day (`web.league_port.BooksPort`)."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta

from device.league.book_content import person_name
from device.league.book_reader import BookReader
from engine.games import GAMES
from engine.league.views import Anniversary, Person, PersonRecord
from engine.seats import Seat, opposite_seat

MAX_ANNIVERSARIES = 3
"""Anniversaries of one day."""

ROUND_DAYS = (100, 50, 30, 7)
"""Days after which a game of this year is remembered."""

_Record = tuple[int, int, int]

PEOPLE_QUERY = """select book, winner_seat, away_person, home_person, count(*) from game join journal using (number)
where book = journal.game and coalesce(away_person, home_person) is not null group by 1, 2, 3, 4"""
"""The games of rulebooks, which have each game that counts once."""

DAY_QUERY = """select number, book, away, home, away_runs, home_runs, winner, innings, regulation
from journal join game using (number) where journal.played >= ? and journal.played < ? and book = journal.game
order by game.simulated, innings > regulation desc, away_runs + home_runs desc, number limit 1"""
"""The most remarkable game of a day: one that people played, with extra innings, or else with the most runs."""


class PeoplePages:
    """Reads what concerns people in the record book. Any thread may call. Methods raise sqlite3.Error.

    people: returns all people.
    today: returns the date on the clock of the table.
    """

    def __init__(
        self, reader: BookReader, people: Callable[[], Sequence[Person]], today: Callable[[], date] = date.today
    ) -> None:
        self._reader, self._people, self._today = reader, people, today

    def person_records(self) -> list[PersonRecord]:
        by_game: dict[str, dict[str, _Record]] = defaultdict(dict)
        versus: dict[str, dict[str, _Record]] = defaultdict(dict)
        with self._reader.open_file() as db:
            rows = db.execute(PEOPLE_QUERY).fetchall()
        for book, winner, away, home, games in rows:
            people: dict[Seat, str | None] = {"away": away, "home": home}
            for seat, person in people.items():
                if person is None or away == home:
                    continue
                result = (games, 0, 0) if winner == seat else (0, games, 0) if winner else (0, 0, games)
                title = GAMES[book].title if book in GAMES else book
                _add(by_game[person], title, result)
                if (other := people[opposite_seat(seat)]) is not None:
                    _add(versus[person], person_name(self._reader.find_person, other), result)
        return [PersonRecord(one, by_game[one.key], versus[one.key]) for one in self._people()]

    def on_this_day(self) -> list[Anniversary]:
        today, found = self._today(), list[Anniversary]()
        with self._reader.open_file() as db:
            (first,) = db.execute("select min(played) from journal where played != ''").fetchone()
            for day, ago in _remembered_days(today, int(first[:4]) if first else today.year):
                if len(found) < MAX_ANNIVERSARIES and (one := self._anniversary(db, day, ago)):
                    found.append(one)
        return found

    def _anniversary(self, db: sqlite3.Connection, day: date, ago: str) -> Anniversary | None:
        begin, end = (datetime.combine(one, time()).astimezone() for one in (day, day + timedelta(1)))
        row = db.execute(DAY_QUERY, (_utc_text(begin), _utc_text(end))).fetchone()
        if row is None:
            return None
        number, book, away, home, away_runs, home_runs, winner, innings, regulation = row
        content = next(self._reader.books(db, {book}), None)
        teams = content.teams(self._reader.find_person) if content else {}
        names = {key: teams[key].name if key in teams else key for key in (away, home)}
        long = f" in {innings} innings" if innings > regulation else ""
        if not winner:
            return Anniversary(
                day.isoformat(), f"{ago}, {names[away]} and {names[home]} tied, {away_runs}–{home_runs}{long}.", number
            )
        lost, score = (home, (away_runs, home_runs)) if winner == away else (away, (home_runs, away_runs))
        return Anniversary(
            day.isoformat(), f"{ago}, {names[winner]} beat {names[lost]}, {score[0]}–{score[1]}{long}.", number
        )


def _add(records: dict[str, _Record], key: str, result: _Record) -> None:
    won, lost, tied = records.get(key, (0, 0, 0))
    records[key] = (won + result[0], lost + result[1], tied + result[2])


def _remembered_days(today: date, first_year: int) -> Iterator[tuple[date, str]]:
    """Days to remember, the earliest first, with how long ago they were in words."""
    for year in range(first_year, today.year):
        try:
            day = today.replace(year=year)
        except ValueError:
            continue  # February 29
        yield day, "One year ago today" if today.year - year == 1 else f"{today.year - year} years ago today"
    for days in ROUND_DAYS:
        if (day := today - timedelta(days)).year == today.year:
            yield day, "One week ago" if days == 7 else f"{days} days ago"


def _utc_text(moment: datetime) -> str:
    """A time as the journal stores it, to compare with."""
    return (moment - (moment.utcoffset() or timedelta())).replace(tzinfo=None).isoformat()
