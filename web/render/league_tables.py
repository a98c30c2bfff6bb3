"""Tables, brackets and sentences of league pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Generic

from engine.league.league import Fixture, TieBreaker
from engine.league.stats import BattingStats, PitchingStats, StatsT
from engine.league.views import BookGame, BookTeam, BookView, StandingRow
from engine.views import CastMemberView

TIE_BREAKER_WORDS: Mapping[str, str] = dict[TieBreaker | str, str](
    {"head-to-head": "head-to-head record", "run-difference": "run difference", "runs-scored": "runs scored"}
)

FOOTNOTE_MARKS = ("†", "‡", "§", "¶")

FORMAT_WORDS = {
    "round-robin": "round robin",
    "best-of": "series",
    "knock-out": "knock-out",
    "fixtures": "list of fixtures",
}

STATE_WORDS = {
    "open": "",
    "waiting": "Teams not known yet",
    "playing": "On the table now",
    "paused": "Paused",
    "final": "Final",
    "simulating": "Waiting to be simulated",
}

STANDING_COLUMNS: Sequence[tuple[str, str]] = (
    ("W", "Wins"),
    ("L", "Losses"),
    ("T", "Ties"),
    ("PCT", "Winning percentage"),
    ("GB", "Games behind the leader"),
    ("STRK", "Streak: wins or losses in a row"),
    ("L10", "Record in the last ten games"),
    ("HOME", "Record at home"),
    ("AWAY", "Record away"),
    ("RF", "Runs for"),
    ("RA", "Runs against"),
    ("DIFF", "Run difference"),
)
"""The codes of columns, each with its meaning."""


def rate_text(value: float | None, digits: int = 3) -> str:
    """Return a rate as baseball prints it, such as ".333" or "1.012". "" if there is none."""
    return "" if value is None else f"{value:.{digits}f}".removeprefix("0" if digits == 3 else "")


def games_behind_text(behind: float) -> str:
    """Return games behind such as "2½", "–" for the leader."""
    whole, half = int(behind), "½" if behind % 1 else ""
    return f"{whole or ''}{half}" or "–"


def record_text(record: tuple[int, int, int]) -> str:
    """Return wins, losses and, if there are any, ties, such as "7–3"."""
    return "–".join(map(str, record if record[2] else record[:2]))


def tie_breaker_words(row: StandingRow) -> str:
    return TIE_BREAKER_WORDS.get(row.decided_by, row.decided_by)


def tie_breaker_marks(rows: Iterable[StandingRow]) -> dict[str, str]:
    """Return a mark for each tie-breaker that decided something, as footnotes have it."""
    used = dict.fromkeys(row.decided_by for row in rows if row.decided_by)
    return dict(zip(used, FOOTNOTE_MARKS, strict=False))


def standing_cells(row: StandingRow, has_ties: bool) -> dict[str, str]:
    """Return the cells of a team by the codes of `STANDING_COLUMNS`. Ties are left out if nobody has one."""
    ties = {"T": str(row.ties)} if has_ties else {}
    return {
        "W": str(row.wins),
        "L": str(row.losses),
        **ties,
        "PCT": rate_text(row.pct) or "–",
        "GB": games_behind_text(row.games_behind),
        "STRK": row.streak or "–",
        "L10": record_text(row.last_ten),
        "HOME": record_text(row.at_home),
        "AWAY": record_text(row.away),
        "RF": str(row.runs_for),
        "RA": str(row.runs_against),
        "DIFF": f"{row.runs_for - row.runs_against:+d}".replace("-", "−").replace("+0", "0"),
    }


@dataclass(frozen=True, slots=True)
class StatsColumn(Generic[StatsT]):
    """A column of statistics. `text` returns a cell, "" or "0" for nothing."""

    code: str
    title: str
    text: Callable[[StatsT], str]


def _count_column(code: str, title: str, name: str) -> StatsColumn[StatsT]:
    return StatsColumn(code, title, lambda stats: str(getattr(stats, name)))


BATTING_COLUMNS: Sequence[StatsColumn[BattingStats]] = (
    _count_column("G", "Games", "games"),
    StatsColumn("AVG", "Batting average: hits per at-bat", lambda stats: rate_text(stats.batting_average)),
    StatsColumn("OBP", "On-base percentage", lambda stats: rate_text(stats.on_base_percentage)),
    StatsColumn("SLG", "Slugging percentage: total bases per at-bat", lambda stats: rate_text(stats.slugging)),
    StatsColumn("OPS", "On-base plus slugging", lambda stats: rate_text(stats.on_base_plus_slugging)),
    _count_column("PA", "Plate appearances", "plate_appearances"),
    _count_column("AB", "At-bats", "at_bats"),
    _count_column("R", "Runs", "runs"),
    _count_column("H", "Hits", "hits"),
    _count_column("2B", "Doubles", "doubles"),
    _count_column("3B", "Triples", "triples"),
    _count_column("HR", "Home runs", "home_runs"),
    _count_column("RBI", "Runs batted in", "driven_in"),
    _count_column("BB", "Walks", "walks"),
    _count_column("HBP", "Hit by pitch", "hit_by_pitch"),
    _count_column("SO", "Strikeouts", "strikeouts"),
    _count_column("SH", "Sacrifice hits (bunts)", "sacrifice_hits"),
    _count_column("SF", "Sacrifice flies", "sacrifice_flies"),
    _count_column("SB", "Stolen bases", "steals"),
    _count_column("CS", "Caught stealing", "caught_stealing"),
)

PITCHING_COLUMNS: Sequence[StatsColumn[PitchingStats]] = (
    _count_column("G", "Games", "games"),
    StatsColumn("ERA", "Earned run average: earned runs in nine innings", lambda s: rate_text(s.earned_run_average, 2)),
    StatsColumn("WHIP", "Walks and hits per inning", lambda stats: rate_text(stats.walks_and_hits_per_inning, 2)),
    StatsColumn("IP", "Innings pitched, with thirds after the point", lambda stats: stats.innings_pitched),
    _count_column("BF", "Batters faced", "batters"),
    _count_column("H", "Hits allowed", "hits"),
    _count_column("R", "Runs allowed", "runs"),
    _count_column("ER", "Earned runs", "earned_runs"),
    _count_column("BB", "Walks allowed", "walks"),
    _count_column("SO", "Strikeouts", "strikeouts"),
)

NOTHING = frozenset(("", "0", "0.0"))
"""Cells that say nothing. A column of nothing else is left out: a rulebook without steals has no column for them."""


@dataclass(frozen=True, slots=True)
class StatsTable:
    """A table of statistics, without columns that are empty in every row."""

    heads: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[str]]


def batting_table(lines: Iterable[BattingStats]) -> StatsTable:
    return _stats_table(BATTING_COLUMNS, list(lines))


def pitching_table(lines: Iterable[PitchingStats]) -> StatsTable:
    return _stats_table(PITCHING_COLUMNS, list(lines))


def _stats_table(columns: Sequence[StatsColumn[StatsT]], lines: Sequence[StatsT]) -> StatsTable:
    cells = {column.code: [column.text(line) for line in lines] for column in columns}
    used = [column for column in columns if set(cells[column.code]) - NOTHING]
    rows = [[cells[column.code][row] or "–" for column in used] for row in range(len(lines))]
    return StatsTable([(column.code, column.title) for column in used], rows)


def day_text(day: str) -> str:
    """Return an ISO date such as "Friday, April 3, 2026". Anything else is returned as it is."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found:%A, %B} {found.day}, {found.year}"


