"""Half-innings, extra innings, and how a game ends (3.6, 3.7)."""

from __future__ import annotations

import pytest

from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import (
    at,
    by_rule,
    event_codes,
    mound,
    now,
    options,
    refused,
    run,
    state,
    until,
    upto,
)
from tests.engine.tables import asked, board, panel


def ended(table: Table) -> tuple[str | None, tuple[int, int]]:
    """Return the winner and the score; None while the game goes on."""
    s = state(table)
    return (s.outcome.winner if s.outcome else None), s.score


@pytest.mark.rule("CL-146", "CL-155")
def test_three_outs_end_a_half_inning() -> None:
    table = run(at("T1 2o 12-"), "SO!")
    assert "B1 0o ---" == now(table)
    assert (0, 0) == state(table).score
    assert "home" == state(table).offense
    assert "H-DH" == state(table).batter_card.name
    assert "T2 0o ---" == now(run(table, "SO!", "SO!", "SO!"))


@pytest.mark.rule("CL-154")
@each(
    ("script", "up"),
    [
        (["1B!", *["SO!"] * 6], "A-3B"),  # The fourth makes the last out, so the fifth leads off the second.
        (["1B!", "SO!", "BB!", "SO!", *["HR!"] * 5], "Bx"),  # The order wraps around.
    ],
)
def test_the_batting_order_continues(script: list[str], up: str) -> None:
    assert up == board(run(at("T1 0o ---"), *script)).batter


# The end (3.6) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "score", "after", "winner"),
    by_rule(
        # A home side in the lead does not bat in the ninth or a later inning.
        ("CL-148", "T9 2o ---", (2, 3), "", "home"),
        ("CL-148", "T11 2o ---", (2, 3), "", "home"),
        ("CL-149", "T9 2o ---", (3, 3), "B9 0o ---", None),
        ("CL-149", "T9 2o ---", (4, 3), "B9 0o ---", None),
        ("CL-149", "T8 2o ---", (0, 9), "B8 0o ---", None),
        ("CL-150", "B9 2o ---", (4, 3), "", "away"),
        ("CL-150", "B10 2o ---", (5, 4), "", "away"),
    ),
)
def test_whether_a_third_out_ends_the_game(where: str, score: tuple[int, int], after: str, winner: str | None) -> None:
    table = run(at(where, score), "SO!")
    assert (winner, score) == ended(table)
    if winner:
        assert () == asked(table)
        assert "half-inning" not in event_codes(table)[-3:]
    else:
        assert after == now(table)


@pytest.mark.rule("CL-151", "CL-399")
def test_an_extra_inning_begins_with_a_runner_on_second() -> None:
    """He bats just before the lead-off batter, and made the last out of the previous inning (AM-78)."""
    table = at("B9 2o ---", (3, 3), position=lambda s: s.update_squad("away", slot=4))
    run(table, "SO!")
    order = state(table).squad("away").order
    assert ("T10 0o -2-", order[4]) == (now(table), board(table).batter)
    assert (None, order[3], None) == board(table).bases
    assert "automatic-runner" in event_codes(table)


@pytest.mark.rule("CL-399")
@each(("start", "after"), [("0", "T10 0o ---"), ("11", "T10 0o ---"), ("10", "T10 0o -2-")])
def test_the_house_sets_the_first_inning_with_a_runner(start: str, after: str) -> None:
    """Never, or from another inning (AM-78)."""
    table = run(at("B9 2o ---", (3, 3), house={"autoRunnerFromInning": start}), "SO!")
    assert after == now(table)


@pytest.mark.rule("CL-113")
def test_nobody_is_charged_with_him() -> None:
    table = run(at("B9 2o ---", (3, 3)), "SO!")
    run(table, "1B!", "to-home", "at-home", "D10")
    assert ("T10 0o 1--", (4, 3)) == (now(table), state(table).score)
    arm = mound(table)
    assert (1, 0, 0, 0) == (arm.hits, arm.runs, arm.earned, arm.scored)


@pytest.mark.parametrize(
    ("where", "script", "score", "house"),
    by_rule(
        ("CL-152", "B10 1o -2-", "1B! to-home at-home D14", (3, 4), {}),
        ("CL-152", "B10 1o -2-", "1B! to-home at-home D15", (3, 3), {}),
        # In the bottom of the ninth too, at once, wherever the run scores.
        ("CL-153", "B9 1o --3", "1B!", (3, 4), {}),
        ("CL-153", "B9 1o 123", "1B!", (3, 4), {}),
        ("CL-153", "B9 0o --3", "GB!", (3, 4), {}),
        ("CL-153", "B9 1o -23", "GB!", (3, 4), {}),
        ("CL-153", "B9 1o --3", "FB! to-home at-home D14", (3, 4), {}),
        ("CL-153", "B9 0o 123", "walk", (3, 4), {}),
        ("CL-153", "B9 2o 1-3", "1B!", (3, 4), {"thirdOutRuns": "none"}),
        # Runs beyond the winning one count on a home run, and by a house rule on any hit (AM-79).
        ("CL-400", "B9 1o 12-", "HR!", (3, 6), {}),
        ("CL-400", "B9 1o 123", "2B!", (3, 4), {}),
        ("CL-400", "B9 1o 12-", "HR!", (3, 6), {"walkoffRuns": "allOnPlay"}),
        ("CL-400", "B9 1o 123", "2B!", (3, 5), {"walkoffRuns": "allOnPlay"}),
        ("CL-400", "B12 0o 123", "BB!", (3, 4), {}),
    ),
)
def test_the_winning_run_ends_the_game(where: str, script: str, score: tuple[int, int], house: dict[str, str]) -> None:
    """Nobody is asked about the other runners."""
    table = run(at(where, (3, 3), house=house), *script.split())
    won = score > (3, 3)
    assert ("home" if won else None, score) == ended(table)
    assert won == (asked(table) == ())
    if "to-home" not in script:
        assert not {"ground", "extra-base", "throw"} & {one.ask.why for one in table.answers}


