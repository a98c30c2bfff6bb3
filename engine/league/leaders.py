"""The leaders of a book by the official definitions, with their qualifying minimums (rules 9.21 and 9.22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.league.stats import BattingStats, PitchingStats
from engine.league.views import LeaderCategory, LeaderRow, PlayerLine
from engine.text.numbers import average_text, rate_text

MAX_LEADERS = 10
"""Rows of a category."""

Innings = Mapping[str, int]
"""The sum of `GameStats.half_innings` over the games of each team that count, by its key."""


def min_plate_appearances(innings: int) -> int:
    """Return the plate appearances that qualify for a rate: 3.1 for each nine innings of the team's games (9.22(a))."""
    return max(1, (31 * innings + 45) // 90)


def min_outs(innings: int) -> int:
    """Return the outs that qualify a pitcher for a rate: an inning for each nine of the team's games (9.22(b))."""
    return max(1, (2 * innings + 3) // 6)


@dataclass(frozen=True, slots=True)
class _Score:
    """The value of a player in a category. Higher is better. `charged` is it with the at-bats that he lacks."""

    line: PlayerLine
    value: float
    text: str
    detail: str
    charged: float
    qualified: bool


@dataclass(frozen=True, slots=True)
class _Rate:
    """A rate with a qualifying minimum.

    exception: True if a batter who lacks plate appearances leads all the same, if he would with as many more hitless
        at-bats (9.22(a)).
    """

    code: str
    title: str
    value: Callable[[BattingStats], float | None]
    detail: Callable[[BattingStats], str]
    exception: bool = True


BATTING_RATES = (
    _Rate("AVG", "Batting average", lambda of: of.batting_average, lambda of: f"{of.hits} for {of.at_bats}"),
    _Rate(
        "OBP",
        "On-base percentage",
        lambda of: of.on_base_percentage,
        lambda of: f"times on base: {of.hits + of.walks + of.hit_by_pitch}",
    ),
    _Rate(
        "SLG",
        "Slugging percentage",
        lambda of: of.slugging,
        lambda of: f"total bases: {of.total_bases}",
    ),
    _Rate(
        "OPS",
        "On-base plus slugging",
        lambda of: of.on_base_plus_slugging,
        lambda of: f"{rate_text(of.on_base_percentage)} and {rate_text(of.slugging)}",
        exception=False,
    ),
)

BATTING_COUNTS: Mapping[str, tuple[str, Callable[[BattingStats], int]]] = {
    "H": ("Hits", lambda of: of.hits),
    "2B": ("Doubles", lambda of: of.doubles),
    "3B": ("Triples", lambda of: of.triples),
    "HR": ("Home runs", lambda of: of.home_runs),
    "R": ("Runs", lambda of: of.runs),
    "RBI": ("Runs batted in", lambda of: of.driven_in),
    "BB": ("Walks", lambda of: of.walks),
    "SB": ("Stolen bases", lambda of: of.steals),
}
"""Categories in which the most leads, by code."""

PITCHING_RATES: Mapping[str, tuple[str, Callable[[PitchingStats], float | None], Callable[[PitchingStats], str]]] = {
    "ERA": (
        "Earned run average",
        lambda of: of.earned_run_average,
        lambda of: f"{of.earned_runs} earned in {of.innings_pitched} innings",
    ),
    "WHIP": (
        "Walks and hits per inning",
        lambda of: of.walks_and_hits_per_inning,
        lambda of: f"{of.walks + of.hits} in {of.innings_pitched} innings",
    ),
}
"""Rates of pitchers, in which the least leads, by code."""


def batting_leaders(players: Iterable[PlayerLine], innings: Innings, most: int = MAX_LEADERS) -> list[LeaderCategory]:
    """Return the categories of batters in which anybody has a value, each with at most `most` leaders."""
    batters = [(line, line.batting) for line in players if line.batting]
    minimum = _minimum_sentence("plate appearances", "3.1", innings, lambda own: str(min_plate_appearances(own)))
    found = []
    for rate in BATTING_RATES:
        scores = [score for line, did in batters if (score := _batting_score(rate, line, did, innings))]
        found.append(LeaderCategory(rate.code, rate.title, _ranked_rows(_qualified_scores(scores), most), minimum))
    for code, (title, count) in BATTING_COUNTS.items():
        counts = [_count_score(line, count(did), str(count(did))) for line, did in batters if count(did)]
        found.append(LeaderCategory(code, title, _ranked_rows(counts, most)))
    return [category for category in found if category.rows]


def pitching_leaders(players: Iterable[PlayerLine], innings: Innings, most: int = MAX_LEADERS) -> list[LeaderCategory]:
    """Return the categories of pitchers in which anybody has a value, each with at most `most` leaders."""
    pitchers = [(line, line.pitching) for line in players if line.pitching]
    minimum = _minimum_sentence("innings", "1", innings, lambda own: PitchingStats(outs=min_outs(own)).innings_pitched)
    found = []
    for code, (title, rate, detail) in PITCHING_RATES.items():
        scores = [
            _Score(line, -value, average_text(value), detail(did), -value, True)
            for line, did in pitchers
            if (value := rate(did)) is not None and did.outs >= min_outs(innings.get(line.team, 0))
        ]
        found.append(LeaderCategory(code, title, _ranked_rows(scores, most), minimum))
    outs = [_count_score(line, did.outs, did.innings_pitched) for line, did in pitchers if did.outs]
    found.append(LeaderCategory("IP", "Innings pitched", _ranked_rows(outs, most)))
    strikeouts = [_count_score(line, did.strikeouts, str(did.strikeouts)) for line, did in pitchers if did.strikeouts]
    found.append(LeaderCategory("K", "Strikeouts", _ranked_rows(strikeouts, most)))
    return [category for category in found if category.rows]


def _count_score(line: PlayerLine, count: int, text: str) -> _Score:
    return _Score(line, count, text, "", count, True)


def _batting_score(rate: _Rate, line: PlayerLine, did: BattingStats, innings: Innings) -> _Score | None:
    """Return the value of a batter, None if he has none or if more at-bats could not make up for those he lacks."""
    value, lacks = rate.value(did), min_plate_appearances(innings.get(line.team, 0)) - did.plate_appearances
    if value is None or (lacks > 0 and not rate.exception):
        return None
    charged = rate.value(replace(did, at_bats=did.at_bats + lacks)) if lacks > 0 else value
    assert charged is not None
    same = 9  # Decimals that are compared, so that sums of the same fractions are ties.
    return _Score(line, round(value, same), rate_text(value), rate.detail(did), round(charged, same), lacks <= 0)


def _qualified_scores(scores: Sequence[_Score]) -> list[_Score]:
    """Return the players who qualify, and those who would lead them with the at-bats that they lack."""
    best = max((one.charged for one in scores), default=0)
    return [one for one in scores if one.qualified or (0 < one.charged == best)]


def _ranked_rows(scores: Sequence[_Score], most: int) -> list[LeaderRow]:
    """Return the leaders, best first. Equal values share a place, and are in the order of names."""
    ranked = sorted(scores, key=lambda one: (-one.value, one.line.player, one.line.team))[:most]
    rows: list[LeaderRow] = []
    for number, one in enumerate(ranked, 1):
        tied = number > 1 and one.value == ranked[number - 2].value
        rows.append(LeaderRow(rows[-1].place if tied else number, one.line.player, one.line.team, one.text, one.detail))
    return rows


def _minimum_sentence(what: str, share: str, innings: Innings, minimum: Callable[[int], str]) -> str:
    """Return the minimum in a sentence, with the least and the highest of all teams: "28 to 31 so far." """
    least, highest = (minimum(choose(innings.values(), default=0)) for choose in (min, max))
    count = least if least == highest else f"{least} to {highest}"
    one = what.removesuffix("s") if share == "1" else what
    return f"Needs {share} {one} for each nine innings of the team's games: {count} so far."
