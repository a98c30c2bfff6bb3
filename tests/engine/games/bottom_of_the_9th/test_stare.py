"""The stare-down: BN-032 to BN-062, BN-138."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from engine.errors import EngineError, IllegalAnswer, InvalidAnswer, StaleAnswer
from engine.games.bottom_of_the_9th.cards import PITCHES
from engine.seats import SEATS, Seat, other
from engine.secrets import HIDDEN
from engine.table import Table
from engine.views import plain
from tests.engine.games.bottom_of_the_9th.fixture import (
    at,
    contact,
    count,
    counted,
    dash,
    deck,
    held,
    judged,
    on,
    ready,
    result,
    rows,
    stand,
    stare,
    throw,
)
from tests.engine.tables import asked, board, codes, give, offered, panel, play

ACE = "inside-high"
ROUND = {"guess", "pitch-call"}


@pytest.mark.rule("BN-032")
def test_a_round_is_a_pitch() -> None:
    table = throw(at(), "S", 4, 3)
    assert (ROUND, "F-DULL", "0-1") == (set(asked(table)), board(table).batter, count(table))


@pytest.mark.rule("BN-033")
def test_four_pitches_to_choose_and_to_guess() -> None:
    """Inside or away, high or low: every combination, for both; the pitcher's less what is exhausted."""
    four = tuple(f"{one}-{two}" for one in ("inside", "away") for two in ("high", "low"))
    assert (four, four) == (offered(at(), "home"), offered(at(), "away"))
    tired = at(rows=(3, 0))
    assert (four, ("away-high", "away-low")) == (offered(tired, "home"), offered(tired, "away"))


@pytest.mark.rule("BN-034")
def test_phases_come_in_order() -> None:
    """Stare-down, pitch, swing, run, cleanup; at each the answers of all others are refused."""
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
    """Assert that no open ask takes this answer from either seat."""
    for n, _ in table.asks():
        for seat in SEATS:
            with pytest.raises(EngineError):
                table.answer(seat, n, value)


@pytest.mark.rule("BN-035")
@pytest.mark.parametrize(("letter", "control", "swing"), [("S", 5, 2), ("B", 5, 2), ("S", 4, 4)])
def test_no_race_without_contact(letter: str, control: int, swing: int) -> None:
    assert ROUND == set(asked(throw(at(), letter, control, swing)))


@pytest.mark.rule("BN-036")
@pytest.mark.parametrize("half", ["inside", "high", "", "inside-", "low-away", None, ["inside", "high"]])
def test_a_choice_is_both_parts(half: object) -> None:
    for seat in SEATS:
        table = at()
        with pytest.raises((IllegalAnswer, InvalidAnswer)):
            give(table, seat, half)
        assert ROUND == set(asked(table))


@pytest.mark.rule("BN-037")
@pytest.mark.parametrize("first", SEATS)
def test_both_are_revealed_at_once(first: Seat) -> None:
    """While one has decided the other sees only that; with both decided both see both."""
    table = at()
    give(table, first, "inside-low")
    view = plain(table.view(other(first)))
    assert ([other(first)], {}) == ([ask["seat"] for ask in view["asks"]], view["given"])
    assert [] == view["scoreboard"]["panel"]["pitch"]["thrown"]
    assert HIDDEN == table.entries(None)[-1]["value"]
    give(table, other(first), "away-low")
    mine, theirs = ["inside", "low"], ["away", "low"]
    for seat in (*SEATS, None):
        shown = plain(table.view(seat))["scoreboard"]["panel"]["pitch"]
        assert ((mine, theirs) if first == "away" else (theirs, mine)) == (shown["thrown"], shown["guess"])
    assert HIDDEN not in [entry["value"] for entry in table.entries(None)]


@pytest.mark.rule("BN-038")
def test_no_change_after_the_reveal() -> None:
    table = stare(at())
    for n, seat in ((0, SEATS[1]), (1, SEATS[0])):
        with pytest.raises(StaleAnswer):
            table.answer(seat, n, "away-high")


CALLS = list(itertools.product(PITCHES, PITCHES))


@pytest.mark.rule("BN-039", "BN-040")
@pytest.mark.parametrize(("thrown", "guess"), CALLS)
def test_each_part_gives_its_token_to_one_seat(thrown: str, guess: str) -> None:
    parts = zip(("direction", "location"), thrown.split("-"), guess.split("-"), strict=True)
    right = {part for part, one, two in parts if one == two}
    assert {"home": right, "away": {"direction", "location"} - right} == held(stare(at(), thrown, guess))


@pytest.mark.rule("BN-039", "BN-040")
def test_half_right() -> None:
    """Inside high against inside low: home has the direction, away the location."""
    expected = {"home": {"direction"}, "away": {"location"}}
    assert expected == held(stare(at(), "inside-high", "inside-low"))


