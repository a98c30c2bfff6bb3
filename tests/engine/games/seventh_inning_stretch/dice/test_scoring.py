"""Runs from a team's dice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts
from engine.games.seventh_inning_stretch.dice.scoring import SCORE_PHRASES, parse_scoring_rule
from tests.each import each

NOW = GuardFacts()


@pytest.mark.rule("SI-029", "SI-124")
def test_the_team_of_the_rulebook_scores() -> None:
    score = parse_scoring_rule("the difference of the two lowest")
    assert [2, 0, 2, 2] == [score(dice, NOW) for dice in ((2, 4, 6), (1, 1, 6), (3, 5, 6), (6, 5, 3))]
    assert 0 == score((2, 2, 6), NOW)  # After the pitcher's ability changed the 4.


@pytest.mark.rule("SI-029")
@each(
    ("phrase", "expected"),
    [
        ("the difference of the two lowest", {"45": 1, "4": 0}),
        ("the difference of the two highest", {"146": 2, "1466": 0}),
        ("the difference of the lowest and the highest", {"146": 5}),
        ("the difference of the highest and the 2nd lowest", {"146": 2, "1346": 3}),
        ("the difference of the 3rd highest and the highest", {"1246": 4, "24": 0}),
        ("the highest", {"352": 5}),
        ("the lowest", {"352": 2}),
        ("the 2nd highest", {"352": 3, "5": 0}),
        ("the 3rd lowest", {"5421": 4, "54": 0}),
        ("the sum", {"352": 10}),
        ("the spread", {"352": 3, "5": 0}),
        ("the longest straight", {"352": 2, "3451": 3, "44": 1}),
        ("1 a die of 5 6", {"5661": 3, "4": 0}),
        ("2 a die of 1", {"1141": 6}),
        ("1 a pair", {"1122": 2, "1111": 2, "111": 1, "12": 0}),
        ("1 a different face", {"1122": 2, "123": 3}),
        ("3 for a pair and a 6", {"166": 3, "266": 3, "55": 0, "226": 3}),
        ("4 for sum 7 or less", {"43": 4, "44": 0}),
        ("4 for sum 7 or less plus 1", {"43": 5, "44": 1}),
        ("the sum divided by 4", {"353": 2, "12": 0}),
        ("the sum less 3 divided by 2", {"36": 3}),
        ("the sum less 10", {"66": 2, "11": 0}),
        ("the highest less the lowest", {"146": 5}),
        ("the highest less 3", {"6": 3, "2": 0}),
        ("the longest straight less 2", {"1234": 2}),
        ("the lowest plus 1", {"24": 3}),
        ("1 a pair plus 1 a die of 6", {"664": 3}),
        ("the highest at most 3", {"5": 3, "2": 2}),
        ("the highest at least 2", {"5": 5, "1": 2}),
        ("the highest at most the 2nd lowest", {"256": 5}),
        ("The Sum, less ten, at most two", {"666": 2, "65": 1}),
        ("3 for three of a kind; 1 for a pair", {"333": 3, "33": 1, "12": 0}),
        ("1 for a pair; 3 for three of a kind", {"333": 3, "33": 1}),
        ("2", {"1": 2}),
    ],
)
def test_a_phrase_says_how_many_runs(phrase: str, expected: dict[str, int]) -> None:
    score = parse_scoring_rule(phrase)
    for shown, many in expected.items():
        faces = tuple(map(int, shown))
        assert [many, many] == [score(faces, NOW), score(faces[::-1], NOW)], shown


def test_a_guard_covers_only_its_own_part() -> None:
    late = parse_scoring_rule("the lowest from the 9th; 1 a pair")
    assert [1, 4, 4] == [late((4, 4), GuardFacts(inning=inning)) for inning in (8, 9, 10)]
    behind = parse_scoring_rule("the lowest when behind; 2 when ahead")
    assert [4, 0, 2] == [behind((4, 4), GuardFacts(lead=lead)) for lead in (-1, 0, 1)]


@each(
    ("phrase", "reason"),
    [
        ("the lowest dye", "Unknown score 'the lowest dye'. Did you mean 'the lowest"),
        ("the highest; nothing", "Unknown "),
        ("the sum divided by 0", "Unknown "),
        ("the sum divided by the lowest", "Unknown "),
        ("the 0th lowest", "Unknown "),
        ("the highest from home", "Unknown "),
        ("3 for a pear", "Unknown condition 'a pear'. Did you mean 'a pair'?"),
        ("3 for straight of 9", "needs a number from 2 to 6."),
        ("the highest less", "Unknown "),
        ("2 with runners on", "can hang on the inning or the score, on nothing else."),
        ("2 with nobody out", "can hang on the inning or the score, on nothing else."),
        (2, "needs a phrase, not 2."),
    ],
)
def test_invalid_scoring_texts_are_refused(phrase: object, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_scoring_rule(phrase)


@given(
    st.sampled_from([parse_scoring_rule(phrase) for phrase in SCORE_PHRASES.examples]),
    st.lists(st.integers(1, 6), max_size=8),
)
def test_runs_are_never_negative(score: object, shown: list[int]) -> None:
    assert callable(score)
    for at in (NOW, GuardFacts(inning=9, lead=-1), GuardFacts(lead=1)):
        many = score(tuple(shown), at)
        assert 0 <= many
        assert many == score(tuple(sorted(shown)), at)
        assert shown or many == 0
