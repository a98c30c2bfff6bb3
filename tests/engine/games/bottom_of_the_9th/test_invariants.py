"""What holds in every game of Bottom of the 9th, whatever is called, thrown, taken back or corrected."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping

from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Choose
from engine.diamond import runners
from engine.game import drive
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.rules import throwable
from engine.games.bottom_of_the_9th.state import PARTS, State
from engine.seats import other
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.games.bottom_of_the_9th.fixture import deck, true
from tests.engine.tables import (
    examples,
    houses,
    inside,
    meddle,
    numbered,
    pick,
    refuses_others,
    replays,
    step,
    undo_never_happened,
)

DECKS = (house_deck(GAME), deck())

HOUSES = houses(GAME)

quick = examples(30)


CHOICES = numbered(240)


def start(house: Mapping[str, str], which: int = 0) -> Table:
    """A new game."""
    return Table(GAME, [DECKS[which]], house)


def games(house: Mapping[str, str], numbers: list[int], which: int) -> Iterator[tuple[State, Table, set[str]]]:
    """A game, answer by answer: the state before, the table after, and the codes told by it."""
    table = start(house, which)
    for number in numbers:
        before, length = true(table).copy(), len(table.log)
        if not step(table, number):
            return
        yield before, table, {told.event.code for told in table.log[length:]}


REVEALS = {"guessed", "half-guessed", "fooled"}


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_two_tokens_and_no_more(house: dict[str, str], numbers: list[int], which: int) -> None:
    """After a reveal each part's token is held by exactly one seat."""
    for _, table, told in games(house, numbers, which):
        if told & REVEALS and not true(table).pitch.over:
            home, away = (set(true(table).held(seat)) for seat in ("home", "away"))
            assert ({*PARTS}, set()) == (home | away, home & away)


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_outs_and_runners_are_the_batters_through(house: dict[str, str], numbers: list[int], which: int) -> None:
    """With no run in: as many at-bats are over as there are outs and runners, at most five; and the game ends."""
    for _, table, _ in games(house, numbers, which):
        now = true(table)
        if now.pitcher and not table.outcome:
            through = 6 - len(now.lineup) + (now.cleanup == "at-bat")
            assert now.outs + len(runners(now.bases)) == through <= 5
            assert now.batter.name not in now.bases or now.cleanup == "at-bat"
            assert now.outs <= 2
    assert table.outcome is None or (table.outcome.winner == "away") == (now.outs == 3)


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_fatigue_stays_on_the_track(house: dict[str, str], numbers: list[int], which: int) -> None:
    """Between floor and bottom; down only at the reveal, up only in the cleanup, but for the bench."""
    for before, table, told in games(house, numbers, which):
        now = true(table)
        if now.pitcher is None:
            continue
        assert now.floor == (0 if "bench" not in [one.event.code for one in table.log] else int(house_of(table)))
        assert all(now.floor <= row <= now.bottom for row in now.rows)
        if "bench" in told:
            assert (now.floor, now.floor) == now.rows or "ability" in told
            continue
        for was, row in zip(before.rows, now.rows, strict=True):
            if row > was:
                assert told & REVEALS
            if row < was:
                assert before.cleanup or now.pitch.over or "relief" in told


def house_of(table: Table) -> str:
    """The row where a reliever begins."""
    return table.house["reliefRow"]


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_there_is_always_a_pitch(house: dict[str, str], numbers: list[int], which: int) -> None:
    """At least one can be thrown, and where one is asked for it is exactly those."""
    for _, table, _ in games(house, numbers, which):
        if true(table).pitcher:
            assert throwable(true(table))
        for _, ask in table.asks():
            if ask.why == "pitch-call":
                inner = inside(ask)
                assert isinstance(inner, Choose)
                assert throwable(true(table)) == inner.options


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_the_count_is_a_count(house: dict[str, str], numbers: list[int], which: int) -> None:
    """As a stare-down begins, 0 to 3 balls and 0 to 2 strikes; the board never shows more."""
    for _, table, _ in games(house, numbers, which):
        if {ask.why for _, ask in table.asks()} & {"guess", "pitch-call"}:
            now = true(table)
            assert (now.balls in range(4), now.strikes in range(3)) == (True, True)
            assert (now.balls, now.strikes) == table.scoreboard().count


