"""Leagues and record books with made-up games behind the pages: as many and as odd as a table may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import combinations
from random import Random
from typing import Literal

from engine.errors import LeagueError
from engine.games import GAMES
from engine.league.league import Fixture, League, LeagueFormat, LeagueGame, LeagueTeam
from engine.league.stats import BattingStats, PitchingStats, sum_stats
from engine.league.views import (
    Anniversary,
    BookGame,
    BookGamesPage,
    BookKind,
    BookList,
    BookSummary,
    BookTeam,
    BookView,
    FixtureOffer,
    LeaderCategory,
    LeaderRow,
    LeadersView,
    Person,
    PersonRecord,
    PlayerGame,
    PlayerLine,
    PlayerView,
    RecordEntry,
    RecordsView,
    StandingRow,
    TeamView,
    VersusRow,
)
from engine.views import GameName
from web.league_port import ExportKind

NAMES = (
    "Harbor City Night Herons",  # 24 letters
    "Ōsaka 火の鳥",
    "Łódź Żubry",
    "نسور القاهرة",
    "<b>Bold</b> & “Sons”",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
    *("Owls", "Otters", "Lanterns", "Mudhens", "Comets", "Larks", "Badgers", "Ironmen", "Pilots", "Herons", "Tides"),
    *("Foxes", "Miners", "Kestrels", "Bluejackets", "Gulls", "Sockeyes", "Travelers", "Nighthawks", "Mariners"),
    *("Chiefs of Salt Lake", "River Cats", "Sand Gnats", "Yard Goats"),
)
COLORS = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "gray")
PLAYERS = (
    "Pip Marlowe",
    "Łukasz O’Brien-Żółć",
    "<script>alert(1)</script>",
    "Bartholomew Featherstonehaugh III",
    "山田 太郎",
    "Sol Ackerman",
    "Jimmy “Two & Out” Rook",
    "Rosa Delgado",
    "Theo Van Der Berg",
    "Cy Hollis",
)
PEOPLE = (Person("ann", "Ann", "red"), Person("bo", "Bo & <Co>", "blue"), Person("zoe", "Zoë", "teal"))
SEASON_DAYS = 180
PAGE_SIZE = 50
PLAYERS_ON_PAGE = 50


def made_up_league(
    key: str, title: str, kind: LeagueFormat, teams: int, game: str = "small-ball", best_of: int = 1
) -> League:
    """Return a league with this number of teams, named in the order of `NAMES`."""
    return League(
        *(key, title, game, kind),
        [LeagueTeam(f"t{i}", NAMES[i], COLORS[i % 8], PEOPLE[i].key if i < len(PEOPLE) else "") for i in range(teams)],
        best_of=best_of,
    )


class Book:
    """A book with its games. `fixtures` are pairs of indexes of teams; `played` says how many are final."""

    def __init__(self, summary: BookSummary, league: League | None, fixtures: Sequence[Fixture], played: int) -> None:
        self.league, chance = league, Random(summary.key)
        teams = league.teams if league else made_up_league("x", "", "fixtures", 6).teams
        names = {one.key: one.name for one in PEOPLE}
        self.teams = {one.key: BookTeam(one.key, one.name, one.colour, names.get(one.person, "")) for one in teams}
        self.games = [self._game(one, i < played, chance) for i, one in enumerate(fixtures)]
        self.players = (
            [
                PlayerLine(name, team, _batting(chance), _pitching(chance) if i % 3 == 0 else None)
                for team in self.teams
                for i, name in enumerate(PLAYERS)
            ]
            if played
            else []
        )
        self.rows = self._standings() if played else []
        leader = self.teams[self.rows[0].team].name if self.rows else ""
        self.summary = replace(summary, games=played, fixtures=len(fixtures) if league else 0, leader=leader)

    def _game(self, fixture: Fixture, final: bool, chance: Random) -> BookGame:
        listed = fixture if self.league else None
        if not final:
            waits = not (fixture.away and fixture.home)
            return BookGame(listed, "waiting" if waits else "open", fixture.away, fixture.home)
        away, home = chance.randrange(12), chance.randrange(12)
        home += away == home
        return BookGame(
            *(listed, "final", fixture.away, fixture.home, fixture.number, 1, away, home),
            winner=fixture.home if home > away else fixture.away,
            played=fixture.day or "2026-04-02",
            innings=11 if abs(away - home) == 1 and chance.random() < 0.2 else 9,
            simulated=chance.random() < 0.3,
        )

    def _standings(self) -> list[StandingRow]:
        rows = []
        for team in self.teams:
            mine = [one for one in self.games if one.state == "final" and team in (one.away, one.home)]
            records = [_record(part, team) for part in (mine[-10:], [g for g in mine if g.home == team])]
            wins, losses, _ = _record(mine, team)
            away = _record([g for g in mine if g.away == team], team)
            scored = [(g.away_runs or 0, g.home_runs or 0) for g in mine]
            ours = sum(a if g.away == team else h for g, (a, h) in zip(mine, scored, strict=True))
            rows.append(
                StandingRow(
                    *(0, team, wins, losses, 0, wins / (wins + losses) if mine else None, 0.0, f"W{1 + wins % 7}"),
                    *(records[0], records[1], away, ours, sum(map(sum, scored)) - ours),
                    left=sum(one.state == "open" for one in self.games if team in (one.away, one.home)),
                )
            )
        rows.sort(key=lambda row: -(row.pct or 0))
        best = rows[0]
        return [
            replace(
                row,
                place=i + 1,
                games_behind=((best.wins - row.wins) - (best.losses - row.losses)) / 2,
                decided_by="head-to-head" if i and row.pct == rows[i - 1].pct else "",
            )
            for i, row in enumerate(rows)
        ]

    def leaders(self, most: int) -> list[LeaderCategory]:
        """Return the leaders of five categories."""
        found = []
        bats = [(one, one.batting) for one in self.players if one.batting]
        for code, title, name, least in (
            ("AVG", "Batting average", "batting_average", "At least 3.1 plate appearances for each game of the team."),
            ("HR", "Home runs", "home_runs", ""),
            ("RBI", "Runs batted in", "driven_in", ""),
            ("SB", "Stolen bases", "steals", ""),
            ("OPS", "On-base plus slugging", "on_base_plus_slugging", ""),
        ):
            best = sorted(bats, key=lambda pair: -(getattr(pair[1], name) or 0))[:most]
            value = "{:.3f}" if isinstance(getattr(bats[0][1], name) if bats else 0, float) else "{}"
            rows = [
                LeaderRow(
                    *(i + 1, line.player, line.team, value.format(getattr(stats, name)).removeprefix("0")),
                    f"{stats.hits} for {stats.at_bats}" if code == "AVG" else "",
                )
                for i, (line, stats) in enumerate(best)
            ]
            found.append(LeaderCategory(code, title, rows, least))
        return found


def _record(games: Sequence[BookGame], team: str) -> tuple[int, int, int]:
    won = sum(one.winner == team for one in games)
    return won, len(games) - won, 0


def _batting(chance: Random) -> BattingStats:
    hits, at_bats = chance.randrange(60, 190), chance.randrange(400, 620)
    homers = chance.randrange(45)
    return BattingStats(
        *(
            chance.randrange(100, 162),
            at_bats + 60,
            at_bats,
            chance.randrange(110),
            hits,
            hits // 5,
            hits // 30,
            homers,
        ),
        *(homers * 3, 50, 6, 2, 2, chance.randrange(60, 190), chance.randrange(40), 5),
    )


def _pitching(chance: Random) -> PitchingStats:
    outs = chance.randrange(200, 620)
    return PitchingStats(32, outs, outs * 4 // 3, outs // 3, outs // 6, outs // 8, outs // 9, outs // 3)


def _round_robin(teams: int, games_each: int) -> list[Fixture]:
    """Return fixtures by the circle method until each team has this number of games."""
    order, found = list(range(teams)), list[Fixture]()
    for number in range(games_each):
        for i in range(teams // 2):
            pair = order[i], order[-1 - i]
            away, home = pair if number % 2 else pair[::-1]
            day = date(2026, 4, 1) + timedelta(days=number)
            found.append(Fixture(len(found) + 1, number + 1, f"t{away}", f"t{home}", day.isoformat()))
        order = [order[0], order[-1], *order[1:-1]]
    return found


def _summary(key: str, title: str, kind: BookKind, game: str, how: LeagueFormat | None = None) -> BookSummary:
    return BookSummary(key, title, kind, GameName(game, GAMES[game].title), 0, format=how)


@cache
def _books(large: bool) -> dict[str, Book]:
    teams, each = (30, 162) if large else (6, 10)
    summer = made_up_league("summer", "Summer League ☀ 2026", "round-robin", teams)
    cup = made_up_league("cup", "The <i>Cup</i>", "knock-out", 8, "clutch", best_of=3)
    duel = made_up_league("duel", "Ann vs. Bo", "best-of", 2, "rallybird", best_of=7)
    empty = made_up_league("empty", "Nobody Yet", "fixtures", 4, "bottom-of-the-9th")
    bracket = [
        Fixture(3 * i + j + 1, 1, f"t{i}", f"t{7 - i}", "", f"Quarterfinal, game {j + 1}")
        for i in range(4)
        for j in range(2)
    ]
    for i in range(2):
        bracket += [Fixture(13 + 3 * i + j, 2, "", "", "", f"Semifinal {i + 1}, game {j + 1}") for j in range(2)]
    bracket.append(Fixture(19, 3, "", "", "", "Final, game 1"))
    series = [Fixture(i + 1, i + 1, f"t{i % 2}", f"t{(i + 1) % 2}", "", f"Game {i + 1}") for i in range(7)]
    season = [Fixture(i + 1, 1, f"t{a}", f"t{b}") for i, (a, b) in enumerate(combinations(range(6), 2))]
    fixtures = _round_robin(teams, each)
    found = [
        Book(
            _summary("summer", summer.title, "league", "small-ball", "round-robin"),
            summer,
            fixtures,
            len(fixtures) * 2 // 3,
        ),
        Book(_summary("cup", cup.title, "league", "clutch", "knock-out"), cup, bracket, 8),
        Book(_summary("duel", duel.title, "league", "rallybird", "best-of"), duel, series, 5),
        Book(_summary("empty", empty.title, "league", "bottom-of-the-9th", "fixtures"), empty, [], 0),
        *(
            Book(_summary(game, GAMES[game].title, "rulebook", game), None, season, 15 * (game != "clutch"))
            for game in GAMES
        ),
        Book(_summary("season-7", "Season of game 7", "season", "seventh-inning-stretch"), None, season, 15),
    ]
    return {one.summary.key: one for one in found}


class MadeUpLeagues:
    """Made-up leagues. `large` has 30 teams with 162 games each. `calls` has the changes that were asked for.

    `trouble` is the reason why every change is refused, "" for none.
    """

    def __init__(self, large: bool = False) -> None:
        self.books = dict(_books(large))
        self.calls, self.trouble, self.simulating = list[tuple[object, ...]](), "", 0
        self.persons = list(PEOPLE)

    # Reading

    def book_list(self) -> BookList:
        return BookList([one.summary for one in self.books.values()], 0)

    def book_view(self, book: str) -> BookView | None:
        if (found := self.books.get(book)) is None:
            return None
        left = [one for one in found.games if one.state == "open"]
        done = [one for one in found.games if one.state == "final"]
        return BookView(
            *(found.summary, found.teams, found.rows, left[:6], done[:-7:-1], found.leaders(3), found.league),
            simulating=self.simulating if found.league else 0,
            champion="t0" if book == "duel" else "",
        )

    def games_page(self, book: str, page: int = 1, team: str = "") -> BookGamesPage | None:
        if (found := self.books.get(book)) is None:
            return None
        games = [one for one in found.games if not team or team in (one.away, one.home)]
        pages = max(1, -(-len(games) // PAGE_SIZE))
        shown = games[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
        return BookGamesPage(found.summary, found.teams, shown, page, pages)

    def leaders_view(self, book: str, page: int = 1) -> LeadersView | None:
        if (found := self.books.get(book)) is None:
            return None
        pages = max(1, -(-len(found.players) // PLAYERS_ON_PAGE))
        shown = found.players[(page - 1) * PLAYERS_ON_PAGE : page * PLAYERS_ON_PAGE]
        return LeadersView(found.summary, found.teams, found.leaders(10), shown, page, pages)

    def team_view(self, book: str, team: str) -> TeamView | None:
        found = self.books.get(book)
        if found is None or team not in found.teams:
            return None
        mine = [one for one in found.games if team in (one.away, one.home)]
        versus = []
        for other in found.teams:
            met = [one for one in mine if other in (one.away, one.home) and one.state == "final"]
            if other != team and met:
                versus.append(VersusRow(other, *_record(met, team), 31, 27))
        players = [one for one in found.players if one.team == team]
        total = BattingStats()
        for one in players:
            total = sum_stats(total, one.batting or BattingStats())
        standing = next((row for row in found.rows if row.team == team), None)
        return TeamView(found.summary, found.teams, team, standing, total, players, versus, mine[-8:])

    def player_view(self, book: str, team: str, player: str) -> PlayerView | None:
        found = self.books.get(book)
        line = next((one for one in found.players if (one.team, one.player) == (team, player)), None) if found else None
        if found is None or line is None:
            return None
        mine = [one for one in found.games if team in (one.away, one.home) and one.state == "final"][:-11:-1]
        log = [PlayerGame(one, BattingStats(1, 4, 4, 1, i % 4, home_runs=i % 2)) for i, one in enumerate(mine)]
        other = self.books["small-ball"]
        return PlayerView(found.summary, found.teams, line, log, [(other.summary, line)])

    def records_view(self, book: str) -> RecordsView | None:
        if (found := self.books.get(book)) is None:
            return None
        records = [
            RecordEntry(
                "Most runs of a team in a game", "17", ["<b>Owls</b>, in game 12", "Otters, in game 9"], [12, 9]
            ),
            RecordEntry("Most home runs of a batter in a game", "4", ["Pip Marlowe, Owls, in game 12"], [12]),
        ]
        whole = [RecordEntry("Longest winning streak", "9", ["Harbor City Night Herons"], [0])]
        return RecordsView(found.summary, found.teams, records if found.rows else [], whole if found.rows else [])

    def people(self) -> Sequence[Person]:
        return self.persons

    def person_records(self) -> Sequence[PersonRecord]:
        return []

    def on_this_day(self) -> Sequence[Anniversary]:
        return []

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        return []

    def game_league(self, number: int) -> tuple[LeagueGame | None, Mapping[str, str]] | None:
        return (None, {}) if number == 1 else None

    # Changing

    def _change(self, *call: object) -> None:
        if self.trouble:
            raise LeagueError(self.trouble)
        self.calls.append(call)

    def _known(self, key: str) -> None:
        if key not in self.books:
            raise LeagueError("There is no such league.")

    def save_league(self, league: League, new: bool = False, people: Mapping[str, str] = {}) -> None:
        self._change("save_league", league, new, dict(people))
        if new and league.key in self.books:
            raise LeagueError("There is a league with this name.")
        if league.game not in GAMES:
            raise LeagueError("There is no such game.")
        summary = _summary(league.key, league.title, "league", league.game, league.format)
        self.books[league.key] = Book(summary, league, [], 0)

    def delete_league(self, key: str) -> None:
        self._known(key)
        self._change("delete_league", key)
        del self.books[key]

    def import_fixtures(self, key: str, text: str) -> int:
        self._known(key)
        self._change("import_fixtures", key, text)
        return text.count("\n")

    def import_teams(self, key: str, text: str) -> int:
        self._known(key)
        self._change("import_teams", key, text)
        return text.count("\n")

    def save_person(self, key: str, name: str, colour: str) -> Person:
        self._change("save_person", key, name, colour)
        person = Person(key or name.lower(), name, colour)
        self.persons.append(person)
        return person

    def merge_people(self, key: str, into: str) -> None: ...

    def forget_person(self, key: str) -> None: ...

    def set_game_league(self, number: int, game: LeagueGame | None) -> None:
        self._change("set_game_league", number, game)

    def set_game_people(self, number: int, people: Mapping[str, str]) -> None: ...

    def begin_fixture(self, key: str, fixture: int, simulate_side: Sequence[str] = ()) -> None:
        self._known(key)
        self._change("begin_fixture", key, fixture, tuple(simulate_side))

    def simulate_fixtures(self, key: str, which: int | Literal["day", "all"]) -> int:
        self._known(key)
        self._change("simulate_fixtures", key, which)
        self.simulating = {"day": 15, "all": 810}.get(str(which), 1)
        return self.simulating

    def stop_simulation(self) -> None:
        self._change("stop_simulation")
        self.simulating = 0

    def export(self, book: str, kind: ExportKind) -> bytes | None:
        return f"{book} {kind}\n".encode() if book in self.books else None


def edited_fields(leagues: MadeUpLeagues, key: str) -> dict[str, list[str]]:
    """Return the fields of teams that the page of a league sends if nothing is changed."""
    league = leagues.books[key].league
    assert league is not None
    names = {one.key: one.name for one in PEOPLE}
    return {
        "team": [one.key for one in league.teams],
        "name": [one.name for one in league.teams],
        "colour": [one.colour for one in league.teams],
        "person": [names.get(one.person, "") for one in league.teams],
        "manager": [one.manager for one in league.teams],
        "team_deck": [one.deck for one in league.teams],
        "cards": [one.cards for one in league.teams],
    }
