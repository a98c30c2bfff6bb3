"""Records of games and of a whole book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from engine.league.records import RecordsFold
from engine.league.stats import BattingStats, PitchingStats, SideStats
from engine.league.views import BookGame, RecordEntry
from engine.seats import Seat
from tests.each import each

TEAMS = {"owls": "Owls", "larks": "Larks"}

Record = Mapping[str, tuple[str, list[str], list[int]]]
"""Value, holders and numbers by title."""


def side(runs: int = 0, batters: Mapping[str, BattingStats] | None = None, strikeouts: int = 0) -> SideStats:
    """Return a side whose pitcher Pat has some strikeouts."""
    total = BattingStats(runs=runs, hits=sum(one.hits for one in (batters or {}).values()))
    return SideStats("away", "", runs, 0, (), total, batters or {}, {"Pat": PitchingStats(strikeouts=strikeouts)})


def game(number: int, winner: str = "owls", innings: int = 9, place: int = 1) -> BookGame:
    """Return a game of the Owls at the Larks."""
    return BookGame(None, "final", "owls", "larks", number, place, winner=winner, innings=innings)


def by_title(entries: Iterable[RecordEntry]) -> Record:
    return {one.title: (one.value, list(one.holders), list(one.numbers)) for one in entries}


def found(*games: tuple[BookGame, SideStats, SideStats]) -> tuple[Record, Record]:
    """Return the records of these games, and those of the whole book."""
    fold = RecordsFold(TEAMS)
    for one, away, home in games:
        sides: dict[Seat, SideStats] = {"away": away, "home": home}
        fold.add(one, sides)
    game_records, season_records = fold.records()
    return by_title(game_records), by_title(season_records)


def test_nothing_yet() -> None:
    """Nobody holds a record of none."""
    assert ({}, {}) == found()
    assert ({}, {}) == found((game(1), side(), side()))


def test_a_game() -> None:
    """Records of players and teams say who, how much and where; ties share a record."""
    ann, bo = BattingStats(runs=1, hits=3, driven_in=4), BattingStats(hits=3, home_runs=1, steals=2)
    records, _ = found((game(7), side(9, {"Ann": ann}, 11), side(2, {"Bo": bo}, 3)))
    assert records == {
        "Most runs by a player": ("1", ["Ann, Owls: 1, in game 7"], [7]),
        "Most hits by a player": ("3", ["Ann, Owls: 3, in game 7", "Bo, Larks: 3, in game 7"], [7, 7]),
        "Most home runs by a player": ("1", ["Bo, Larks: 1, in game 7"], [7]),
        "Most runs batted in by a player": ("4", ["Ann, Owls: 4, in game 7"], [7]),
        "Most stolen bases by a player": ("2", ["Bo, Larks: 2, in game 7"], [7]),
        "Most strikeouts by a pitcher": ("11", ["Pat, Owls: 11, in game 7"], [7]),
        "Most runs by a team": ("9", ["Owls: 9, in game 7"], [7]),
        "Most hits by a team": ("3", ["Owls: 3, in game 7", "Larks: 3, in game 7"], [7, 7]),
        "Most runs by both teams": ("11", ["Owls 9, Larks 2, in game 7"], [7]),
        "Biggest win": ("7", ["Owls beat Larks 9 to 2, in game 7"], [7]),
    }


def test_a_longer_game_and_a_game_of_a_series() -> None:
    """Only extra innings are a record; a game of a series has its number in it."""
    records, _ = found((game(1), side(1), side(2)), (game(2, innings=12, place=3), side(4), side(5)))
    assert ("12", ["Larks 5, Owls 4, in game 2, number 3"], [2]) == records["Longest game"]
    assert ("1", ["Larks beat Owls 2 to 1, in game 1", "Larks beat Owls 5 to 4, in game 2, number 3"], [1, 2]) == (
        records["Biggest win"]
    )


def test_many_holders() -> None:
    """The first five are named, and the others counted; a better value replaces them all."""
    games = [(game(number), side(3), side(0)) for number in range(1, 9)]
    value, holders, numbers = found(*games)[0]["Biggest win"]
    assert ("3", "and 3 more", [1, 2, 3, 4, 5, 0]) == (value, holders[-1], numbers)
    assert ("4", ["Owls beat Larks 4 to 0, in game 9"], [9]) == found(*games, (game(9), side(4), side(0)))[0][
        "Biggest win"
    ]


def test_streaks_of_teams() -> None:
    """A tie ends no streak; a streak that goes on says so."""
    winners = ["owls", "owls", "", "owls", "larks", "larks"]
    _, records = found(*((game(number, winner), side(), side()) for number, winner in enumerate(winners, 1)))
    assert records == {
        "Longest winning streak": ("3", ["Owls: game 1 to game 4"], [0]),
        "Longest losing streak": ("3", ["Larks: game 1 to game 4"], [0]),
    }
    _, records = found(*((game(number), side(), side()) for number in (1, 2)))
    assert ("2", ["Owls: game 1 to game 2, and it goes on"], [0]) == records["Longest winning streak"]


HIT = BattingStats(plate_appearances=4, hits=1)


@each(
    ("between", "longest"),
    [
        (BattingStats(plate_appearances=3, walks=2, sacrifice_hits=1), "4"),
        (BattingStats(plate_appearances=1, hit_by_pitch=1), "4"),
        (BattingStats(), "4"),
        (BattingStats(plate_appearances=1, sacrifice_flies=1), "2"),
        (BattingStats(plate_appearances=2, walks=1), "2"),
        (None, "4"),
    ],
)
def test_hitting_streaks(between: BattingStats | None, longest: str) -> None:
    """Walks, hit batters and bunts alone do not end one, nor does a game without him; a fly does (9.23(b))."""
    lines = [HIT, HIT, between, HIT, HIT]
    games = [(game(number, ""), side(0, {"Ann": line} if line else {}), side()) for number, line in enumerate(lines, 1)]
    assert longest == found(*games)[1]["Longest hitting streak"][0]


@given(st.lists(st.sampled_from(["owls", "larks"]), min_size=1, max_size=40))
def test_any_season(winners: list[str]) -> None:
    """The longest streak is the longest run of equal winners."""
    _, records = found(*((game(number, winner), side(), side()) for number, winner in enumerate(winners, 1)))
    longest = max(len(list(run)) for _, run in groupby(winners))
    expected = (str(longest), str(longest)) if longest > 1 else ("", "")
    assert expected == tuple(records.get(f"Longest {kind} streak", ("",))[0] for kind in ("winning", "losing"))