@quick
@given(CHOICES, st.integers(0, 1))
def test_a_pitch_is_what_the_table_says(numbers: list[int], which: int) -> None:
    """Of the letter and the dice as they count; a natural 6 aside, and what abilities turned."""
    less = {"B": "ball", "S": "strike", "C": "strike"}
    equal = {"B": "ball", "S": "foul", "C": "contact"}
    more = {"B": "strike", "S": "contact", "C": "strike"}
    for _, table, told in games({}, numbers, which):
        pitch = true(table).pitch
        turned = [done for done in pitch.done if done.effect.verb in ("result", "cancel")]
        if told & {"ball", "strike", "foul", "contact"} and not turned:
            event = next(one.event for one in reversed(table.log) if "letter" in one.event.facts)
            control, swing, letter = (event.facts[name] for name in ("control", "swing", "letter"))
            assert {1, 2, 3, 4, 5, 6} >= {control, swing}
            assert (less if swing < control else equal if swing == control else more)[letter] == event.code
            assert pitch.swing != 6


@examples(12)
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_no_view_tells_a_waiting_call(house: dict[str, str], numbers: list[int], which: int) -> None:
    """While one seat's call waits for the other's, nobody else's view or journal has it."""
    table = start(house, which)
    for number in numbers:
        if len(table.asks()) == 2 and {"guess", "pitch-call"} == {ask.why for _, ask in table.asks()}:
            n, ask = table.asks()[number % 2]
            shown = [json.dumps(table.view(eyes)["scoreboard"]) for eyes in (None, other(ask.seat))]
            table.answer(ask.seat, n, pick(ask, number))
            for eyes, before in zip((None, other(ask.seat)), shown, strict=True):
                assert before == json.dumps(table.view(eyes)["scoreboard"])
                assert ({}, HIDDEN) == (table.view(eyes)["given"], table.entries(eyes)[-1]["value"])
                (open_ask,) = table.view(eyes)["asks"]
                assert other(ask.seat) == open_ask["seat"]
        if not step(table, number):
            break


@quick
@given(HOUSES, CHOICES)
def test_each_seat_answers_its_own(house: dict[str, str], numbers: list[int]) -> None:
    """The other seat's answer is refused and changes nothing."""
    table = start(house)
    for number in numbers:
        refuses_others(table, number)
        if not step(table, number):
            break


def test_games_end() -> None:
    """Most of these games come to an end, by both seats and for every reason but the rare."""
    ends: set[tuple[str, str]] = set()
    for seed in range(60):
        dice = random.Random(seed)
        table = start({}, seed % 2)
        while len(table.answers) < 2000 and step(table, dice.randrange(1 << 16)):
            pass
        ends.add((table.outcome.winner, table.outcome.reason))
    assert {("away", "three-outs"), ("home", "walk-off-hit"), ("home", "walk-off-home-run")} <= ends


# Taking back, correcting, restoring ------------------------------------------------------------------------------


@examples(15)
@given(HOUSES, numbered(60), st.data())
def test_undo_never_happened(house: dict[str, str], numbers: list[int], data: st.DataObject) -> None:
    """Taking back an answer, with what was revealed together with it, and giving all again leads to the same place."""
    table = start(house)
    for number in numbers:
        if not step(table, number):
            break
    undo_never_happened(table, data.draw(st.sampled_from(table.answers)).n)


@examples(20)
@given(HOUSES, numbered(150))
def test_a_journal_replays_to_the_same_table(house: dict[str, str], numbers: list[int]) -> None:
    """With answers taken back and corrected in it, through JSON; and a clone taken anywhere is the same."""
    table = start(house)
    for number in numbers:
        if not meddle(table, number):
            break
    replays(table)


@examples(15)
@given(HOUSES, st.integers(0, 1 << 32))
def test_a_bare_playout_ends(house: dict[str, str], seed: int) -> None:
    """Driven without a table, a game comes to an end."""
    dice = random.Random(seed)
    end = drive(GAME, start(house).state.copy(), lambda ask: pick(ask, dice.randrange(1 << 16)))
    assert end.outcome
