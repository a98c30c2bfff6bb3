"""The regular season: its phases, where its games are played, and the effects of difficulty levels and coaches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.asks import Roll
from engine.games.seventh_inning_stretch.season.regular_season import SEASON_PHASES
from engine.innings import InningClock
from engine.seats import Seat, opposite_seat
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    LATE,
    NINE,
    between,
    deal,
    games,
    half,
    new,
    pool,
    refused,
    season,
    skip,
    stand,
    true,
    until,
)
from tests.engine.tables import asked, board, codes, offered, play, ruled

THREE = ("T-1", "T-2", "T-3")


def first(**more: object) -> Table:
    return between("first", **(LATE | {"schedule": THREE} | more))


def second(**more: object) -> Table:
    return between("second", **(LATE | {"schedule": THREE, "won": (True, False, True)} | more))


def halves(table: Table) -> list[tuple[str, bool]]:
    opened = max(n for n, told in enumerate(table.log) if told.event.code == "game")
    facts = [told.event.facts for told in table.log[opened:] if told.event.code == "half-inning"]
    return [(f"{one['half'][0].upper()}{one['inning']}", one["team"] == "Your team") for one in facts]


def where(table: Table) -> list[str]:
    return [told.event.facts["where"] for told in table.log if told.event.code == "game"]


# The phases ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-016", "SI-152")
def test_phases_follow_each_other() -> None:
    """Spring training, three games, trade deadline, three games, playoffs; each happens only in its turn."""
    table, phases = deal(new()), ["spring"]
    for _ in range(3):
        deal(play(table, offered(table)[0]))
    for _ in range(3):
        assert asked(table)[0] in ("opponent", "line-up-again")
        phases.append(true(table).phase)
        games(table, "W")
    assert ("draft",) == asked(table)
    phases.append(true(table).phase)
    for _ in range(3):
        deal(play(table, offered(table)[0]))
    phases.append(true(table).phase)
    games(table, "WWW")
    phases.append(true(table).phase)
    assert ["spring", "first", "first", "first", "deadline", "second", "recovery"] == phases
    assert ("recover",) == asked(table)
    deal(play(table, offered(table)[0], "nobody"))
    assert ("spending", ("spend",)) == (true(table).phase, asked(table))
    assert "semifinals" == true(play(table, "done")).phase
    assert [*dict.fromkeys(phases)] == [one for one in SEASON_PHASES if one in phases]


@pytest.mark.rule("SI-146")
def test_the_second_half_has_three_more_games() -> None:
    table = second(stars=2)
    assert ("opponent", THREE) == (asked(table)[0], offered(table))
    games(table, "WL")
    assert (("second", 5), "T-3") == ((true(table).phase, len(season(table)["won"])), true(table).opponent)
    games(table, "L")
    assert ("recovery", 6) == (true(table).phase, len(season(table)["won"]))
    assert 3 == codes(table.log).count("game")


# The schedule ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-036", "SI-033")
def test_you_choose_your_opponent() -> None:
    table = first()
    assert (("opponent",), THREE) == (asked(table), offered(table))
    refused(table, {str(n): name for n, name in enumerate(NINE, 1)}, "T-4", "same", "1")
    play(table, "T-2")
    assert ("T-2", ("line-up-again",)) == (true(table).opponent, asked(table))
    refused(table, "1", [6])
    assert "t2" == board(table).sides["away"].name


@pytest.mark.rule("SI-037")
def test_each_team_is_faced_once() -> None:
    table = games(play(first(), "T-2"), "W")
    assert ("T-1", "T-3") == offered(table)
    refused(table, "T-2")
    games(play(table, "T-3"), "W")
    assert (("line-up-again",), "T-1") == (asked(table), true(table).opponent)


# A game ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-030")
def test_a_game_begins_in_the_bottom_of_the_seventh() -> None:
    table = until(first(), "at-bat")
    assert ("B7", ("", 0, 0), "home") == (half(table), stand(table), board(table).batting)


@pytest.mark.rule("SI-031", "SI-035", "SI-130")
def test_you_bat_in_the_bottoms_at_home_and_in_the_tops_away() -> None:
    """Each side bats in one half of an inning, from the bottom of the seventh to the bottom of the ninth."""
    at_home = games(first(), "L")
    assert [("B7", True), ("T8", False), ("B8", True), ("T9", False), ("B9", True)] == halves(at_home)
    away = games(first(won=(True,)), "W")
    assert [("B7", False), ("T8", True), ("B8", False), ("T9", True), ("B9", False)] == halves(away)


@pytest.mark.rule("SI-032")
def test_each_half_has_a_place_on_the_board() -> None:
    """The bottom of the seventh and the top of the eighth fill two; the third belongs to the half under way."""
    table = until(until(first(), "team", won=True), "at-bat")
    sides = board(table).sides
    assert ((None,) * 7 + (2,), (None,) * 6 + (1, 0)) == (sides["away"].line, sides["home"].line)
    assert ("B8", (2, 1)) == (half(table), (sides["away"].runs, sides["home"].runs))


@pytest.mark.rule("SI-034", "SI-148")
@pytest.mark.parametrize(
    ("won", "expected"),
    [((), ["at home", "away", "at home"]), ((True, True, True), ["away", "at home", "away"])],
    ids=["games 1 to 3", "games 4 to 6"],
)
def test_home_and_away_games_alternate(won: tuple[bool, ...], expected: list[str]) -> None:
    """Games 1, 3 and 5 are at home, where you bat in the bottom of the seventh; the others are away."""
    table = between("second" if won else "first", schedule=THREE, won=won, stars=3, **LATE)
    bats = []
    for _ in range(3):
        bats.append(halves(until(table, "at-bat", "team"))[0][1])
        games(table, "W")
    assert (expected, [one == "at home" for one in expected]) == (where(table), bats)


# Stars -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-008")
@pytest.mark.parametrize(
    ("start", "results", "stars"),
    [
        *ruled("SI-144", (first, "L", 0), (first, "W", 1), (first, "WLW", 2), (first, "WWW", 3), (first, "LLL", 0)),
        *ruled("SI-149", (second, "L", 0), (second, "W", 2), (second, "WW", 4)),
    ],
)
def test_a_win_earns_a_star_and_two_in_the_second_half(start: Callable[[], Table], results: str, stars: int) -> None:
    table = games(start(), results)
    assert stars == season(table)["stars"]
    assert [one == "W" for one in results] == [*season(table)["won"]][-len(results) :]


@pytest.mark.rule("SI-149", "SI-151")
def test_nine_stars_are_the_maximum() -> None:
    table = games(games(second(won=(True,) * 3, stars=3), "WW"), "W")
    (stars,) = [told.event.facts["stars"] for told in table.log if told.event.code == "regular-season"]
    assert (9, 6) == (stars, season(table)["stars"])


@pytest.mark.rule("SI-147")
@each(
    ("phase", "won", "left"),
    [("first", 0, 2), ("first", 1, 2), ("first", 2, 0), ("second", 3, 2), ("second", 4, 2), ("second", 5, 0)],
)
def test_pitchers_rest_after_the_third_and_the_sixth_game(phase: str, won: int, left: int) -> None:
    table = between(phase, schedule=THREE, won=(True,) * won, stars=3, tired={"F-CUT": 2}, **LATE)
    assert left == true(games(table, "W")).tired.get("F-CUT", 0)


@pytest.mark.rule("SI-150", "SI-151")
@each(("stars", "over"), [(0, True), (2, True), (3, False), (9, False)])
def test_the_playoffs_cost_three_stars(stars: int, over: bool) -> None:
    table = deal(between("entry", stars=stars, **LATE))
    assert over is (table.outcome is not None)
    if table.outcome:
        assert (None, "no-playoffs") == (table.outcome.winner, table.outcome.reason)
        assert f"The playoffs cost 3 stars, and you have {stars}. The season is over." == table.outcome.sentence
    else:
        assert (("recover",), stars - 3) == (asked(table), season(table)["stars"])


# Difficulty ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-185")
def test_the_standard_rules_add_nothing() -> None:
    """An empty pool, a 0-0 score and no die before a game; this is a season's default."""
    table = until(first(), "at-bat")
    assert ("hallOfFamer", "none") == (table.house["difficulty"], table.house["coach"])
    assert ((2, 0, 0), (0, 0)) == (pool(table), true(table).score)
    assert {"opponent", "line-up-again", "line-up-die", "pitcher"} == {one.ask.why for one in table.answers}
    assert table.house == until(first(house={"difficulty": "hallOfFamer"}), "at-bat").house


