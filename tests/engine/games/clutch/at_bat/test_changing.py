"""Changing the result of an at-bat: when, how often, and the effect on the Outcome."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import (
    at,
    by_rule,
    event_codes,
    fact,
    hand,
    now,
    options,
    playable,
    refused,
    run,
    state,
    until,
    upto,
)
from tests.engine.games.clutch.fixture import BEFORE, PLAYS, roster, strategy, written

RESULT = "on any result"

CARDS = {
    "GB>1Bb": strategy("GB>1Bb", "offense", "on a GB", "change GB to 1B"),
    "2B>1B": strategy("2B>1B", "defense", "on a 2B", "change 2B to 1B"),
    "OUT>FB": strategy("OUT>FB", "defense", RESULT, "change SO or GB to FB"),
    "SAFE": strategy("SAFE", "offense", "when a runner is thrown out", "the runner is safe"),
    "OUT": strategy("OUT", "defense", "when a runner is safe", "the runner is out"),
    "MADE": strategy("MADE", "defense", "when a check fails", "the check is made"),
    "OOPS": strategy("OOPS", "offense", "on an out", "batter advances 1 by an error"),
    "STOP": strategy("STOP", "defense", BEFORE, "forbid changes"),
    "DROP": strategy("DROP", "offense", "after a strikeout", "runner on first advances 1"),
    "AT-HIM": strategy("AT-HIM", "defense", "on a 1B", "change 1B to GB if an outfield throw at the batter is made"),
    "DIE": strategy("DIE", "offense", "on a LD", "change LD to 2B if a d20 shows 11 or more"),
    "EITHER": strategy("EITHER", "offense", RESULT, "either change the result to 2B or draw 1"),
    "BONUS": strategy("BONUS", "offense", "on a GB", "change GB to 1B", success="draw 1", failure="discard 1"),
}


def game(
    away: Sequence[str] = (), home: Sequence[str] = (), where: str = "T5 0o ---", deck: Sequence[str] = (), **more: str
) -> Table:
    """Return a table with extra cards; `more` are house rules."""
    return at(where, away=away, home=home, cards=CARDS, house=more, decks=(deck, ()))


def outcome(table: Table) -> str:
    """Return the outcome of the at-bat."""
    return state(table).last[-1]


PARK = {
    "Home": roster("H", stadium="PARK"),
    "PARK": written("stadium", name="PARK", when="when a chart is read", do="FB at 6 on the batter's chart is 1B"),
}
MORE = {
    "SAME": strategy("SAME", "defense", "on a GB", "change the result to GB"),
    "IF": strategy("IF", "offense", RESULT, "change GB to 1B if a runner on first else draw 1"),
    "WAY": strategy("WAY", "offense", RESULT, "either change GB to 1B or draw 1"),
    "SLY": strategy("SLY", "offense", RESULT, "change SO to 1B if 0 outs"),
    "SLY2": strategy("SLY2", "offense", RESULT, "either change SO to 1B or draw 1"),
    "DROPS": strategy("DROPS", "offense", RESULT, "batter advances 2 by an error if 0 outs"),
}


@pytest.mark.parametrize(
    ("where", "script", "expected", "stands"),
    by_rule(
        # The Outcome is the result after all changes.
        ("CL-185", "T5 0o ---", "1B! 1B>2B", "2B", "T5 0o -2-"),
        ("CL-187", "T5 0o ---", "GB! GB>1B", "1B", "T5 0o 1--"),
        # Each manager may change it once: a change within a choice counts, one to the same result does not (AM-40).
        ("CL-232", "T5 0o ---", "GB! EITHER first", "2B", "T5 0o -2-"),
        ("CL-232", "T5 0o ---", "GB! GB>1B EITHER first", "1B", "T5 0o 1--"),
        ("CL-232", "T5 0o ---", "GB! SAME OUT>FB", "FB", "T5 1o ---"),
        # A check, a throw or a die may decide; a throw at the batter must beat his 15.
        ("CL-231 CL-233", "T5 0o ---", "1B! CHK1B D13 MADE", "GB", "T5 1o ---"),
        ("CL-233", "T5 0o ---", "1B! AT-HIM D12", "GB", "T5 1o ---"),
        ("CL-233", "T5 0o ---", "1B! AT-HIM D11", "1B", "T5 0o 1--"),
        ("CL-233", "T5 0o ---", "LD! DIE X11", "2B", "T5 0o -2-"),
        ("CL-233", "T5 0o ---", "LD! DIE X10", "LD", "T5 1o ---"),
        # Only the named result changes, also under a condition or a choice.
        ("CL-230", "T5 0o 1--", "SO! IF", "SO", "T5 1o 1--"),
        ("CL-230", "T5 0o 1--", "FB! IF", "FB", "T5 1o 1--"),
        ("CL-230", "T5 0o 1--", "SO! WAY first", "SO", "T5 1o 1--"),
        ("CL-230", "T5 0o 1--", "FB! WAY first", "FB", "T5 1o 1--"),
        # While a card forbids changes, nothing gets around it; without it both cards do change the result.
        ("CL-231", "T5 0o ---", "STOP SO! SLY", "SO", "T5 1o ---"),
        ("CL-231", "T5 0o ---", "STOP SO! SLY2 first", "SO", "T5 1o ---"),
        ("CL-185", "T5 0o ---", "SO! SLY", "1B", "T5 0o 1--"),
        ("CL-185", "T5 0o ---", "SO! SLY2 first", "1B", "T5 0o 1--"),
        # An error does not name the result it changes.
        ("CL-290", "T5 0o ---", "FB! DROPS", "E", "T5 0o -2-"),
        # A card moves runners on a strikeout.
        ("CL-401", "T5 0o 1--", "SO! DROP", "SO", "T5 1o -2-"),
        ("CL-401", "T5 0o 1--", "SO!", "SO", "T5 1o 1--"),
        # The fly ball at 6 is a single in this park; both managers still have their change.
        ("CL-063 CL-235", "T5 0o ---", "P2 S5", "FB", "T5 1o ---"),
        ("CL-063 CL-235", "T5 0o ---", "P2 S6 1B>2B", "2B", "T5 0o -2-"),
        ("CL-063 CL-235", "T5 0o ---", "P2 S6 1B>GB", "GB", "T5 1o ---"),
    ),
)
def test_the_outcome(where: str, script: str, expected: str, stands: str) -> None:
    words, texts = script.split(), PLAYS | CARDS | MORE
    away, home = ([one for one in words if f'side = "{of}"' in texts.get(one, "")] for of in ("offense", "defense"))
    park = "PARK" if "P2" in words else ""
    cards = {**CARDS, **MORE, **PARK}
    table = at(where, away=away, home=home, cards=cards, position=lambda s: setattr(s, "stadium", park))
    run(table, *words)
    assert (expected, stands) == (outcome(table), now(table))


@pytest.mark.rule("CL-188")
def test_the_outcome_stands() -> None:
    table = game(["GB>1B"])
    upto(table, "cards-result", "GB!")
    until(table, "pass")
    assert ("GB", "T5 1o ---") == (outcome(table), now(table))
    refused(table, "GB>1B", "away")


@pytest.mark.rule("CL-229")
def test_a_change_needs_a_result() -> None:
    for asked in ("pitch", "swing"):
        table = game(["GB>1B"])
        upto(table, asked, *(["P15"] if asked == "swing" else []))
        refused(table, "GB>1B")
        refused(table, "GB>1B", "away")


@pytest.mark.rule("CL-186", "CL-232")
@each(
    ("seat", "first", "second", "before", "after"),
    [("away", "GB>1B", "1B>2B", "GB!", "1B!"), ("home", "1B>GB", "OUT>FB", "1B!", "GB!")],
)
def test_each_manager_may_change_it_once(seat: Seat, first: str, second: str, before: str, after: str) -> None:
    """A second change is not offered and refused, though its manager is asked; it is possible in the next at-bat."""
    of = {"away": [first, second, "EITHER"]} if seat == "away" else {"home": [first, second, "EITHER-D"]}
    cards = {**CARDS, "EITHER-D": strategy("EITHER-D", "defense", RESULT, "either change the result to SO or draw 1")}
    hands: dict[str, Sequence[str]] = {"away": ["MOM"], "home": ["MOM"], **of}
    house = {"windows": "always"}
    table = at(cards=cards, house=house, away=hands["away"], home=hands["home"])
    upto(table, "cards-result", before)
    until(table, f"{seat}:{first}")
    while (ask := upto(table, "cards-result")).seat != seat:
        until(table, "pass")
    assert second not in options(ask)
    refused(table, second)
    changed = after.removesuffix("!")
    run(table, next(one for one in hands[seat] if "EITHER" in one), "first")
    assert changed == outcome(table)
    assert second in playable(table, seat, "result", after)


@pytest.mark.rule("CL-230", "CL-233")
def test_a_failed_attempt_does_not_count() -> None:
    """A check of 19 fails and changes nothing; the next card may still be tried."""
    table = game(["SW+2"], ["CHK1B", "1B>GB"], "T5 0o --3")
    upto(table, "check", "SW+2", "P2", "S10", "CHK1B")
    before = state(table)
    until(table, "D13")
    s = state(table)
    assert ("check-failed", "unchanged") == tuple(event_codes(table)[-2:])
    assert (19, 20) == (fact(table, "check-failed", "total"), fact(table, "check-failed", "target"))
    kept = ("swing", "swing_natural", "pitch", "on_base", "advantage", "chart", "read", "result", "changed")
    assert all(getattr(before.at, one) == getattr(s.at, one) for one in kept)
    assert (before.bases, before.outs, before.standing) == (s.bases, s.outs, s.standing)
    run(table, "1B>GB")
    assert "GB" == outcome(table)


@pytest.mark.rule("CL-234", "CL-235")
def test_the_other_manager_may_change_the_changed_result() -> None:
    table = game(["GB>1B", "GB>1Bb"], ["1B>GB", "OUT>FB"])
    assert () == playable(table, "away", "result", "GB!", "GB>1B", "1B>GB")
    assert "GB" == outcome(table)


@pytest.mark.rule("CL-234")
@each(
    ("house", "result", "first"),
    [("defense", "GB!", "home"), ("sideHarmed", "GB!", "away"), ("sideHarmed", "1B!", "home")],
)
def test_who_is_asked_first(house: str, result: str, first: str) -> None:
    """The defense is, or by a house rule the side for which the result is bad (AM-40)."""
    table = game(["GB>1B", "1B>2B"], ["OUT>FB", "1B>GB"], changePriority=house)
    assert first == upto(table, "cards-result", result).seat


@pytest.mark.rule("CL-231", "CL-186", "CL-232")
@each(("house", "may"), [("atBatResult", True), ("anyResult", False)])
def test_throws_and_checks_can_be_changed_too(house: str, may: bool) -> None:
    """A throw is reversed in its own window; by a house rule that counts as the manager's change (AM-39)."""
    table = game(["GB>1B", "SAFE"], where="T5 0o -2-", changeLimitScope=house)
    script = ("GB!", "GB>1B", "to-home", "at-home", "D20")
    assert may == ("SAFE" in playable(table, "away", "throw-result", *script))
    if may:
        run(table, "SAFE")
        assert ("T5 0o 1--", (1, 0)) == (now(table), state(table).score)


