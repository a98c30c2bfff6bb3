"""The longer playoffs."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.seventh_inning_stretch.season.draft import left
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import (
    LATE,
    between,
    deal,
    games,
    half,
    refused,
    season,
    squad,
    true,
    until,
)
from tests.engine.tables import asked, board, codes, offered, panel, play

LONG = {"mode": "extended"}

SEMIS, FINALS = tuple(f"T-{n}" for n in range(7, 15)), tuple(f"U-{n}" for n in range(7, 15))
"""All that is left after both drafts."""


def entry(stars: int) -> Table:
    """Return a season after its regular part, with this many stars."""
    return deal(between("entry", LONG, stars=stars, **LATE))


def series(phase: str = "semifinals", **more: Any) -> Table:
    """Before the first game of a series."""
    piles = {"schedule": SEMIS, "finals": FINALS} if phase == "semifinals" else {"schedule": FINALS}
    return between(phase, LONG, **(piles | more))


def told(table: Table, code: str, fact: str) -> list[Any]:
    """This fact of every such event."""
    return [one.event.facts[fact] for one in table.log if one.event.code == code]


@pytest.mark.rule("SI-179", "SI-150")
def test_nobody_recovers() -> None:
    """Three stars are paid all the same; then stars are spent at once, and no player is for sale."""
    table = entry(5)
    assert (("spend",), 2, 11) == (asked(table), season(table)["stars"], len(squad(table).roster))
    assert not {"recover", "recover-more"} & {one.ask.why for one in table.answers}
    assert "recovered" not in codes(table.log)
    assert "no-playoffs" == getattr(entry(2).outcome, "reason", None)


@pytest.mark.rule("SI-180")
def test_all_that_is_left_is_faced() -> None:
    """Eight teams of tier 2 in the semi-finals, eight of tier 3 in the finals; nothing is left in the supplies."""
    table = entry(4)
    s = true(table)
    assert (SEMIS, FINALS, 0, 0) == (s.schedule, s.finals, left(s, 2), left(s, 3))
    assert ({}, 8, 8) == (season(table)["tops"], len(season(table)["schedule"]), len(season(table)["finals"]))


@pytest.mark.rule("SI-181")
def test_stars_change_playoff_cards_only() -> None:
    table = entry(9)
    both = {"lower-semifinals", "lower-finals", "flip-semifinals", "flip-both"}
    assert both == {*offered(table)} - {"done"}
    refused(table, "team", "recover", "T-7")
    play(table, "lower-semifinals", "flip-both")
    assert (0, (2, 3), (True, True), "semifinals") == (
        true(table).stars,
        true(table).levels,
        true(table).green,
        true(table).phase,
    )
    refused(entry(4), "team", "flip-semifinals", "lower-finals")
    assert {"lower-semifinals"} == {*offered(entry(4))} - {"done"}


@pytest.mark.rule("SI-182")
@pytest.mark.parametrize(
    ("results", "over"),
    [("WWW", ""), ("WWWLLL", ""), ("WWWW", "won"), ("WWWLLLW", "won"), ("LLLL", "lost"), ("WLWLWLL", "lost")],
)
@pytest.mark.parametrize("phase", ["semifinals", "finals"])
def test_four_wins_or_four_losses_end_a_series(phase: str, results: str, over: str) -> None:
    table = games(series(phase), results)
    assert len(results) + (not over or (over == "won" and phase == "semifinals")) == codes(table.log).count("game")
    reason = table.outcome.reason if table.outcome else ""
    if over == "lost":
        assert f"{phase}-lost" == reason
    elif over == "won" and phase == "finals":
        assert "season-won" == reason
    else:
        assert ("", "finals" if over else phase) == (reason, true(table).phase)
    assert 4 == season(table)["wins_needed"]


@pytest.mark.rule("SI-182", "SI-174")
def test_the_last_team_is_not_faced() -> None:
    """Seven games at most, from the top of the pile (A32)."""
    table = play(deal(between("entry", LONG, stars=4, **LATE)), "done")
    assert ["t7", "t8", "t9", "t10", "t11", "t12", "t13"] == told(table, "semifinals", "teams")[0]
    games(table, "WLWLWL")
    assert "T-13" == true(table).opponent
    games(table, "W")
    assert [*(f"t{n}" for n in range(7, 14)), "u7"] == told(table, "game", "team")
    assert FINALS == true(table).schedule


@pytest.mark.rule("SI-183")
@pytest.mark.parametrize("phase", ["semifinals", "finals"])
@pytest.mark.parametrize(("green", "expected"), [(True, "HHAAAHH"), (False, "AAHHHAA")])
def test_home_field_is_games_1_2_6_and_7(phase: str, green: bool, expected: str) -> None:
    both = (green, not green) if phase == "semifinals" else (not green, green)
    table = games(series(phase, green=both), "WLWLWL")
    assert expected == "".join("H" if place == "at home" else "A" for place in told(table, "game", "where"))
    assert ("B7", "home" if green else "away") == (half(until(table, "at-bat", "team")), true(table).side)
    assert (expected[-1] == "H") is (season(table)["at_home"] is True)


@pytest.mark.rule("SI-184")
def test_pitchers_rest_between_the_series() -> None:
    """Two tokens after the semi-finals, none in the finals; in a series they stay."""
    table = games(series(tired={"F-PIT": 2, "F-CUT": 1}), "WWW")
    assert {"F-PIT": 2, "F-CUT": 1} == true(table).tired
    games(table, "W")
    assert ("finals", {}) == (true(table).phase, true(table).tired)
    assert 0 == board(until(table, "team")).fatigue
    assert "extended" == panel(table, "mode")


def test_a_series_that_is_over_can_be_shown() -> None:
    table = games(series("finals"), "WWWLLLL")
    assert None is season(table)["at_home"]
    assert "The finals are lost, 4 to 3. The season is over." == panel(table, "stands")
