"""Conditions on dice, their odds, and what rolled dice can still become."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.seventh_inning_stretch.dice.conditions import (
    LINE_OUTCOMES,
    LINE_PHRASES,
    CardLine,
    GuardFacts,
    best_chances,
    met_outcomes,
    outcome_chances,
    parse_dice,
    parse_line,
    reroll_chances,
)
from engine.games.seventh_inning_stretch.dice.odds import MAX_REROLL_DICE
from tests.each import each

NOW = GuardFacts()
MAX = tuple(map(parse_line, ("highest 6: home-run", "highest 5: double", "highest 4: single")))
PAIR = (parse_line("two of a kind: single"),)
TWO = tuple(map(parse_line, ("a pair: double", "highest 4+: single")))


def faces(shown: str) -> tuple[int, ...]:
    return tuple(map(int, shown))


# Lines -----------------------------------------------------------------------------------------------------------


@each(
    ("condition", "yes", "no"),
    [
        ("highest 5+", "5 16 6", "4 123"),
        ("highest 5 or more", "5 16", "4 144"),
        ("highest 4", "4 124", "5 445 3"),
        ("exactly 1 dice", "1 6", "11"),
        ("highest 2 or less", "1 22", "3 113"),
        ("highest 3 to 5", "3 14 155", "2 6 12 36"),
        ("lowest 3+", "3 366", "2 662"),
        ("lowest 2", "26 2", "12 33"),
        ("sum 12+", "66 444", "65 1"),
        ("sum 7 or less", "5 61 111", "62 611"),
        ("sum 7", "61 34", "62 51"),
        ("sum 11 to 12", "56 66", "46 661"),
        ("spread 3+", "14 36 136", "13 5 66"),
        ("spread 0", "4 44", "43"),
        ("2+ dice of 5 6", "55 56 1566", "5 15 61"),
        ("2 dice of 5, 6", "55 56", "5 566"),
        ("1 or less dice of 1", "1 23 12", "11 112"),
        ("one die of 6", "6 61", "66 5"),
        ("no die of 1", "2 66", "1 21"),
        ("no dice of 1 2", "3 345", "2 13"),
        ("two of a kind", "33 353 333", "35 3"),
        ("pair", "33", "34"),
        ("a pair of 6", "66 166", "55 65"),
        ("three of a kind", "222 13233 2222", "22 2233"),
        ("3 of a kind of 6", "666 1666", "555 66"),
        ("2 pairs", "1122 1111 112233", "11 112 111"),
        ("one pair", "11", "12"),
        ("straight of 3", "123 3512 4566", "12 1245 111"),
        ("straight of 6", "123456", "12345 6"),
        ("all odd", "1 135", "12 2"),
        ("all even", "2 246", "12 3"),
        ("all different", "1 123", "11 1231"),
        ("all alike", "1 11 222", "12"),
        ("exactly 3 dice", "111 123", "11 1234"),
        ("3+ dice", "111 1234", "11"),
        ("2 to 3 dice", "11 123", "1 1234"),
        ("exactly 3 dice and highest 6", "116", "16 1116 115"),
        ("a 6", "6 16", "5 1"),
        ("a pair and sum 8+", "44 116", "33 62"),
        ("a pair or a 6", "11 16", "12"),
        ("a 1 or a 6 and a pair", "1 66", "6 44"),
        ("a 6 and a pair or a 1", "1 66", "6 44"),
        ("sum 4 or less or a 6", "22 6", "5 23"),
        ("  A   Pair  AND Sum 8 or More ", "44", "33"),
    ],
)
@pytest.mark.rule("SI-024", "SI-082")
def test_a_condition_says_which_dice_meet_it(condition: str, yes: str, no: str) -> None:
    wanted = (parse_line(f"{condition}: double"),)
    for one in yes.split():
        assert ("double",) == met_outcomes(wanted, faces(one), NOW), one
        assert ("double",) == met_outcomes(wanted, faces(one)[::-1], NOW), one
    for one in no.split():
        assert () == met_outcomes(wanted, faces(one), NOW), one


@pytest.mark.rule("SI-024", "SI-081", "SI-083")
def test_met_outcomes_are_listed_once_in_card_order() -> None:
    assert [("home-run",), ("double",), ("single",), ()] == [met_outcomes(MAX, (face, 1), NOW) for face in (6, 5, 4, 3)]
    assert [("double", "single"), ("double",), ("single",)] == [
        met_outcomes(TWO, faces(one), NOW) for one in ("55", "33", "54")
    ]
    doubled = tuple(map(parse_line, ("a 6: single", "a 5: walk", "a 1: single")))
    assert ("single", "walk") == met_outcomes(doubled, (1, 5, 6), NOW)


@pytest.mark.rule("SI-082")
def test_a_pair_needs_two_dice() -> None:
    assert [("single",), (), ()] == [met_outcomes(PAIR, faces(one), NOW) for one in ("33", "35", "3")]


@each("phrase", LINE_PHRASES.examples)
def test_no_dice_meet_nothing(phrase: str) -> None:
    one = parse_line(phrase)
    at = GuardFacts(0, (True, True, True), 9, 0)
    assert () == met_outcomes((one,), (), at)
    assert {one.outcome: 0} == outcome_chances((one,), 0, at) == best_chances((one,), (), 1, 4, at)


FULL, NONE = (True, True, True), (False, False, False)


@each(
    ("guard", "yes", "no"),
    [
        ("with runners on", [GuardFacts(bases=(False, True, False)), GuardFacts(bases=FULL)], [GuardFacts()]),
        ("with nobody on", [GuardFacts(), GuardFacts(bases=NONE)], [GuardFacts(bases=(False, False, True))]),
        ("with the bases full", [GuardFacts(bases=FULL)], [GuardFacts(bases=(True, True, False))]),
        (
            "with a runner on second",
            [GuardFacts(bases=(False, True, False)), GuardFacts(bases=FULL)],
            [GuardFacts(bases=(True, False, True))],
        ),
        (
            "with runners on first and third",
            [GuardFacts(bases=(True, False, True)), GuardFacts(bases=FULL)],
            [GuardFacts(bases=(True, True, False))],
        ),
        ("with nobody out", [GuardFacts(0)], [GuardFacts(1), GuardFacts(2)]),
        ("with one out", [GuardFacts(1)], [GuardFacts(0), GuardFacts(2)]),
        ("with 2 out", [GuardFacts(2)], [GuardFacts(0), GuardFacts(1)]),
        ("from the 9th", [GuardFacts(inning=9), GuardFacts(inning=10)], [GuardFacts(inning=8)]),
        ("from the 1st", [GuardFacts(inning=1)], []),
        ("when behind", [GuardFacts(lead=-1), GuardFacts(lead=-9)], [GuardFacts(), GuardFacts(lead=1)]),
        ("when tied", [GuardFacts()], [GuardFacts(lead=-1), GuardFacts(lead=1)]),
        ("when ahead", [GuardFacts(lead=1), GuardFacts(lead=9)], [GuardFacts(), GuardFacts(lead=-1)]),
        (
            "with runners on when behind",
            [GuardFacts(bases=FULL, lead=-1)],
            [GuardFacts(bases=FULL), GuardFacts(lead=-1)],
        ),
    ],
)
def test_a_guard_says_when_a_line_counts(guard: str, yes: list[GuardFacts], no: list[GuardFacts]) -> None:
    """A guard covers the whole line: where it does not hold, the line has no outcome and no odds."""
    one = parse_line(f"a 6 or a 5 {guard}: walk")
    for at in yes:
        assert (("walk",), {"walk": Fraction(1, 3)}) == (met_outcomes((one,), (5,), at), outcome_chances((one,), 1, at))
    for at in no:
        assert () == met_outcomes((one,), (5,), at)
        assert {"walk": 0} == outcome_chances((one,), 1, at) == best_chances((one,), (5,), 1, 4, at)


@each(
    ("phrase", "reason"),
    [
        ("a pear: single", "Unknown condition 'a pear'. Did you mean 'a pair'?"),
        ("a pair", "Unknown line 'a pair'. Did you mean 'a pair: single'?"),
        ("a pair: dubble", "needs single, double, triple, home-run, walk or sacrifice after the colon, not 'dubble'."),
        ("a pair and a pear: single", "Unknown condition 'a pear'. Did you mean 'a pair'?"),
        ("a 6 with a crowd: single", "Unknown condition 'with a crowd'. One example is 'with runners on'."),
        ("a 7: single", "Unknown condition 'a 7'. Did you mean 'a 6'?"),
        ("straight of 7: single", "'straight of 7' needs a number from 2 to 6."),
        ("one of a kind: single", "'one of a kind' needs a number from 2 to 12."),
        ("highest 5 to 3: single", "'highest 5 to 3' needs a number from 1 to 6."),
        ("highest 7: single", "needs a number from 1 to 6."),
        ("sum 73+: single", "needs a number from 1 to 72."),
        (": single", "Unknown condition ''. One example is 'a 6'."),
        (6, "needs a phrase, not 6."),
    ],
)
def test_invalid_lines_are_refused(phrase: object, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_line(phrase)


def test_a_line_keeps_its_text() -> None:
    """Text stays as typed; lines that differ only in case are equal. The examples cover every outcome."""
    assert set(LINE_OUTCOMES) == {parse_line(example).outcome for example in LINE_PHRASES.examples}
    assert "a pair: home run" == parse_line(" A  pair: Home Run").text
    assert "home-run" == parse_line("a pair: home run").outcome
    assert {parse_line("a pair: walk")} == {parse_line("A Pair: walk"), parse_line("a pair:  walk")}


# The dice a batter brings ----------------------------------------------------------------------------------------


@pytest.mark.rule("SI-022", "SI-054")
@each(
    ("phrase", "at", "count"),
    [
        (2, NOW, 2),
        ("0", NOW, 0),
        ("4", GuardFacts(2, FULL, 9, -3, 5), 4),
        ("1 a runner", NOW, 0),
        ("1 a runner", GuardFacts(bases=(True, True, False)), 2),
        ("1 an out", GuardFacts(2), 2),
        ("2 an out", GuardFacts(1), 2),
        ("1 a batter on the bench", GuardFacts(bench=3), 3),
        ("3 with runners on, else 1", NOW, 1),
        ("3 with runners on; else 1", GuardFacts(bases=(False, False, True)), 3),
        ("3 with runners on first and second; else 0", GuardFacts(bases=(True, False, True)), 0),
        ("3 from the 9th else 1", GuardFacts(inning=8), 1),
        ("3 from the 9th else 1", GuardFacts(inning=9), 3),
        ("3 When Behind; else 1", GuardFacts(lead=-1), 3),
        ("3 when behind; else 1", GuardFacts(lead=0), 1),
        ("2 with two out; else 1", GuardFacts(2), 2),
    ],
)
def test_a_star_rule_sets_the_number_of_dice(phrase: object, at: GuardFacts, count: int) -> None:
    assert (count, False) == (parse_dice(phrase).dice_count(at), parse_dice(phrase).needs_die_roll)


def test_a_die_may_set_the_number_of_dice() -> None:
    found = parse_dice("by a die: 0 0 1 2 2 3")
    assert found.needs_die_roll
    assert [0, 0, 1, 2, 2, 3] == [found.dice_count(NOW, face) for face in range(1, 7)]
    with pytest.raises(ValueError, match="needs the die that is thrown first"):
        found.dice_count(NOW)


@each("phrase", [5, -1, True, None, "5", "1 a walker", "3 with runners on", "by a die: 1 2 3", "6 an out"])
def test_invalid_numbers_of_dice_are_refused(phrase: object) -> None:
    with pytest.raises(ValueError, match=r"needs|Unknown"):
        parse_dice(phrase)


# Chances ---------------------------------------------------------------------------------------------------------

CARDS = (
    MAX,
    TWO,
    tuple(map(parse_line, ("straight of 3: triple", "two pairs or sum 15+: double", "all odd and no die of 3: walk"))),
    tuple(map(parse_line, ("exactly 2 dice and spread 4+: home-run", "three of a kind: double", "lowest 4+: single"))),
)

BASES = st.sampled_from(CARDS)


def thrown(count: int) -> Iterator[tuple[int, ...]]:
    return product(range(1, 7), repeat=count)


@each("card", CARDS)
@each("count", [1, 2, 3, 4])
def test_odds_are_exact(card: tuple[CardLine, ...], count: int) -> None:
    falls = [met_outcomes(card, fall, NOW) for fall in thrown(count)]
    expected = {one.outcome: Fraction(sum(one.outcome in fall for fall in falls), 6**count) for one in card}
    assert expected == outcome_chances(card, count, NOW)


def test_odds_of_twelve_dice() -> None:
    wanted = tuple(
        map(parse_line, ("a 6: single", "all odd: double", "all alike: triple", "12 dice: walk", "sum 72: home-run"))
    )
    five, twelve = Fraction(5, 6) ** 12, Fraction(1, 6) ** 12
    expected = {"single": 1 - five, "double": Fraction(1, 2**12), "triple": 6 * twelve, "walk": 1, "home-run": twelve}
    assert expected == outcome_chances(wanted, 12, NOW)


def best(wanted: tuple[CardLine, ...], outcome: str, lying: tuple[int, ...], reroll: bool, nudges: int) -> Fraction:
    """Return an outcome's chance by brute force: every choice of dice to reroll, every nudge before and after."""
    if outcome in met_outcomes(wanted, lying, NOW):
        return Fraction(1)
    found = [Fraction(0)]
    if nudges:
        for at, step in product(range(len(lying)), (1, -1)):
            if 1 <= lying[at] + step <= 6:
                other = (*lying[:at], lying[at] + step, *lying[at + 1 :])
                found.append(best(wanted, outcome, other, reroll, nudges - 1))
    if reroll and max(found) < 1:
        found.append(second(wanted, outcome, lying, nudges))
    return max(found)


