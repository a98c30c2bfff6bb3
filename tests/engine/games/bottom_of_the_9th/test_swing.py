"""Pitch and swing: BN-063 to BN-094 and BN-139, and every possible pitch."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from engine.dice import FACES_BY_KIND
from engine.errors import EngineError, IllegalAnswer, InvalidAnswer
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    at,
    count,
    counted,
    deck,
    dice,
    judged,
    lineup,
    result,
    stand,
    stare,
    throw,
)
from tests.engine.tables import asked, board, codes, play, ruled

RACE, ROUND = {"call-safe", "call-out"}, {"guess", "pitch-call"}


@pytest.mark.rule("BN-063")
def test_both_dice_come_first() -> None:
    """Control and letter are expected together; one of them alone is refused, and so is an early swing."""
    table = stare(at())
    assert ["d6", "pitch"] == [kind for kind, _, _ in dice(table)]
    for wrong in (4, [4], ["S"], [4, "S", 3], ["S", 4]):
        with pytest.raises(EngineError):
            play(table, wrong)
    assert ("swing",) == asked(play(table, [4, "S"]))


@pytest.mark.rule("BN-064")
@each("face", range(8))
def test_control_is_a_d6(face: int) -> None:
    table = stare(at())
    if face in FACES_BY_KIND["d6"]:
        assert (face, "S") == board(play(table, [face, "S"])).dice
    else:
        with pytest.raises(IllegalAnswer):
            play(table, [face, "S"])


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
    """Before the swing is asked for, everybody's scoreboard shows the pitcher's dice."""
    table = play(stare(at()), [4, "S"])
    for seat in ("home", None):
        shown = json_data(table.view_for("home" if seat else None))["scoreboard"]
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
    *ruled("BN-069", ("B", 2, "ball", "1-0")),
    *ruled("BN-070", ("B", 4, "ball", "1-0")),
    *ruled("BN-071", ("B", 5, "strike", "0-1")),
    *ruled("BN-072", ("S", 3, "strike", "0-1")),
    *ruled("BN-073", ("S", 4, "foul", "0-1")),
    *ruled("BN-074", ("S", 5, "contact", "0-0")),
    *ruled("BN-075", ("C", 3, "strike", "0-1")),
    *ruled("BN-076", ("C", 4, "contact", "0-0")),
    *ruled("BN-077", ("C", 5, "strike", "0-1")),
]


@pytest.mark.parametrize(("letter", "swing", "expected", "counts"), TABLE)
def test_swing_against_control(letter: str, swing: int, expected: str, counts: str) -> None:
    """Against a control of 4: the result and the count; a contact leads to the run."""
    table = throw(at(), letter, 4, swing)
    assert ([expected], counts) == (judged(table), count(table))
    assert (expected == "contact") == (set(asked(table)) == RACE)


def expected_of(letter: str, control: int, swing: int) -> str:
    if swing == 6:
        return "crush"
    match letter:
        case "B":
            return "strike" if swing > control else "ball"
        case "S":
            return "strike" if swing < control else "foul" if swing == control else "contact"
    return "contact" if swing == control else "strike"


def test_every_possible_pitch() -> None:
    """All 108 rolls of control, letter and swing, through the rules themselves, against the rulebook's table.

    Before crushes, B gives 21 balls and 15 strikes, S 15 strikes, 6 fouls and 15 contacts, C 30 strikes and 6 contacts.
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


COUNTS = [
    *ruled("BN-078", ("", "1-2", "B", 2, "2-2", "", 0, ROUND)),
    # Once the at-bat is over, boards show the next batter with a new count.
    *ruled("BN-079", ("", "3-1", "B", 1, "0-0", "1", 0, {"relief"})),
    *ruled("BN-082", ("", "0-0", "S", 1, "0-1", "", 0, ROUND), ("", "0-1", "C", 1, "0-2", "", 0, ROUND)),
    *ruled("BN-083", ("", "2-2", "S", 1, "0-0", "", 1, {"relief"})),
    *ruled("BN-084", ("13", "0-2", "S", 1, "0-0", "13", 1, {"relief"})),
    *ruled("BN-085", ("", "0-0", "S", 4, "0-1", "", 0, ROUND), ("", "0-1", "S", 4, "0-2", "", 0, ROUND)),
    *ruled("BN-086", ("", "3-2", "S", 4, "3-2", "", 0, ROUND)),
    *ruled("BN-087", ("", "0-0", "S", 5, "0-0", "", 0, RACE)),
]
"""Bases and count before, letter and swing; then count, bases, outs, and what is asked."""


