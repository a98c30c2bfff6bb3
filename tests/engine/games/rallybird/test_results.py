"""Effects of results on batter and runners, by the cards' own words and ordinary baseball logic."""

from __future__ import annotations

import itertools

import pytest

from engine.diamond import Bases
from engine.games.rallybird.results import AppliedResult, applicable_result, apply_result, parse_result
from engine.views import json_data
from tests.each import each
from tests.engine.games.rallybird.fixture import at, bat, half, sides, stand, true
from tests.engine.tables import codes, play, ruled

LESS, EQUAL, MORE = 6, 7, 8
"""Against A3f D4f."""

FIELD = "A3f D4f"


def only(text: str, bases: str, outs: int = 0) -> tuple[str, int, int]:
    on: Bases[int] = (1 if "1" in bases else None, 2 if "2" in bases else None, 3 if "3" in bases else None)
    ran = ran_of(text, on, outs)
    return "".join(base for base, runner in zip("123", ran.bases, strict=True) if runner), ran.outs, len(ran.home)


def ran_of(text: str, bases: Bases[int], outs: int = 0) -> AppliedResult:
    return apply_result(applicable_result(parse_result(text), bases), bases, 4, outs)


# Outs --------------------------------------------------------------------------------------------------------------


MOVES = [
    *ruled("RB-045", ("1", "F-LEFT", LESS, "---", 2, 0)),
    *ruled("RB-047", ("1", "F-LEFT", LESS, "---", 2, 0)),
    *ruled("RB-048", ("1", "F-LEFT", EQUAL, "2--", 1, 0)),
    *ruled("RB-049", ("13", "F-LEFT", MORE, "31-", 0, 1)),
    # Behind a double play, and behind the runner from first, the forced runners advance.
    *ruled("RB-099", ("12", "F-LEFT", LESS, "--2", 2, 0), ("123", "F-LEFT", LESS, "--2", 2, 1)),
    *ruled("RB-099", ("13", "F-LEFT", LESS, "--2", 2, 0)),
    *ruled("RB-101", ("", "F-LEFT", LESS, "---", 1, 0), ("2", "F-LEFT", LESS, "-1-", 1, 0)),
    *ruled("RB-101", ("3", "F-LEFT", LESS, "--1", 1, 0), ("23", "F-LEFT", LESS, "-12", 1, 0)),
    *ruled("RB-102", ("12", "F-LEFT", EQUAL, "3-2", 1, 0), ("123", "F-LEFT", EQUAL, "4-2", 1, 1)),
    *ruled("RB-102", ("13", "F-LEFT", EQUAL, "3-2", 1, 0)),
    # A batter who reaches first only forces the runners in his way.
    *ruled("RB-083", ("", "F-RIGHT", 12, "1--", 0, 0), ("1", "F-RIGHT", 12, "21-", 0, 0)),
    *ruled("RB-085", ("2", "F-RIGHT", 12, "21-", 0, 0), ("3", "F-RIGHT", 12, "2-1", 0, 0)),
    *ruled("RB-086", ("12", "F-RIGHT", 12, "312", 0, 0), ("13", "F-RIGHT", 12, "312", 0, 0)),
    *ruled("RB-086", ("23", "F-RIGHT", 12, "312", 0, 0), ("123", "F-RIGHT", 12, "412", 0, 1)),
    # A batter who is out at first does too, but no other out does.
    *ruled("RB-084", ("12", "F-GAP", 2, "-12", 1, 0), ("123", "F-GAP", 2, "-12", 1, 1)),
    *ruled("RB-105", ("12", "F-GAP", 2, "-12", 1, 0), ("3", "F-GAP", 2, "--1", 1, 0)),
    *ruled("RB-106", ("12", "F-DRIVE", 2, "12-", 1, 0), ("1", "F-LONG", 2, "1--", 1, 0)),
]
"""Bases before, card and roll; then the cubes on the bases (the batter has the last one), outs and runs."""


@pytest.mark.parametrize(("bases", "card", "total", "cubes", "outs", "runs"), MOVES)
def test_a_result_moves_batter_and_runners(bases: str, card: str, total: int, cubes: str, outs: int, runs: int) -> None:
    table = bat(at(bases, 0, FIELD), card, total)
    found = "".join("-" if cube is None else str(cube) for cube in true(table).bases)
    assert (cubes, outs, runs) == (found, *stand(table)[1:])


