"""The fixtures of a league, computed from its definition and its results.

The number of a fixture depends on the definition alone, so it keeps its meaning when results come, change or go.
Of several games of a fixture, the first one that its teams played counts. A game between other teams counts for
nothing: a correction may bring another team into a round that was already played, and then that round is played again.

A tie decides nothing in a series. It stays in the list under its number, and the series has one more game at its end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import LeagueError
from engine.league.league import Fixture, League, PlayedGame
from engine.league.standings import standings

ROUND_TITLES: Mapping[int, str] = {2: "Final", 4: "Semifinal", 8: "Quarterfinal"}
"""Titles of the rounds of a knock-out, by the teams that are left."""


def league_fixtures(league: League, played: Sequence[PlayedGame]) -> list[Fixture]:
    """Return all fixtures in their order, as far as they are known.

    played: the league's games in time order. Only the fixtures of a best-of and a knock-out depend on them: games that
    a series doesn't need are left out, and later rounds get their teams. The league is not checked
    (`engine.league.rules.check_league`).
    """
    return compute_schedule(league, played).fixtures


def counting_games(league: League, played: Sequence[PlayedGame]) -> dict[int, PlayedGame]:
    """Return the game that counts for each fixture that is played, by its number."""
    return compute_schedule(league, played).games


def open_fixtures(league: League, played: Sequence[PlayedGame]) -> list[Fixture]:
    """Return the fixtures that can be begun now, in their order. Of a series, that is its next game."""
    return compute_schedule(league, played).open


def earliest_open(league: League, played: Sequence[PlayedGame]) -> list[Fixture]:
    """Return the open fixtures of the earliest day, or if none has a day, those of the earliest round."""
    fixtures = open_fixtures(league, played)
    first_day = min((one.day for one in fixtures if one.day), default="")
    if first_day:
        return [one for one in fixtures if one.day == first_day]
    first_round = min((one.round for one in fixtures), default=0)
    return [one for one in fixtures if one.round == first_round]


def fixtures_left(league: League, played: Sequence[PlayedGame]) -> Counter[str]:
    """Return the number of fixtures that each team still has to play, as far as they are known, by key."""
    schedule = compute_schedule(league, played)
    left = (one for one in schedule.fixtures if one.number not in schedule.games)
    return Counter(team for one in left for team in (one.away, one.home) if team)


def champion(league: League, played: Sequence[PlayedGame]) -> str:
    """Return the key of the team that won the league, "" before it is decided.

    In a round robin and a list of fixtures it is the first in the standings after the last fixture.
    """
    schedule = compute_schedule(league, played)
    if league.format in ("best-of", "knock-out"):
        return schedule.winner
    if not schedule.fixtures or schedule.open:
        return ""
    keys = [team.key for team in league.teams]
    counting = [one for one in played if not one.fixture or schedule.games.get(one.fixture) is one]
    return standings(keys, counting, league.tie_breakers, {})[0].team


def check_change(before: League, after: League, played: Sequence[PlayedGame]) -> None:
    """Raise LeagueError if a change of a league would give a fixture that was played other teams or another number."""
    names = {team.key: team.name for team in before.teams}
    fixtures = {one.number: one for one in league_fixtures(before, played)}
    changed = {one.number: one for one in league_fixtures(after, played)}
    for number in sorted(counting_games(before, played)):
        was, now = fixtures[number], changed.get(number)
        if now is None or (now.away, now.home) != (was.away, was.home):
            raise LeagueError(
                f"fixture {number}: {names[was.away]} at {names[was.home]} has been played, so it must stay. "
                "Remove its game from the league first."
            )


@dataclass(slots=True)
class Schedule:
    """Fixtures in order, those that can be begun, the games that count by fixture, and the winner of a knock-out."""

    fixtures: list[Fixture] = field(default_factory=list)
    open: list[Fixture] = field(default_factory=list)
    games: dict[int, PlayedGame] = field(default_factory=dict)
    winner: str = ""


def compute_schedule(league: League, played: Sequence[PlayedGame]) -> Schedule:
    """Return all that the functions above return, for callers that need several of them. Arguments as there."""
    games: defaultdict[int, list[PlayedGame]] = defaultdict(list)
    for one in played:
        games[one.fixture].append(one)
    if league.format in ("best-of", "knock-out"):
        return _knock_out(league, games)
    schedule = Schedule([*league.listed] if league.format == "fixtures" else _round_robin(league))
    for fixture in schedule.fixtures:
        game = _counting_game(games.get(fixture.number, ()), fixture.away, fixture.home)
        if game:
            schedule.games[fixture.number] = game
        else:
            schedule.open.append(fixture)
    return schedule


def _counting_game(games: Iterable[PlayedGame], *teams: str) -> PlayedGame | None:
    """Return the first game between two teams. Either may have batted first: some games draw lots for it."""
    return next((one for one in games if {one.away, one.home} == {*teams} and one.winner in (*teams, "")), None)


def _round_robin(league: League) -> list[Fixture]:
    """Return the fixtures of a round robin by the circle method, as in Berger tables.

    One place is fixed and the others move on by one in each round. The places that sum to the same number meet, and
    who is at home alternates with their distance, so each team has as many games at home as away, or one more or less.
    With an odd number of teams the fixed place is empty, and its opponent has a bye. Every second meeting has away and
    home reversed.
    """
    keys = [team.key for team in league.teams]
    moving = len(keys) - 1 + len(keys) % 2
    fixtures: list[Fixture] = []
    for meeting in range(league.meetings):
        for turn in range(moving):
            pairs = [(keys[moving], keys[turn], turn)] if moving < len(keys) else []
            for step in range(1, moving // 2 + 1):
                pairs.append((keys[(turn + step) % moving], keys[(turn - step) % moving], step - 1))
            for away, home, reversals in pairs:
                if (meeting + reversals) % 2:
                    away, home = home, away
                fixtures.append(Fixture(len(fixtures) + 1, meeting * moving + turn + 1, away, home))
    return fixtures


@dataclass(frozen=True, slots=True)
class _Series:
    """A series of a knock-out.

    index: from 0, in the order of rounds, without those that a bye replaces.
    better, worse: keys of the teams by seed, "" if they are not known.
    """

    index: int
    round: int
    title: str
    better: str
    worse: str


def _knock_out(league: League, games: Mapping[int, Sequence[PlayedGame]]) -> Schedule:
    """Return the schedule of a seeded knock-out. A best-of is one of two teams.

    A slot of a round has the seeds, from 0, that can still come to it; none if its opponent has a bye.
    """
    keys = [team.key for team in league.teams]
    games_by_series: defaultdict[int, dict[int, Sequence[PlayedGame]]] = defaultdict(dict)
    for number in sorted(games):
        index, game = _series_and_game(league, number)
        games_by_series[index][game] = games[number]
    schedule = Schedule()
    slots: list[tuple[int, ...]] = [(seed,) if seed < len(keys) else () for seed in _seed_order(len(keys))]
    index, round_number = 0, 0
    while len(slots) > 1:
        round_number += 1
        title = ROUND_TITLES.get(len(slots), f"Round of {len(slots)}")
        results: list[tuple[int, ...]] = []
        for upper, lower in zip(slots[::2], slots[1::2], strict=True):
            if not (upper and lower):
                results.append(upper or lower)
                continue
            sides = sorted((upper, lower), key=min)
            is_ordered = max(sides[0]) < min(sides[1])
            better, worse = (keys[side[0]] if is_ordered and len(side) == 1 else "" for side in sides)
            series = _Series(index, round_number, title, better, worse)
            winner = _add_series(schedule, league, series, games_by_series[index])
            results.append((keys.index(winner),) if winner else (*upper, *lower))
            index += 1
        slots = results
    schedule.winner = keys[slots[0][0]] if len(slots[0]) == 1 else ""
    return schedule


def _add_series(schedule: Schedule, league: League, series: _Series, stored: Mapping[int, Sequence[PlayedGame]]) -> str:
    """Add the fixtures of a series, of which the games `stored` were played. Return the winner, "" if undecided."""
    is_known = bool(series.better and series.worse)
    found = {n: _counting_game(games, series.better, series.worse) for n, games in stored.items() if is_known}
    games = {n: game for n, game in found.items() if game}
    wins: Counter[str] = Counter()
    winner = ""
    for game in games.values():
        wins[game.winner] += 1
        if wins[game.winner] > league.best_of // 2:
            winner = winner or game.winner
    to_play = () if winner else range(1, league.best_of + wins[""] + 1)
    is_next = is_known
    for n in sorted({*games, *to_play}):
        sides = (
            (series.worse, series.better) if _is_better_at_home(league.best_of, n) else (series.better, series.worse)
        )
        fixture = Fixture(
            _fixture_number(league, series.index, n),
            n if league.format == "best-of" else series.round,
            *sides,
            title=_series_title(league, series, n),
        )
        schedule.fixtures.append(fixture)
        if n in games:
            schedule.games[fixture.number] = games[n]
        elif is_next:
            schedule.open.append(fixture)
            is_next = False
    return winner


def _fixture_number(league: League, series: int, game: int) -> int:
    """Return the number of a game, from 1, of a series. The games that ties add come after those of all series."""
    if game <= league.best_of:
        return series * league.best_of + game
    return (game - 1) * (len(league.teams) - 1) + series + 1


def _series_and_game(league: League, number: int) -> tuple[int, int]:
    """Return the series and the game of a fixture, the inverse of `_fixture_number`."""
    series_count = len(league.teams) - 1
    if number <= series_count * league.best_of:
        series, game = divmod(number - 1, league.best_of)
    else:
        game, series = divmod(number - 1, series_count)
    return series, game + 1


def _is_better_at_home(best_of: int, game: int) -> bool:
    """True if the better seed is at home in a game of a series: 2-3-2 of seven, 2-2-1 of five, 1-1-1 of three."""
    pattern = "HHAAAHH" if best_of == 7 else "HHAA" * (best_of // 4) + ("H" if best_of % 4 == 1 else "HAH")
    return pattern[game - 1] == "H" if game <= best_of else game % 2 == 1


def _series_title(league: League, series: _Series, game: int) -> str:
    if league.format == "best-of":
        return f"Game {game}"
    return series.title if league.best_of == 1 and game == 1 else f"{series.title}, game {game}"


def _seed_order(teams: int) -> list[int]:
    """Return the seeds, from 0, in the order of a bracket, in which the best two can meet in the last round only.

    Its length is the power of two from `teams` on: the best seeds meet seeds that are not there, and have a bye.
    """
    order = [0]
    while len(order) < teams:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order
