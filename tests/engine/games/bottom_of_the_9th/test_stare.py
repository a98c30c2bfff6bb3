"""The stare-down: BN-032 to BN-062, BN-138."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from engine.errors import EngineError, IllegalAnswer, InvalidAnswer, StaleAnswer
from engine.games.bottom_of_the_9th.cards import PITCH_CODES
from engine.seats import SEATS, Seat, opposite_seat
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    at,
    count,
    counted,
    dash,
    held,
    on,
    ready,
    result,
    rows,
    stare,
    throw,
)
from tests.engine.tables import asked, board, codes, give, offered, panel, play, ruled

ACE = "inside-high"
ROUND = {"guess", "pitch-call"}


@pytest.mark.rule("BN-032")
def test_a_round_is_one_pitch() -> None:
    table = throw(at(), "S", 4, 3)
    assert (ROUND, "F-DULL", "0-1") == (set(asked(table)), board(table).batter, count(table))


@pytest.mark.rule("BN-033")
def test_four_pitches_can_be_called_and_guessed() -> None:
    """Inside or away, high or low: every combination for both seats, except exhausted parts for the pitcher."""
    four = tuple(f"{one}-{two}" for one in ("inside", "away") for two in ("high", "low"))
    assert (four, four) == (offered(at(), "home"), offered(at(), "away"))
    tired = at(rows=(3, 0))
    assert (four, ("away-high", "away-low")) == (offered(tired, "home"), offered(tired, "away"))


@pytest.mark.rule("BN-034")
def test_phases_come_in_order() -> None:
    """Stare-down, pitch, swing, run, cleanup: each phase refuses the answers of all others."""
    table = at()
    answers: dict[str, tuple[Seat, object]] = {
        "pitch-call": ("away", "away-low"),
        "guess": ("home", ACE),
        "pitch": ("away", [1, "S"]),
        "swing": ("home", 4),
        "call-out": ("away", 5),
        "relief": ("away", "none"),
    }
    for why, (seat, value) in answers.items():
        assert why in asked(table)
        for later, (_, wrong) in answers.items():
            if later not in asked(table) and {why, later} not in ({"pitch-call", "guess"}, {"swing", "call-out"}):
                refused(table, wrong)
        give(table, seat, value)
    assert ROUND == set(asked(table))


def refused(table: Table, value: object) -> None:
    """Assert that no open question takes this answer from either seat."""
    for n, _ in table.open_asks():
        for seat in SEATS:
            with pytest.raises(EngineError):
                table.answer_ask(seat, n, value)


@pytest.mark.rule("BN-035")
@each(("letter", "control", "swing"), [("S", 5, 2), ("B", 5, 2), ("S", 4, 4)])
def test_there_is_no_race_without_contact(letter: str, control: int, swing: int) -> None:
    assert ROUND == set(asked(throw(at(), letter, control, swing)))


@pytest.mark.rule("BN-036")
@each("half", ["inside", "high", "", "inside-", "low-away", None, ["inside", "high"]])
def test_a_call_has_both_parts(half: object) -> None:
    for seat in SEATS:
        table = at()
        with pytest.raises((IllegalAnswer, InvalidAnswer)):
            give(table, seat, half)
        assert ROUND == set(asked(table))


@pytest.mark.rule("BN-037")
@each("first", SEATS)
def test_both_calls_are_revealed_at_once(first: Seat) -> None:
    """Once one seat has decided, the other sees only that fact; once both have, both see both calls."""
    table = at()
    give(table, first, "inside-low")
    view = json_data(table.view_for(opposite_seat(first)))
    assert ([opposite_seat(first)], {}) == ([ask["seat"] for ask in view["asks"]], view["given"])
    assert [] == view["scoreboard"]["panel"]["pitch"]["thrown"]
    assert HIDDEN_TEXT == table.redacted_entries(None)[-1]["value"]
    give(table, opposite_seat(first), "away-low")
    mine, theirs = ["inside", "low"], ["away", "low"]
    for seat in (*SEATS, None):
        shown = json_data(table.view_for(seat))["scoreboard"]["panel"]["pitch"]
        assert ((mine, theirs) if first == "away" else (theirs, mine)) == (shown["thrown"], shown["guess"])
    assert HIDDEN_TEXT not in [entry["value"] for entry in table.redacted_entries(None)]


@pytest.mark.rule("BN-038")
def test_calls_cannot_change_after_the_reveal() -> None:
    table = stare(at())
    for n, seat in ((0, SEATS[1]), (1, SEATS[0])):
        with pytest.raises(StaleAnswer):
            table.answer_ask(seat, n, "away-high")


CALLS = list(itertools.product(PITCH_CODES, PITCH_CODES))


@pytest.mark.rule("BN-039", "BN-040", "BN-041", "BN-042")
@each(("thrown", "guess"), CALLS)
def test_each_part_gives_its_token_to_one_seat(thrown: str, guess: str) -> None:
    parts = zip(("direction", "location"), thrown.split("-"), guess.split("-"), strict=True)
    right = {part for part, one, two in parts if one == two}
    assert {"home": right, "away": {"direction", "location"} - right} == held(stare(at(), thrown, guess))


def duel(thrown: str, guess: str, pitcher: str = "F-PIT") -> tuple[set[str], set[str]]:
    table = stare(at(batter="F-BAT", pitcher=pitcher), thrown, guess)
    return on(table, "home"), on(table, "away")


BOTH: set[str] = {"direction", "location"}


@pytest.mark.parametrize(
    ("thrown", "guess", "batter", "pitcher"),
    [
        *ruled("BN-043", (ACE, "inside-low", {"direction"}, {"location", "ace"})),
        *ruled("BN-044", ("away-low", ACE, set(), BOTH)),
        *ruled("BN-047", ("away-low", "inside-low", {"location"}, {"direction"})),
        *ruled("BN-047", ("inside-low", "away-low", {"location"}, {"direction"})),
        *ruled("BN-048", (ACE, ACE, BOTH | {"mvp"}, set())),
        *ruled("BN-049", (ACE, "inside-low", {"direction"}, {"location", "ace"})),
        *ruled("BN-049", (ACE, "away-high", {"location"}, {"direction", "ace"})),
    ],
)
def test_tokens_and_the_ace_switch_on_abilities(thrown: str, guess: str, batter: set[str], pitcher: set[str]) -> None:
    """With F-BAT and F-PIT."""
    assert (batter, pitcher) == duel(thrown, guess)


FOOLED, HALF = ("away-low", ACE), ("away-low", "away-high")


@pytest.mark.parametrize(
    ("batter", "pitcher", "letter", "control", "swing", "calls", "expected"),
    [
        *ruled("BN-043", ("F-BAT", "F-PIT", "B", 3, 3, ("away-high", "away-low"), (3, 3, "B"))),
        *ruled("BN-043", ("F-BAT", "F-MILD", "B", 3, 3, ("away-high", "away-low"), (3, 4, "B"))),
        # With only the location F-PIT adds nothing to control; with only the direction it takes nothing off the swing.
        *ruled("BN-044", ("F-DULL", "F-PIT", "B", 3, 3, ("away-high", "away-low"), (3, 2, "B"))),
        *ruled("BN-044", ("F-DULL", "F-PIT", "B", 3, 3, ("away-high", "inside-high"), (4, 3, "B"))),
        *ruled("BN-047", ("F-DULL", "F-PIT", "S", 3, 5, ("away-low", "inside-low"), (4, 5, "S"))),
        *ruled("BN-047", ("F-DULL", "F-PIT", "S", 3, 5, ("inside-low", "away-low"), (4, 5, "S"))),
        *ruled("BN-048", ("F-DULL", "F-PIT", "S", 3, 5, (ACE, ACE), (3, 5, "S"))),
        *ruled("BN-059", ("F-BAT", "F-MILD", "S", 4, 4, HALF, (4, 5, "S"))),
        # Conditions look at the dice as they were rolled.
        *ruled("BN-060", ("F-DULL", "F-TRIG", "S", 5, 3, FOOLED, (6, 3, "S"))),
        *ruled("BN-060", ("F-DULL", "F-TIRE", "S", 6, 3, FOOLED, (5, 3, "C"))),
        *ruled("BN-061", ("F-DULL", "F-TRIG", "B", 6, 3, FOOLED, (6, 3, "B"))),
        *ruled("BN-061", ("F-BAT", "F-MILD", "B", 6, 5, HALF, (6, 6, "B"))),
        *ruled("BN-062", ("F-DULL", "F-PIT", "B", 3, 1, ("away-high", "away-low"), (3, 1, "B"))),
        *ruled("BN-065", ("F-DULL", "F-PIT", "B", 3, 4, FOOLED, (4, 3, "B"))),
        *ruled("BN-065", ("F-DULL", "F-PIT", "B", 3, 4, HALF, (3, 3, "B"))),
        # +1 and -1 together leave a die as it is, at its lowest and highest face too.
        *ruled("BN-138", *(("F-BAT", "F-PIT", "B", n, 1, (ACE, "away-high"), (n, 1, "B")) for n in (6, 1, 3))),
    ],
)
def test_abilities_change_dice(
    batter: str,
    pitcher: str,
    letter: str,
    control: int,
    swing: int,
    calls: tuple[str, str],
    expected: tuple[int, int, str],
) -> None:
    assert expected == counted(throw(at(batter=batter, pitcher=pitcher), letter, control, swing, *calls))


@pytest.mark.rule("BN-045")
def test_an_ability_lasts_for_one_pitch() -> None:
    """With half guessed, the swing is one better; fooled in the next round, it is not."""
    table = throw(at(batter="F-BAT"), "B", 3, 3, "away-low", "away-high")
    assert (3, 4, "B") == counted(table)
    assert {"home": set(), "away": set()} == held(table)
    assert (3, 3, "B") == counted(throw(table, "B", 3, 3))


@pytest.mark.rule("BN-046")
def test_the_ace_alone_turns_its_slot_on() -> None:
    table = stare(at(pitcher="F-PIT"), ACE, "away-high")
    assert "ace" in on(table, "away")
    play(table, [3, "S"], 5)
    assert ((4, 5, "C"), "strike") == (counted(table), result(table))


@pytest.mark.rule("BN-050")
@each(("thrown", "guess"), CALLS)
def test_mvp_needs_both_tokens(thrown: str, guess: str) -> None:
    assert (thrown == guess) == ("mvp" in duel(thrown, guess)[0])
    letter = counted(throw(at(batter="F-BAT"), "C", 4, 2, thrown, guess))[2]
    assert ("S" if thrown == guess else "C") == letter


@pytest.mark.parametrize(
    ("before", "thrown", "guess", "after"),
    [
        *ruled("BN-051", ((0, 0), "inside-low", ACE, (1, 0)), ((0, 0), "away-high", ACE, (0, 1))),
        *ruled("BN-052", ((0, 0), ACE, "away-low", (1, 1))),
        *ruled("BN-053", ((1, 1), "away-low", ACE, (1, 1))),
        # Guessed or not.
        *ruled("BN-054", *(((0, 0), ACE, guess, (1, 1)) for guess in PITCH_CODES)),
    ],
)
def test_parts_of_the_ace_tire(before: tuple[int, int], thrown: str, guess: str, after: tuple[int, int]) -> None:
    assert after == rows(stare(at(pitcher="F-PIT", rows=before), thrown, guess))


@pytest.mark.rule("BN-055", "BN-056", "BN-057")
@each(
    ("before", "wrong", "thrown", "after", "told"),
    [
        ((3, 0), ("inside-high", "inside-low"), "away-high", (3, 1), 0),
        # A pitch that exhausts a part still counts.
        ((2, 0), (), "inside-low", (3, 0), 1),
        # With both tokens in the last row, one pitch is left, and tires neither.
        ((3, 3), ("inside-high", "inside-low", "away-high"), "away-low", (3, 3), 0),
    ],
)
def test_exhausted_parts_are_refused(
    before: tuple[int, int], wrong: tuple[str, ...], thrown: str, after: tuple[int, int], told: int
) -> None:
    table = at(rows=before)
    assert set(PITCH_CODES) - set(wrong) == set(offered(table, "away"))
    for one in wrong:
        with pytest.raises(IllegalAnswer):
            give(table, "away", one)
    stare(table, thrown)
    assert (after, told) == (rows(table), codes(table.log).count("exhausted"))
    assert list(panel(table, "fatigue")["exhausted"]) == ["inside"] * (after[0] == 3) + ["high"] * (after[1] == 3)


@pytest.mark.rule("BN-058")
def test_there_is_no_relief_before_the_cleanup() -> None:
    """Relief is refused during the stare-down, the pitch, the swing and the race."""
    table = at(rows=(2, 2))
    steps: list[Callable[[], Table]] = [lambda: stare(table), lambda: play(table, [1, "S"]), lambda: play(table, 5)]
    steps.append(lambda: dash(table, "away"))
    for step in steps:
        for n, ask in table.open_asks():
            with pytest.raises(EngineError):
                table.answer_ask(ask.seat, n, "relief-1-1")
        assert (2, 2) == rows(table)
        step()
    assert (1, 1) == rows(play(table, "relief-1-1"))


def test_a_phone_may_enter_the_parts_one_by_one() -> None:
    for _, ask in ready().open_asks():
        assert (("inside", "away"), ("high", "low")) == ask.facts["parts"]
