"""The box and the setup of a season."""

from __future__ import annotations

from typing import Any

import pytest

from engine.asks import Choose, Draw
from engine.errors import IllegalAnswer
from engine.games.seventh_inning_stretch.season.draft import supply_count
from engine.games.seventh_inning_stretch.state import (
    DICE_COUNT,
    EXHAUSTION_TOKEN_COUNT,
    NUDGE_TOKEN_COUNT,
    REROLL_TOKEN_COUNT,
    Pool,
)
from engine.table import Table
from engine.views import json_data
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    deal,
    deck,
    new,
    pitcher_card,
    refused,
    season,
    skip,
    squad,
    stand,
    supply,
    swing,
    true,
    until,
)
from tests.engine.games.seventh_inning_stretch.manager import Manager
from tests.engine.tables import asked, board, offered, panel, play

# The box ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-001", "SI-014")
def test_tokens_are_counted() -> None:
    """The supply has four rerolls and four +/-1 tokens; score tokens are stored as numbers."""
    assert Pool(11, 3, 3) == supply(at("F-RES"))
    assert (12, 4, 4, 12) == (DICE_COUNT, REROLL_TOKEN_COUNT, NUDGE_TOKEN_COUNT, EXHAUSTION_TOKEN_COUNT)


@pytest.mark.rule("SI-001")
def test_there_are_twelve_exhaustion_tokens() -> None:
    others = {"U-11": 6, "U-12": 5}
    for worn, more in ((others, True), (others | {"U-12": 6}, False)):
        assert (("ability",) == asked(play(against(tired=worn), [2, 4, 6]))) is more
    free = against(tired={"U-11": 6, "U-12": 6}, house={"supplyLimit": "unlimited"})
    assert ("ability",) == asked(play(free, [2, 4, 6]))


@pytest.mark.rule("SI-004")
def test_there_are_three_boards() -> None:
    table = swing(at("F-MAX", "2", 1, won=(True, False), stars=1, begun=True), 6)
    now = board(table)
    assert ((None,) * 6 + (0, 2), 2) == (now.sides["home"].line, now.sides["home"].runs)
    assert ((True, False), 1) == (season(table)["won"], season(table)["stars"])
    assert (("", 1, 2), 2) == (stand(table), true(table).runs)


@pytest.mark.rule("SI-005")
def test_at_most_four_pawns_are_on_the_field() -> None:
    """Three on the bases and the batter at the plate; one disc marks the line-up, two show outs."""
    table = play(at("F-MAX", "123", 2), "1")
    assert (("swing",), ("r1", "r2", "r3"), "F-MAX") == (asked(table), true(table).bases, true(table).batter)
    lineup = panel(table, "squads")["home"]["lineup"]
    assert ["F-MAX"] == [one["name"] for one in lineup if one["due"]]
    assert ("", 0) == (true(play(table, [1])).batter, board(table).outs)


@pytest.mark.rule("SI-006")
def test_there_are_six_playoff_cards() -> None:
    """Three for each series; each card comes with the texts of its reference card."""
    box = true(new()).box
    assert [3, 3] == [sum(of == series for of, _ in box.playoffs) for series in ("semifinals", "finals")]
    notes = json_data(until(new(), "draft").ask_view(*until(new(), "draft").open_asks()[0], "home"))["options"]
    assert all(one["note"] for one in notes)


# Getting ready ---------------------------------------------------------------------------------------------------


def dealt() -> Table:
    """Return a season with its roster and both supplies, about to draw the first card of spring training."""
    table = new()
    for _ in range(12):
        ((n, ask),) = table.open_asks()
        assert isinstance(ask, Draw)
        table.answer_ask(ask.seat, n, ask.options[0])
    return table


