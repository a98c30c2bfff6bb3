"""Throws and checks, including one during another (3.11)."""

from __future__ import annotations

import pytest

from engine.asks import Roll
from tests.each import each
from tests.engine.games.clutch.field import at, by_rule, event_codes, fact, hand, now, refused, run, state, until, upto
from tests.engine.games.clutch.fixture import strategy
from tests.engine.tables import inside


@pytest.mark.rule("CL-239")
def test_the_defense_throws() -> None:
    table = at("T5 0o 1--")
    ask = upto(table, "throw", "1B!", "to-third")
    assert ("throw-at", "home") == (ask.why, ask.seat)
    ask = until(table, "at-third")
    asked = inside(ask)
    assert isinstance(asked, Roll)
    assert ("throw", "home", "d20") == (ask.why, ask.seat, asked.dice[0].kind)
    refused(table, 12, "away")
    refused(table, 21)


@pytest.mark.rule("CL-244")
@each(("card", "face", "runs"), [("SPD+2", "D16", 1), ("SPD+2", "D17", 0), ("THR+2", "D12", 1), ("THR+2", "D13", 0)])
def test_cards_change_speeds_and_throws(card: str, face: str, runs: int) -> None:
    """+2 for a runner going home: 15, 3 and 2 against 4 and the die; or +2 for the throw."""
    table = at("T5 1o -2-", away=["SPD+2"], home=["THR+2"])
    run(table, "1B!", "to-home", "at-home", card, face)
    assert (runs, 0) == state(table).score


EASY = strategy("EASY", "defense", "on a 1B", "change 1B to GB if an outfield check against 15 is made")
RETRY = strategy("AGAIN", "defense", "when a check fails", "reroll the check")


@pytest.mark.parametrize(
    ("script", "outcome"),
    by_rule(
        ("CL-240 CL-241", "CHK1B D13", "1B"),
        ("CL-240 CL-241", "CHK1B D14", "GB"),
        ("CL-240 CL-241", "CHK1B D15", "GB"),
        ("CL-242", "EASY D10", "1B"),
        ("CL-242", "EASY D11", "GB"),
        ("CL-231 CL-242", "CHK1B D1 AGAIN X14", "GB"),
        ("CL-231 CL-242", "CHK1B D1 AGAIN X13", "1B"),
    ),
)
def test_a_check_must_reach_its_number(script: str, outcome: str) -> None:
    """The infield's 6 plus the die against 20, where a tie succeeds; or as a card says: 15, with the outfield's 4."""
    table = at(home=["CHK1B", "EASY", "AGAIN"], cards={"EASY": EASY, "AGAIN": RETRY})
    run(table, "1B!", *script.split())
    assert outcome == state(table).last[-1]
    assert ("check-made" if outcome == "GB" else "check-failed") in event_codes(table)


CALL = strategy("CALL", "defense", "on a throw", "draw 1 if an infield check is made else draw 1")
SENT = ("P2", "S12", "to-third", "at-third")


@pytest.mark.rule("CL-237")
def test_a_check_during_a_throw_does_not_affect_it() -> None:
    """A card on the runner's speed still counts for the throw after a check in between: 4 plus 13 against 17."""
    table = at("T5 0o 1--", cards={"CALL": CALL}, away=("SPD+2",), home=("CALL",))
    run(table, *SENT, "pass", "SPD+2", "CALL", "D1", "D13")
    assert (17, 17) == (fact(table, "throw-safe", "total"), fact(table, "throw-safe", "speed"))


@pytest.mark.rule("CL-225")
def test_a_card_that_waits_for_a_throw_waits_for_that_throw() -> None:
    """A card's throw in its middle succeeds; that does not decide the first throw, which fails."""
    cards = {
        "PRIZE": strategy("PRIZE", "offense", "on a throw", "br +1", success="draw 1", failure="discard 1"),
        "AIM": strategy("AIM", "defense", "on a throw", "draw 1 if an infield throw at the batter is made else draw 1"),
    }
    table = at("T5 0o 1--", cards=cards, away=("PRIZE", "SW+2"), home=("AIM",), decks=(["DRAW2"], []))
    run(table, *SENT, "pass", "PRIZE", "AIM", "D20", "D2")
    assert ["SW+2", "DRAW2"] == hand(table, "away")


@pytest.mark.rule("CL-231")
@each(
    ("do", "more", "safe"),
    [
        ("reroll the throw", ["X2"], True),
        ("reroll the throw", ["X20"], False),
        ("roll the throw twice for the worst", ["X2"], True),
        ("throw die = 1", [], True),
    ],
)
def test_a_throw_is_judged_again_with_a_new_die(do: str, more: list[str], safe: bool) -> None:
    cards = {"AGAIN": strategy("AGAIN", "offense", "when a runner is thrown out", do)}
    table = run(at("T5 0o 1--", cards=cards, away=("AGAIN",)), *SENT, "D20", "AGAIN", *more)
    assert ("throw-safe" if safe else "throw-out") in event_codes(table)


def test_a_throw_at_a_runner_already_home_is_too_late() -> None:
    """A card brings him in during the throw: he is not out, no event says so, and no die is rolled."""
    for when, script in (("on a throw", ["DASH"]), ("after the throw roll", ["D20", "DASH"])):
        cards = {"DASH": strategy("DASH", "offense", when, "lead runner advances 1")}
        table = run(at("T5 0o -2-", cards=cards, away=("DASH",)), "1B!", "to-home", "at-home", *script)
        assert ("T5 0o 1--", (1, 0)) == (now(table), state(table).score)
        assert not {"throw-out", "throw-safe"} & set(event_codes(table))
