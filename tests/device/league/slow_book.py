"""An independent computation of record books, from the events of each game, in plain Python and without a database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.box_score import BattingTotals, box_scores
from engine.league.game_stats import game_stats
from engine.league.league import League, LeagueGame
from engine.league.schedule import league_fixtures
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table

Line = tuple[int, ...]
"""At-bats, runs, hits, RBI, walks and strikeouts."""


@dataclass
class StoredGame:
    """A stored game, as the test knows it. Its table has no names of people."""

    number: int
    table: Table
    league: LeagueGame | None = None
    people: Mapping[Seat, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SlowGame:
    """A finished game, by sides."""

    number: int
    place: int
    seats: Mapping[Seat, Seat]
    cards: Mapping[Seat, str]
    runs: Mapping[Seat, int]
    winner: Seat | None
    batters: Mapping[Seat, Mapping[str, Line]]


@dataclass
class SlowBook:
    """The totals of a book: wins, losses and ties, runs for and against, and the lines of batters by team and name."""

    results: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0] * 5))
    batters: dict[tuple[str, str], Line] = field(default_factory=dict)
    games: list[tuple[int, int]] = field(default_factory=list)

    def add(self, game: SlowGame, teams: Mapping[Seat, str]) -> None:
        self.games.append((game.number, game.place))
        for side in SEATS:
            result = self.results[teams[side]]
            result[2 if game.winner is None else int(game.winner != side)] += 1
            result[3] += game.runs[side]
            result[4] += game.runs[opposite_seat(side)]
            for name, line in game.batters[side].items():
                before = self.batters.get((teams[side], name), (0,) * 6)
                self.batters[teams[side], name] = tuple(a + b for a, b in zip(before, line, strict=True))


def finished_games(number: int, table: Table) -> Iterator[SlowGame]:
    """Find the finished games of a table in its log."""
    stats, place = game_stats(table), 0
    for end, logged in enumerate(table.log, 1):
        if logged.event.code not in ("game-over", "game-won"):
            continue
        box, known = box_scores(table.log[:end]), stats[place]
        place += 1
        runs = {side: sum(runs or 0 for runs in box[side].line) for side in SEATS}
        if place == len(stats) and table.outcome:
            runs = {side: score.runs for side, score in table.scoreboard().sides.items()}
        winner = logged.event.facts.get("seat")
        if winner is None and len(set(runs.values())) == 2:
            winner = max(SEATS, key=lambda side: runs[side])
        yield SlowGame(
            number,
            place,
            {side: known.sides[side].seat for side in SEATS},
            {side: known.sides[side].cards for side in SEATS},
            runs,
            winner,
            {side: {name: _line(did) for name, did in box[side].batters.items()} for side in SEATS},
        )


def _line(did: BattingTotals) -> Line:
    return did.at_bats, did.runs, did.hits, did.driven_in, did.walks, did.strikeouts


def slow_books(stored: Iterable[StoredGame], league: League) -> dict[str, SlowBook]:
    """Compute all books with a finished game. The games are in the order of their beginning."""
    books: dict[str, SlowBook] = defaultdict(SlowBook)
    fixtures = {one.number: {one.away, one.home} for one in league_fixtures(league, [])}
    played = set[int]()
    for one in stored:
        games = list(finished_games(one.number, one.table))
        for game in games:
            of, key = one.league, one.table.game.key
            board = one.table.scoreboard()
            teams = {
                side: _team(one, board.sides[board.plays.get(game.seats[side], side)].name, game, side)
                for side in SEATS
            }
            if of is None or not of.friendly:
                books[key].add(game, teams)
            if len(games) > 1:
                books[f"season-{one.number}"].add(game, teams)
            if of and of.league == league.key and not of.friendly:
                if of.fixture and (of.fixture in played or fixtures.get(of.fixture) != {of.away, of.home}):
                    continue
                played.add(of.fixture)
                at = {"away": of.away, "home": of.home}
                books[league.key].add(game, {side: at[game.seats[side]] for side in SEATS})
    return dict(books)


def _team(one: StoredGame, usual: str, game: SlowGame, side: Seat) -> str:
    if game.cards[side]:
        return game.cards[side]
    person = one.people.get(game.seats[side])
    return f"person:{person}" if person else usual
