"""Effects of an at-bat on the Gloves."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAnswer
from tests.engine.games.rallybird.fixture import at, bat, half, labels, sides, stand, target, true
from tests.engine.tables import asked, board, codes, offered, panel, play, ruled

FIELD = "A3f D3f"
MORE = 7
"""Against it."""


ONE_LEFT = "A- B- C- D- F-"
GONE = dict.fromkeys(("gA", "gB", "gC", "gD", "gF"), "removed")

CHANGES = [
    *ruled("RB-058", ("", "E4f", "F-DRIVE", 9, ("1", 0, 0), {"gE": "back"})),
    *ruled("RB-061", ("", "E4f", "F-DRIVE", 9, ("1", 0, 0), {"gE": "back"})),
    *ruled("RB-062", ("", "C4f", "F-RIGHT", 9, ("1", 0, 0), {"gC": "back"})),
    # A Glove on its back is removed before a front is turned.
    *ruled("RB-065", ("", "A3f D2b", "F-LEFT", 7, ("1", 0, 0), {"gD": "removed"})),
    *ruled("RB-065", ("", "A2b D3f", "F-LEFT", 7, ("1", 0, 0), {"gA": "removed"})),
    *ruled("RB-070", ("", "E4f", "F-DRIVE", 2, ("", 1, 0), {})),
    *ruled("RB-071", ("", "A- D-", "F-LEFT", 7, ("1", 0, 0), {"gA": "removed", "gD": "removed"})),
    *ruled("RB-072", ("", "A- D3f", "F-LEFT", 7, ("1", 0, 0), {"gA": "removed", "gD": "back"})),
    *ruled("RB-074", ("", f"{ONE_LEFT} E3f", "F-DRIVE", 9, ("1", 0, 0), GONE | {"gE": "back"})),
    # A pitch that is taken wears nothing, nor does an out that only forces runners.
    *ruled("RB-057", ("", "", "F-PITCH", 12, ("1", 0, 0), {})),
    *ruled("RB-108", ("12", "A3f D4f", "F-LEFT", 2, ("3", 2, 0), {}), ("12", "", "F-GAP", 2, ("23", 1, 0), {})),
]


@pytest.mark.parametrize(("bases", "field", "card", "total", "expected", "after"), CHANGES)
def test_changes_without_a_choice(
    bases: str, field: str, card: str, total: int, expected: tuple[str, int, int], after: dict[str, str]
) -> None:
    table = bat(at(bases, field=field), card, total)
    assert (expected, after, ("at-bat",)) == (stand(table), sides(table), asked(table))
    assert ("is turned over and shows 1." in table.last_play_text()) == ("back" in after.values())
    assert int(card not in ("F-PITCH", "F-GAP") and expected[0] == "1") == board(table).sides["away"].hits


@pytest.mark.rule("RB-059", "RB-066")
def test_defense_chooses_between_two_fronts() -> None:
    for glove in ("gA", "gD"):
        table = bat(at(field=FIELD), "F-LEFT", MORE)
        ((_, ask),) = table.open_asks()
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


@pytest.mark.rule("RB-063")
def test_a_glove_on_its_back_is_removed() -> None:
    table = bat(at(field="E3b"), "F-DRIVE", 9)
    assert ({"gE": "removed"}, None) == (sides(table), panel(table, "zones")["E"]["glove"])
    assert 2 == target(bat(table, "F-DRIVE"))
    assert "gE" not in true(table).gloves_in_play


@pytest.mark.rule("RB-064")
def test_defense_chooses_between_two_backs() -> None:
    for glove, other in (("gA", "gD"), ("gD", "gA")):
        table = bat(at(field="A3b D2b"), "F-LEFT", MORE)
        assert (("remove",), ("gA", "gD")) == (asked(table), offered(table))
        assert {"gA": "Remove gA", "gD": "Remove gD"} == labels(table)
        assert {glove: "removed", other: "back"} == sides(play(table, glove))


@pytest.mark.rule("RB-073")
def test_the_last_glove_is_never_removed() -> None:
    table = bat(at(field=f"{ONE_LEFT} E3b"), "F-DRIVE", 9)
    assert ("back", ("gE",)) == (sides(table)["gE"], true(table).gloves_in_play)
    assert "removed" not in codes(table.log)


@pytest.mark.rule("RB-107")
def test_an_out_that_advances_a_runner_is_a_success() -> None:
    assert ("flip",) == asked(bat(at("1", field="A3f D4f"), "F-LEFT", 7))
    table = bat(at("2", field="B3f"), "F-SAC", 7)
    assert (("3", 1, 0), {"gB": "back"}) == (stand(table), sides(table))


def test_after_the_third_out_nothing_is_asked() -> None:
    table = bat(at("1", 2, "A3f D4f"), "F-LEFT", 7)
    assert ("B7", ("removed",), {}) == (half(table), asked(table), sides(table))


def test_a_card_may_set_its_own_wear() -> None:
    card = 'tests = ["E"]\nless = "batter out"\nequal = "batter out"\nmore = "batter to first"\nsucceeds = ["equal"]\n'
    table = at(cards={"F-1": card})
    assert {"gE": "back"} == sides(bat(table, "F-1", 3))
    assert {} == sides(bat(at(cards={"F-1": card}), "F-1", 12))
    for outs, why in ((1, "rallybird-anyway"), (2, "rallybird")):
        late = at(outs=outs, inning=9, score=(0, 2), cards={"F-1": card})
        assert (why,) == asked(bat(late, "F-1", 3))
