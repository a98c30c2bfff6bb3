"""What holds in every game of RallyBird, whatever is chosen, laid, thrown, taken back or corrected."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask, Choose, Secret
from engine.diamond import runners
from engine.game import drive
from engine.games.rallybird import GAME
from engine.games.rallybird.state import State
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.games.rallybird.fixture import deck, true
from tests.engine.tables import (
    examples,
    houses,
    inside,
    meddle,
    numbered,
    pick,
    refuses_others,
    replays,
    score,
    step,
    undo_never_happened,
)

DECKS = (house_deck(GAME), deck())
HOUSES = houses(GAME)
CHOICES = numbered(160)
WHICH = st.integers(0, 1)


def start(house: dict[str, str], which: int = 0) -> Table:
    """A new game, in the ninth as often as not so that games end."""
    late = {"startInning": "9"} if which else {}
    return Table(GAME, [DECKS[which]], {**late, **house})


def games(house: dict[str, str], numbers: list[int], which: int) -> Iterator[tuple[State, Table, list[str]]]:
    """A game, answer by answer: the state before, the table after, and the codes told by it."""
    table = start(house, which)
    for number in numbers:
        before, length = true(table).copy(), len(table.log)
        if not step(table, number):
            return
        yield before, table, [told.event.code for told in table.log[length:]]


@examples(25)
@given(HOUSES, CHOICES, WHICH)
def test_gloves_are_counted(house: dict[str, str], numbers: list[int], which: int) -> None:
    """In play, taken away and left out make seven; six at first, and never none. Only those in play lie anywhere."""
    for _, table, told in games(house, numbers, which):
        now = true(table)
        assert 7 == len(now.gloves) + len(now.gone) + bool(now.left_out)
        assert now.gloves
        assert "glove-left-out" not in told or 6 == len(now.gloves)
        lying = [glove for _, glove in now.lying]
        assert len(set(lying)) == len(lying)
        assert set(lying) <= set(now.gloves)
        assert now.backs.isdisjoint({now.left_out})


@examples(25)
@given(HOUSES, CHOICES, WHICH)
def test_one_glove_changes_at_most(house: dict[str, str], numbers: list[int], which: int) -> None:
    """From front to back to nowhere, never backwards in a half, and not by a card that wears none."""
    for before, table, told in games(house, numbers, which):
        now = true(table)
        if "third-out" in told or "half-inning" in told:
            continue
        assert before.backs <= now.backs
        assert before.gone <= now.gone <= now.backs
        changed = (now.backs - before.backs) | (now.gone - before.gone)
        assert len(changed) == told.count("flipped") + told.count("removed") <= 1
        shown = now.at_bat.card
        if changed:
            assert shown
            assert shown.wears


@examples(25)
@given(HOUSES, CHOICES, WHICH)
def test_cubes_are_enough(house: dict[str, str], numbers: list[int], which: int) -> None:
    """Batter and runners are different cubes, four at most; two outs at most are shown while a half goes on."""
    for _, table, _ in games(house, numbers, which):
        now = true(table)
        on = runners(now.bases)
        if not table.outcome:
            assert len({now.batter, *on}) == len(on) + 1 <= 4
            assert now.outs <= 2
        assert {now.batter, *on} <= {1, 2, 3, 4}


@examples(25)
@given(HOUSES, CHOICES, WHICH)
def test_runs_are_on_the_board(house: dict[str, str], numbers: list[int], which: int) -> None:
    """The score is the sum of the line, moves only for Offence, and by what is told."""
    for before, table, _ in games(house, numbers, which):
        sides = table.scoreboard().sides
        assert score(table) == tuple(sum(cell or 0 for cell in sides[seat].line) for seat in ("away", "home"))
        assert score(table) == true(table).score
        side = 0 if before.offence == "away" else 1
        assert before.score[1 - side] == true(table).score[1 - side]
        assert before.score[side] <= true(table).score[side]


@examples(20)
@given(HOUSES, CHOICES, WHICH)
def test_the_hand_stays_the_same_through_a_half(house: dict[str, str], numbers: list[int], which: int) -> None:
    """All cards in use but the one that is out; what is offered is of it, and there is always something."""
    for _, table, _ in games(house, numbers, which):
        now = true(table)
        assert (17 if table.house["beginner"] == "false" else 16) == len(now.box.cards)
        for _, ask in table.asks():
            if ask.why in ("at-bat", "shown"):
                inner = inside(ask)
                assert isinstance(inner, Choose)
                assert inner.options
                assert set(inner.options) <= set(now.box.cards) - {now.removed.peek() if now.removed else ""}


@examples(12)
@given(HOUSES, CHOICES, WHICH)
def test_defence_hears_nothing_before_the_reveal(house: dict[str, str], numbers: list[int], which: int) -> None:
    """While Gloves are laid neither card stands in anything it is told."""
    table = start(house, which)
    for number in numbers:
        for _, ask in table.asks():
            if ask.why == "gloves" and table.house["cards"] == "secret":
                told = [table.view(ask.seat)["scoreboard"]["panel"], table.entries(ask.seat)[-1]]
                assert ({"card": None, "laid": True, "removed": HIDDEN}, HIDDEN) == (
                    {key: told[0][key] for key in ("card", "laid", "removed")},
                    told[1]["value"],
                )
        if not step(table, number):
            break


@examples(12)
@given(HOUSES, CHOICES, WHICH)
def test_each_seat_answers_its_own(house: dict[str, str], numbers: list[int], which: int) -> None:
    """The other seat's answer is refused and changes nothing."""
    table = start(house, which)
    for number in numbers:
        refuses_others(table, number)
        if not step(table, number):
            break