@pytest.mark.rule("RB-011", "RB-046")
def test_the_third_out_ends_the_half() -> None:
    """By a single out or a double play; the outs shown are those of the new half."""
    for table in (bat(at("", 2), "F-DRIVE", 2), bat(at("1", 1, FIELD), "F-LEFT", LESS)):
        assert ("B7", ("", 0, 0)) == (half(table), stand(table))


@pytest.mark.rule("RB-100")
def test_there_is_no_fourth_out_and_no_run_on_the_third() -> None:
    for bases, outs in (("123", 1), ("1", 2), ("123", 2)):
        table = bat(at(bases, outs, FIELD), "F-LEFT", LESS)
        assert ("B7", ("", 0, 0)) == (half(table), stand(table))
        assert "scores" not in codes(table.log)
    assert 3 == ran_of("double play", (1, None, None), 2).outs


@pytest.mark.rule("RB-103")
def test_without_the_runner_the_card_uses_its_fallback() -> None:
    for bases in ("", "2"):
        table = bat(at(bases, 0, FIELD), "F-LEFT", EQUAL)
        assert ((bases, 1, 0), {}) == (stand(table), sides(table))


@pytest.mark.rule("RB-104")
def test_no_run_counts_on_the_third_out() -> None:
    for card, bases, total in (("F-SAC", "3", 12), ("F-LEFT", "123", EQUAL), ("F-GAP", "123", 2)):
        table = bat(at(bases, 2, FIELD), card, total)
        assert ("B7", ("", 0, 0)) == (half(table), stand(table))


@pytest.mark.rule("RB-045", "RB-100", "RB-104")
@each(
    ("bases", "outs", "card", "total", "news"),
    [
        ("1", 0, "F-LEFT", LESS, ["double-play"]),
        ("12", 0, "F-LEFT", LESS, ["double-play", "runners-go"]),
        ("1", 1, "F-LEFT", LESS, ["double-play", "third-out"]),
        ("123", 1, "F-LEFT", LESS, ["double-play", "third-out"]),
        ("1", 2, "F-LEFT", LESS, ["ground-out", "third-out"]),
        ("123", 2, "F-GAP", 2, ["ground-out", "third-out"]),
        ("12", 1, "F-LEFT", EQUAL, ["fielders-choice", "runner-out", "runners-go"]),
        ("12", 2, "F-LEFT", EQUAL, ["fielders-choice", "runner-out", "third-out"]),
        ("2", 0, "F-LEAD", 2, ["fly-out", "runner-out"]),
        ("2", 1, "F-LEAD", 2, ["fly-out", "runner-out", "third-out"]),
        ("2", 2, "F-LEAD", 2, ["fly-out", "third-out"]),
        ("2", 2, "F-THIRD", 3, ["runner-out", "third-out"]),
        ("3", 2, "F-SAC", 12, ["fly-out", "third-out"]),
    ],
)
def test_events_of_an_out(bases: str, outs: int, card: str, total: int, news: list[str]) -> None:
    """After the third out no event moves a runner, and there is no event for a fourth."""
    table = bat(at(bases, outs, FIELD), card, total)
    told = [one.event.code for one in table.log if one.n == table.answers[-1].n]
    assert ["roll", *news] == [code for code in told if code not in ("half-inning", "flipped")]


# Ordinary baseball -------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-053", "RB-054")
def test_a_home_run_takes_two_good_rolls() -> None:
    """7 and 8 against 6. A bad first roll ends it at once, a bad second one is an out; a tie is not enough."""
    assert ("", 0, 1) == stand(bat(at(field="E3f F3f"), "F-LONG", 7, 8))
    assert ("", 1, 0) == stand(bat(at(field="E3f F3f"), "F-LONG", 7, 5))
    assert ("", 1, 0) == stand(bat(at(field="E3f F3f"), "F-LONG", 5))
    assert ("", 1, 0) == stand(bat(at(field="E3f F3f"), "F-LONG", 7, 6))
    table = bat(at(field="E3f F3f"), "F-LONG", 7)
    assert "F-LONG against 6, the second roll." in json_data(table.view_for(None))["asks"][0]["sentence"]


@pytest.mark.rule("RB-055", "RB-087")
def test_a_home_run_scores_everybody() -> None:
    table = bat(at("13", field="E3f F3f"), "F-LONG", 7, 8)
    play(table, "gF")
    assert (("", 0, 3), {"gF": "back"}) == (stand(table), sides(table))
    assert [3] == [line.scored for line in table.play_log_lines() if line.scored]


