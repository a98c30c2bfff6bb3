"""Finished games with random answers, stored for record books."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from device.league.book import RecordBook
from device.league.book_reader import BookReader
from device.storage.decks import house_deck
from device.storage.store import Store
from engine.games import GAMES
from engine.league.league import League, LeagueGame, LeagueTeam
from engine.seats import Seat
from engine.table import Table
from managers.simulation import answer_one_ask, random_decision

TEAMS = ("gulls", "owls", "terns")

LEAGUE = League("summer", "Summer", "small-ball", "round-robin", [LeagueTeam(key, key.title()) for key in TEAMS])

KINDS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("small-ball", {}),
    ("small-ball", {"innings": "3"}),
    ("rallybird", {}),
    ("bottom-of-the-9th", {}),
    ("seventh-inning-stretch", {}),
)
"""Games and house rules."""

PLAYERS: Mapping[Seat, Any] = {"away": random_decision, "home": random_decision}


@cache
def played_table(kind: int, seed: int) -> Table:
    """A finished game of one of `KINDS` with random answers. It must not be changed."""
    key, house = KINDS[kind]
    game = GAMES[key]
    table, chance = Table(game, [house_deck(game)], {**game.seated, **house}), Random(seed)
    while not table.outcome:
        answer_one_ask(table, PLAYERS, chance)
    return table


def settings_json(league: LeagueGame | None, people: Mapping[Seat, str]) -> str:
    """Seat settings of a game in a league, and of people."""
    found = {"people": dict(people), "league": asdict(league) if league else None}
    return json.dumps({name: value for name, value in found.items() if value})


class Bookkeeping:
    """A store in `folder`, its record book, and a reader of it."""

    def __init__(self, folder: Path, *leagues: League, **more: Any) -> None:
        self.store = Store(folder / "journal.db", **more)
        self.book = RecordBook(folder / "book.db", self.store.path)
        self.leagues = list(leagues)
        self.people = dict[str, Any]()
        self.reader = BookReader(self.book.path, lambda: self.leagues, self.people.get)

    def put(
        self, table: Table, fixture: int | None = None, teams: str = "", friendly: bool = False, **people: str
    ) -> int:
        """Store a game, of a fixture of the league "summer" if there is one. `teams` are such as "gulls owls"."""
        away, _, home = teams.partition(" ")
        of = LeagueGame("summer", fixture, away, home, friendly) if fixture is not None else None
        return self.store.begin_game(table, settings_json(of, people))  # type: ignore[arg-type]

    def assign(self, number: int, league: LeagueGame | None, **people: str) -> None:
        self.store.save_seat_settings(number, settings_json(league, people))  # type: ignore[arg-type]