@pytest.mark.rule("SI-188")
@pytest.mark.parametrize(("face", "down"), [(1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)])
@pytest.mark.parametrize("won", [(), (True,)], ids=["home", "away"])
def test_a_goat_begins_behind(face: int, down: int, won: tuple[bool, ...]) -> None:
    """A die rolled before the game says how far; the runs belong to no inning (A8)."""
    table = play(first(house={"difficulty": "goat"}, won=won), "T-1")
    assert ("goat",) == asked(table)
    until(play(table, face), "at-bat", "team")
    theirs: Seat = "home" if won else "away"
    sides = board(table).sides
    assert (down, 0) == (sides[theirs].runs, sides[opposite_seat(theirs)].runs)
    assert {None, 0} >= {*sides["home"].line, *sides["away"].line}
    assert InningClock(7, "bottom") == true(table).clock


@pytest.mark.rule("SI-112", "SI-188")
def test_totals_include_the_runs_given() -> None:
    """With running totals (A35) they end with the team's score; your own start at zero."""
    table = play(first(house={"difficulty": "goat", "scoreToken": "total"}, won=(True,)), "T-1", 6)
    skip(play(until(table, "team"), [2, 4, 6]), "ability")
    sides = board(until(table, "team")).sides
    assert ((*(None,) * 6, 4, 4), 4) == (sides["home"].line, sides["home"].runs)
    assert (*(None,) * 7, 0) == sides["away"].line