@pytest.mark.rule("SI-009")
def test_a_roster_is_drawn_from_tier_1() -> None:
    table = new()
    ((_, ask),) = table.open_asks()
    assert ("roster-pitcher", ("F-PIT", "F-CUT"), True) == (ask.why, offered(table), isinstance(ask, Draw))
    play(table, "F-CUT")
    for n in range(9):
        assert (("roster-batter",), 16 - n) == (asked(table), len(offered(table)))
        play(table, offered(table)[-1])
    expected = ("F-8", "F-7", "F-6", "F-5", "F-4", "F-3", "F-2", "F-1", "F-0", "F-CUT")
    assert expected == squad(table).roster
    assert set(expected) < set(true(table).box.players_of_tier(1))


@pytest.mark.rule("SI-010")
def test_the_other_cards_of_tier_1_leave_the_game() -> None:
    table = dealt()
    gone, seen = {*true(table).box.players_of_tier(1)} - {*squad(table).roster}, set[str]()
    refused(table, *gone)
    refused(deal(table), *gone)
    manager = Manager(lambda: true(table), 2)
    while table.open_asks():
        ((n, ask),) = table.open_asks()
        options: Any = getattr(ask, "options", getattr(ask, "pieces", ()))
        seen.update(options)
        if gone & seen:
            break
        table.answer_ask(ask.seat, n, manager(ask))
    assert (8, set()) == (len(gone), gone & seen)
    # If there is only one pitcher, nobody is asked to choose him.
    assert {*squad(table).roster} & {*true(table).box.batters} < seen


@pytest.mark.rule("SI-011")
def test_supplies_show_the_team_of_their_top_card() -> None:
    table = dealt()
    s = true(table)
    assert (14, 14, {2: "T-1", 3: "U-1"}) == (supply_count(s, 2), supply_count(s, 3), s.tops)
    tops = season(table)["tops"]
    assert {("2", "t1", "B"), ("3", "u1", "B")} == {(tier, one["name"], one["letter"]) for tier, one in tops.items()}
    ((_, ask),) = table.open_asks()
    assert ("top", 13, True) == (ask.why, len(offered(table)), isinstance(ask, Draw))


@pytest.mark.rule("SI-012", "SI-013", "SI-014")
def test_everything_else_is_empty() -> None:
    """Schedule, line-up, pitcher, dugout and pool; all dice and tokens are in the supply."""
    s, mine = true(dealt()), squad(dealt())
    assert ((), (), "", ()) == (s.schedule, mine.lineup, mine.pitcher, mine.dugout)
    assert (Pool(), Pool(12, 4, 4), {}) == (s.pool, s.supply_left, s.tired)


@pytest.mark.rule("SI-015")
def test_playoff_cards_wait_for_the_playoffs() -> None:
    texts = [panel(at(phase=phase), "force") for phase in ("first", "second", "semifinals", "finals")]
    assert ["none", "none", "no rerolls", "no rerolls"] == texts
    tokens = [offered(swing(at(pool=(0, 1, 0), phase=phase), 3)) for phase in ("first",)]
    assert [("keep", "reroll")] == tokens
    assert None is season(dealt())["cards"]


# Real cards ------------------------------------------------------------------------------------------------------


def test_players_name_real_cards() -> None:
    table = new({"cards": "real"})
    seen = []
    while asked(table) != ("draft",):
        ((n, ask),) = table.open_asks()
        assert isinstance(ask, Choose)
        seen.append(ask.why)
        table.answer_ask("home", n, ask.options[-1])
    assert ["roster-pitcher", *["roster-batter"] * 9, "top", "top", "top", "top"] == seen
    assert (("T-14", "T-13"), {2: "T-12", 3: "U-14"}) == (offered(table), true(table).tops)
    ((n, ask),) = table.open_asks()
    with pytest.raises(IllegalAnswer):
        table.answer_ask("home", n, "T-12")


def test_a_deck_is_drawn_in_its_order() -> None:
    table = new(cards=deck({"F-PIT": pitcher_card("Named")}))
    assert ("Named", "F-CUT") == offered(table)
    refused(table, "F-PIT")
    assert "Named" in squad(deal(play(table, "Named"))).roster
    assert ("draft",) == asked(skip(table))