@pytest.mark.parametrize(("bases", "before", "letter", "swing", "after", "on", "outs", "asks"), COUNTS)
def test_a_pitch_is_counted(
    bases: str, before: str, letter: str, swing: int, after: str, on: str, outs: int, asks: set[str]
) -> None:
    table = throw(at(bases, count=before), letter, 4, swing)
    assert (after, (on, outs), asks) == (count(table), stand(table), set(asked(table)))
    assert ("F-DULL" in board(table).bases, "strikeout" in codes(table.log)) == (bases + "1" == on, outs == 1)
    assert (lineup(table)[1] if asks == {"relief"} else "F-DULL") == board(table).batter


@pytest.mark.rule("BN-086")
@each("before", ["0-2", "1-2", "2-2", "3-2"])
@each("outs", [0, 1, 2])
def test_no_foul_is_the_third_strike(before: str, outs: int) -> None:
    """Foul after foul, whatever the count and the outs, also one that an ability made; then a strike retires him."""
    cards = deck({"F-DULL": 'positions = "C"\ntrait = { do = "strike as foul", when = { swing = 2 } }'})
    table = at("1", outs, before, cards=cards)
    for control, swing, fouls in ((4, 4, 1), (1, 1, 2), (4, 2, 3), (6, 5, 3)):
        throw(table, "S", control, swing)
        assert fouls == codes(table.log).count("foul")
        if swing != 5:
            expected = (before, ("1", outs), ROUND, "F-DULL", None)
            assert expected == (count(table), stand(table), set(asked(table)), board(table).batter, table.outcome)
    assert (outs + 1, 1) == (board(table).outs, codes(table.log).count("strikeout"))


@pytest.mark.rule("BN-080")
@each(("bases", "expected"), [("1", "12"), ("2", "12"), ("3", "13"), ("12", "123"), ("13", "123"), ("23", "123")])
def test_a_walk_moves_only_forced_runners(bases: str, expected: str) -> None:
    table = throw(at(bases, count="3-0"), "B", 4, 1)
    assert (expected, None) == (stand(table)[0], table.outcome)
    assert ("runner 2" in board(table).bases) == ("2" in bases)


@pytest.mark.rule("BN-081")
def test_a_walk_with_the_bases_loaded_wins() -> None:
    table = throw(at("123", outs=2, count="3-2"), "B", 4, 1)
    assert ("home", "walk-off-walk", 1) == (table.outcome.winner, table.outcome.reason, board(table).sides["home"].runs)
    assert "runner 3 comes home!" in [line.sentence for line in table.play_log_lines()]


@pytest.mark.rule("BN-088")
@each(("letter", "control"), [("S", 3), ("B", 6), ("C", 3), ("S", 6), ("B", 1), ("C", 6)])
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


BONUS = [
    *ruled("BN-090", ("", 1, "", "race", RACE), ("", 2, "", "race", RACE)),
    *ruled("BN-091", ("", 3, "1", "single", {"relief"}), ("", 4, "1", "single", {"relief"})),
    *ruled("BN-092", ("", 5, "2", "double", {"relief"}), ("1", 5, "23", "double", {"relief"})),
]


@pytest.mark.parametrize(("bases", "face", "on", "code", "asks"), BONUS)
def test_a_bonus_is_contact_or_a_hit(bases: str, face: int, on: str, code: str, asks: set[str]) -> None:
    table = play(throw(at(bases), "S", 3, 6), face)
    assert ((on, 0), code, asks, None) == (stand(table), codes(table.log)[-1], set(asked(table)), table.outcome)
    assert int(asks != RACE) == board(table).sides["home"].hits


@pytest.mark.parametrize(
    ("bases", "face", "how"),
    [
        *ruled("BN-093", ("", 6, "home-run"), ("12", 6, "home-run"), ("123", 6, "home-run")),
        *ruled("BN-094", ("3", 3, "hit"), ("3", 4, "hit"), ("2", 5, "hit"), ("3", 5, "hit")),
    ],
)
def test_a_hit_that_scores_a_runner_wins(bases: str, face: int, how: str) -> None:
    table = play(throw(at(bases), "S", 3, 6), face)
    assert ("home", f"walk-off-{how}", ()) == (table.outcome.winner, table.outcome.reason, asked(table))
    assert 1 == board(table).sides["home"].runs


@pytest.mark.rule("BN-139")
@each(("face", "expected"), [(2, "race"), (5, "double")])
def test_changes_to_the_swing_do_not_affect_the_bonus(face: int, expected: str) -> None:
    table = throw(at(batter="F-BAT"), "S", 3, 6, "away-low", "away-high")
    assert expected == codes(play(table, face).log)[-1]