def second(wanted: tuple[CardLine, ...], outcome: str, lying: tuple[int, ...], nudges: int) -> Fraction:
    found = []
    for again in product((False, True), repeat=len(lying)):
        falls = list(thrown(sum(again)))
        total = Fraction(0)
        for fall in falls:
            new = iter(fall)
            after = tuple(next(new) if more else face for face, more in zip(lying, again, strict=True))
            total += best(wanted, outcome, after, False, nudges)
        found += [total / len(falls)] if any(again) else []
    return max(found)


@each("card", CARDS)
@each(
    ("lying", "reroll", "nudges"),
    [("1", 1, 0), ("34", 1, 0), ("13", 1, 1), ("61", 0, 2), ("112", 1, 0), ("246", 0, 1), ("225", 1, 1), ("16", 1, 2)],
)
def test_odds_are_those_of_the_best_play(card: tuple[CardLine, ...], lying: str, reroll: int, nudges: int) -> None:
    shown = faces(lying)
    expected = {one.outcome: best(card, one.outcome, shown, bool(reroll), nudges) for one in card}
    assert expected == best_chances(card, shown, reroll, nudges, NOW)


@each("card", CARDS)
@each(("lying", "nudges"), [("1", 0), ("6", 0), ("13", 1), ("66", 0), ("225", 0), ("225", 1)])
def test_a_reroll_throws_at_least_one_die(card: tuple[CardLine, ...], lying: str, nudges: int) -> None:
    """Checked against every possible reroll, even of dice that meet the line already."""
    shown = faces(lying)
    expected = {one.outcome: second(card, one.outcome, shown, nudges) for one in card}
    assert expected == reroll_chances(card, shown, nudges, NOW)


