"""What holds in every game of Small Ball, whatever is chosen, thrown, taken back or corrected."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask, Choose
from engine.errors import EngineError, StaleAnswer
from engine.game import drive
from engine.games.small_ball import GAME
from engine.games.small_ball.rules import hit_and_run_fits, on_contact
from engine.games.small_ball.state import State
from engine.seats import SEATS
from engine.table import Table
from tests.engine import tables
from tests.engine.games.small_ball.fixture import deck
from tests.engine.tables import shot

DECKS = (house_deck(GAME), deck())

HOUSES = tables.houses(GAME)


CHOICES = tables.numbered(400)

quick = tables.examples(40)


def pick(ask: Ask, number: int) -> Any:
    """A legal answer; batting twice as often as anything else, so that halves go on."""
    if isinstance(ask, Choose):
        options = [*ask.options, *[option for option in ask.options if option in ("bat", "bat-on")]]
        return options[number % len(options)]
    return number % 6 + 1


def state(table: Table) -> State:
    """The true state of the game."""
    assert isinstance(table.state, State)
    return table.state


def start(house: Mapping[str, str], which: int = 0) -> Table:
    """A new game."""
    return Table(GAME, [DECKS[which]], house)


def step(table: Table, number: int) -> bool:
    """One answer; False when the game is over."""
    return tables.step(table, number, pick)


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_players_are_counted_and_outs_are_outs(house: dict[str, str], numbers: list[int], which: int) -> None:
    """Who is out, in or on base are the batters of this half, each once; outs are those in OUTS; nobody else is up."""
    table = start(house, which)
    for number in numbers:
        if table.outcome:
            break
        now = state(table)
        on = [runner for runner in now.bases if runner is not None]
        through = [*now.retired, *now.scored, *on]
        assert len(set(through)) == len(through) == now.batted <= 8
        assert min(3, len(now.retired)) == now.outs <= 2
        if now.sides:
            assert now.batter.number not in through
        if not step(table, number):
            break


@quick
@given(HOUSES, CHOICES, st.integers(0, 1))
def test_the_score_moves_only_when_a_half_ends(house: dict[str, str], numbers: list[int], which: int) -> None:
    """By what is at stake when banked, by nothing in a bust, and only for the team at bat; the board shows it."""
    table = start(house, which)
    for number in numbers:
        before, clock, side = state(table).score, state(table).clock, state(table).side
        length = len(table.log)
        if not step(table, number):
            break
        ended = [told.event for told in table.log[length:] if "runs" in told.event.facts]
        gained = sum(event.facts["runs"] for event in ended)
        expected = (before[0] + gained, before[1]) if side == 0 else (before[0], before[1] + gained)
        assert expected == state(table).score
        assert len(ended) <= 1
        assert bool(ended) == (state(table).clock != clock or table.outcome is not None)
        assert all(event.code != "bust" or gained == 0 for event in ended)
        sides = table.scoreboard().sides
        assert state(table).score == (sides["away"].runs, sides["home"].runs)
        assert state(table).score == tuple(sum(cell or 0 for cell in sides[seat].line) for seat in SEATS)


@quick
@given(HOUSES, CHOICES)
def test_an_extra_base_has_one_cause(house: dict[str, str], numbers: list[int]) -> None:
    """Never could a hit-and-run be called while runners go on contact."""
    table = start(house)
    for number in numbers:
        if state(table).sides:
            assert not (hit_and_run_fits(state(table)) and on_contact(state(table)))
        if not step(table, number):
            break


@quick
@given(HOUSES, CHOICES)
def test_a_half_ends(house: dict[str, str], numbers: list[int]) -> None:
    """No half has more than nine at-bats and eight steals, and no steal comes before the first at-bat."""
    table = start(house)
    for number in numbers:
        if not step(table, number):
            break
    at_bats = steals = 0
    for one in table.answers:
        told = [line.event.code for line in table.log if line.n == one.n]
        at_bats += one.ask.why in ("at-bat", "sacrifice")
        if "steal" in one.ask.why:
            steals += 1
            assert at_bats
        assert (at_bats <= 9, steals <= 8) == (True, True)
        if "half-inning" in told:
            at_bats = steals = 0


@quick
@given(HOUSES, CHOICES)
def test_only_the_team_at_bat_can_do_anything(house: dict[str, str], numbers: list[int]) -> None:
    """Every ask is the batting seat's, but for who is away and who comes back; the other's answers are refused."""
    table = start(house)
    for number in numbers:
        for _, ask in table.asks():
            assert ask.seat == state(table).seat or ask.why in ("away-team", "coin-flip", "reactivate")
        tables.refuses_others(table, number, pick)
        if not step(table, number):
            break


@tables.examples(20)
@given(HOUSES, tables.numbered(60), st.data())
def test_undo_never_happened(house: dict[str, str], numbers: list[int], data: st.DataObject) -> None:
    """Taking back answer n leaves the table as it was when n was asked, and it can be played on the same way."""
    table = start(house)
    shots = [shot(table)]
    for number in numbers:
        if not step(table, number):
            break
        shots.append(shot(table))
    n = data.draw(st.integers(0, len(table.answers) - 1))
    values = [one.value for one in table.answers]
    table.undo(n)
    assert shots[n] == shot(table)
    for value in values[n:]:
        ((place, ask),) = table.asks()
        table.answer(ask.seat, place, value)
    assert shots[-1] == shot(table)


@tables.examples(30)
@given(HOUSES, tables.numbered(120), st.data())
def test_amend_keeps_what_still_fits(house: dict[str, str], numbers: list[int], data: st.DataObject) -> None:
    """The corrected game is the one played so from the start, up to the first answer that fits no more."""
    table = start(house)
    for number in numbers:
        if not step(table, number):
            break
    one = data.draw(st.sampled_from(table.answers))
    value = pick(one.ask, data.draw(st.integers(0, 11)))
    later = [each for each in table.answers if each.n > one.n]
    before = shot(table)
    preview = table.preview(one.n, value)
    assert before == shot(table)

    expected = start(house)
    for each in table.answers[: one.n]:
        expected.answer(each.ask.seat, each.n, each.value)
    told = expected.answer(one.ask.seat, one.n, value)
    kept = []
    for each in later:
        asks = dict(expected.asks())
        if each.n not in asks or (asks[each.n].seat, asks[each.n].why) != (each.ask.seat, each.ask.why):
            break
        try:
            told += expected.answer(each.ask.seat, each.n, each.value)
        except EngineError:
            break
        kept.append(each.n)

    heard = table.amend(one.n, value)
    assert shot(expected) == shot(table)
    assert told == heard[1:] == preview.events
    assert (tuple(kept), tuple(each.n for each in later[len(kept) :])) == (preview.kept, preview.dropped)
    assert table.scoreboard() == preview.after


@tables.examples(30)
@given(HOUSES, tables.numbered(200))
def test_a_journal_replays_to_the_same_table(house: dict[str, str], numbers: list[int]) -> None:
    """With answers taken back and corrected in it, through JSON, and a clone taken anywhere is the same and apart."""
    table = start(house)
    for number in numbers:
        if not tables.meddle(table, number, pick):
            break
    stored, expected, twin = tables.replays(table), shot(table), table.clone()
    assert table.entries(None) == stored
    if step(twin, 1):
        assert (expected, len(stored)) == (shot(table), len(table.journal))
        assert step(table, 1)
        assert shot(twin) == shot(table)


@tables.examples(25)
@given(HOUSES, st.integers(0, 1 << 32))
def test_a_bare_playout_is_the_same_game(house: dict[str, str], seed: int) -> None:
    """Driven without a table, the same answers give the same end; and then nothing is asked any more."""
    dice = random.Random(seed)
    values: list[Any] = []

    def answer(ask: Ask) -> Any:
        values.append(pick(ask, dice.randrange(1 << 16)))
        return (values[-1],) if isinstance(values[-1], int) else values[-1]

    table = start(house)
    end = drive(GAME, table.state.copy(), answer)
    for value in values:
        ((n, ask),) = table.asks()
        table.answer(ask.seat, n, value)
    assert end.outcome
    assert (end.outcome, ()) == (table.outcome, table.asks())
    with pytest.raises(StaleAnswer):
        table.answer("away", len(values), "bat")