def test_games_end() -> None:
    """At random, for every reason."""
    ends = set()
    for seed in range(60):
        dice = random.Random(seed)
        table = start({"startInning": "9"}, seed % 2)
        while len(table.answers) < 2000 and step(table, dice.randrange(1 << 16)):
            pass
        assert table.outcome is not None
        ends.add((table.outcome.winner, table.outcome.reason))
    assert {("away", "nine-innings"), ("home", "walk-off"), ("away", "extra-innings")} <= ends


# Taking back, correcting, restoring --------------------------------------------------------------------------------


@examples(12)
@given(HOUSES, numbered(60), st.data())
def test_undo_never_happened(house: dict[str, str], numbers: list[int], data: st.DataObject) -> None:
    """Taking back an answer, with what was revealed together with it, and giving all again leads to the same place."""
    table = start(house)
    for number in numbers:
        if not step(table, number):
            break
    undo_never_happened(table, data.draw(st.sampled_from(table.answers)).n)


@examples(15)
@given(HOUSES, numbered(120), WHICH)
def test_a_journal_replays_to_the_same_table(house: dict[str, str], numbers: list[int], which: int) -> None:
    """With answers taken back and corrected in it, through JSON; and a clone taken anywhere is the same."""
    table = start(house, which)
    for number in numbers:
        if not meddle(table, number):
            break
    stored, public = replays(table), table.entries(None)
    drawn = {one.entry for one in table.answers if one.ask.why == "removed"}
    assert [HIDDEN] * len(drawn) == [public[place]["value"] for place in drawn]
    assert len(stored) == len(public)


@examples(10)
@given(HOUSES, st.integers(0, 1 << 32))
def test_a_bare_playout_ends(house: dict[str, str], seed: int) -> None:
    """Driven without a table, a game comes to an end."""
    dice = random.Random(seed)

    def answer(ask: Ask) -> Any:
        return pick(ask, dice.randrange(1 << 16))

    assert drive(GAME, start(house).state.copy(), answer).outcome
    assert isinstance(start({"visitor": "agreed"}).asks()[0][1], Secret)