@pytest.mark.rule("CL-231")
def test_each_kind_of_change_has_its_window() -> None:
    cards = ["1B>2B", "SAFE"], ["CHK1B", "OUT", "MADE"]
    assert ("CHK1B",) == playable(game(*cards), "home", "result", "1B!")
    assert ("1B>2B",) == playable(game(*cards), "away", "result", "1B!")
    assert ("MADE",) == playable(game(*cards), "home", "check-result", "1B!", "CHK1B", "D13")
    table = game(*cards, where="T5 0o -2-")
    assert ("OUT",) == playable(table, "home", "throw-result", "1B!", "to-home", "at-home", "D10")
    assert ("SAFE",) == playable(table, "away", "throw-result", "OUT")
    run(table, "SAFE")
    assert ((1, 0), 2, True) == (
        state(table).score,
        event_codes(table).count("throw-changed"),
        "throw-safe" in event_codes(table),
    )


@pytest.mark.rule("CL-186", "CL-234")
def test_an_error_counts_as_a_change() -> None:
    table = game(["OOPS", "GB>1B"])
    assert () == playable(table, "away", "result", "GB!", "OOPS")
    assert ("E", "T5 0o 1--", (0, 1)) == (outcome(table), now(table), state(table).errors)
    assert ("GB>1B",) == playable(game(["OOPS", "GB>1B"]), "away", "result", "GB!")[1:]


