"""A simulated league of Small Ball, and what its record book costs: `python -m benchmarks.league` prints both.

    python -m benchmarks.league [--teams 30] [--games 2430] [--folder out/league]

Computers play the missing games first, about sixteen a second, so that a second call measures at once.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

from device.storage.store import Store
from engine.cards import Deck, parse_deck
from engine.games.small_ball import GAME
from engine.league.league import Fixture, League, LeagueTeam
from engine.table import Table
from managers.manager import GameSetup
from managers.simulation import manager_player, simulate_game

FIRST_DAY = date(2026, 4, 1)

PLACES = (
    *("Alder", "Birch", "Cedar", "Dover", "Ember", "Fallow", "Grove", "Harbor", "Inlet", "Juniper"),
    *("Kettle", "Lagoon", "Marsh", "North", "Orchard", "Prairie", "Quarry", "River", "Summit", "Timber"),
    *("Upland", "Valley", "Willow", "Yarrow", "Zenith", "Amber", "Bluff", "Canyon", "Delta", "Eagle"),
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
    called = [LeagueTeam(f"team-{place}", f"{PLACES[place]}s", "green") for place in range(teams)]
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
    lines = [f'[deck]\ngame = "small-ball"\ntitle = "{PLACES[place]}s"\n[[team]]\ncolour = "{colour}"']
    lines.append(f'name = "{PLACES[place]}s"')
    for number, first in enumerate(FIRST_NAMES, 1):
        name = f'team = "{colour}"\nname = "{first} {PLACES[place]}"'
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


def game_settings(league: League, fixture: Fixture) -> str:
    """The seat settings of the game of a fixture, as JSON."""
    of = {"league": league.key, "fixture": fixture.number, "away": fixture.away, "home": fixture.home}
    return json.dumps({"managers": {"away": "rookie", "home": "rookie"}, "league": of | {"friendly": False}})


def simulate_season(folder: Path, league: League) -> Path:
    """Play the games that the folder lacks, and return the journal."""
    folder.mkdir(parents=True, exist_ok=True)
    now = [datetime.now(UTC)]
    store = Store(folder / "journal.db", lambda: now[0], budget=1 << 40)
    try:
        (begun,) = store._db.execute("select count(*) from game").fetchone()
        for fixture in league.listed[begun:]:
            now[0] = datetime.fromisoformat(fixture.day).replace(hour=18, tzinfo=UTC)
            store.begin_game(played_table(league, fixture), game_settings(league, fixture))
            if fixture.number % 100 == 0:
                print(f"{fixture.number} games", flush=True)
    finally:
        store.close()
    return folder / "journal.db"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.league", description=__doc__)
    parser.add_argument("--teams", type=int, default=30, help="an even number of at most 30")
    parser.add_argument("--games", type=int, default=2430)
    parser.add_argument("--folder", type=Path, default=Path("out/league"))
    given = parser.parse_args()
    league = build_league(given.teams, given.games)
    began = time.perf_counter()
    simulate_season(given.folder, league)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
