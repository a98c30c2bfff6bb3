"""Spring training and the trade deadline."""

from __future__ import annotations

import pytest

from engine.games.seventh_inning_stretch.season.draft import supply_count
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    LATE,
    NINE,
    against,
    at,
    between,
    deal,
    games,
    new,
    refused,
    season,
    squad,
    true,
)
from tests.engine.tables import asked, codes, offered, panel, play


def drafted(table: Table, *names: str) -> Table:
    for name in names:
        deal(play(deal(table), name))
    return table


@pytest.mark.rule("SI-017", "SI-023", "SI-027")
def test_two_cards_are_drawn_and_shown_on_both_sides() -> None:
    table = deal(new())
    ((n, ask),) = table.open_asks()
    assert ("draft", ("T-1", "T-2"), 12) == (ask.why, offered(table), supply_count(true(table), 2))
    shown = {one["value"]: one for one in json_data(table.ask_view(n, ask, "home"))["options"]}
    assert "T-1, and face T2" == shown["T-1"]["label"]
    for name in ("T-1", "T-2"):
        assert "Brings 2 dice. Highest 6: home run; " in shown[name]["note"]
        reads = "Rolls 3 dice, never fewer than 2. Runs: the difference of the two lowest."
        team = f"As a team, t{name[2:]} (T{name[2:]}): {reads}"
        assert team in shown[name]["note"]


@pytest.mark.rule("SI-018", "SI-019")
@each(("kept", "other"), [("T-1", "T-2"), ("T-2", "T-1")])
def test_one_joins_the_roster_and_the_other_becomes_an_opponent(kept: str, other: str) -> None:
    table = deal(new())
    before = squad(table).roster
    refused(table, ["T-1", "T-2"], "both", "neither", "T-3")
    play(table, kept)
    assert ((*before, kept), (other,)) == (squad(table).roster, true(table).schedule)
    assert [(other.lower().replace("-", ""), "B")] == [
        (one["name"], one["letter"]) for one in season(table)["schedule"]
    ]


@pytest.mark.rule("SI-017", "SI-020")
def test_spring_training_has_three_steps() -> None:
    table = drafted(new(), "T-1", "T-4", "T-5")
    s = true(table)
    assert (13, ("T-1", "T-4", "T-5")) == (len(squad(table).roster), squad(table).roster[-3:])
    assert (("T-2", "T-3", "T-6"), 8, 14) == (s.schedule, supply_count(s, 2), supply_count(s, 3))
    assert (("opponent",), 3) == (asked(table), codes(table.log).count("drafted"))


@pytest.mark.rule("SI-145")
def test_the_trade_deadline_is_a_draft_of_tier_3() -> None:
    table = games(drafted(new(), "T-1", "T-3", "T-5"), "WWW")
    assert (("draft",), ("U-1", "U-2"), ()) == (asked(table), offered(table), true(table).schedule)
    drafted(table, "U-1", "U-4", "U-5")
    s = true(table)
    assert (16, ("U-1", "U-4", "U-5")) == (len(squad(table).roster), squad(table).roster[-3:])
    assert (("U-2", "U-3", "U-6"), 8, 8) == (s.schedule, supply_count(s, 2), supply_count(s, 3))
    assert [3, 3, 3] == [one["tier"] for one in season(table)["schedule"]]


SCHEDULE = ("T-1", "T-2", "T-3")


@pytest.mark.rule("SI-021")
@pytest.mark.parametrize(
    "table",
    [
        between("first", schedule=SCHEDULE),
        deal(between("deadline", schedule=SCHEDULE, **LATE)),
        deal(between("recovery", schedule=SCHEDULE, **LATE)),
        between("spending", stars=3, schedule=SCHEDULE, **LATE),
        at(pitchers=("F-CUT",)),
        against(pitchers=("F-CUT",)),
    ],
    ids=["between games", "draft", "recovery", "stars", "offence", "defence"],
)
def test_roster_and_schedule_can_be_viewed_at_any_time(table: Table) -> None:
    mine = panel(table, "squads")["home"]
    assert {*NINE} == {one["name"] for one in mine["batters"]}
    assert ["F-PIT", "F-CUT"] == [one["name"] for one in mine["pitchers"]]
    assert all(one["reads"] for one in (*mine["batters"], *mine["pitchers"], *season(table)["schedule"]))
    assert ["t1", "t2", "t3"] == [one["name"] for one in season(table)["schedule"]]