def short_day_text(day: str) -> str:
    """Return an ISO date such as "Apr 3, 2026", "" for none."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{found:%b} {found.day}, {found.year}"


def fixture_heading(fixture: Fixture | None) -> str:
    """Return the day of a game, or else its round, as the heading of a list."""
    if fixture is None:
        return "Not on the schedule"
    return day_text(fixture.day) if fixture.day else f"Round {fixture.round}"


def fixture_day(fixture: Fixture | None) -> str:
    """Return the day of a fixture in short, or else its round, "" for none."""
    if fixture is None:
        return ""
    return short_day_text(fixture.day) or f"Round {fixture.round}"


def games_by_heading(games: Iterable[BookGame]) -> list[tuple[str, list[BookGame]]]:
    """Return games that follow each other grouped by day or round."""
    return [(heading, list(group)) for heading, group in groupby(games, lambda game: fixture_heading(game.fixture))]


def final_text(game: BookGame) -> str:
    """Return "Final", with the number of innings if there were extra ones, or the state of a game that is not over."""
    if game.state != "final":
        return STATE_WORDS[game.state]
    extra = game.innings is not None and game.innings > game.regulation
    return f"Final ({game.innings})" if extra else "Final"


@dataclass(slots=True)
class BracketSeries:
    """A series of two teams in a knock-out. `wins` are by team, `runs` those of a single game."""

    title: str
    teams: list[str]
    wins: dict[str, int] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)
    number: int = 0
    """The stored game of its last result, 0 before."""

    def score_text(self, team: str, best_of: int) -> str:
        """Return the runs of a team in a single game, its wins in a series, "" before the first result."""
        found = self.runs if best_of == 1 else self.wins
        return str(found.get(team, 0)) if found else ""

    def is_winner(self, team: str, best_of: int) -> bool:
        return bool(team) and 2 * self.wins.get(team, 0) > best_of


def bracket_rounds(games: Iterable[BookGame], best_of: int) -> list[list[BracketSeries]]:
    """Return the series of a knock-out by round, in the order of their fixtures."""
    rounds: dict[int, dict[object, BracketSeries]] = {}
    for game in games:
        if game.fixture is None or game.friendly:
            continue
        fixture, title = game.fixture, game.fixture.title.partition(", game ")[0]
        teams = [fixture.away, fixture.home]
        known = frozenset(teams) if all(teams) else (fixture.number - 1) // best_of
        series = rounds.setdefault(fixture.round, {}).setdefault(known, BracketSeries(title, teams))
        if game.state == "final" and game.winner:
            series.wins[game.winner] = series.wins.get(game.winner, 0) + 1
            series.wins.setdefault(next(team for team in teams if team != game.winner), 0)
            series.runs = {game.away: game.away_runs or 0, game.home: game.home_runs or 0}
            series.number = game.number
    return [list(rounds[number].values()) for number in sorted(rounds)]


def team_name(teams: Mapping[str, BookTeam], key: str) -> str:
    """Return the name of a team, or words for one that earlier games decide."""
    return teams[key].name if key in teams else key or "To be decided"


def team_color(teams: Mapping[str, BookTeam], key: str) -> str:
    return teams[key].colour if key in teams else ""


def day_word(view: BookView) -> str:
    """Return "day" or "round": what the next fixtures belong to."""
    fixture = view.next[0].fixture if view.next else None
    return "day" if fixture and fixture.day else "round"


def first_names(cast: Sequence[CastMemberView]) -> str:
    """Return the first names of computers, with commas."""
    return ", ".join(one.name.split()[0] for one in cast)