# Clutch Moments (3.7) ------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-156", "CL-157", "CL-158", "CL-159")
@each(
    ("where", "score", "clutch"),
    [
        ("T7 0o ---", (2, 5), True),
        ("T7 0o ---", (2, 6), False),
        ("T6 0o ---", (2, 2), False),
        ("B8 0o ---", (4, 4), True),
        ("B8 0o ---", (4, 1), True),
        ("B8 0o ---", (1, 4), True),
        ("T1 0o 123", (0, 9), True),
        ("T2 2o -2-", (0, 0), True),
        ("T2 2o --3", (0, 0), True),
        ("T2 1o -2-", (0, 0), False),
        ("T2 2o 1--", (0, 0), False),
    ],
)
def test_a_clutch_moment(where: str, score: tuple[int, int], clutch: bool) -> None:
    table = at(where, score)
    assert clutch == state(table).is_clutch_moment == panel(table, "clutch")


@pytest.mark.rule("CL-160")
def test_clutch_ratings_do_nothing_by_themselves() -> None:
    table = at("T7 0o ---")
    assert panel(table, "clutch")
    run(table, "1B!")
    assert ["1B"] == list(state(table).last)
    (swing,) = [one.event.facts for one in table.log if one.event.code == "swing"]
    assert 12 == swing["swing"]


# Before the pitch (3.8, 3.8.A) ---------------------------------------------------------------------------------------


@pytest.mark.rule("CL-165")
def test_an_at_bat_begins_with_the_batter_in_the_box() -> None:
    table = at()
    assert "at-bat" == event_codes(table)[-1]
    assert ("defence",) == asked(table)
    refused(table, 8)


@pytest.mark.rule("CL-166", "CL-168")
def test_walk_then_steal_then_bunt() -> None:
    table = at("T5 0o 1--")
    assert {"pitch", "walk"} <= set(options(upto(table, "defence")))
    refused(table, "steal-second", "away")
    assert {"steal-second", "bunt"} <= set(options(upto(table, "offence")))
    ask = upto(table, "offence", "steal-second", "at-second", "D1")
    assert "bunt" in options(ask)
    assert not {"walk", "steal-third", "pinch-hitter"} & set(options(ask))
    refused(table, "walk", "home")


@pytest.mark.rule("CL-166")
@each(("window", "asks"), [("afterSubs", ["changes", "walk"]), ("beforeBox", [])])
def test_when_a_walk_is_decided(window: str, asks: list[str]) -> None:
    """Once the batter is known, or by a house rule before (AM-01). Who says so is asked again only about a new one."""
    table = at(house={"ibbWindow": window})
    run(table, "walk", *(["pinch-hitter", "A-CA2", "walk"] if asks else []))
    assert asks == sorted({one.ask.why for one in table.answers} & {"changes", "walk"})
    assert ["IBB"] == list(state(table).last)
    table = run(at(house={"ibbWindow": window}), "walk", "SO!")
    assert asks[:1] == [one.ask.why for one in table.answers if one.ask.why in ("changes", "walk")]
    assert ["IBB", "SO"] == list(state(table).last)


@pytest.mark.rule("CL-166", "CL-167")
@each(("change", "batter"), [("pinch-hitter A-CA2", "A-CA2"), ("pinch-runner A-RF A-LF2", "Bx")])
@each("first", ["pitch", "walk"])
@each("last", ["pitch", "walk"])
def test_the_walk_is_decided_after_all_changes(change: str, batter: str, first: str, last: str) -> None:
    """Whatever the defense says first, it decides once it knows who bats and who runs."""
    table = at("T5 0o 1--")
    until(table, first, *change.split())
    assert "walk" == upto(table, "walk").why
    until(table, last)
    upto(table, "pitch" if last == "pitch" else "defence")
    assert ("walk" == last) == (list(state(table).last) == ["IBB"])
    assert batter in state(table).squad("away").order


@pytest.mark.rule("CL-168", "CL-119")
def test_none_of_it_is_possible_after_the_pitch() -> None:
    table = at("T5 0o 1--")
    upto(table, "swing", "P8")
    refused(table, "steal-second", "away")
    refused(table, "pinch-hitter", "away")
