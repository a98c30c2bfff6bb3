"""Fixtures of round robins, series and knock-outs: who meets whom where, and numbers that stay."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.errors import LeagueError
from engine.league.league import Fixture, League, LeagueFormat, LeagueTeam, PlayedGame
from engine.league.rules import check_league
from engine.league.schedule import (
    champion,
    check_change,
    counting_games,
    earliest_open,
    fixtures_left,
    league_fixtures,
    open_fixtures,
)


def league_of(count: int, kind: LeagueFormat, meetings: int = 1, best_of: int = 1) -> League:
    """Return a league of teams t1, t2 ... in the order of seeds."""
    teams = [LeagueTeam(f"t{seed}", f"Team {seed}") for seed in range(1, count + 1)]
    return League("test", "Test", "small-ball", kind, teams, meetings, best_of)


def result(fixture: Fixture, winner: str) -> PlayedGame:
    """Return the game of a fixture: 3 to 2, or 2 to 2 without a winner."""
    return PlayedGame(
        fixture.number, fixture.away, fixture.home, 2 + (winner == fixture.away), 2 + (winner == fixture.home), winner
    )


def seed_of(key: str) -> int:
    return int(key[1:])


def play_all(league: League, random: Random, tie_share: float = 0.0) -> list[PlayedGame]:
    """Play open fixtures in any order until there is none."""
    played: list[PlayedGame] = []
    while offers := open_fixtures(league, played):
        fixture = random.choice(offers)
        winner = "" if random.random() < tie_share else random.choice((fixture.away, fixture.home))
        played.append(result(fixture, winner))
    return played


@pytest.mark.parametrize("meetings", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [*range(2, 17), 30])
def test_round_robin(count: int, meetings: int) -> None:
    """Each pair meets `meetings` times, nobody plays twice in a round, and games at home and away are balanced."""
    league = league_of(count, "round-robin", meetings)
    check_league(league)
    fixtures = league_fixtures(league, [])
    keys = [team.key for team in league.teams]
    assert [*range(1, len(fixtures) + 1)] == [one.number for one in fixtures]
    pairs = Counter(frozenset((one.away, one.home)) for one in fixtures)
    assert dict.fromkeys(map(frozenset, combinations(keys, 2)), meetings) == pairs
    for number in {one.round for one in fixtures}:
        busy = [team for one in fixtures if one.round == number for team in (one.away, one.home)]
        assert len(busy) == len({*busy}) == count - count % 2
    rounds = (count - 1 + count % 2) * meetings
    assert [*range(1, rounds + 1)] == sorted({one.round for one in fixtures})
    at_home, away = Counter(one.home for one in fixtures), Counter(one.away for one in fixtures)
    games = (count - 1) * meetings
    assert {games % 2} == {abs(at_home[key] - away[key]) for key in keys}
    venues = Counter((one.away, one.home) for one in fixtures)
    assert all(abs(venues[one, other] - venues[other, one]) == meetings % 2 for one, other in combinations(keys, 2))


@pytest.mark.parametrize(
    ("best_of", "home"),
    [(1, "1"), (3, "121"), (5, "11221"), (7, "1122211"), (9, "112211221"), (11, "11221122121")],
)
def test_home_advantage_in_a_series(best_of: int, home: str) -> None:
    """The better seed begins at home and has the odd game there: 2-3-2 of seven, 2-2-1 of five, 1-1-1 of three."""
    fixtures = league_fixtures(league_of(2, "best-of", best_of=best_of), [])
    assert home == "".join(one.home[1] for one in fixtures)
    assert [f"Game {n}" for n in range(1, best_of + 1)] == [one.title for one in fixtures]


def test_a_series_ends_with_its_decision() -> None:
    """Only the next game can be begun, and those after the fourth win disappear."""
    league = league_of(2, "best-of", best_of=7)
    played: list[PlayedGame] = []
    for number, winner in enumerate(["t1", "t2", "t2", "t2", "t2"], 1):
        assert "" == champion(league, played)
        assert [number] == [one.number for one in open_fixtures(league, played)]
        assert 7 == len(league_fixtures(league, played))
        played.append(result(open_fixtures(league, played)[0], winner))
    assert "t2" == champion(league, played)
    assert [1, 2, 3, 4, 5] == [one.number for one in league_fixtures(league, played)]
    assert [] == open_fixtures(league, played) == earliest_open(league, played)
    assert {} == fixtures_left(league, played)


def test_a_tie_adds_a_game_to_its_series() -> None:
    """It decides nothing, and no number changes. The correction of the tie makes the added game unnecessary."""
    league = league_of(2, "best-of", best_of=3)
    first, second, third = league_fixtures(league, [])
    played = [result(first, "t1"), result(second, ""), result(third, "t2")]
    assert "" == champion(league, played)
    assert [first, second, third] == league_fixtures(league, played)[:3]
    (fourth,) = open_fixtures(league, played)
    assert (4, "Game 4") == (fourth.number, fourth.title)
    assert "t2" == champion(league, [*played, result(fourth, "t2")])
    corrected = [played[0], result(second, "t1"), played[2]]
    assert "t1" == champion(league, corrected)
    assert [first, second, third] == league_fixtures(league, corrected)


def test_seeded_bracket() -> None:
    """Of eight, 1 meets 8, 4 meets 5, 2 meets 7 and 3 meets 6; the best two can meet in the final only."""
    fixtures = league_fixtures(league_of(8, "knock-out"), [])
    assert [("t8", "t1"), ("t5", "t4"), ("t7", "t2"), ("t6", "t3")] == [(one.away, one.home) for one in fixtures[:4]]
    assert ["Quarterfinal"] * 4 + ["Semifinal"] * 2 + ["Final"] == [one.title for one in fixtures]
    assert [("", "")] * 3 == [(one.away, one.home) for one in fixtures[4:]]


def test_byes_of_the_best_seeds() -> None:
    """Of five, only 4 and 5 play the first round. Known teams are named at once, where they will play."""
    league = league_of(5, "knock-out", best_of=3)
    fixtures = league_fixtures(league, [])
    assert 4 * 3 == len(fixtures)
    assert ("Quarterfinal, game 1", "t5", "t4") == (fixtures[0].title, fixtures[0].away, fixtures[0].home)
    assert ("Semifinal, game 1", "", "t1") == (fixtures[3].title, fixtures[3].away, fixtures[3].home)
    assert ("Semifinal, game 2", "t1", "") == (fixtures[4].title, fixtures[4].away, fixtures[4].home)
    assert [1, 7] == [one.number for one in open_fixtures(league, [])]
    assert [1] == [one.number for one in earliest_open(league, [])]
    played = [result(fixtures[0], "t5"), result(fixtures[1], "t5")]
    assert ("t5", "t1") == next((one.away, one.home) for one in league_fixtures(league, played) if one.number == 4)


def test_known_teams_of_later_rounds() -> None:
    """A team is named as soon as it is sure whether it is the better seed. Before that, nobody is."""
    league = league_of(8, "knock-out")
    fixtures = league_fixtures(league, [])
    for winner, away, home in [("t1", "", "t1"), ("t8", "t8", "")]:
        semifinal = league_fixtures(league, [result(fixtures[0], winner)])[4]
        assert (5, away, home) == (semifinal.number, semifinal.away, semifinal.home)
    semifinal = league_fixtures(league, [result(fixtures[1], "t4")])[4]
    assert (5, "", "") == (semifinal.number, semifinal.away, semifinal.home)


def test_games_after_the_decision() -> None:
    """They stay in the list and decide nothing: a correction may end a series before games that were played."""
    league = league_of(2, "best-of", best_of=3)
    winners = ["t1", "t1", "t2", "t2"]
    fixtures = [replace(one, number=n) for n, one in enumerate([league_fixtures(league, [])[0]] * 4, 1)]
    played = [result(one, winner) for one, winner in zip(fixtures, winners, strict=True)]
    assert "t1" == champion(league, played)
    assert [1, 2, 3, 4] == [one.number for one in league_fixtures(league, played)]
    assert [] == open_fixtures(league, played)


def test_a_game_that_does_not_count_makes_no_champion() -> None:
    """The second game of a fixture is left out of the standings, and one beside the schedule is in them."""
    league = league_of(2, "round-robin", 2)
    first, second = league_fixtures(league, [])
    played = [result(first, "t1"), result(second, ""), *[result(first, "t2")] * 3]
    assert "t1" == champion(league, played)
    assert "t2" == champion(league, [*played, *[PlayedGame(0, "t1", "t2", 1, 2, "t2")] * 2])


@given(st.integers(2, 16), st.sampled_from([1, 3, 7]), st.integers(0, 2**32).map(Random), st.sampled_from([0, 0.3]))
def test_a_bracket_has_one_champion(count: int, best_of: int, random: Random, tie_share: float) -> None:
    """Whatever the results, each team but one loses one series, and the better seed always begins at home."""
    league = league_of(count, "knock-out", best_of=best_of)
    played = play_all(league, random, tie_share)
    fixtures = league_fixtures(league, played)
    assert {one.number for one in fixtures} == {one.fixture for one in played}
    assert len(fixtures) == len({one.number for one in fixtures})
    series: dict[frozenset[str], Counter[str]] = {}
    for game in played:
        series.setdefault(frozenset((game.away, game.home)), Counter())[game.winner] += 1
    assert count - 1 == len(series)
    losers = []
    for pair, wins in series.items():
        loser, winner = sorted(pair, key=lambda key: wins[key])
        assert best_of // 2 + 1 == wins[winner] > wins[loser]
        losers.append(loser)
    assert {team.key for team in league.teams} - {champion(league, played)} == {*losers}
    for one in fixtures:
        if "game" not in one.title or one.title.endswith("game 1"):
            assert seed_of(one.home) < seed_of(one.away)
    assert [] == open_fixtures(league, played)


@given(
    st.sampled_from([(6, "round-robin", 2, 1), (2, "best-of", 1, 7), (7, "knock-out", 1, 3), (16, "knock-out", 1, 1)]),
    st.integers(0, 2**32).map(Random),
)
def test_numbers_stay(shape: tuple[int, LeagueFormat, int, int], random: Random) -> None:
    """A number has the same round and title whatever was played, in any order, and whatever was removed."""
    league = league_of(*shape)
    played = play_all(league, random, 0.2)
    known = {one.number: (one.round, one.title) for one in league_fixtures(league, played)}
    fixtures = {one.number: one for one in league_fixtures(league, played)}
    assert all({one.away, one.home} == {fixtures[one.fixture].away, fixtures[one.fixture].home} for one in played)
    known |= {one.number: (one.round, one.title) for one in league_fixtures(league, [])}
    shuffled = random.sample(played, len(played))
    assert [*fixtures.values()] == league_fixtures(league, shuffled)
    assert champion(league, played) == champion(league, shuffled) or shape[1] == "round-robin"
    fewer = [one for one in played if one is not shuffled[0]]
    for one in league_fixtures(league, fewer):
        assert known.get(one.number, (one.round, one.title)) == (one.round, one.title)
        if one.number in fixtures and one.away and one.home:
            then = fixtures[one.number]
            assert shape[1] == "knock-out" or (then.away, then.home) == (one.away, one.home)
    assert shuffled[0].fixture in {one.number for one in open_fixtures(league, fewer)} or champion(league, fewer)


@given(
    st.sampled_from([(6, "round-robin", 1, 1), (2, "best-of", 1, 3), (5, "knock-out", 1, 3), (8, "knock-out", 1, 1)]),
    st.lists(
        st.builds(
            PlayedGame,
            st.integers(-2, 12) | st.integers(),
            *[st.sampled_from(["t1", "t2", "t3", "t4", "t5", "gone"])] * 2,
            *[st.integers(0, 9)] * 2,
            st.sampled_from(["t1", "t2", "t3", "t4", "", "gone"]),
        ),
        max_size=12,
    ),
)
@example((2, "best-of", 1, 3), [PlayedGame(n, "t1", "t2", 2, 1, "gone") for n in (1, 2)])
@example((8, "knock-out", 1, 1), [PlayedGame(1, "t8", "t1", 2, 1, "t3")])
def test_any_games(shape: tuple[int, LeagueFormat, int, int], played: list[PlayedGame]) -> None:
    """Games of strange fixtures, teams and winners change no other fixture, and open ones are not yet played."""
    league = league_of(*shape)
    fixtures, counting = league_fixtures(league, played), counting_games(league, played)
    numbers = [one.number for one in fixtures]
    assert len(numbers) == len({*numbers})
    assert counting.keys() <= {*numbers}
    for one in fixtures:
        if one.number in counting:
            game = counting[one.number]
            assert {game.away, game.home} == {one.away, one.home}
    open_now = open_fixtures(league, played)
    assert all(one.away and one.home and one.number not in counting for one in open_now)
    assert [one for one in fixtures if one in open_now] == open_now
    keys = {team.key for team in league.teams}
    assert champion(league, played) in {"", *keys}
    assert not (champion(league, played) and open_now)


def test_a_corrected_semifinal_replays_the_final() -> None:
    """The final between the wrong teams counts for nothing, and its fixture is open for the right ones."""
    league = league_of(4, "knock-out")
    semifinals = league_fixtures(league, [])[:2]
    played = [result(semifinals[0], "t1"), result(semifinals[1], "t2")]
    (final,) = open_fixtures(league, played)
    played.append(result(final, "t2"))
    assert "t2" == champion(league, played)
    corrected = [result(semifinals[0], "t4"), *played[1:]]
    assert "" == champion(league, corrected)
    (other_final,) = open_fixtures(league, corrected)
    assert (final.number, "t4", "t2") == (other_final.number, other_final.away, other_final.home)
    assert "t4" == champion(league, [*corrected, result(other_final, "t4")])
    assert [1, 2, 3] == [*counting_games(league, [*corrected, result(other_final, "t4")])]


def test_first_game_of_a_fixture_counts() -> None:
    """A second one changes nothing; a swap of the sides is still the same fixture; 0 and strange numbers are none."""
    league = league_of(2, "best-of", best_of=1)
    (fixture,) = league_fixtures(league, [])
    swapped = PlayedGame(1, fixture.home, fixture.away, 1, 0, fixture.home)
    played = [
        PlayedGame(0, "t1", "t2", 0, 1, "t2"),
        PlayedGame(-3, "t1", "t2", 0, 1, "t2"),
        swapped,
        result(fixture, "t2"),
    ]
    assert "t1" == champion(league, played)
    assert {1: swapped} == counting_games(league, played)


def test_listed_fixtures() -> None:
    """All that are not played are open. The earliest day comes first, and a champion is known after the last one."""
    listed = (
        Fixture(5, 1, "t1", "t2", "2026-05-02"),
        Fixture(2, 1, "t2", "t1", "2026-05-01"),
        Fixture(3, 2, "t1", "t2", "2026-05-01"),
        Fixture(9, 1, "t1", "t2"),
    )
    league = replace(league_of(2, "fixtures"), listed=listed)
    assert [*listed] == league_fixtures(league, []) == open_fixtures(league, [])
    assert [2, 3] == [one.number for one in earliest_open(league, [])]
    played = [result(one, "t2") for one in listed[1:3]]
    assert [5] == [one.number for one in earliest_open(league, played)]
    played.append(result(listed[0], "t1"))
    assert [9] == [one.number for one in earliest_open(league, played)]
    assert {"t1": 1, "t2": 1} == fixtures_left(league, played)
    assert "" == champion(league, played)
    assert "t2" == champion(league, [*played, result(listed[3], "")])
    assert "" == champion(replace(league, listed=()), [])


def test_earliest_round_without_days() -> None:
    """Without days, the rest of today is the rest of the first unfinished round."""
    league = league_of(4, "round-robin")
    assert [1, 2] == [one.number for one in earliest_open(league, [])]
    assert [2] == [one.number for one in earliest_open(league, [result(league_fixtures(league, [])[0], "t1")])]


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ({"teams": 5}, "fixture 1"),
        ({"kind": "knock-out"}, "fixture 2"),
        ({"reversed_teams": True}, "fixture 1"),
    ],
)
def test_changes_that_would_move_played_fixtures(change: dict[str, object], number: str) -> None:
    """They are rejected with the number and the teams; the same change before the first game is not."""
    before = league_of(4, "round-robin")
    after = league_of(5, "round-robin") if "teams" in change else before
    if "kind" in change:
        after = replace(before, format="knock-out")
    if "reversed_teams" in change:
        after = replace(before, teams=[*before.teams][::-1])
    fixtures = league_fixtures(before, [])
    played = [result(fixtures[0], "t1"), result(fixtures[1], "t2")]
    check_change(before, after, [])
    with pytest.raises(LeagueError, match=rf"^{number}: Team \d at Team \d has been played, so it must stay\."):
        check_change(before, after, played)
    check_change(before, replace(before, title="Other", meetings=2), played)


def test_a_season_is_quick() -> None:
    """The schedule of 30 teams and 2,610 games takes less than 50 ms."""
    league = league_of(30, "round-robin", 6)
    played: Sequence[PlayedGame] = [result(one, one.home) for one in league_fixtures(league, [])]
    times = []
    for _ in range(5):
        begin = time.thread_time()
        assert champion(league, played)
        times.append(time.thread_time() - begin)
    assert min(times) < 0.05