@pytest.mark.rule("BN-041")
def test_both_right() -> None:
    expected = {"home": {"direction", "location"}, "away": set[str]()}
    assert expected == held(stare(at(), "away-low", "away-low"))


@pytest.mark.rule("BN-042")
def test_both_wrong() -> None:
    expected = {"home": set[str](), "away": {"direction", "location"}}
    assert expected == held(stare(at(), "away-low", "inside-high"))


def duel(thrown: str, guess: str, pitcher: str = "F-PIT") -> tuple[set[str], set[str]]:
    """What is on for F-BAT and for the pitcher."""
    table = stare(at(batter="F-BAT", pitcher=pitcher), thrown, guess)
    return on(table, "home"), on(table, "away")


@pytest.mark.rule("BN-043")
def test_tokens_switch_on_abilities() -> None:
    assert ({"direction"}, {"location", "ace"}) == duel(ACE, "inside-low")
    table = throw(at(batter="F-BAT", pitcher="F-PIT"), "B", 3, 3, "away-high", "away-low")
    assert (3, 3, "B") == counted(table)
    table = throw(at(batter="F-BAT", pitcher="F-MILD"), "B", 3, 3, "away-high", "away-low")
    assert (3, 4, "B") == counted(table)


@pytest.mark.rule("BN-044")
def test_without_its_token_an_ability_is_off() -> None:
    """With only the location F-PIT does not add to the control die; with only the direction he takes nothing off."""
    table = throw(at(pitcher="F-PIT"), "B", 3, 3, "away-high", "away-low")
    assert (3, 2, "B") == counted(table)
    table = throw(at(pitcher="F-PIT"), "B", 3, 3, "away-high", "inside-high")
    assert (4, 3, "B") == counted(table)
    assert (set(), {"direction", "location"}) == duel("away-low", "inside-high")


@pytest.mark.rule("BN-045")
def test_an_ability_lasts_for_one_pitch() -> None:
    """Half guessed, the swing is one better; in the next round, fooled, it is not."""
    table = throw(at(batter="F-BAT"), "B", 3, 3, "away-low", "away-high")
    assert (3, 4, "B") == counted(table)
    assert {"home": set(), "away": set()} == held(table)
    assert (3, 3, "B") == counted(throw(table, "B", 3, 3))


@pytest.mark.rule("BN-046")
def test_the_ace_is_on_by_itself() -> None:
    table = stare(at(pitcher="F-PIT"), ACE, "away-high")
    assert "ace" in on(table, "away")
    play(table, [3, "S"], 5)
    assert ((4, 5, "C"), "strike") == (counted(table), result(table))


@pytest.mark.rule("BN-047")
@pytest.mark.parametrize(("thrown", "guess"), [("away-low", "inside-low"), ("inside-low", "away-low")])
def test_another_pitch_is_no_ace(thrown: str, guess: str) -> None:
    table = throw(at(pitcher="F-PIT"), "S", 3, 5, thrown, guess)
    assert "S" == counted(table)[2]
    assert "ace" not in duel(thrown, guess)[1]


@pytest.mark.rule("BN-048")
def test_an_ace_guessed_whole_is_cancelled() -> None:
    assert ({"direction", "location", "mvp"}, set()) == duel(ACE, ACE)
    assert "S" == counted(throw(at(pitcher="F-PIT"), "S", 3, 5, ACE, ACE))[2]


@pytest.mark.rule("BN-049")
@pytest.mark.parametrize("guess", ["inside-low", "away-high"])
def test_half_a_guess_does_not_cancel_it(guess: str) -> None:
    batter, pitcher = duel(ACE, guess)
    assert "ace" in pitcher
    assert {"direction" if guess == "inside-low" else "location"} == batter


@pytest.mark.rule("BN-050")
@pytest.mark.parametrize(("thrown", "guess"), CALLS)
def test_mvp_needs_both(thrown: str, guess: str) -> None:
    assert (thrown == guess) == ("mvp" in duel(thrown, guess)[0])
    letter = counted(throw(at(batter="F-BAT"), "C", 4, 2, thrown, guess))[2]
    assert ("S" if thrown == guess else "C") == letter


@pytest.mark.rule("BN-051")
@pytest.mark.parametrize(("thrown", "expected"), [("inside-low", (1, 0)), ("away-high", (0, 1))])
def test_a_part_of_the_ace_tires(thrown: str, expected: tuple[int, int]) -> None:
    assert expected == rows(stare(at(), thrown))


@pytest.mark.rule("BN-052")
def test_the_whole_ace_tires_both() -> None:
    assert (1, 1) == rows(stare(at(), ACE, "away-low"))