@pytest.mark.rule("SI-188")
def test_a_goat_rolls_before_every_game() -> None:
    """In the playoffs too; nothing of the previous game is left on the board."""
    table = first(house={"difficulty": "goat"})
    for game in range(3):
        assert game == [one.ask.why for one in table.answers].count("goat")
        until(table, "goat")
        assert ((0, 0), 0) == (true(table).score, board(table).outs)
        games(table, "L")
    assert 3 == codes(table.log).count("goat")
    for phase in ("second", "semifinals", "finals"):
        table = between(phase, {"difficulty": "goat"}, schedule=THREE, won=(True,) * 3)
        ((_, ask),) = skip(table, "opponent").open_asks()
        assert isinstance(ask, Roll)
        assert "goat" == ask.why


@pytest.mark.rule("SI-189", "SI-186")
@each("difficulty", ["hallOfFamer", "rookie", "veteran", "goat"])
@each("coach", ["hitting", "pitching"])
def test_any_difficulty_allows_an_assistant_coach(difficulty: str, coach: str) -> None:
    house = {"difficulty": difficulty, "coach": coach}
    table = until(first(house=house, tired={"F-CUT": 1}), "at-bat")
    rookie = difficulty == "rookie"
    assert (2 + rookie + (coach == "hitting"), int(rookie), int(rookie)) == pool(table)
    games(table, "W")
    assert (coach == "pitching") is (asked(table) == ("pitching-coach",))


# The Pitching Coach ----------------------------------------------------------------------------------------------


def massage(**tired: int) -> Table:
    return games(first(house={"coach": "pitching"}, tired={"F-PIT": 2, "F-CUT": 1} | tired), "W")


@pytest.mark.rule("SI-191")
@each(
    ("answers", "left"),
    [
        (("F-PIT", "F-PIT"), {"F-CUT": 1}),
        (("F-PIT", "F-CUT"), {"F-PIT": 1}),
        (("F-CUT", "F-PIT"), {"F-PIT": 1}),
        (("F-PIT", "nobody"), {"F-PIT": 1, "F-CUT": 1}),
        (("nobody",), {"F-PIT": 2, "F-CUT": 1}),
    ],
)
def test_the_pitching_coach_takes_two_tokens_off(answers: tuple[str, ...], left: dict[str, int]) -> None:
    """Two off one pitcher, one off each of two, or none; a third is never offered."""
    table = play(massage(), *answers)
    assert (left, ("opponent",)) == (true(table).tired, asked(table))
    refused(table, "F-PIT", "F-CUT")


@pytest.mark.rule("SI-191")
def test_only_tired_pitchers_recover() -> None:
    """Batters and rested pitchers are not offered; if nobody is tired, no question is asked."""
    table = massage()
    refused(table, "F-MAX", "T-11")
    play(table, "F-CUT")
    assert ("F-PIT", "nobody") == offered(table)
    refused(table, "F-CUT")
    alone = games(first(house={"coach": "pitching"}, tired={"F-CUT": 1}), "W")
    assert ("opponent",) == asked(play(alone, "F-CUT"))
    assert ("opponent",) == asked(games(first(house={"coach": "pitching"}), "W"))


@pytest.mark.rule("SI-191", "SI-147")
def test_the_pitching_coach_has_no_work_when_all_recover() -> None:
    """This is after the third and the sixth game (A28); in the playoffs he works again."""
    house = {"coach": "pitching"}
    table = games(first(house=house, won=(True, True), schedule=("T-1",), tired={"F-CUT": 2}), "W")
    assert (("draft",), {}) == (asked(table), true(table).tired)
    semifinals = games(between("semifinals", house, schedule=THREE, tired={"F-CUT": 2}), "W")
    assert ("pitching-coach",) == asked(semifinals)


# The whole of it -------------------------------------------------------------------------------------------------
