"""At bat: the secret card, the Gloves, the reveal, the zones, the roll."""

from __future__ import annotations

import itertools

import pytest

from engine.dice import D6
from engine.errors import EngineError, IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.games.rallybird.cards import ZONE_LETTERS
from engine.games.rallybird.results import ROLL_COMPARISONS
from engine.games.rallybird.rules import roll_against_gloves
from engine.games.rallybird.state import PublicAtBat
from engine.secrets import HIDDEN_TEXT
from engine.views import json_data
from tests.each import each
from tests.engine.games.rallybird.fixture import (
    CARDS,
    REMOVED,
    at,
    bat,
    compare,
    dice,
    half,
    labels,
    lie,
    ready,
    sides,
    stand,
    target,
    true,
    wanted,
)
from tests.engine.tables import asked, codes, offered, panel, play, ruled

# The card ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-032")
def test_a_placed_card_stays_hidden() -> None:
    """Defense hears that a card is in place; Offense sees its cards by number and name."""
    table = ready()
    assert "2 F-DRIVE" == labels(table)["F-DRIVE"]
    play(table, "F-DRIVE")
    assert ["card-laid"] == codes(table.log)[-1:]
    assert (True, None, None) == (panel(table, "laid"), panel(table, "card"), panel(table, "roll"))
    assert "F-DRIVE" not in str(json_data(table.view_for("home")))
    assert HIDDEN_TEXT == table.redacted_entries("home")[-1]["value"]


@pytest.mark.rule("RB-033")
def test_gloves_wait_for_the_card() -> None:
    table = ready()
    ((n, _),) = table.open_asks()
    for number, error in ((n, WrongSeat), (n + 1, StaleAnswer)):
        with pytest.raises(error):
            table.answer_ask("home", number, {zone: f"g{zone}" for zone in "ABCDEF"})


@pytest.mark.rule("RB-038")
def test_a_placed_card_cannot_be_changed() -> None:
    table = play(ready(), "F-DRIVE")
    with pytest.raises(StaleAnswer):
        table.answer_ask("away", table.answers[-1].n, "F-LEFT")


# The Gloves --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-008")
def test_there_are_six_zones() -> None:
    table = play(ready(), "F-DRIVE")
    assert ["A", "B", "C", "D", "E", "F"] == list(panel(table, "zones"))
    with pytest.raises(IllegalAnswer, match="not a place"):
        play(table, {"G": "gA"})


@pytest.mark.rule("RB-034")
def test_gloves_are_placed_again_for_each_card() -> None:
    table = bat(ready(), "F-DRIVE", 2)
    play(table, "F-DRIVE", dict(zip("ABCDEF", ("gF", "gB", "gC", "gD", "gE", "gA"), strict=True)))
    assert ("gF", "gA") == tuple(panel(table, "zones")[zone]["glove"]["name"] for zone in "AF")


@pytest.mark.rule("RB-035")
def test_every_zone_gets_a_glove() -> None:
    table = play(ready(), "F-DRIVE")
    whole = lie(table)
    with pytest.raises(IllegalAnswer, match="Needs 6 pieces, not 5"):
        play(table, {zone: glove for zone, glove in whole.items() if zone != "A"})
    with pytest.raises(IllegalAnswer, match="in only one place"):
        play(table, whole | {"A": "gB"})
    play(table, whole)
    assert asked(table) == ("hit",)


@pytest.mark.rule("RB-036")
def test_a_glove_left_out_cannot_be_placed() -> None:
    table = play(at(field="A-"), "F-DRIVE")
    for out in ("gX", "gA"):
        with pytest.raises(IllegalAnswer, match="not a piece to place"):
            play(table, lie(table) | {"B": out})


@pytest.mark.rule("RB-067")
@each("house", [{}, {"glovePlacement": "oneEachOptional"}])
def test_a_removed_glove_stays_out_for_its_half(house: dict[str, str]) -> None:
    """It is refused in every later at-bat, whatever happens there, and back with its front up in the next half."""
    table = bat(at(field="E1b", house=house), "F-DRIVE", 12)
    assert {"gE": "removed"} == sides(table)
    for total in (12, 2, 12, 2, 2):
        play(table, "F-DRIVE")
        for zone in ZONE_LETTERS:
            with pytest.raises(IllegalAnswer, match="not a piece to place"):
                play(table, lie(table) | {zone: "gE"})
        assert "removed" == sides(table)["gE"]
        play(table, lie(table), dice(total))
    play(table, REMOVED, "gX", "F-DRIVE")
    assert ("B7", {}, "gE") == (half(table), sides(table), lie(table)["E"])