@pytest.mark.rule("BN-053")
def test_nothing_of_the_ace_tires_nothing() -> None:
    assert (1, 1) == rows(stare(at(rows=(1, 1)), "away-low"))


@pytest.mark.rule("BN-054")
@pytest.mark.parametrize("guess", PITCHES)
def test_guessed_or_not_it_tires(guess: str) -> None:
    assert (1, 1) == rows(stare(at(pitcher="F-PIT"), ACE, guess))


@pytest.mark.rule("BN-055")
def test_exhausted_parts_are_refused() -> None:
    table = at(rows=(3, 0))
    for wrong in ("inside-high", "inside-low"):
        with pytest.raises(IllegalAnswer):
            give(table, "away", wrong)
    stare(table, "away-high")
    assert (3, 1) == rows(table)


@pytest.mark.rule("BN-056")
def test_the_last_throw_is_good() -> None:
    table = stare(at(rows=(2, 0)), "inside-low")
    assert ((3, 0), ["inside"]) == (rows(table), list(panel(table, "fatigue")["exhausted"]))
    assert 1 == codes(table.log).count("exhausted")


@pytest.mark.rule("BN-057")
def test_one_pitch_is_always_left() -> None:
    """With both in the last row only the pitch without any of the ace is left, and it tires nothing."""
    table = at(rows=(3, 3))
    assert ("away-low",) == offered(table, "away")
    assert (3, 3) == rows(stare(table))


@pytest.mark.rule("BN-058")
def test_no_rest_before_the_cleanup() -> None:
    """Relief is refused in the stare-down, with the pitch, the swing and the race."""
    table = at(rows=(2, 2))
    steps: list[Callable[[], Table]] = [lambda: stare(table), lambda: play(table, [1, "S"]), lambda: play(table, 5)]
    steps.append(lambda: dash(table, "away"))
    for step in steps:
        for n, ask in table.asks():
            with pytest.raises(EngineError):
                table.answer(ask.seat, n, "relief-1-1")
        assert (2, 2) == rows(table)
        step()
    assert (1, 1) == rows(play(table, "relief-1-1"))


@pytest.mark.rule("BN-059")
def test_an_ability_changes_a_die() -> None:
    assert (4, 5, "S") == counted(throw(at(batter="F-BAT"), "S", 4, 4, "away-low", "away-high"))


@pytest.mark.rule("BN-060")
def test_an_ability_looks_at_dice_as_they_fell() -> None:
    table = throw(at(pitcher="F-TRIG"), "S", 5, 3)
    assert (6, 3, "S") == counted(table)
    table = throw(at(pitcher="F-TIRE"), "S", 6, 3)
    assert (5, 3, "C") == counted(table)


@pytest.mark.rule("BN-061")
def test_no_die_above_six() -> None:
    assert (6, 3, "B") == counted(throw(at(pitcher="F-TRIG"), "B", 6, 3))
    assert (6, 6, "B") == counted(throw(at(batter="F-BAT"), "B", 6, 5, "away-low", "away-high"))


@pytest.mark.rule("BN-062")
def test_no_die_below_one() -> None:
    assert (3, 1, "B") == counted(throw(at(pitcher="F-PIT"), "B", 3, 1, "away-high", "away-low"))


@pytest.mark.rule("BN-138")
@pytest.mark.parametrize(("control", "expected"), [(6, 6), (1, 1), (3, 3)])
def test_changes_are_summed_first(control: int, expected: int) -> None:
    """One more and one less leave a die as it is, at the ends too: F-PIT's direction against F-BAT's location."""
    table = throw(at(batter="F-BAT", pitcher="F-PIT"), "B", control, 1, "inside-high", "away-high")
    assert expected == counted(table)[0]


def test_the_reveal_is_told_in_words() -> None:
    table = stare(at(), "away-low", "away-high")
    assert "F-MILD throws away low; F-DULL looked for away high and is half right." == table.last()
    assert ["guessed", "fooled"] == [codes(stare(at(), "away-low", guess).log)[-1] for guess in ("away-low", ACE)]


def test_a_hand_may_take_the_parts_one_by_one() -> None:
    for _, ask in ready().asks():
        assert (("inside", "away"), ("high", "low")) == ask.facts["parts"]


def test_a_round_without_tokens_changes_nothing() -> None:
    """With no abilities at all the dice count as they fell, whatever was guessed."""
    for thrown, guess in CALLS:
        table = throw(at(), "B", 4, 2, thrown, guess)
        assert ((4, 2, "B"), ["ball"]) == (counted(table), judged(table))
    assert ("", 0) == stand(table)
    assert {"call-safe", "call-out"} == set(asked(contact(at(cards=deck()))))
