"""Pitch and swing: BN-063 to BN-094, BN-139; and every pitch there can be."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from engine.dice import FACES
from engine.errors import EngineError, IllegalAnswer, InvalidAnswer
from engine.views import plain
from tests.engine.games.bottom_of_the_9th.fixture import (
    at,
    contact,
    count,
    counted,
    dice,
    judged,
    result,
    stand,
    stare,
    throw,
)
from tests.engine.tables import asked, board, codes, play

RACE = {"call-safe", "call-out"}


@pytest.mark.rule("BN-063")
def test_both_dice_come_first() -> None:
    """Control and letter are wanted together; one of them is refused, and so is a swing before them."""
    table = stare(at())
    assert ["d6", "pitch"] == [kind for kind, _, _ in dice(table)]
    for wrong in (4, [4], ["S"], [4, "S", 3], ["S", 4]):
        with pytest.raises(EngineError):
            play(table, wrong)
    assert ("swing",) == asked(play(table, [4, "S"]))


@pytest.mark.rule("BN-064")
@pytest.mark.parametrize("face", range(8))
def test_control_is_a_d6(face: int) -> None:
    table = stare(at())
    if face in FACES["d6"]:
        assert (face, "S") == board(play(table, [face, "S"])).dice
    else:
        with pytest.raises(IllegalAnswer):
            play(table, [face, "S"])


@pytest.mark.rule("BN-065")
@pytest.mark.parametrize(("guess", "control"), [("inside-high", 4), ("away-high", 3)])
def test_what_is_on_acts_on_the_pitch(guess: str, control: int) -> None:
    assert control == counted(throw(at(pitcher="F-PIT"), "B", 3, 4, "away-low", guess))[0]


@pytest.mark.rule("BN-066")
def test_the_letter_is_b_s_or_c() -> None:
    for letter in "BSC":
        assert ("swing",) == asked(play(stare(at()), [4, letter]))
    for wrong in ("X", "b", ""):
        with pytest.raises(IllegalAnswer):
            play(stare(at()), [4, wrong])
    with pytest.raises(InvalidAnswer):
        play(stare(at()), [4, 4])


@pytest.mark.rule("BN-067")
def test_home_swings_knowing_the_pitch() -> None:
    """Before the swing is asked for, the pitcher's dice stand on everybody's board."""
    table = play(stare(at()), [4, "S"])
    for seat in ("home", None):
        shown = plain(table.view("home" if seat else None))["scoreboard"]
        assert ([4, "S"], 4, "S") == (
            shown["dice"],
            shown["panel"]["pitch"]["control"],
            shown["panel"]["pitch"]["letter"],
        )
    assert ("swing",) == asked(table)


@pytest.mark.rule("BN-068")
def test_changes_come_before_comparing() -> None:
    assert "foul" == result(throw(at(batter="F-BAT"), "S", 4, 4))
    assert "contact" == result(throw(at(batter="F-BAT"), "S", 4, 4, "away-low", "away-high"))


TABLE = [
    pytest.param("B", 2, "ball", "1-0", marks=pytest.mark.rule("BN-069")),
    pytest.param("B", 4, "ball", "1-0", marks=pytest.mark.rule("BN-070")),
    pytest.param("B", 5, "strike", "0-1", marks=pytest.mark.rule("BN-071")),
    pytest.param("S", 3, "strike", "0-1", marks=pytest.mark.rule("BN-072")),
    pytest.param("S", 4, "foul", "0-1", marks=pytest.mark.rule("BN-073")),
    pytest.param("S", 5, "contact", "0-0", marks=pytest.mark.rule("BN-074")),
    pytest.param("C", 3, "strike", "0-1", marks=pytest.mark.rule("BN-075")),
    pytest.param("C", 4, "contact", "0-0", marks=pytest.mark.rule("BN-076")),
    pytest.param("C", 5, "strike", "0-1", marks=pytest.mark.rule("BN-077")),
]


@pytest.mark.parametrize(("letter", "swing", "expected", "counts"), TABLE)
def test_swing_against_control(letter: str, swing: int, expected: str, counts: str) -> None:
    """Against a control of 4: what it is, and what is counted; contact is run out."""
    table = throw(at(), letter, 4, swing)
    assert ([expected], counts) == (judged(table), count(table))
    assert (expected == "contact") == (set(asked(table)) == RACE)


def expected_of(letter: str, control: int, swing: int) -> str:
    """A second copy of the rulebook's table."""
    if swing == 6:
        return "crush"
    match letter:
        case "B":
            return "strike" if swing > control else "ball"
        case "S":
            return "strike" if swing < control else "foul" if swing == control else "contact"
    return "contact" if swing == control else "strike"


