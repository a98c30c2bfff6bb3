"""Blank cards: the table is asked which zones they test, and what happens."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAnswer
from engine.games.rallybird.blank_cards import BLANK_CARD_RESULTS
from engine.games.rallybird.results import apply_result
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.rallybird.fixture import at, bat, dice, labels, sides, stand, target, true
from tests.engine.tables import asked, codes, offered, panel, play


def shown(bases: str = "", outs: int = 0, zones: str = "AD", **more: object) -> Table:
    table = bat(at(bases, outs, "A3f D4f", **more), "F-BLANK")  # type: ignore[arg-type]
    return play(table, *zones, *(["enough"] if len(zones) < 3 else []))


def test_its_zones_are_asked_one_by_one() -> None:
    table = bat(at(field="A3f"), "F-BLANK")
    assert (("tests",), ("A", "B", "C", "D", "E", "F")) == (asked(table), offered(table))
    assert ("F-BLANK", (), "") == tuple(panel(table, "card")[key] for key in ("name", "tests", "less"))
    with pytest.raises(IllegalAnswer):
        play(table, "enough")
    play(table, "A")
    assert {"A": "A, at A", "enough": "No more zones"}.items() <= labels(table).items()
    play(table, "A", "A")
    assert (("hit-blank",), 9) == (asked(table), target(table))
    assert ["shown-blank", "shown"] == codes(table.log)[-2:]
    assert ("hit-blank",) == asked(shown(zones="A"))


def test_the_result_is_asked_for_after_the_roll() -> None:
    """It is described in words and carried out like a printed one: wear, runs and outs."""
    table = play(shown("1"), dice(9))
    assert ("result",) == asked(table)
    assert "The dice show more: read F-BLANK. What happens?" == json_data(table.view_for(None))["asks"][0]["sentence"]
    assert "the batter reaches first and runners move up 2 bases" == labels(table)["batter to first, runners +2"]
    play(table, "batter to first, runners +2")
    assert (("13", 0, 0), ("flip",)) == (stand(table), asked(table))
    out = play(shown("1"), dice(2), "double play")
    assert (("", 2, 0), {}) == (stand(out), sides(out))


@each("outs", [0, 1, 2])
@each("bases", ["", "1", "2", "3", "12", "13", "23", "123"])
def test_only_possible_results_are_offered(bases: str, outs: int) -> None:
    """Only runners on base are mentioned, and no two answers have the same effect, except a walk and a hit."""
    table = play(shown(bases, outs), dice(9))
    options, state = offered(table), true(table)
    assert {"batter walks", "batter to first"} <= set(options)
    assert ("double play" in options) == ("1" in bases and outs < 2)
    for base, name in zip("123", ("first", "second", "third"), strict=True):
        assert any(f"runner on {name} " in one for one in options) <= (base in bases)
    if not bases:
        assert not any("runner" in one for one in options)
    ends = []
    for result in BLANK_CARD_RESULTS:
        if result.text in options:
            ran = apply_result(result, state.bases, state.batter, state.outs)
            ends.append((ran.bases, ran.outs, ran.home, ran.moved, result.batter == "walk"))
    assert len(set(ends)) == len(ends) == len(options)


@each(
    ("bases", "text", "expected"),
    [
        ("", "batter to home", ("", 0, 1)),
        ("", "batter to third", ("3", 0, 0)),
        ("", "batter to second", ("2", 0, 0)),
        ("3", "batter to second", ("23", 0, 0)),
        ("12", "batter out, runner on second +1", ("13", 1, 0)),
        ("12", "batter out, runner on first holds, runners +1", ("13", 1, 0)),
        ("123", "batter out, runner on third scores", ("12", 1, 1)),
        ("13", "batter out, runner on first +1", ("23", 1, 0)),
        ("12", "batter grounds out, lead runner out", ("2", 2, 0)),
        ("23", "runner on second out, batter to first", ("13", 1, 0)),
        ("13", "runner on third out, batter to first", ("12", 1, 0)),
        ("13", "runner on first out, batter to first, runners +1", ("1", 1, 1)),
        ("13", "batter to first, runner on third scores", ("12", 0, 1)),
        ("12", "batter to first, lead runner scores", ("12", 0, 1)),
        ("123", "batter to first, runners +3", ("1", 0, 3)),
        ("1", "runner on first +2", ("3", 0, 0)),
        ("12", "runners +1", ("23", 0, 0)),
    ],
)
def test_results_of_real_cards_can_be_chosen(bases: str, text: str, expected: tuple[str, int, int]) -> None:
    """Each is offered in its own words or in others with the same effect, and is carried out."""
    table = play(shown(bases), dice(9))
    ends = [stand(play(table.clone(), option)) for option in offered(table)]
    assert expected in ends
    assert text in {result.text for result in BLANK_CARD_RESULTS}


@pytest.mark.rule("RB-104")
@each(("house", "apart"), [({"runOnThirdOut": "true"}, True), ({}, False)])
def test_runs_on_the_third_out_make_results_differ(house: dict[str, str], apart: bool) -> None:
    """Where they count, an out that brings a run in differs from an out alone."""
    table = play(shown("3", 2, house=house), dice(9))
    assert apart == ("batter out, runner on third scores" in offered(table))
    if apart:
        play(table, "batter out, runner on third scores")
        assert (1, 0) == true(table).score


@pytest.mark.rule("RB-107", "RB-108")
def test_advancing_runners_differ_from_forced_runners() -> None:
    table = play(shown("1"), dice(9))
    assert {"batter grounds out", "batter out, runners +1"} <= set(offered(table))
    assert ("at-bat",) == asked(play(table.clone(), "batter grounds out"))
    assert ("flip",) == asked(play(table, "batter out, runners +1"))


TWICE = {"F-BLANK": "blank = true\ntwice = true\n"}


@pytest.mark.rule("RB-053", "RB-054", "RB-055")
def test_a_blank_card_may_take_two_rolls() -> None:
    """The table says if the first was good; the result is asked for after a bad one or the last. One Glove changes."""
    table = play(shown("1", cards=TWICE), dice(9))
    assert (("first-roll",), 2) == (asked(table), panel(table, "card")["times"])
    sentence = "The dice show more: read F-BLANK. Is that good enough for the second roll?"
    assert sentence == json_data(table.view_for(None))["asks"][0]["sentence"]
    assert {"good": "Yes, roll again", "bad": "No, it has failed"} == labels(table)
    bad = play(table.clone(), "bad")
    assert ("result",) == asked(bad)
    assert ("1", 1, 0) == stand(play(bad, "batter out"))
    play(table, "good")
    assert ("hit-blank-again",) == asked(table)
    assert (
        "F-BLANK against 7, the second roll. Roll both dice, then read the card."
        == json_data(table.view_for(None))["asks"][0]["sentence"]
    )
    play(table, dice(8))
    assert ("result",) == asked(table)
    play(table, "batter to home, runners +3", "gD")
    assert (("", 0, 2), {"gD": "back"}) == (stand(table), sides(table))


@pytest.mark.rule("RB-113")
def test_the_rallybird_may_reroll_either_roll_of_a_blank_card() -> None:
    first = play(shown(inning=9, score=(0, 2), cards=TWICE), dice(9), "good")
    assert ("rallybird-anyway",) == asked(first)
    second = play(first.clone(), "keep", dice(2), "batter out")
    assert ("rallybird",) == asked(second)
    play(second, "reroll", dice(9), "batter to home", "gA")
    assert ((1, 2), (True, True)) == (true(second).score, true(second).rally)
    play(first, "reroll", dice(2), "bad", "batter out")
    assert (("", 1, 2), (False, True)) == (stand(first), true(first).rally)
