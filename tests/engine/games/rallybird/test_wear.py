"""What an at-bat does to the Gloves."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAnswer, StaleAnswer
from tests.engine.games.rallybird.fixture import at, bat, half, labels, sides, stand, target, true
from tests.engine.tables import asked, codes, offered, panel, play

FIELD = "A3f D3f"
MORE = 7
"""Against it."""


@pytest.mark.rule("RB-058", "RB-061")
def test_after_success_the_tested_glove_is_turned() -> None:
    table = bat(at(field="E4f"), "F-DRIVE", 9)
    assert (("1", 0, 0), {"gE": "back"}, ("at-bat",)) == (stand(table), sides(table), asked(table))
    assert "The Glove gE is turned over and shows 1." in table.last()


@pytest.mark.rule("RB-059", "RB-066")
def test_of_two_fronts_defence_turns_one() -> None:
    for glove in ("gA", "gD"):
        table = bat(at(field=FIELD), "F-LEFT", MORE)
        ((_, ask),) = table.asks()
        assert ("flip", "home", ("gA", "gD")) == (ask.why, ask.seat, offered(table))
        assert {"gA": "Turn over gA", "gD": "Turn over gD"} == labels(table)
        assert {glove: "back"} == sides(play(table, glove))


@pytest.mark.rule("RB-060", "RB-068")
def test_only_a_tested_glove_changes() -> None:
    table = bat(at(field=FIELD), "F-LEFT", MORE)
    for other in ("gE", "gB"):
        with pytest.raises(IllegalAnswer):
            play(table, other)
    assert {"gA": "back"} == sides(play(table, "gA"))


@pytest.mark.rule("RB-062")
def test_tested_twice_it_changes_once() -> None:
    assert {"gC": "back"} == sides(bat(at(field="C4f"), "F-RIGHT", 9))


@pytest.mark.rule("RB-063")
def test_one_on_its_back_is_taken_away() -> None:
    table = bat(at(field="E3b"), "F-DRIVE", 9)
    assert ({"gE": "removed"}, None) == (sides(table), panel(table, "zones")["E"]["glove"])
    assert 2 == target(bat(table, "F-DRIVE"))
    assert "gE" not in true(table).gloves


@pytest.mark.rule("RB-064")
def test_of_two_backs_defence_picks_one() -> None:
    for glove, other in (("gA", "gD"), ("gD", "gA")):
        table = bat(at(field="A3b D2b"), "F-LEFT", MORE)
        assert (("remove",), ("gA", "gD")) == (asked(table), offered(table))
        assert {"gA": "Take away gA", "gD": "Take away gD"} == labels(table)
        assert {glove: "removed", other: "back"} == sides(play(table, glove))


@pytest.mark.rule("RB-065")
def test_a_back_goes_before_a_front_is_turned() -> None:
    for field, gone in (("A3f D2b", "gD"), ("A2b D3f", "gA")):
        table = bat(at(field=field), "F-LEFT", MORE)
        assert ({gone: "removed"}, ("at-bat",)) == (sides(table), asked(table))
        with pytest.raises(StaleAnswer):
            table.answer("home", table.answers[-1].n, "gA")


@pytest.mark.rule("RB-070")
def test_without_success_nothing_changes() -> None:
    assert {} == sides(bat(at(field="E4f"), "F-DRIVE", 2))


@pytest.mark.rule("RB-071")
def test_with_no_glove_there_nothing_changes() -> None:
    table = bat(at(field="A- D-"), "F-LEFT", MORE)
    assert ({"gA": "removed", "gD": "removed"}, ("at-bat",)) == (sides(table), asked(table))


@pytest.mark.rule("RB-072")
def test_with_one_zone_bare_the_other_glove_changes() -> None:
    assert {"gA": "removed", "gD": "back"} == sides(bat(at(field="A- D3f"), "F-LEFT", MORE))


ONE_LEFT = "A- B- C- D- F-"


@pytest.mark.rule("RB-073")
def test_the_last_glove_is_never_taken() -> None:
    table = bat(at(field=f"{ONE_LEFT} E3b"), "F-DRIVE", 9)
    assert ("back", ("gE",)) == (sides(table)["gE"], true(table).gloves)
    assert "removed" not in codes(table.log)


@pytest.mark.rule("RB-074")
def test_the_last_glove_is_turned_all_the_same() -> None:
    assert "back" == sides(bat(at(field=f"{ONE_LEFT} E3f"), "F-DRIVE", 9))["gE"]


@pytest.mark.rule("RB-057")
def test_a_pitch_that_is_taken_wears_nothing() -> None:
    table = bat(at(), "F-PITCH", 12)
    assert (("1", 0, 0), {}, 0) == (stand(table), sides(table), table.scoreboard().sides["away"].hits)


@pytest.mark.rule("RB-107")
def test_an_out_that_moves_somebody_is_success() -> None:
    assert ("flip",) == asked(bat(at("1", field="A3f D4f"), "F-LEFT", 7))
    table = bat(at("2", field="B3f"), "F-SAC", 7)
    assert (("3", 1, 0), {"gB": "back"}) == (stand(table), sides(table))


@pytest.mark.rule("RB-108")
def test_being_pushed_by_an_out_is_none() -> None:
    table = bat(at("12", field="A3f D4f"), "F-LEFT", 2)
    assert (("3", 2, 0), {}) == (stand(table), sides(table))
    assert {} == sides(bat(at("12"), "F-GAP", 2))


def test_after_the_third_out_nothing_is_asked() -> None:
    table = bat(at("1", 2, "A3f D4f"), "F-LEFT", 7)
    assert ("B7", ("removed",), {}) == (half(table), asked(table), sides(table))


def test_a_card_may_say_itself_what_wears() -> None:
    card = 'tests = ["E"]\nless = "batter out"\nequal = "batter out"\nmore = "batter to first"\nsucceeds = ["equal"]\n'
    table = at(cards={"F-1": card})
    assert {"gE": "back"} == sides(bat(table, "F-1", 3))
    assert {} == sides(bat(at(cards={"F-1": card}), "F-1", 12))
    for outs, why in ((1, "rallybird-anyway"), (2, "rallybird")):
        late = at(outs=outs, inning=9, score=(0, 2), cards={"F-1": card})
        assert (why,) == asked(bat(late, "F-1", 3))