def test_every_pitch_there_can_be() -> None:
    """All 108 throws of control, letter and swing, by the rules themselves: exactly what the rulebook's table says.

    Before crushes B gives 21 balls and 15 strikes, S 15 strikes, 6 fouls and 15 contacts, C 30 strikes and 6 contacts.
    """
    found: dict[str, Counter[str]] = {letter: Counter() for letter in "BSC"}
    plain: dict[str, Counter[str]] = {letter: Counter() for letter in "BSC"}
    for letter, control, swing in itertools.product("BSC", range(1, 7), range(1, 7)):
        table = throw(at(), letter, control, swing)
        assert expected_of(letter, control, swing) == result(table)
        found[letter][result(table)] += 1
        strict = throw(at(house={"crushNeedsContact": "true"}), letter, control, swing)
        plain[letter][result(strict).replace("crush", "contact")] += 1
    assert {
        "B": {"ball": 20, "strike": 10, "crush": 6},
        "S": {"strike": 15, "foul": 5, "contact": 10, "crush": 6},
        "C": {"strike": 25, "contact": 5, "crush": 6},
    } == found
    assert {
        "B": {"ball": 21, "strike": 15},
        "S": {"strike": 15, "foul": 6, "contact": 15},
        "C": {"strike": 30, "contact": 6},
    } == plain
    assert {"ball": 21, "strike": 60, "foul": 6, "contact": 21} == sum(plain.values(), Counter())


@pytest.mark.rule("BN-078")
def test_a_ball_counts() -> None:
    assert "2-2" == count(throw(at(count="1-2"), "B", 4, 2))


@pytest.mark.rule("BN-079")
def test_ball_four() -> None:
    table = throw(at(count="3-1"), "B", 4, 1)
    assert (("1", 0), ("relief",), "F-DULL") == (stand(table), asked(table), board(table).bases[0])
    assert "3-1" == count(table)  # there is room for three


@pytest.mark.rule("BN-080")
@pytest.mark.parametrize(
    ("bases", "expected"), [("1", "12"), ("2", "12"), ("3", "13"), ("12", "123"), ("13", "123"), ("23", "123")]
)
def test_a_walk_moves_who_is_pushed(bases: str, expected: str) -> None:
    table = throw(at(bases, count="3-0"), "B", 4, 1)
    assert (expected, None) == (stand(table)[0], table.outcome)
    assert ("runner 2" in board(table).bases) == ("2" in bases)


@pytest.mark.rule("BN-081")
def test_a_walk_with_the_bases_full_wins() -> None:
    table = throw(at("123", outs=2, count="3-2"), "B", 4, 1)
    assert ("home", "walk-off-walk", 1) == (table.outcome.winner, table.outcome.reason, board(table).sides["home"].runs)
    assert "runner 3 comes home!" in [line.sentence for line in table.lines()]


@pytest.mark.rule("BN-082")
def test_a_strike_counts() -> None:
    table = throw(at(), "S", 4, 1)
    assert "0-1" == count(table)
    assert "0-2" == count(throw(table, "C", 4, 1))


@pytest.mark.rule("BN-083")
def test_strike_three() -> None:
    table = throw(at(count="2-2"), "S", 4, 1)
    assert (("", 1), ("relief",), "2-2") == (stand(table), asked(table), count(table))
    assert "strikeout" in codes(table.log)


@pytest.mark.rule("BN-084")
def test_runners_stay_on_a_strikeout() -> None:
    assert ("13", 1) == stand(throw(at("13", count="0-2"), "S", 4, 1))


