"""Standings: the official figures by hand, tie-breakers, and a slow computation of the same table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.league.league import TIE_BREAKERS, PlayedGame, TieBreaker
from engine.league.standings import standings


def game(text: str, runs: str = "3-2") -> PlayedGame:
    """Return a game such as "A B" (A won at B), "B A" with "2-3" (A won at home) or "A B" with "2-2"."""
    away, home = text.split()
    away_runs, home_runs = map(int, runs.split("-"))
    winner = away if away_runs > home_runs else home if home_runs > away_runs else ""
    return PlayedGame(0, away, home, away_runs, home_runs, winner)


def wins_losses(team: str, other: str, wins: int, losses: int) -> list[PlayedGame]:
    return [game(f"{team} {other}")] * wins + [game(f"{other} {team}")] * losses


def test_columns_of_one_team() -> None:
    """W, L, T, PCT, streak, last ten, home, away and runs are those of the games, in their order."""
    played = [
        game("A B", "5-1"),
        game("B A", "4-4"),
        game("B A", "0-2"),
        game("A B", "1-6"),
        *[game("A B", "1-0")] * 3,
        *[game("B A", "7-0")] * 6,
    ]
    first, last = standings("AB", played, TIE_BREAKERS, {"A": 4})
    assert ("B", 7, 5, 1, 7.5 / 13, 0.0) == (
        first.team,
        first.wins,
        first.losses,
        first.ties,
        first.pct,
        first.games_behind,
    )
    assert ("A", 5, 7, 1, 5.5 / 13, 2.0) == (
        *(last.team, last.wins, last.losses, last.ties, last.pct, last.games_behind),
    )
    assert ("L6", (3, 7, 0), (1, 6, 1), (4, 1, 0)) == (last.streak, last.last_ten, last.at_home, last.away)
    assert ("W6", (7, 3, 0), (1, 4, 0), (6, 1, 1)) == (first.streak, first.last_ten, first.at_home, first.away)
    assert (15, 53) == (last.runs_for, last.runs_against) == (first.runs_against, first.runs_for)
    assert (4, 0) == (last.left, first.left)
    assert (1, 2) == (first.place, last.place)


def test_games_behind() -> None:
    """Half the sum of the differences of wins and of losses: 19, 25 and 59 games.

    The figures are those of the American League in 1927, and of a leader with fewer games.
    """
    played = [
        *wins_losses("yankees", "x", 110, 44),
        *wins_losses("athletics", "x", 91, 63),
        *wins_losses("senators", "x", 85, 69),
        *wins_losses("red-sox", "x", 51, 103),
    ]
    rows = standings(["red-sox", "senators", "athletics", "yankees"], played, (), {})
    assert [0.0, 19.0, 25.0, 59.0] == [row.games_behind for row in rows]
    assert ["yankees", "athletics", "senators", "red-sox"] == [row.team for row in rows]
    assert ["0.714", "0.591", "0.552", "0.331"] == [f"{row.pct:.3f}" for row in rows]
    uneven = [*wins_losses("A", "x", 3, 1), *wins_losses("B", "x", 7, 3), *wins_losses("C", "x", 2, 2)]
    assert [("A", 0.0), ("B", -1.0), ("C", 1.0)] == [
        (row.team, row.games_behind) for row in standings("ABC", uneven, (), {})
    ]


def test_ties_count_half() -> None:
    """A tie is half a win and half a loss in PCT, and nothing in games behind."""
    played = [game("A x"), game("A x", "1-1"), game("B x"), game("x B"), game("B x")]
    rows = {row.team: row for row in standings("AB", played, (), {})}
    assert (0.75, 2 / 3) == (rows["A"].pct, rows["B"].pct)
    assert 0.0 == rows["B"].games_behind
    assert ("T1", "W1") == (rows["A"].streak, rows["B"].streak)


def test_teams_without_games_are_in_the_middle() -> None:
    """Behind those of .500, before those that lost more, and so never above a team that is fewer games behind. In the
    order of the list; before the first game all share a place."""
    rows = standings("ABCD", [game("B C")], TIE_BREAKERS, {})
    assert ["B", "A", "D", "C"] == [row.team for row in rows]
    assert [1, 2, 2, 4] == [row.place for row in rows]
    assert [1.0, None, None, 0.0] == [row.pct for row in rows]
    assert [0.0, 0.5, 0.5, 1.0] == [row.games_behind for row in rows]
    assert ["W1", "", "", "L1"] == [row.streak for row in rows]
    rows = standings("ABCD", [game("B C"), game("C B"), game("D B")], TIE_BREAKERS, {})
    assert ["D", "C", "A", "B"] == [row.team for row in rows]
    assert [1, 1, 1] == [row.place for row in standings("ABC", [], TIE_BREAKERS, {})]
    assert [] == standings("", [], TIE_BREAKERS, {})


def test_tie_of_two_teams() -> None:
    """Head-to-head comes first, even against a better run difference."""
    played = [game("A B", "1-0"), game("x A", "9-0"), game("B x", "9-0")]
    rows = standings("BA", played, TIE_BREAKERS, {})
    assert [("A", 1, "head-to-head"), ("B", 2, "head-to-head")] == [
        (row.team, row.place, row.decided_by) for row in rows
    ]
    rows = standings("BA", played, ("run-difference",), {})
    assert [("B", 1, "run-difference"), ("A", 2, "run-difference")] == [
        (row.team, row.place, row.decided_by) for row in rows
    ]
    assert [("B", 1, ""), ("A", 1, "")] == [
        (row.team, row.place, row.decided_by) for row in standings("BA", played, (), {})
    ]


@pytest.mark.parametrize("order", ["".join(one) for one in permutations("ABC")])
def test_tie_of_three_teams_restarts(order: str) -> None:
    """Among the three, A is 3-1, and B and C are 2-3. Between those two, B won two of three, so B is second.

    All are 5-5 in all, and their run differences are in the opposite order.
    """
    among = [*wins_losses("A", "B", 2, 0), *wins_losses("A", "C", 1, 1), *wins_losses("B", "C", 2, 0)]
    rest = [*wins_losses("A", "x", 2, 4), *wins_losses("B", "x", 3, 2), *wins_losses("C", "x", 3, 2)]
    rows = standings(order, [*among, game("C B", "9-0"), *rest], TIE_BREAKERS, {})
    assert [("A", 1), ("B", 2), ("C", 3)] == [(row.team, row.place) for row in rows]
    assert {(0.5, "head-to-head")} == {(row.pct, row.decided_by) for row in rows}


def test_tie_of_three_teams_in_a_circle() -> None:
    """Each won once, so head-to-head decides nothing, and run difference decides all places."""
    played = [game("A B", "1-0"), game("B C", "1-0"), game("C A", "5-0")]
    assert [("C", "run-difference"), ("B", "run-difference"), ("A", "run-difference")] == [
        (row.team, row.decided_by) for row in standings("ABC", played, TIE_BREAKERS, {})
    ]


def test_those_still_tied_begin_again() -> None:
    """Run difference separates C from A and B, who then begin with head-to-head again, in which B is better."""
    circle = [game("B A", "3-0"), game("A C", "3-0"), game("C B", "3-0")]
    rest = [game("A x"), game("x A"), game("B x"), game("x B"), game("C x", "9-0"), game("x C", "1-0")]
    rows = standings("ABC", [*circle, *rest], TIE_BREAKERS, {})
    assert [("C", 1, "run-difference"), ("B", 2, "head-to-head"), ("A", 3, "head-to-head")] == [
        (row.team, row.place, row.decided_by) for row in rows
    ]


def test_head_to_head_needs_a_meeting() -> None:
    """C met neither A nor B, so head-to-head is left out. Nothing separates A and C, who share a place."""
    played = [game("A B"), game("A x", "2-3"), game("B x", "9-0"), game("C x", "5-0"), game("x C", "5-0")]
    rows = standings("ABC", played, TIE_BREAKERS, {})
    assert [("B", 1, "run-difference"), ("A", 2, "run-difference"), ("C", 2, "run-difference")] == [
        (row.team, row.place, row.decided_by) for row in rows
    ]


def test_places_after_shared_ones() -> None:
    """B and C, which nothing separates, share the second place, and D is fourth."""
    among = [game("A B"), game("A C"), game("A D"), game("B C", "1-1"), game("B D"), game("C D")]
    rest = [*wins_losses("A", "x", 0, 3), *wins_losses("D", "x", 3, 0)]
    rows = standings("DCBA", [*among, *rest], ("head-to-head",), {})
    assert {0.5} == {row.pct for row in rows}
    assert [("A", 1), ("C", 2), ("B", 2), ("D", 4)] == [(row.team, row.place) for row in rows]


def test_ties_in_head_to_head() -> None:
    """A tie is half a win there too: B with two of them is before C with a loss and a tie."""
    among = [game("A B", "1-1"), game("A C"), game("B C", "1-1")]
    rows = standings("CBA", [*among, game("x A"), game("C x")], ("head-to-head",), {})
    assert [("A", 1), ("B", 2), ("C", 3)] == [(row.team, row.place) for row in rows]


def test_the_leader_is_the_first_after_tie_breakers() -> None:
    """Of two unbeaten teams, games behind are those to the one that is first."""
    played = [game("A x", "1-0"), game("B x", "5-0"), game("B x", "5-0")]
    rows = standings("AB", played, TIE_BREAKERS, {})
    assert [("B", 0.0), ("A", 0.5)] == [(row.team, row.games_behind) for row in rows]


def slow_order(teams: Sequence[str], played: Sequence[PlayedGame], breakers: Sequence[TieBreaker]) -> list[set[str]]:
    """Return the teams in sets of equal place, by fractions and by going through all games for each figure."""

    def pct(team: str, games: Sequence[PlayedGame]) -> Fraction | None:
        mine = [one for one in games if team in (one.away, one.home)]
        points = sum((Fraction(one.winner == team) + Fraction(one.winner == "", 2) for one in mine), Fraction())
        return points / len(mine) if mine else None

    def value(breaker: str, team: str, tied: set[str]) -> Fraction | None:
        if breaker == "head-to-head":
            return pct(team, [one for one in played if {one.away, one.home} <= tied])
        scored = sum(one.away_runs if one.away == team else one.home_runs for one in played if team in pair(one))
        allowed = sum(one.home_runs if one.away == team else one.away_runs for one in played if team in pair(one))
        return Fraction(scored if breaker == "runs-scored" else scored - allowed)

    def pair(one: PlayedGame) -> set[str]:
        return {one.away, one.home}

    def split(tied: set[str], values: dict[str, Fraction]) -> list[set[str]]:
        levels = sorted({values[team] for team in tied}, reverse=True)
        return [{team for team in tied if values[team] == level} for level in levels]

    def ranked(tied: set[str]) -> list[set[str]]:
        for breaker in breakers:
            values = {team: one for team in tied if (one := value(breaker, team, tied)) is not None}
            if len(values) == len(tied) and len({*values.values()}) > 1:
                return [one for group in split(tied, values) for one in ranked(group)]
        return [tied]

    pcts = {team: one for team in teams if (one := pct(team, played)) is not None}
    half = Fraction(1, 2)
    upper, lower = {team for team in pcts if pcts[team] >= half}, {team for team in pcts if pcts[team] < half}
    parts = [split(upper, pcts), [{*teams} - {*pcts}], split(lower, pcts)]
    return [one for part in parts for group in part if group for one in ranked(group)]


GAMES = st.lists(
    st.builds(
        lambda pair, runs: game(f"{pair[0]} {pair[1]}", f"{runs[0]}-{runs[1]}"),
        st.sampled_from([*permutations("ABCD", 2)]),
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
    ),
    max_size=12,
)


@given(GAMES, st.permutations(TIE_BREAKERS), st.integers(0, 3))
def test_any_games(played: list[PlayedGame], breakers: list[TieBreaker], count: int) -> None:
    """Order and places agree with a slow computation, and the columns add up."""
    rows = standings("ABCDE", played, breakers[:count], {})
    by_place: dict[int, set[str]] = {}
    for row in rows:
        by_place.setdefault(row.place, set()).add(row.team)
    assert slow_order("ABCDE", played, breakers[:count]) == [by_place[place] for place in sorted(by_place)]
    for place, teams in by_place.items():
        assert place == 1 + sum(len(one) for other, one in by_place.items() if other < place)
        assert [row.team for row in rows if row.place == place] == sorted(teams)
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows)
    assert sum(row.runs_for for row in rows) == sum(row.runs_against for row in rows)
    for row in rows:
        mine = [one for one in played if row.team in (one.away, one.home)]
        assert len(mine) == row.wins + row.losses + row.ties == sum(row.at_home) + sum(row.away)
        assert min(10, len(mine)) == sum(row.last_ten)
        assert (row.games_behind * 2).is_integer()
        if not row.streak:
            assert not mine
            continue
        letter, length = row.streak[0], int(row.streak[1:])
        letters = ["T" if not one.winner else "W" if one.winner == row.team else "L" for one in mine]
        assert [letter] * length == letters[-length:]
        assert length == len(letters) or letters[-length - 1] != letter


def test_a_season_is_quick() -> None:
    """2,430 games of 30 teams take less than 30 ms."""
    teams = [f"t{n}" for n in range(30)]
    pairs = [*permutations(teams, 2)]
    played = [game(" ".join(pairs[n * 7 % len(pairs)]), f"{n * 5 % 9}-{n * 3 % 7}") for n in range(2430)]
    times = []
    for _ in range(5):
        begin = time.thread_time()
        assert 30 == len(standings(teams, played, TIE_BREAKERS, {}))
        times.append(time.thread_time() - begin)
    assert min(times) < 0.03