@pytest.mark.rule("CL-225")
@each(("answer", "held"), [((), ["STICK"]), (("1B>GB",), [])])
def test_a_change_succeeds_if_it_is_the_outcome(answer: tuple[str, ...], held: list[str]) -> None:
    """Success is judged after both changes: the draw comes if the single stands, the discard if it does not."""
    table = run(game(["BONUS", "MOM"], ["1B>GB"], deck=["STICK"]), "GB!", "BONUS", *answer)
    s = state(table).squad("away")
    assert (held, not held) == ([one.peek() for one in s.hand if one.peek() == "STICK"], "MOM" in s.discard)


@each(
    "do",
    [
        "either the runner is out or draw 1",
        "the runner is out if 0 outs",
        "the check is made if a d6 shows 2 or more",
        "negate the card if 0 outs",
    ],
)
def test_without_a_result_nothing_is_changed(do: str) -> None:
    """A card that could be played earlier too does nothing then, and the later throw is unaffected."""
    when = ["when a throw is settled", "when a check is settled", "when a card is played", BEFORE]
    cards = {"TURN": strategy("TURN", "defense", when, do)}
    table = at("T5 0o -2-", home=["TURN"], cards=cards)
    run(table, "TURN", *(["X2"] if "d6" in do else []), "P2", "S12", "to-home", "at-home", "D10")
    assert ("T5 0o 1--", (1, 0)) == (now(table), state(table).score)
    assert not {"throw-changed", "negated"} & set(event_codes(table))


@each("do", ["draw 1", "change 1B to GB"])
def test_a_throw_at_nobody_decides_nothing(do: str) -> None:
    """A follow-up effect may call for a throw with the bases empty; nothing depends on it then."""
    aim = f"{do} if an infield throw at the lead runner is made"
    table = at(home=["AIM"], cards={"AIM": strategy("AIM", "defense", BEFORE, "swing -1", success=aim)})
    run(table, "AIM", "SO!")
    assert ([], "T5 1o ---") == (hand(table, "home"), now(table))


def test_a_change_without_effect_is_not_a_success() -> None:
    """The runner is safe already: where every change counts, the manager still has his (AM-40)."""
    cards = {
        "SAFE2": strategy("SAFE2", "offense", "when a throw is settled", "the runner is safe"),
        "SAFE": CARDS["SAFE"],
        "BACK": strategy("BACK", "defense", "when a runner is safe", "the runner is out"),
    }
    table = at("T5 0o -2-", away=["SAFE", "SAFE2"], home=["BACK"], cards=cards, house={"changeLimitScope": "anyResult"})
    run(table, "1B!", "to-home", "at-home", "D10", "SAFE2", "BACK", "SAFE")
    assert (1, 0) == state(table).score