@pytest.mark.rule("RB-088")
def test_runs_beyond_eight_are_counted() -> None:
    table = bat(at("1", score=(8, 0), field="E3f F3f"), "F-LONG", 7, 8)
    assert (10, 0) == true(table).score


# The vocabulary ----------------------------------------------------------------------------------------------------

BATTERS = ("stays", "grounds out", "flies out", "out", "walks", "to first", "to second", "to third", "to home")
RUNNERS = (
    "",
    "runners +1",
    "runners +2",
    "runners +3",
    "lead runner out",
    "lead runner +1",
    "lead runner scores",
    "runner on first out",
    "runner on first +1",
    "runner on first +2, lead runner holds",
    "runner on second out",
    "runner on second +1",
    "runner on second holds, runners +1",
    "runner on third out",
    "runner on third scores",
    "runner on first out, runners +1",
    "runner on third out, runner on first +1",
)
POSITIONS: tuple[Bases[int], ...] = tuple(itertools.product((None, 1), (None, 2), (None, 3)))


def test_every_result_is_valid_everywhere() -> None:
    """In all positions nobody is lost, doubled or passed, and there are at most three outs and no run on the third."""
    for batter, runners, bases, outs in itertools.product(BATTERS, RUNNERS, POSITIONS, range(3)):
        text = f"batter {batter}, {runners}" if runners else f"batter {batter}"
        if text.count("out") > 2:
            continue
        ran = ran_of(text, bases, outs)
        assert outs <= ran.outs <= 3
        if ran.outs == 3:
            assert ((None, None, None), (), False) == (ran.bases, ran.home, ran.moved)
            continue
        retired = [bases[base - 1] for base in ran.lost] + [4] * ("out" in f"batter {batter}")
        bats_on = [4] * (batter == "stays")
        everybody = [*(one for one in ran.bases if one), *ran.home, *retired, *bats_on]
        assert sorted(everybody, key=str) == sorted([*(one for one in bases if one), 4], key=str), (text, bases)
        assert len(retired) == ran.outs - outs
        order = [*ran.home, *(one for one in reversed(ran.bases) if one)]
        ahead = [one for one in (*reversed(bases), 4) if one in order]
        assert ahead == order, (text, bases)
        where = {one: base for base, one in enumerate(ran.bases, 1) if one}
        assert all(where[one] >= base for base, one in enumerate(bases, 1) if one in where)


@each(
    ("text", "bases", "expected"),
    [
        ("batter to second, runners +1", "12", ("23", 0, 1)),
        ("batter to third", "1", ("3", 0, 1)),
        ("batter flies out, runner on third scores", "123", ("12", 1, 1)),
        ("batter flies out, runner on third scores", "12", ("12", 1, 0)),
        ("batter flies out, lead runner out", "12", ("1", 2, 0)),
        ("lead runner out, batter to first", "23", ("12", 1, 0)),
        ("lead runner +2", "12", ("1", 0, 1)),
        ("runner on second +1", "23", ("3", 0, 1)),
        ("runner on first holds, runners +1", "13", ("1", 0, 1)),
        ("batter to first, runners +1, runner on first +2", "12", ("13", 0, 1)),
        ("double play; else batter flies out, runners +1", "3", ("", 1, 1)),
        ("runner on second out; else lead runner out; else batter out", "1", ("", 1, 0)),
        ("runner on second out; else lead runner out; else batter out", "", ("", 1, 0)),
        ("runners hold", "13", ("13", 0, 0)),
    ],
)
def test_a_phrase_does_what_it_says(text: str, bases: str, expected: tuple[str, int, int]) -> None:
    assert expected == only(text, bases)


@each(
    ("wrong", "reason"),
    [
        ("batter strikes out", "Unknown result 'batter strikes out'"),
        ("runners +4", "Unknown result"),
        ("batter to first,runners +1", "Unknown result"),
        ("", "Unknown result"),
        (7, "needs a phrase, not 7"),
        ("batter out, batter to first", "says twice what becomes of the batter"),
        ("double play, runner on first +1", "says twice what becomes of the runner on first"),
        ("double play, batter out", "says twice what becomes of the batter"),
        ("runners +1, runners +2", "says twice what becomes of the runners"),
        ("double play, lead runner out", "makes more than two outs"),
        ("batter out; else batter in", "Unknown result 'batter in'"),
    ],
)
def test_invalid_results_are_refused(wrong: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_result(wrong)