@pytest.mark.rule("RB-098")
def test_defense_chooses_zones_for_five_gloves() -> None:
    five = ["gB", "gC", "gD", "gE", "gF"]
    for zones in ("ABCDE", "BCDEF"):
        table = play(at(field="A-"), "F-DRIVE", dict(zip(zones, five, strict=True)))
        assert set("ABCDEF") - set(zones) == {
            zone for zone, seen in panel(table, "zones").items() if seen["glove"] is None
        }
    table = play(at(field="A-"), "F-DRIVE")
    for wrong in (dict(zip("ABCD", five, strict=False)), dict(zip("ABCDE", [*five[:4], "gB"], strict=True))):
        with pytest.raises(IllegalAnswer):
            play(table, wrong)


# The reveal --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-037")
def test_the_card_is_revealed_after_the_gloves() -> None:
    table = play(ready(), "F-DRIVE")
    play(table, lie(table))
    for seat in ("away", "home", None):
        assert "F-DRIVE" == json_data(table.view_for(seat))["scoreboard"]["panel"]["card"]["name"]
        assert "F-DRIVE" == table.redacted_entries(seat)[-2]["value"]
    assert (("hit",), False, "shown") == (asked(table), panel(table, "laid"), table.log[-1].event.code)
    assert "F-DRIVE tests E: 3 to beat." == table.last_play_text()


@pytest.mark.rule("RB-004")
def test_no_dice_before_the_reveal() -> None:
    table = ready()
    for value in ("F-DRIVE", {zone: f"g{zone}" for zone in "ABCDEF"}):
        ((n, ask),) = table.open_asks()
        with pytest.raises(EngineError):
            table.answer_ask(ask.seat, n, [3, 4])
        play(table, value)
    assert ["d6", "d6"] == wanted(table)


@pytest.mark.rule("RB-039")
def test_only_the_tested_zones_count() -> None:
    table = bat(at(field="A3f D4f B6f C6f E6f F6f"), "F-LEFT")
    assert (7, {"A", "D"}) == (target(table), {zone for zone, seen in panel(table, "zones").items() if seen["tested"]})


@pytest.mark.rule("RB-041")
def test_a_bare_zone_counts_its_printed_number() -> None:
    assert 5 == target(bat(at(field="A3f D-"), "F-LEFT"))


@pytest.mark.rule("RB-009", "RB-069")
def test_a_glove_counts_the_side_it_shows() -> None:
    table = bat(at(field="E4f"), "F-DRIVE", 9)
    assert ({"gE": "back"}, 1) == (sides(table), panel(table, "zones")["E"]["glove"]["value"])
    play(table, "F-DRIVE", dict(zip("ABCDEF", ("gE", "gB", "gC", "gD", "gA", "gF"), strict=True)), dice(2))
    seen = panel(table, "zones")["A"]["glove"]
    assert ("gE", 1, True) == (seen["name"], seen["value"], seen["back"])


@pytest.mark.parametrize(
    ("card", "bases", "field", "goal"),
    [
        *ruled("RB-040", ("F-LEFT", "", "A3f D4f", 7)),
        *ruled("RB-006", ("F-LEFT", "", "A3f D4f", 7)),
        # A zone named two or three times counts that often.
        *ruled("RB-050", ("F-RIGHT", "", "C4f", 8)),
        *ruled("RB-051", ("F-THIRD", "2", "A3f", 9)),
        *ruled("RB-052", ("F-THIRD", "2", "A5f", 15)),
    ],
)
def test_the_roll_is_compared_with_the_sum_of_the_zones(card: str, bases: str, field: str, goal: int) -> None:
    for total in range(max(2, goal - 1), min(12, goal + 1) + 1) if goal < 12 else (12,):
        table = bat(at(bases, field=field), card, total)
        expected = ROLL_COMPARISONS[(total > goal) - (total < goal) + 1]
        assert (goal, expected) == (panel(table, "roll")["target"], compare(table))