def test_odds_of_some_hands() -> None:
    assert {"home-run": 0, "double": 0, "single": 1} == best_chances(MAX, (4,), 0, 0, NOW)
    assert {"home-run": 0, "double": 1, "single": 1} == best_chances(MAX, (4,), 0, 1, NOW)
    assert {"home-run": 1, "double": 1, "single": 1} == best_chances(MAX, (4,), 0, 2, NOW)
    assert {"single": Fraction(1, 6)} == best_chances(PAIR, (2, 5), 1, 0, NOW)
    assert {"single": Fraction(1, 2)} == best_chances(
        PAIR, (2, 5), 1, 1, NOW
    )  # The 5 becomes a 1, 2 or 3 and is then nudged.
    assert {"single": 1} == best_chances(PAIR, (2, 5), 1, 3, NOW)
    assert {"single": 0} == best_chances(PAIR, (2,), 1, 4, NOW)


def test_odds_after_rerolling_many_dice_are_unknown() -> None:
    """Lines that are met, within reach of nudges, or out of reach are still recognized."""
    wanted = tuple(
        map(parse_line, ("all alike: home-run", "a 2: single", "a 3: double", "a pair and all different: walk"))
    )
    many = (2,) * MAX_REROLL_DICE + (4,)
    assert {"home-run": None, "single": 1, "double": 1, "walk": 0} == best_chances(wanted, many, 1, 1, NOW)
    assert {"home-run": 0, "single": 1, "double": 0, "walk": 0} == best_chances(wanted, many, 0, 0, NOW)
    assert {"home-run": 1, "single": 1, "double": 1, "walk": 0} == best_chances(wanted, many, 1, 2, NOW)
    few = best_chances(wanted, many[1:], 1, 0, NOW)
    assert Fraction(1, 6) == few["home-run"]


@given(BASES, st.lists(st.integers(1, 6), min_size=1, max_size=MAX_REROLL_DICE), st.integers(0, 1), st.integers(0, 3))
def test_tokens_never_make_it_worse(card: tuple[CardLine, ...], lying: list[int], reroll: int, nudges: int) -> None:
    shown = tuple(lying)
    now, more = best_chances(card, shown, reroll, nudges, NOW), best_chances(card, shown, 1, nudges + 1, NOW)
    assert now == best_chances(card, tuple(sorted(shown)), reroll, nudges, NOW)
    assert {outcome for outcome, chance in now.items() if chance == 1} >= set(met_outcomes(card, shown, NOW))
    for outcome, chance in now.items():
        better = more[outcome]
        assert chance is not None
        assert better is not None
        assert 0 <= chance <= better <= 1
