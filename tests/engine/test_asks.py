"""Asks: the answers that they accept and refuse, the errors, and the values that the rules receive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Arrange, Ask, Call, Choose, Draw, Reroll, Roll, Secret
from engine.dice import FACES_BY_KIND, Die
from engine.errors import IllegalAnswer, InvalidAnswer
from engine.secrets import SealedValue
from tests.each import each
from tests.engine.sample_games.duel_game import DICE, FIELD, ORDER, State, played

AGAIN = Reroll("away", "again", (2, 3, 3, 6), (0, 1, 3), 2, (Die(),) * 4)
SIX = Roll("away", "at-bat")
THREE = Roll("home", "pitch", DICE)
PICK = Choose("home", "glove", ("high", "low"))
SAFE = Call("home", "call-safe", Die("d6", "red", "home"), (5, 6))
DEAL = Draw("home", "dealt", ("high", "low"))
FEW = Arrange("away", "order", ("ann", "bob", "cy"), ("first", "second"), fewest=1)
LAY = Arrange("away", "order", ("ann", "bob", "cy"), ("first", "second"))


@each(
    ("ask", "value", "checked"),
    [
        (SIX, 4, (4,)),
        (SIX, [4], (4,)),
        (THREE, [6, 10, "B"], (6, 10, "B")),
        (THREE, (1, 9, "C"), (1, 9, "C")),
        (AGAIN, [5, None, None, None], (5, None, None, None)),
        (AGAIN, (None, 3, None, 1), (None, 3, None, 1)),
        (PICK, "low", "low"),
        (Secret(PICK), "low", "low"),
        (DEAL, "low", "low"),
        (Secret(DEAL), "low", "low"),
        (FEW, {"second": "ann"}, {"second": "ann"}),
        (LAY, {"second": "ann", "first": "cy"}, {"first": "cy", "second": "ann"}),
        (Arrange("away", "a", ("x",), ("p", "q")), {"q": "x"}, {"q": "x"}),
        (SAFE, 5, 5),
        (SAFE, 6, 6),
    ],
)
def test_a_valid_answer_is_accepted(ask: Ask, value: object, checked: object) -> None:
    """The rules receive the checked value; an arrangement is in the order of its places."""
    taken = ask.validate_answer(value)
    assert checked == taken
    if isinstance(checked, dict) and isinstance(taken, dict):
        assert list(checked) == list(taken)


@each(
    ("ask", "value", "error"),
    [
        (DEAL, "middle", IllegalAnswer),
        (DEAL, 1, InvalidAnswer),
        (FEW, {}, IllegalAnswer),
        (SIX, 7, IllegalAnswer),
        (SIX, 0, IllegalAnswer),
        (SIX, -1, IllegalAnswer),
        (SIX, "4", InvalidAnswer),
        (SIX, True, InvalidAnswer),
        (SIX, 1.0, InvalidAnswer),
        (SIX, None, InvalidAnswer),
        (SIX, [], InvalidAnswer),
        (SIX, [1, 1], InvalidAnswer),
        (SIX, [[1]], InvalidAnswer),
        (SIX, {"0": 1}, InvalidAnswer),
        (THREE, [6, 11, "B"], IllegalAnswer),
        (THREE, [6, 10, "X"], IllegalAnswer),
        (THREE, [6, 10, 1], InvalidAnswer),
        (THREE, [6, 10], InvalidAnswer),
        (AGAIN, [None] * 4, IllegalAnswer),
        (AGAIN, [5, 5, None, 5], IllegalAnswer),
        (AGAIN, [None, None, 5, None], IllegalAnswer),
        (AGAIN, [7, None, None, None], IllegalAnswer),
        (AGAIN, ["5", None, None, None], InvalidAnswer),
        (AGAIN, [True, None, None, None], InvalidAnswer),
        (AGAIN, [5, None, None], InvalidAnswer),
        (AGAIN, [5, None, None, None, None], InvalidAnswer),
        (AGAIN, 5, InvalidAnswer),
        (AGAIN, None, InvalidAnswer),
        (AGAIN, {"0": 5}, InvalidAnswer),
        (PICK, "middle", IllegalAnswer),
        (PICK, "High", IllegalAnswer),
        (PICK, 1, InvalidAnswer),
        (PICK, ["high"], InvalidAnswer),
        (PICK, None, InvalidAnswer),
        (Secret(PICK), "middle", IllegalAnswer),
        (Secret(PICK), 1, InvalidAnswer),
        (LAY, {"first": "ann"}, IllegalAnswer),
        (LAY, {}, IllegalAnswer),
        (LAY, {"first": "ann", "second": "ann"}, IllegalAnswer),
        (LAY, {"first": "ann", "third": "bob"}, IllegalAnswer),
        (LAY, {"first": "ann", "second": "dee"}, IllegalAnswer),
        (LAY, {"first": "ann", "second": 2}, InvalidAnswer),
        (LAY, ["ann", "bob"], InvalidAnswer),
        (LAY, "ann", InvalidAnswer),
        (SAFE, 4, IllegalAnswer),
        (SAFE, 1, IllegalAnswer),
        (SAFE, 7, InvalidAnswer),
        (SAFE, 0, InvalidAnswer),
        (SAFE, "5", InvalidAnswer),
        (SAFE, "safe", InvalidAnswer),
        (SAFE, [5], InvalidAnswer),
        (SAFE, True, InvalidAnswer),
        (SAFE, 5.0, InvalidAnswer),
        (SAFE, None, InvalidAnswer),
    ],
)
def test_a_wrong_answer_is_invalid_or_illegal(ask: Ask, value: object, error: type[Exception]) -> None:
    """The wrong shape is invalid; the right shape with a value that is not allowed is illegal."""
    with pytest.raises((InvalidAnswer, IllegalAnswer)) as refused:
        ask.validate_answer(value)
    assert error is refused.type


def test_a_refusal_lists_the_legal_answers_unless_they_are_secret() -> None:
    """Everybody may see the error, so for a secret ask it does not list them."""
    with pytest.raises(IllegalAnswer, match=r"^7 is not on a d6\.$"):
        SIX.validate_answer(7)
    with pytest.raises(IllegalAnswer, match="'middle' is not one of the choices: high, low"):
        PICK.validate_answer("middle")
    with pytest.raises(IllegalAnswer) as refused:
        Secret(PICK).validate_answer("middle")
    assert "high" not in str(refused.value)


def test_a_losing_call_gets_an_error_with_the_winning_faces() -> None:
    """The error has the face shown and the faces that win, and says to roll again, for any die."""
    with pytest.raises(IllegalAnswer, match="A 4 doesn't win, only 5 or 6 does: roll again"):
        SAFE.validate_answer(4)
    with pytest.raises(IllegalAnswer, match="A B doesn't win, only S or C does: roll again"):
        Call("away", "x", Die("pitch"), ("S", "C")).validate_answer("B")
    with pytest.raises(InvalidAnswer, match=r"^7 is not on a d6\.$"):
        SAFE.validate_answer(7)


def test_an_illegal_reroll_gets_an_error_with_the_limits() -> None:
    """The error says which dice must stay and how many may be rolled again."""
    with pytest.raises(IllegalAnswer, match="The 3 must stay"):
        AGAIN.validate_answer([None, None, 1, None])
    with pytest.raises(IllegalAnswer, match="You can reroll 1 to 2 dice, not 3"):
        AGAIN.validate_answer([1, 1, None, 1])
    assert (2, 1, 3, 4) == AGAIN.faces_after(AGAIN.validate_answer([None, 1, None, 4]))


@each("kind", sorted(FACES_BY_KIND))
def test_a_die_accepts_only_its_own_faces(kind: str) -> None:
    ask = Roll("away", "x", (Die(kind),))
    for face in FACES_BY_KIND[kind]:
        assert (face,) == ask.validate_answer(face)
    numbers = [face for face in FACES_BY_KIND[kind] if isinstance(face, int)]
    for wrong in ("D",) if not numbers else (min(numbers) - 1, max(numbers) + 1):
        with pytest.raises(IllegalAnswer):
            ask.validate_answer(wrong)


def state(count: int) -> Any:
    """Return the state of a duel after some moves."""
    found = played(count).state
    assert isinstance(found, State)
    return found


def test_what_the_rules_receive() -> None:
    """Of a Together nothing before both have answered; secrets sealed with number and owner; dice in their order."""
    assert () == state(3).calls
    assert ("heads", "tails") == state(4).calls
    assert (SealedValue("home", "high", 0), SealedValue("away", ORDER, 1)) == (state(2).glove, state(2).order)
    assert SealedValue("home", "seven", 7) == state(7).stash
    assert (6, 10, "S") == state(6).faces


@each(("seat", "n", "how"), [("away", 4, "slap"), ("home", 5, "ring")])
def test_the_first_answer_wins_a_race(seat: Any, n: int, how: str) -> None:
    """The rules get the seat and its answer; both ask numbers are then used up."""
    table = played(4)
    assert [4, 5] == [number for number, _ in table.open_asks()]
    told = table.answer_ask(seat, n, how)
    assert ("first", {"seat": seat, "how": how}) == (told[0].event.code, told[0].event.facts)
    assert [6] == [number for number, _ in table.open_asks()]


def test_an_arrangement_comes_in_the_order_of_its_places() -> None:
    """With fewer pieces than places, the answer has only the occupied places, in order."""
    table = played(7)
    table.answer_ask("away", 8, {"right": "ann", "middle": "bob"})
    found = table.state
    assert isinstance(found, State)
    assert list(FIELD.items()) == list(found.field)


@each(
    ("ask", "lying", "stays"),
    [
        (LAY, {}, None),
        (replace(FEW, fewest=0), {}, None),
        (LAY, {"second": "cy", "first": "bob"}, {"first": "bob", "second": "cy"}),
        (FEW, {"second": "cy"}, {"second": "cy"}),
        (LAY, {"second": "cy"}, None),
        (LAY, {"first": "dan", "second": "cy"}, None),
        (LAY, {"first": "ann", "third": "cy"}, None),
        (LAY, {"first": "ann", "second": "ann"}, None),
    ],
)
def test_what_lies_may_stay_if_it_is_legal(ask: Arrange, lying: dict[str, str], stays: dict[str, str] | None) -> None:
    """Where nothing lies, nothing stays, even if no piece need be laid."""
    found = replace(ask, lying=lying).unchanged_layout
    assert stays == found
    assert list(stays or ()) == list(found or ())