@pytest.mark.rule("BN-085")
def test_a_foul_is_a_strike() -> None:
    table = throw(at(), "S", 4, 4)
    assert "0-1" == count(table)
    assert "0-2" == count(throw(table, "S", 4, 4))


@pytest.mark.rule("BN-086")
def test_a_foul_is_never_the_third() -> None:
    table = throw(at(count="3-2"), "S", 4, 4)
    assert ("3-2", ("", 0), "F-DULL") == (count(table), stand(table), board(table).batter)
    assert {"guess", "pitch-call"} == set(asked(table))


@pytest.mark.rule("BN-087")
def test_contact_is_run_out() -> None:
    assert RACE == set(asked(throw(at(), "S", 2, 4)))


@pytest.mark.rule("BN-088")
@pytest.mark.parametrize(("letter", "control"), [("S", 3), ("B", 6), ("C", 3), ("S", 6), ("B", 1), ("C", 6)])
def test_a_natural_six_is_a_crush(letter: str, control: int) -> None:
    table = throw(at(), letter, control, 6)
    assert (("bonus",), "crush", "0-0") == (asked(table), result(table), count(table))
    assert [("d6", "red", "home")] == dice(table)


@pytest.mark.rule("BN-089")
def test_only_an_unchanged_six_is_a_crush() -> None:
    table = throw(at(batter="F-BAT"), "S", 3, 5, "away-low", "away-high")
    assert (6, RACE) == (counted(table)[1], set(asked(table)))
    table = throw(at(pitcher="F-PIT"), "S", 5, 6, "away-high", "away-low")
    assert (5, ("bonus",)) == (counted(table)[1], asked(table))


@pytest.mark.rule("BN-090")
@pytest.mark.parametrize("face", [1, 2])
def test_a_low_bonus_is_contact(face: int) -> None:
    table = play(throw(at(), "S", 3, 6), face)
    assert (RACE, ("", 0)) == (set(asked(table)), stand(table))


@pytest.mark.rule("BN-091")
@pytest.mark.parametrize("face", [3, 4])
def test_a_single(face: int) -> None:
    table = play(throw(at(), "S", 3, 6), face)
    assert ("1", "single", ("relief",)) == (stand(table)[0], codes(table.log)[-1], asked(table))
    assert 1 == board(table).sides["home"].hits


@pytest.mark.rule("BN-092")
@pytest.mark.parametrize(("bases", "expected"), [("", "2"), ("1", "23")])
def test_a_double(bases: str, expected: str) -> None:
    table = play(throw(at(bases), "S", 3, 6), 5)
    assert (expected, "double", None) == (stand(table)[0], codes(table.log)[-1], table.outcome)


@pytest.mark.rule("BN-093")
@pytest.mark.parametrize("bases", ["", "12", "123"])
def test_a_home_run(bases: str) -> None:
    table = play(throw(at(bases), "S", 3, 6), 6)
    assert ("home", "walk-off-home-run") == (table.outcome.winner, table.outcome.reason)
    assert ((), 1) == (asked(table), board(table).sides["home"].runs)


@pytest.mark.rule("BN-094")
@pytest.mark.parametrize(("bases", "face"), [("3", 3), ("3", 4), ("2", 5), ("3", 5)])
def test_a_hit_that_brings_one_home_wins(bases: str, face: int) -> None:
    table = play(throw(at(bases), "S", 3, 6), face)
    assert ("home", "walk-off-hit", ()) == (table.outcome.winner, table.outcome.reason, asked(table))


@pytest.mark.rule("BN-139")
@pytest.mark.parametrize(("face", "expected"), [(2, "race"), (5, "double")])
def test_what_changes_the_swing_leaves_the_bonus_alone(face: int, expected: str) -> None:
    table = throw(at(batter="F-BAT"), "S", 3, 6, "away-low", "away-high")
    assert expected == codes(play(table, face).log)[-1]


def test_a_contact_says_so() -> None:
    table = contact(at())
    assert "Contact: 5 against 1, a S! F-DULL runs, F-MILD fields!" == table.last()
