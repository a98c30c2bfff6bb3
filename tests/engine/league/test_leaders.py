"""Leaders by the official definitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.league.leaders import batting_leaders, min_outs, min_plate_appearances, pitching_leaders
from engine.league.stats import BattingStats, PitchingStats
from engine.league.views import LeaderCategory, PlayerLine
from tests.each import each


def batter(player: str, at_bats: int, hits: int, team: str = "owls", **more: int) -> PlayerLine:
    walks = more.get("walks", 0)
    return PlayerLine(player, team, BattingStats(1, at_bats + walks, at_bats, hits=hits, **more))


def pitcher(player: str, outs: int, earned_runs: int, team: str = "owls", **more: int) -> PlayerLine:
    return PlayerLine(player, team, None, PitchingStats(1, outs, earned_runs=earned_runs, **more))


def category(found: Sequence[LeaderCategory], code: str) -> list[tuple[int, str, str]]:
    """Return place, player and value of each leader of a category."""
    (rows,) = [one.rows for one in found if one.code == code]
    return [(row.place, row.player, row.value) for row in rows]


@each(("innings", "plate_appearances", "outs"), [(9, 3, 3), (18, 6, 6), (162 * 9, 502, 486), (3, 1, 1), (30, 10, 10)])
def test_minimums(innings: int, plate_appearances: int, outs: int) -> None:
    """3.1 plate appearances and one inning for each nine innings, to the nearest whole number, and at least one."""
    assert (plate_appearances, outs) == (min_plate_appearances(innings), min_outs(innings))
    assert (1, 1) == (min_plate_appearances(0), min_outs(0))


def test_averages() -> None:
    """Only those who qualify are ranked, the best first; equal averages share a place."""
    players = [
        batter("Ann", 10, 3, walks=6),
        batter("Bo", 20, 6, "larks"),
        batter("Cy", 16, 8),
        batter("Di", 4, 2),
        PlayerLine("Ed", "owls", BattingStats(5, 20, walks=20)),
    ]
    found = batting_leaders(players, {"owls": 45, "larks": 45})
    assert [(1, "Cy", ".500"), (2, "Ann", ".300"), (2, "Bo", ".300")] == category(found, "AVG")
    assert ["8 for 16", "3 for 10", "6 for 20"] == [row.detail for row in found[0].rows]
    assert "Needs 3.1 plate appearances for each nine innings of the team's games: 16 so far." == found[0].minimum
    assert [(1, "Ed", "1.000"), (2, "Ann", ".563"), (3, "Cy", ".500")] == category(found, "OBP")[:3]


def test_a_batter_who_would_lead_with_hitless_at_bats() -> None:
    """He leads with his own average, though not in OPS; one who would not lead is left out (9.22(a))."""
    players = [batter("Ann", 510, 160), batter("Bo", 490, 180), batter("Cy", 470, 165)]
    found = batting_leaders(players, {"owls": 162 * 9})
    for code in ("AVG", "OBP", "SLG"):
        assert [(1, "Bo", ".367"), (2, "Ann", ".314")] == category(found, code)
    assert [(1, "Ann", ".627")] == category(found, "OPS")


def test_teams_with_more_and_fewer_games() -> None:
    """Each batter needs his own team's minimum."""
    players = [batter("Ann", 5, 2), batter("Bo", 5, 1, "larks")]
    (average, *_) = batting_leaders(players, {"owls": 9, "larks": 27})
    assert ["Ann"] == [row.player for row in average.rows]
    assert average.minimum.endswith("team's games: 3 to 9 so far.")


def test_counts() -> None:
    """Nobody needs to qualify for a count; players without one and categories without a player are left out."""
    players = [
        batter("Ann", 4, 2, home_runs=2, runs=2, driven_in=5),
        batter("Bo", 4, 1, home_runs=2, runs=3, doubles=1),
        batter("Cy", 4, 0, home_runs=0),
    ]
    found = batting_leaders(players, {"owls": 900})
    assert [(1, "Ann", "2"), (1, "Bo", "2")] == category(found, "HR")
    assert [(1, "Bo", "3"), (2, "Ann", "2")] == category(found, "R")
    assert ["H", "2B", "HR", "R", "RBI"] == [one.code for one in found if not one.minimum]
    assert [] == batting_leaders([PlayerLine("Dee", "owls")], {"owls": 9})


