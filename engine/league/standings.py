"""The standings of teams from their games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from engine.league.league import PlayedGame, TieBreaker
from engine.league.views import StandingRow

WIN = "W"
"""Letter of a win, in streaks."""

LOSS = "L"
"""Letter of a loss."""

TIE = "T"
"""Letter of a tie."""

RECENT_GAMES = 10
"""Games of the column "last ten"."""


@dataclass(slots=True)
class _TeamRecord:
    """What a team did. Results are letters, one for each game in time order: of all games, at home and away."""

    results: list[str] = field(default_factory=list)
    at_home: list[str] = field(default_factory=list)
    away: list[str] = field(default_factory=list)
    runs_for: int = 0
    runs_against: int = 0
    points_against: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """Points and games against each opponent. A win is two points, a tie is one."""

    def add(self, opponent: str, result: str, runs: int, opponent_runs: int) -> None:
        self.results.append(result)
        self.runs_for += runs
        self.runs_against += opponent_runs
        versus = self.points_against[opponent]
        versus[0] += 2 if result == WIN else result == TIE
        versus[1] += 1


_RankedTeam = tuple[str, int, str]
"""A team, its place from 0, and the tie-breaker that decided it."""


def standings(
    teams: Sequence[str], played: Sequence[PlayedGame], tie_breakers: Sequence[TieBreaker], left: Mapping[str, int]
) -> list[StandingRow]:
    """Return the standings, best team first.

    teams: keys, in the order of teams that nothing separates.
    played: games that count, in time order. Teams that are not in `teams` have no row; games against them count.
    left: fixtures that each team still has to play, by key.

    Teams are ordered by PCT. Those without a game come after the teams of .500, which is where their games behind put
    them. Games behind follow the official formula, in which ties don't count; a team that played more games than the
    leader can have a negative figure. Tie-breakers are tried in their order on all teams of equal PCT. As soon as one
    separates some of them, those still tied begin with the first tie-breaker again, among themselves. Head-to-head is
    the PCT in the games between the tied teams; it is left out if one of them played none. Run difference and runs
    scored are those of all games.
    """
    records = {team: _TeamRecord() for team in teams}
    for game in played:
        away, home = records.get(game.away), records.get(game.home)
        away_result, home_result = (
            (WIN, LOSS) if game.winner == game.away else (LOSS, WIN) if game.winner == game.home else (TIE, TIE)
        )
        if away:
            away.add(game.home, away_result, game.away_runs, game.home_runs)
            away.away.append(away_result)
        if home:
            home.add(game.away, home_result, game.home_runs, game.away_runs)
            home.at_home.append(home_result)
    counts = {team: _wins_losses_ties(record.results) for team, record in records.items()}
    pcts = {team: _winning_percentage(count) for team, count in counts.items()}
    order = sorted(teams, key=lambda team: _pct_sort_key(pcts[team]))
    ranking: list[_RankedTeam] = []
    for _, group in groupby(order, key=pcts.__getitem__):
        before = len(ranking)
        ranks = _tied_ranks([*group], tie_breakers, records)
        ranking += [(team, before + place, decided_by) for team, place, decided_by in ranks]
    leader = counts[ranking[0][0]] if ranking else (0, 0, 0)
    return [
        StandingRow(
            place=place + 1,
            team=team,
            wins=wins,
            losses=losses,
            ties=ties,
            pct=pcts[team],
            games_behind=((leader[0] - wins) + (losses - leader[1])) / 2,
            streak=_current_streak(records[team].results),
            last_ten=_wins_losses_ties(records[team].results[-RECENT_GAMES:]),
            at_home=_wins_losses_ties(records[team].at_home),
            away=_wins_losses_ties(records[team].away),
            runs_for=records[team].runs_for,
            runs_against=records[team].runs_against,
            decided_by=decided_by,
            left=left.get(team, 0),
        )
        for team, place, decided_by in ranking
        for wins, losses, ties in (counts[team],)
    ]


def _tied_ranks(
    tied: Sequence[str], tie_breakers: Sequence[TieBreaker], records: Mapping[str, _TeamRecord], decided_by: str = ""
) -> Iterator[_RankedTeam]:
    """Yield tied teams in their order. `decided_by` separated them from others before."""
    for breaker in tie_breakers if len(tied) > 1 else ():
        values = {team: _BREAKER_VALUES[breaker](team, tied, records) for team in tied}
        if None in values.values() or len(set(values.values())) == 1:
            continue
        place = 0
        for _, group in groupby(sorted(tied, key=lambda team: -(values[team] or 0)), key=values.__getitem__):
            still_tied = list(group)
            for team, behind, decider in _tied_ranks(still_tied, tie_breakers, records, breaker):
                yield team, place + behind, decider
            place += len(still_tied)
        return
    yield from ((team, 0, decided_by) for team in tied)


def _head_to_head(team: str, tied: Sequence[str], records: Mapping[str, _TeamRecord]) -> float | None:
    versus = records[team].points_against
    met = [versus[other] for other in tied if other in versus]
    return sum(points for points, _ in met) / sum(games for _, games in met) if met else None


def _run_difference(team: str, _tied: Sequence[str], records: Mapping[str, _TeamRecord]) -> float | None:
    return records[team].runs_for - records[team].runs_against


def _runs_scored(team: str, _tied: Sequence[str], records: Mapping[str, _TeamRecord]) -> float | None:
    return records[team].runs_for


_BREAKER_VALUES: Mapping[TieBreaker, Callable[[str, Sequence[str], Mapping[str, _TeamRecord]], float | None]] = {
    "head-to-head": _head_to_head,
    "run-difference": _run_difference,
    "runs-scored": _runs_scored,
}
"""What each tie-breaker compares, the highest first: of a team, among tied teams. None if it can't be used."""


def _wins_losses_ties(results: Sequence[str]) -> tuple[int, int, int]:
    return results.count(WIN), results.count(LOSS), results.count(TIE)


def _winning_percentage(count: tuple[int, int, int]) -> float | None:
    """Wins and half the ties by games. Equal ratios are equal floats, as division is rounded correctly."""
    wins, _, ties = count
    return (2 * wins + ties) / (2 * sum(count)) if any(count) else None


def _pct_sort_key(pct: float | None) -> tuple[float, bool]:
    return (-0.5, True) if pct is None else (-pct, False)


def _current_streak(results: Sequence[str]) -> str:
    letters = "".join(results)
    return f"{letters[-1]}{len(letters) - len(letters.rstrip(letters[-1]))}" if letters else ""
