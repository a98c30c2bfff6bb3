"""Every house rule, with each of its values."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAnswer
from engine.journal import Undo
from engine.views import json_data
from tests.each import each
from tests.engine.games.rallybird.fixture import REMOVED, at, bat, dice, half, lie, new, ready, sides, stand, true
from tests.engine.tables import asked, board, clock, codes, offered, panel, play

FIELD = "A3f D4f"


@each("inning", range(1, 10))
def test_a_game_may_begin_in_any_inning(inning: int) -> None:
    """The line score is empty before it; the ninth is still the last."""
    table = new({"startInning": str(inning)})
    assert ((inning, "top"), (None,) * (inning - 1) + (0,)) == (clock(table), board(table).sides["away"].line)
    late = at("", 2, inning=9, score=(0, 1), house={"startInning": str(inning), "rallyBird": "off"})
    assert bat(late, "F-DRIVE", 2).outcome is not None


def test_real_cards_are_named_when_they_are_revealed() -> None:
    """The software draws none; one is placed by hand and named after the Gloves, if its runner is on base."""
    table = ready({"cards": "real"})
    assert (("laid",), None) == (asked(table), panel(table, "removed"))
    play(table, "ready")
    assert (("gloves",), True) == (asked(table), panel(table, "laid"))
    play(table, lie(table))
    assert (("shown",), False) == (asked(table), "F-THIRD" in offered(table))
    sentence = json_data(table.view_for("away"))["asks"][0]["sentence"]
    assert "If it isn't listed, it can't be played now: undo, and play another." in sentence
    assert REMOVED in offered(table)
    play(table, "F-DRIVE")
    assert (("hit",), False, "F-DRIVE") == (asked(table), panel(table, "laid"), panel(table, "card")["name"])
    assert "F-THIRD" in offered(play(at("2", house={"cards": "real"}), "ready", {z: f"g{z}" for z in "ABCDEF"}))


@pytest.mark.rule("RB-038")
def test_a_revealed_real_card_is_taken_back_with_the_gloves() -> None:
    """Defense cannot place its Gloves again against a card about to be revealed: both go back.

    A wrong name and the dice can be taken back alone, and so can the card before the Gloves are placed.
    """
    table = play(at(house={"cards": "real"}), "ready")
    before = table.answers[-1].n
    play(table, lie(table))
    for values in ((), ("F-DRIVE",), ("F-DRIVE", dice(2))):
        for n in (before, before + 1):
            twin = play(table.clone(), *values)
            twin.undo(n)
            assert (("laid",), Undo(before)) == (asked(twin), twin.journal[-1])
    for values, why in ((("F-DRIVE",), "shown"), (("F-DRIVE", dice(2)), "hit")):
        twin = play(table.clone(), *values)
        twin.undo(twin.answers[-1].n)
        assert (why,) == asked(twin)


@pytest.mark.rule("RB-020")
def test_a_real_card_is_set_aside_by_hand() -> None:
    """Offense does so before Defense leaves out its Glove; in the next half the sides are reversed."""
    table = new({"cards": "real"})
    for seat, other in (("away", "home"), ("home", "away")):
        ((_, ask),) = table.open_asks()
        assert ("set-aside", seat, ("ready",)) == (ask.why, ask.seat, offered(table))
        assert "card-removed" not in codes(table.log)[-1:]
        play(table, "ready")
        ((_, ask),) = table.open_asks()
        assert ("leave-out", other, "card-removed") == (ask.why, ask.seat, table.log[-1].event.code)
        play(table, "gX")
        for _ in range(3):
            play(table, "ready")
            play(table, lie(table), "F-DRIVE", dice(2))


def test_gloves_may_stay_in_hand() -> None:
    for few in ({}, {"A": "gB"}, {zone: f"g{zone}" for zone in "ABCDE"}):
        table = play(at(house={"glovePlacement": "oneEachOptional"}), "F-DRIVE", few)
        assert len(few) == sum(seen["glove"] is not None for seen in panel(table, "zones").values())
        assert (3 if "E" in few else 2) == panel(table, "card")["target"]
    table = play(at(house={"glovePlacement": "oneEachOptional"}), "F-DRIVE")
    with pytest.raises(IllegalAnswer):
        play(table, {"A": "gB", "B": "gB"})
    with pytest.raises(IllegalAnswer):
        play(play(at(), "F-DRIVE"), {"A": "gB"})


@pytest.mark.rule("RB-103", "RB-110")
def test_a_missing_runner_may_be_ignored() -> None:
    """Any card can be played; a steal with no runner moves nobody, and a tie without the runner is just a single."""
    skip = {"needsRunner": "skip"}
    assert "F-THIRD" in offered(at(house=skip))
    table = bat(at(house=skip), "F-THIRD", 12)
    assert (("", 0, 0), ["nothing-moves"]) == (stand(table), codes(table.log)[-1:])
    assert ("1", 0, 0) == stand(bat(at("", 0, FIELD, house=skip), "F-LEFT", 7))
    assert ("", 1, 0) == stand(bat(at("", 0, FIELD), "F-LEFT", 7))


@pytest.mark.rule("RB-111")
def test_a_steal_may_push_the_runner_ahead() -> None:
    """From second and third, one ends on third and the other scores. Caught, the one ahead stays."""
    house = {"stealIntoOccupied": "doubleSteal"}
    assert ("3", 0, 1) == stand(bat(at("23", house=house), "F-THIRD", 10))
    assert ("3", 1, 0) == stand(bat(at("23", house=house), "F-THIRD", 9))
    assert "F-THIRD" not in offered(at("23"))
    assert "F-THIRD" not in offered(at("23", house={"needsRunner": "skip"}))


@pytest.mark.rule("RB-100", "RB-104")
def test_runs_may_count_on_the_third_out() -> None:
    for house, runs in (({"runOnThirdOut": "true"}, 1), ({}, 0)):
        assert ("", 0, runs) == stand(bat(at("123", 1, FIELD, house=house), "F-LEFT", 2))
        table = bat(at("3", 2, house=house), "F-SAC", 12)
        assert ("B7", ("", 0, runs)) == (half(table), stand(table))
        assert runs == sum(line.scored for line in table.play_log_lines())


@pytest.mark.rule("RB-108")
def test_any_advance_may_wear_a_glove() -> None:
    """Runners who were only forced count too; if nobody advances, no Glove changes."""
    house = {"gloveChangeOn": "anyAdvance"}
    assert ("flip",) == asked(bat(at("12", 0, FIELD, house=house), "F-LEFT", 2))
    assert {} == sides(bat(at("1", 0, FIELD, house=house), "F-LEFT", 2))
    assert ("at-bat",) == asked(bat(at("12", 0, FIELD), "F-LEFT", 2))


@pytest.mark.rule("RB-073")
def test_the_last_glove_may_be_safe_on_its_back() -> None:
    house = {"lastGlove": "lastBackSide"}
    assert {"gE": "back"} == sides(bat(at(field="E1b", house=house), "F-DRIVE", 12))
    assert {"gA": "back", "gD": "back"} == sides(bat(at(field="A3f D1b", house=house), "F-LEFT", 12))
    assert {"gE": "removed", "gB": "back"} == sides(bat(at(field="E1b B1b", house=house), "F-DRIVE", 12))
    assert {"gE": "removed"} == sides(bat(at(field="E1b"), "F-DRIVE", 12))
    table = bat(at(field="E1b B1b", house=house), "F-DRIVE", 12)
    assert {"gE": "removed", "gB": "back"} == sides(bat(table, "F-SAC", 12))


@pytest.mark.rule("RB-077", "RB-078")
def test_any_lead_may_end_the_game_before_the_bottom_of_the_ninth() -> None:
    house = {"bottomNinth": "anyLead"}
    table = bat(at("", 2, inning=9, score=(3, 2), house=house), "F-DRIVE", 2)
    assert table.outcome is not None
    assert "away" == table.outcome.winner
    for inning, score in ((9, (2, 2)), (8, (3, 2)), (10, (3, 2))):
        assert bat(at("", 2, inning=inning, score=score, house=house), "F-DRIVE", 2).outcome is None


@pytest.mark.rule("RB-080")
def test_the_last_half_may_be_played_to_its_end() -> None:
    table = bat(at("", 2, inning=9, half="bottom", score=(2, 2), house={"walkOff": "false"}), "F-LONG", 12, 12)
    assert None is play(table, "gF").outcome
    bat(table, "F-DRIVE", 2)
    assert table.outcome is not None
    assert ("home", "nine-innings") == (table.outcome.winner, table.outcome.reason)


@pytest.mark.rule("RB-092")
def test_the_rallybird_may_be_for_bad_rolls_only() -> None:
    house = {"rallyOn": "failedOnly"}
    assert ("at-bat",) == asked(bat(at(inning=9, score=(0, 2), house=house), "F-DRIVE", 12))
    assert ("rallybird",) == asked(bat(at(inning=9, score=(0, 2), house=house), "F-DRIVE", 2))


@pytest.mark.rule("RB-113")
def test_the_rallybird_may_restart_a_home_run() -> None:
    for house, more in (({"rallyHomeRun": "bothRolls"}, 2), ({}, 1)):
        table = at(inning=9, score=(0, 2), field="E3f F3f", house=house)
        play(bat(table, "F-LONG", 8), "keep", dice(5), "reroll")
        for _ in range(more):
            assert 0 == true(table).score[0]
            play(table, dice(12))
        assert 1 == true(table).score[0]