@pytest.mark.rule("RB-056")
def test_a_card_may_test_another_zone_with_a_runner_on_second() -> None:
    for bases, zone in (("2", "B"), ("12", "B"), ("23", "B"), ("123", "B"), ("", "F"), ("1", "F"), ("13", "F")):
        assert (zone,) == panel(bat(at(bases), "F-PITCH"), "card")["tests"]


# The roll ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-005")
def test_the_roll_is_two_dice() -> None:
    for faces in itertools.product(D6.faces, repeat=2):
        table = play(bat(at(), "F-DRIVE"), list(faces))
        assert sum(map(int, faces)) == panel(table, "roll")["sum"]
    table = bat(at(), "F-DRIVE")
    for wrong in ([1], [0, 1], [7, 6], 13):
        with pytest.raises((IllegalAnswer, InvalidAnswer)):
            play(table, wrong)


@pytest.mark.rule("RB-097")
def test_offense_rolls() -> None:
    table = bat(at(), "F-DRIVE")
    ((n, ask),) = table.open_asks()
    assert "away" == ask.seat
    with pytest.raises(WrongSeat):
        table.answer_ask("home", n, [3, 4])


def test_any_target_can_be_met_or_missed() -> None:
    state = true(at())
    card = state.box.cards["F-DRIVE"]
    for goal in range(2, 37):
        counts = dict.fromkeys(ROLL_COMPARISONS, 0)
        for faces in itertools.product(D6.faces, repeat=2):
            state.at_bat = PublicAtBat(card, ("E",), (goal,))
            rolling = roll_against_gloves(state, card, again=False)
            next(rolling)
            with pytest.raises(StopIteration):
                rolling.send(faces)
            counts[state.at_bat.compare] += 1
        equal = max(0, 6 - abs(goal - 7))
        more = sum(max(0, 6 - abs(total - 7)) for total in range(goal + 1, 13))
        assert {"less": 36 - equal - more, "equal": equal, "more": more} == counts


# Afterwards --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-043")
def test_a_card_can_be_played_again() -> None:
    table = bat(ready(), "F-LEFT", 12)
    play(table, "gA")
    assert "F-LEFT" in offered(table)


@pytest.mark.rule("RB-110", "RB-111")
def test_a_card_needs_its_runner_and_a_free_base() -> None:
    """It is refused without him or with the base taken, in the usual words; Defense notices nothing."""
    wrong = {"F-THIRD": ("", "1", "23", "3"), "F-SAC": ("",), "F-SECOND": ("", "3", "12")}
    right = {"F-THIRD": ("2", "12"), "F-SAC": ("1", "2", "3"), "F-SECOND": ("1", "13")}
    for card, positions in wrong.items():
        for bases in positions:
            table = at(bases)
            before = json_data(table.view_for("home"))
            with pytest.raises(IllegalAnswer, match=r"^That isn't an answer to this question\.$"):
                play(table, card)
            assert before == json_data(table.view_for("home"))
    for card, positions in right.items():
        for bases in positions:
            assert ("gloves",) == asked(play(at(bases), card))


@pytest.mark.rule("RB-111")
def test_a_card_that_may_move_the_batter_is_not_a_steal() -> None:
    """It can be played with the next base occupied: the runner there is pushed on."""
    mixed = CARDS["F-THIRD"].replace('less = "runner on second out"', 'less = "batter out"')
    table = at("23", cards={"F-1": mixed})
    assert ("F-1" in offered(table), "F-THIRD" in offered(table)) == (True, False)
    assert ("3", 0, 1) == stand(bat(table, "F-1", 12))


@pytest.mark.rule("RB-109")
def test_a_steal_leaves_the_batter_at_bat() -> None:
    """Safe, the runner is on third and a Glove wears. Caught, he is out and nothing else happens."""
    table = bat(at("2", field="A3f"), "F-THIRD", 10)
    assert (("3", 0, 0), {"gA": "back"}, 2) == (stand(table), sides(table), true(table).batter)
    assert "Runners advance: second to third." in [line.sentence for line in table.play_log_lines()]
    table = bat(at("2", field="A3f"), "F-THIRD", 9)
    assert (("", 1, 0), {}, 2) == (stand(table), sides(table), true(table).batter)
