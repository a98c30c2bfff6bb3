"""Stopping, busting and running on contact: SB-031 to SB-044, SB-046 to SB-052, SB-107, SB-115."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import InvalidAnswer, StaleAnswer
from engine.innings import Half, InningClock
from tests.each import each
from tests.engine.games.small_ball.fixture import BB, DOUBLE, FO, GO, POWER, SINGLE, SO, at, bat, dice, end, stand
from tests.engine.tables import board, clock, codes, offered, panel, play, ruled, score

ENDS = [
    *ruled("SB-031", ({"outs": 2, "stake": 2}, ("bank",), (2, 0), "bank")),
    *ruled("SB-032", ({"outs": 2, "stake": 3}, ("bat", SO), (0, 0), "bust")),
    *ruled("SB-033", ({"outs": 2, "stake": 3, "inning": 3, "score": (4, 0)}, ("bat", SO), (4, 0), "bust")),
    *ruled("SB-034", ({"bases": "13", "outs": 1, "stake": 2}, ("bat", GO), (0, 0), "bust")),
    # Nobody scores on the third out.
    *ruled("SB-035", ({"bases": "3", "outs": 2}, ("bat", FO), (0, 0), "bust")),
    *ruled("SB-035", ({"bases": "3", "outs": 2}, ("bat", GO), (0, 0), "bust")),
    *ruled("SB-035", ({"bases": "23", "outs": 2}, ("bat", GO), (0, 0), "bust")),
    *ruled("SB-039", ({"stake": 2, "half": "bottom", "inning": 2, "score": (1, 3)}, ("bank",), (1, 5), "bank")),
    *ruled("SB-040", ({"bases": "123", "stake": 1}, ("bank",), (1, 0), "bank")),
    # The ninth batter ends the half, with the runs banked or with the third out.
    *ruled("SB-041", ({"bases": "12", "outs": 2, "stake": 4}, ("bat", BB), (4, 0), "batted-around")),
    *ruled("SB-042", ({"bases": "123", "outs": 1, "stake": 4}, ("bat", SINGLE), (5, 0), "batted-around")),
    *ruled("SB-043", ({"bases": "12", "outs": 2, "stake": 4}, ("bat", SO), (0, 0), "bust")),
    *ruled("SB-060", ({"bases": "1", "outs": 2, "stake": 2}, ("steal-second", 6), (0, 0), "bust")),
    *ruled("SB-064", ({"bases": "12", "outs": 2, "stake": 1}, ("double-steal", 6), (0, 0), "bust")),
    *ruled("SB-072", ({"bases": "123", "stake": 5}, ("sacrifice", 1), (6, 0), "batted-around")),
    # Successful or not, a sacrifice is the third out.
    *ruled(
        "SB-073", *(({"bases": "3", "outs": 2, "stake": 1}, ("sacrifice", n), (0, 0), "bust") for n in (1, 4, 5, 6))
    ),
    *ruled("SB-084", *(({"bases": "1", "outs": 1, "stake": 2}, ("hit-and-run", n), (0, 0), "bust") for n in (FO, SO))),
]
"""The position and the answers; then the score, and how the half ended."""


@pytest.mark.parametrize(("position", "answers", "after", "how"), ENDS)
def test_a_half_ends_with_its_runs_or_without(
    position: dict[str, Any], answers: tuple[object, ...], after: tuple[int, int], how: str
) -> None:
    table = play(at(**position), *answers)
    assert (after, [how], ("", 0, 0)) == (score(table), end(table), stand(table))
    then = InningClock(position.get("inning", 1), position.get("half", "top")).next_half()
    assert (then.inning, then.half) == clock(table)
    assert ("comes-home" in codes(table.log)) == (how == "batted-around" and "bases" in position and after[0] > 4)


@pytest.mark.rule("SB-036")
@each("stake", [1, 5, 8])
def test_going_on_and_stopping_are_both_always_allowed(stake: int) -> None:
    assert {"bat", "bank"} <= set(offered(at(stake=stake)))


@pytest.mark.rule("SB-037")
def test_no_banking_while_a_die_is_expected_or_after_the_third_out() -> None:
    """With the throw pending, bank is refused and nothing changes; after three outs there is nothing to bank."""
    table = play(at(outs=2, stake=3), "bat")
    with pytest.raises(InvalidAnswer):
        play(table, "bank")
    assert ("d6",) == dice(table)
    ((n, _),) = table.open_asks()
    play(table, SO)
    with pytest.raises(StaleAnswer):
        table.answer_ask("away", n, "bank")
    ((_, ask),) = table.open_asks()
    assert ("home", (0, 0)) == (ask.seat, score(table))


@pytest.mark.rule("SB-038")
def test_players_who_score_join_runs() -> None:
    """A runner comes in from third and lies beside the board, with one run at stake."""
    table = bat(at("3", outs=1), SINGLE)
    assert (["red 2"], 1) == (panel(table, "runs"), board(table).stake)
    assert (0, 0) == score(table)


@pytest.mark.rule("SB-042")
@each(
    ("inning", "half", "next_up"),
    [(1, "top", "home"), (1, "bottom", "away"), (6, "bottom", "away"), (9, "bottom", None), (10, "top", "home")],
)
@each(
    ("bases", "outs", "answers", "more"),
    [
        ("123", 1, ("bat", SINGLE), 1),
        ("123", 1, ("bat", DOUBLE), 2),
        ("123", 0, (POWER, DOUBLE), 4),
        ("12", 0, (POWER, SINGLE), 2),
        ("123", 2, ("bat", BB), 1),
        ("13", 1, ("bat", FO), 1),
        ("23", 1, ("bat", GO), 1),
        ("13", 0, ("bat", GO), 1),
        ("13", 1, ("sacrifice", 2), 1),
        ("12", 2, ("bat", DOUBLE), 2),
        ("1", 0, ("hit-and-run", DOUBLE), 1),
    ],
)
def test_the_ninth_batter_adds_to_the_runs(
    inning: int, half: Half, next_up: str | None, bases: str, outs: int, answers: tuple[object, ...], more: int
) -> None:
    """Eight players are used. However the ninth brings runners in, they count with the others; who is left does not."""
    stake = 8 - outs - len(bases)
    table = play(at(bases, outs, stake, inning=inning, half=half, score=(3, 1)), *answers)
    expected = (3 + stake + more, 1) if half == "top" else (3, 1 + stake + more)
    assert (["batted-around"], expected) == (end(table), score(table))
    (home,) = [told.event.facts for told in table.log if told.event.code == "comes-home"]
    assert (more, stake + more) == (len(home["runners"]), home["stake"])
    assert next_up == board(table).batting


@pytest.mark.rule("SB-044")
def test_a_half_has_at_most_nine_at_bats() -> None:
    """After nine at-bats the other side is up, and no further throw is accepted in that half."""
    table = bat(at(), *[BB] * 8)
    assert "away" == board(table).batting
    bat(table, BB)
    ((n, ask),) = table.open_asks()
    assert ("home", (1, "bottom")) == (ask.seat, clock(table))
    with pytest.raises(StaleAnswer):
        table.answer_ask("away", n - 1, BB)


@pytest.mark.rule("SB-115")
def test_banking_nothing_is_allowed_after_confirmation() -> None:
    """With two outs and nothing in, bank and then yes ends the half; otherwise the manager bats on."""
    table = play(at("1", outs=2), "bank")
    assert ("bat-on", "bank") == offered(table)
    table.answer_ask("away", 1, "bank")
    assert ((0, 0), (1, "bottom"), ["bank"]) == (score(table), clock(table), end(table))
    table.undo(1)
    assert ("1", 2, 0) == stand(play(table, "bat-on"))
    assert "bat" in offered(table)


CONTACT = [
    *ruled("SB-046", ("2", 2, 1, SINGLE, ("1", 2, 2))),
    *ruled("SB-047", ("1", 2, 1, SINGLE, ("13", 2, 1)), ("1", 2, 1, DOUBLE, ("2", 2, 2))),
    *ruled("SB-048", ("", 2, 1, SINGLE, ("1", 2, 1)), ("", 2, 1, DOUBLE, ("2", 2, 1))),
    *ruled("SB-049", ("2", 2, 0, SINGLE, ("13", 2, 0)), ("1", 2, 0, DOUBLE, ("23", 2, 0))),
    *ruled("SB-050", ("2", 1, 1, SINGLE, ("13", 1, 1)), ("2", 0, 1, SINGLE, ("13", 0, 1))),
    *ruled("SB-051", ("2", 2, 1, BB, ("12", 2, 1))),
    *ruled("SB-052", ("123", 2, 1, SINGLE, ("13", 2, 3))),
]


@pytest.mark.parametrize(("bases", "outs", "stake", "face", "expected"), CONTACT)
def test_running_on_contact(bases: str, outs: int, stake: int, face: int, expected: tuple[str, int, int]) -> None:
    """With two outs and runs at stake, runners (not the batter) take an extra base on a hit, and only then."""
    assert expected == stand(bat(at(bases, outs, stake), face))


@pytest.mark.rule("SB-107")
def test_banked_runs_are_not_at_stake() -> None:
    """The team leads 3-0 from earlier halves, but nothing is in now: no extra base."""
    assert ("13", 2, 0) == stand(bat(at("2", outs=2, inning=4, score=(3, 0)), SINGLE))