def test_no_more_than_asked_for() -> None:
    players = [batter(f"Player {number:02}", 4, 1 + number % 2) for number in range(30)]
    hits = category(batting_leaders(players, {"owls": 9}, 5), "H")
    assert [1] * 5 == [place for place, _, _ in hits]
    assert ["Player 01", "Player 03"] == [player for _, player, _ in hits[:2]]


def test_pitchers() -> None:
    """The lowest average leads among those with an inning for each nine of the team's games."""
    players = [
        pitcher("Ann", 27, 3, walks=2, hits=7, strikeouts=9),
        pitcher("Bo", 26, 0, strikeouts=9),
        pitcher("Cy", 54, 6, walks=1, hits=2),
        pitcher("Di", 0, 4),
    ]
    found = pitching_leaders(players, {"owls": 81})
    assert [(1, "Ann", "3.00"), (1, "Cy", "3.00")] == category(found, "ERA")
    assert [(1, "Cy", "0.17"), (2, "Ann", "1.00")] == category(found, "WHIP")
    assert [(1, "Cy", "18.0"), (2, "Ann", "9.0"), (3, "Bo", "8.2")] == category(found, "IP")
    assert [(1, "Ann", "9"), (1, "Bo", "9")] == category(found, "K")
    assert "3 earned in 9.0 innings" == found[0].rows[0].detail
    assert "Needs 1 inning for each nine innings of the team's games: 9.0 so far." == found[0].minimum
    assert [] == pitching_leaders([batter("Ann", 4, 1)], {"owls": 9})


BATTERS = st.builds(
    lambda at_bats, hits, walks: BattingStats(1, at_bats + walks, at_bats, hits=min(hits, at_bats), walks=walks),
    st.integers(0, 8),
    st.integers(0, 8),
    st.integers(0, 4),
)


@given(st.lists(BATTERS, max_size=12), st.integers(0, 30))
def test_places(lines: list[BattingStats], innings: int) -> None:
    """Values never rise from row to row, and a place is one more than the number of better players."""
    players = [PlayerLine(f"Player {number}", "owls", line) for number, line in enumerate(lines)]
    for found in batting_leaders(players, {"owls": innings}):
        values = [float(row.value) for row in found.rows]
        assert all(one >= other for one, other in pairwise(values))
        better = [1 + sum(value > float(row.value) for value in values) for row in found.rows]
        places = [row.place for row in found.rows]
        # Rates that differ in the fourth decimal have places of their own.
        assert (
            places == better
            if not found.minimum
            else all(one >= other for one, other in zip(places, better, strict=True))
        )


@given(st.lists(BATTERS, min_size=1, max_size=12), st.integers(1, 30))
def test_the_batting_champion(lines: list[BattingStats], innings: int) -> None:
    """Nobody beats him, with a hitless at-bat for each plate appearance that he lacks."""
    need = min_plate_appearances(innings)
    players = [PlayerLine(f"Player {number}", "owls", line) for number, line in enumerate(lines)]
    charged = {}
    for player in players:
        assert player.batting is not None
        did = player.batting
        at_bats = did.at_bats + max(0, need - did.plate_appearances)
        if did.at_bats:
            charged[player.player] = (did.hits / at_bats, did.plate_appearances >= need)
    best = max((rate for rate, _ in charged.values()), default=0)
    average = [one for one in batting_leaders(players, {"owls": innings}) if one.code == "AVG"]
    if not average:
        assert not any(qualified or rate for rate, qualified in charged.values())
        return
    (found,) = average
    assert best == charged[found.rows[0].player][0]
    assert all(charged[row.player][1] or charged[row.player][0] == best for row in found.rows)
