"""Tests over a list of cases."""

from __future__ import annotations

import pytest

from tests.each import each


def test_every_failed_case_is_named_and_the_others_run() -> None:
    """An assertion and any other error; also where two lists are combined."""
    ran = list[tuple[int, str]]()

    @each("number", [1, 2, 0])
    @each("word, length", [("a", 1), ("bc", 2)])
    def fits(number: int, word: str, length: int) -> None:
        ran.append((number, word))
        assert 2 / number == length, "another length"

    with pytest.raises(ExceptionGroup, match="3 of 3 cases failed") as failed:
        fits()
    assert [(1, "a"), (1, "bc"), (2, "a"), (2, "bc"), (0, "a"), (0, "bc")] == ran
    inner = [group.exceptions for group in failed.value.exceptions if isinstance(group, ExceptionGroup)]
    assert [
        ["with {'word': 'a', 'length': 1}"],
        ["with {'word': 'bc', 'length': 2}"],
        ["with {'word': 'a', 'length': 1}", "with {'word': 'bc', 'length': 2}"],
    ] == [[note for one in some for note in one.__notes__] for some in inner]
    assert ["with {'number': 1}"] == failed.value.exceptions[0].__notes__
    assert isinstance(inner[2][0], ZeroDivisionError)


@each("number", [1, 2])
def test_fixtures_are_passed_on(number: int, request: pytest.FixtureRequest) -> None:
    assert "test_fixtures_are_passed_on" == request.node.name


def test_no_cases_prove_nothing() -> None:
    with pytest.raises(ValueError, match="no cases"):
        each("number", [])


def test_a_case_that_proves_a_rule_of_its_own_is_refused() -> None:
    """It needs a test of its own, or the record of proved rules would miss it."""
    with pytest.raises(TypeError, match="needs a test of its own"):
        each("number", [pytest.param(1, marks=pytest.mark.rule("SB-001"))])
