"""A simulated league of Small Ball, and what its record book costs: `python -m benchmarks.league` prints both.

    python -m benchmarks.league [--teams 30] [--games 2430] [--folder out/league]

Computers play the missing games first, about sixteen a second, so that a second call measures at once.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

from device.league.book import RecordBook
from device.league.book_reader import BookReader
from device.league.exports import EXPORTS, export
from device.league.people_pages import PeoplePages
from device.league.player_pages import PlayerPages
from device.league.record_pages import RecordPages
from device.storage import game_list, hash_chain
from device.storage.database import open_read_only
from device.storage.store import Store
from device.table.preset_answers import SeatSettings
from engine.cards import Deck, parse_deck
from engine.games.small_ball import GAME
from engine.journal import Source
from engine.league.league import Fixture, League, LeagueGame, LeagueTeam
from engine.seats import SEATS
from engine.table import Table
from managers.manager import GameSetup
from managers.simulation import manager_player, simulate_game

JOURNAL_BYTES = 1 << 40
"""Room for the journal: nothing is deleted."""

AGAIN = 20
"""How often a page that has been shown before is measured."""

COLD = 5
"""How often a page is measured after a change, and an export."""

FIRST_DAY = date(2026, 4, 1)

TEAM_NAMES = (
    *("Alders", "Bluffs", "Canyons", "Deltas", "Embers", "Fallows", "Groves", "Harbors", "Inlets", "Junipers"),
    *("Kettles", "Lagoons", "Marshes", "Northers", "Orchards", "Prairies", "Quarries", "Rivers", "Summits", "Timbers"),
    *("Uplands", "Valleys", "Willows", "Yarrows", "Zeniths", "Cedars", "Dovers", "Eagles", "Birches", "Ambers"),
)
"""Invented names of teams."""

FIRST_NAMES = ("Abe", "Bo", "Cal", "Dot", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo", "Kit")
"""First names of the nine players and two pinch hitters of each team."""

RESULTS = ("1B", "1B", "2B", "BB", "BB", "SO", "SO", "FO", "FO", "GO", "GO")


def build_league(teams: int, games: int) -> League:
    """A list of fixtures in which the teams meet each other in turn, as often as `games` allows."""
    listed = []
    for number, (of, away, home) in zip(range(1, games + 1), _pairings(teams), strict=False):
        day = (FIRST_DAY + timedelta(of)).isoformat()
        listed.append(Fixture(number, of + 1, f"team-{away}", f"team-{home}", day))
    called = [LeagueTeam(f"team-{place}", TEAM_NAMES[place], "green") for place in range(teams)]
    return League("big-league", "The big league", GAME.key, "fixtures", called, listed=listed, house=GAME.seated)


def _pairings(teams: int) -> Iterator[tuple[int, int, int]]:
    """Round, away and home of each game, by the circle method, for ever. The sides change with each turn."""
    order, of = list(range(teams)), 0
    while True:
        for place in range(teams // 2):
            pair = (order[place], order[-1 - place])
            yield of, *(pair if of % 2 else pair[::-1])
        order.insert(1, order.pop())
        of += 1


def team_deck(place: int, colour: str) -> Deck:
    """The cards of a team, made up by its number."""
    chance = Random(place)
    lines = [f'[deck]\ngame = "small-ball"\ntitle = "{TEAM_NAMES[place]}"\n[[team]]\ncolour = "{colour}"']
    lines.append(f'name = "{TEAM_NAMES[place]}"')
    for number, first in enumerate(FIRST_NAMES, 1):
        name = f'team = "{colour}"\nname = "{first} {TEAM_NAMES[place]}"'
        if number < 10:
            results = json.dumps(chance.sample(RESULTS, 6))
            lines.append(f"[[player]]\n{name}\nnumber = {number}\nresults = {results}")
        else:
            lines.append(f'[[pinch]]\n{name}\nkind = "{("POWER", "ON-BASE")[number - 10]}"')
    return parse_deck("\n".join(lines) + "\n", f"{colour}-{place}.toml", GAME.key, GAME.shapes)


def played_table(league: League, fixture: Fixture) -> Table:
    """The finished game of a fixture, by two weak computers."""
    away, home = (int(key.removeprefix("team-")) for key in (fixture.away, fixture.home))
    table = Table(GAME, [team_deck(away, "red"), team_deck(home, "blue")], league.house)
    player = manager_player(GameSetup(GAME.key, table.decks, table.house), "rookie")
    simulate_game(table, {"away": player, "home": player}, Random(fixture.number))
    return table


def simulate_season(folder: Path, league: League) -> Path:
    """Play the games that the folder lacks, and return the journal."""
    folder.mkdir(parents=True, exist_ok=True)
    now = [datetime.now(UTC)]
    store = Store(folder / "journal.db", lambda: now[0], budget=JOURNAL_BYTES)
    try:
        with closing(open_read_only(store.path)) as db:
            begun = len(hash_chain.game_numbers([db]))
        for fixture in league.listed[begun:]:
            now[0] = datetime.fromisoformat(fixture.day).replace(hour=18, tzinfo=UTC)
            table = played_table(league, fixture)
            game = LeagueGame(league.key, fixture.number, fixture.away, fixture.home)
            settings = SeatSettings(managers=dict.fromkeys(SEATS, "rookie"), league=game)
            store.add_finished_game(table, settings.json_text, [Source.MANAGER] * len(table.journal))
            if fixture.number % 500 == 0:
                print(f"{fixture.number} games are played", file=sys.stderr, flush=True)
    finally:
        store.close()
    return store.path


Times = list[tuple[float, float]]
"""Milliseconds of some calls, and of the processor in them."""


def times_ms(call: Callable[[], object], count: int) -> Times:
    times = []
    for _ in range(count):
        began, cpu = time.perf_counter(), time.process_time()
        call()
        times.append(((time.perf_counter() - began) * 1000, (time.process_time() - cpu) * 1000))
    return times


def print_rebuild(book: RecordBook) -> None:
    """Print the rate and the memory of a rebuild, the time to find nothing to do, and the size of the book."""
    before, began, cpu = memory_mb(), time.perf_counter(), time.process_time()
    count = book.rebuild()
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    rates = f"{wall:.1f} s, {count / wall:.0f} games a second", f"{cpu:.1f} s, {count / cpu:.0f} games a second"
    print_row(f"full rebuild of {count} games", *rates)
    print_row("memory, before it and at most", f"{before:.0f} and {memory_mb():.0f} MB", "")
    print_row("size of the book", f"{book.path.stat().st_size / 1e6:.1f} MB", "")
    print_times("find that no game has changed", times_ms(book.update, AGAIN))


def print_fold(book: RecordBook, journal: Path) -> None:
    """Print the time to fold one more game, with finding it, while all others stay."""
    store, times = Store(journal, budget=JOURNAL_BYTES), Times()
    try:
        with closing(open_read_only(journal)) as db:
            rows = game_list.read_rows(db)[0]
        for number in [*rows][:AGAIN]:
            store.save_seat_settings(number, rows[number].standing)  # another revision, so that it is folded again
            times += times_ms(book.update, 1)
    finally:
        store.close()
    print_times("one more game", times)


def print_pages(book: RecordBook, league: League) -> None:
    """Print the time of each page: the first one after a change, and later ones."""
    team, key = league.teams[3].key, league.key
    reader = new_reader(book, league)
    view = reader.team_view(key, team)
    assert view
    player = view.players[0].player
    records = RecordPages(reader)
    pages: dict[str, Callable[[BookReader], object]] = {
        "list of books": lambda reader: reader.book_list(),
        "front page of a league": lambda reader: reader.book_view(key),
        "front page of a rulebook": lambda reader: reader.book_view(GAME.key),
        "games, page 3": lambda reader: reader.games_page(key, 3),
        "games of a team": lambda reader: reader.games_page(key, 1, team),
        "leaders": lambda reader: PlayerPages(reader).leaders_view(key),
        "team": lambda reader: reader.team_view(key, team),
        "player": lambda reader: PlayerPages(reader).player_view(key, team, player),
        "next fixtures": lambda reader: reader.next_fixtures(),
        "people": lambda reader: PeoplePages(reader, list).person_records(),
        "on this day": lambda reader: PeoplePages(reader, list).on_this_day(),
    }
    for name, call in pages.items():
        first = [times_ms(partial(call, new_reader(book, league)), 1)[0] for _ in range(COLD)]
        print_times(f"page: {name}, after a change", first)
        print_times(f"page: {name}, later", times_ms(partial(call, reader), AGAIN))
    print_times("records of all games, in the background", times_ms(lambda: RecordPages(reader).records_view(key), 2))
    records.refresh()
    print_times("page: records", times_ms(lambda: records.records_view(key), AGAIN))
    for kind in EXPORTS:
        print_times(f"export: {kind}", times_ms(partial(export, reader, key, kind), COLD))


def new_reader(book: RecordBook, league: League) -> BookReader:
    return BookReader(book.path, lambda: [league], lambda key: None)


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_times(name: str, times: Times) -> None:
    wall, cpu = zip(*times, strict=True)
    print_row(name, f"{statistics.median(wall):.1f} ms, at most {max(wall):.1f} ms", f"{statistics.median(cpu):.1f} ms")


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.league", description=__doc__)
    parser.add_argument("--teams", type=int, default=30, help="an even number of at most 30")
    parser.add_argument("--games", type=int, default=2430)
    parser.add_argument("--folder", type=Path, default=Path("out/league"))
    given = parser.parse_args()
    league = build_league(given.teams, given.games)
    journal = simulate_season(given.folder, league)
    book = RecordBook(given.folder / "book.db", journal)
    print(f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; Python {sys.version.split()[0]}", file=sys.stderr)
    print_row("what", "median and longest time", "processor time, median")
    print_row("---", "---", "---")
    print_rebuild(book)
    print_fold(book, journal)
    print_pages(book, league)


if __name__ == "__main__":
    main()
