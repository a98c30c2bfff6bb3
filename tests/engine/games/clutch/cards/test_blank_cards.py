"""Strategy cards whose text was not typed in."""

from __future__ import annotations

import pytest

from engine.games.clutch.cards.blank_cards import possible_phrases
from engine.games.clutch.cards.effects import WINDOW_TAGS
from engine.games.clutch.cards.phrases import parse_effects
from tests.each import each

NONE = frozenset[str]()


@each("window", WINDOW_TAGS)
def test_every_option_is_a_phrase(window: str) -> None:
    for tags in (NONE, *(frozenset({tag}) for tag in WINDOW_TAGS[window])):
        for offence in (True, False):
            offered = possible_phrases(window, tags, offence)
            assert len(offered) == len(set(offered))
            does = [one for phrase in offered for one in parse_effects(phrase)]
            assert len(does) == max(0, len(offered) - 1)
            assert all(abs(one.amount) <= 3 for one in does if one.verb == "mod")
            assert not [one for one in does if one.verb == "set"]


def test_a_number_changes_by_three_at_most() -> None:
    swings = ["swing +1", "swing +2", "swing +3", "swing -1", "swing -2", "swing -3"]
    batting, fielding = (
        [
            one
            for one in possible_phrases("swing-roll", NONE, offence)
            if one.startswith(("swing +1", "swing +2", "swing +3", "swing -"))
        ]
        for offence in (True, False)
    )
    assert swings == batting
    assert swings[3:] + swings[:3] == fielding
    first = [
        next(one for one in possible_phrases("pitch-roll", NONE, offence) if one.startswith("pitch "))
        for offence in (True, False)
    ]
    assert ["pitch roll -1", "pitch roll +1"] == first


def test_only_numbers_that_can_still_change_are_offered() -> None:
    assert "pitch +1" in possible_phrases("pitch-roll", NONE, False)
    assert "pitch +1" not in possible_phrases("advantage", NONE, False)
    assert "swing +1" in possible_phrases("swing-roll", NONE, True)
    assert "swing +1" not in possible_phrases("result", NONE, True)
    assert "st +1" in possible_phrases("throw", frozenset({"steal"}), True)
    assert "br +1" in possible_phrases("throw", frozenset({"hit"}), True)
    for window in ("pitch-roll", "swing-roll", "throw-result"):
        assert "br +1" not in possible_phrases(window, NONE, True), window


@pytest.mark.rule("CL-231")
def test_each_change_has_its_window() -> None:
    result = possible_phrases("result", frozenset({"GB", "out"}), True)
    assert "change the result to 1B" in result
    assert "change the result to GB" not in result
    out = possible_phrases("throw-result", frozenset({"out", "steal"}), True)
    assert "the runner is safe" in out
    assert "the runner is out" not in out
    made = possible_phrases("check-result", frozenset({"made"}), True)
    assert "the check fails" in made
    assert "the check is made" not in made
    for window in set(WINDOW_TAGS) - {"result"}:
        assert not [one for one in possible_phrases(window, NONE, True) if one.startswith("change")], window


def test_cards_can_move_except_while_a_chart_is_read() -> None:
    assert () == possible_phrases("chart", NONE, True)
    for window in set(WINDOW_TAGS) - {"chart"}:
        offered = possible_phrases(window, NONE, True)
        assert {"draw 1", "draw 2", "discard 1", "they discard 2"} <= set(offered)
        assert "nothing" == offered[-1]
