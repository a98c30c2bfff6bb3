"""What holds in every game of Clutch, whatever is chosen, rolled, taken back or corrected, under any house rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask, Roll
from engine.cards import Deck
from engine.diamond import runners
from engine.game import drive
from engine.games.clutch import GAME
from engine.games.clutch.cards.card_types import FIELD
from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.numbers import modifiers
from engine.games.clutch.rules import ACTIONS
from engine.games.clutch.state import State
from engine.scoreboard import line_score
from engine.seats import SEATS, Seat
from engine.table import Table
from tests.engine.games.clutch.field import state
from tests.engine.games.clutch.fixture import deck
from tests.engine.tables import (
    examples,
    houses,
    inside,
    meddle,
    numbered,
    refuses_others,
    replays,
    step,
    undo_never_happened,
)
from tests.engine.tables import pick as any_of

DECKS = (house_deck(GAME), deck())

HOUSES = st.builds(
    lambda house, level: {**house, "format": "open", "leagueOnly": "off", "level": level},
    houses(GAME),
    st.sampled_from(("full", "full", "players", "basic")),
)
CHOICES = numbered(700)
WHICH = st.integers(0, 1)

PLAIN = ("line-up", "starter", "mulligan", "defence", "offence", "changes", "walk")
"""Asks in which the first answer is given now and then, or a game would be nothing but substitutions."""

Holds = Callable[[State, State, Table], None]
"""Something that must hold: with the state before an answer and after it, and the table after it."""


def pick(ask: Ask, number: int) -> object:
    """A legal answer; where players come and go mostly the one that changes nothing."""
    return any_of(ask, 0 if inside(ask).why in PLAIN and number % 4 else number)


def walk(house: dict[str, str], numbers: list[int], which: int) -> Iterator[tuple[State, State, Table]]:
    """A game or a series, answer by answer."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers:
        before = state(table).copy()
        if not step(table, number, pick):
            return
        yield before, state(table), table


def sides(s: State) -> tuple[Seat, ...]:
    """Both sides, once they are on the field."""
    return SEATS if s.phase == "play" and not s.ended else ()


def cards(_: State, now: State, table: Table) -> None:
    """No strategy card is lost or doubled: all of a deck lie somewhere, or are being played."""
    if not now.full or not now.dealt:
        return
    for side in sides(now):
        squad = now.squad(side)
        held = [one.peek() for pile in (squad.bottom, squad.top, squad.hand) for one in pile]
        kept = [one.name for one in now.kept if one.side == side and one.kind == "strategy"]
        there = Counter([*squad.deck, *held, *squad.discard, *kept])
        whole = Counter(squad.roster.deck)
        assert not there - whole
        played = Counter(one.name for one in now.at.played if one.side == side)
        assert not whole - there - played


def hands(_: State, now: State, table: Table) -> None:
    """At the Pitch Roll and at a bunt nobody holds more than seven cards, but for what cards allow (CL-076)."""
    for _n, ask in table.asks():
        if isinstance(ask, Roll) and ask.why in ("pitch", "bunt") and now.at.pitch_natural is None and not now.at.bunt:
            for side in SEATS:
                assert now.holds(side) <= max(0, 7 + modifiers.added(now, "hand_limit", side=side))


def field(_: State, now: State, table: Table) -> None:
    """One runner on a base, all of the side at bat and none of them the batter; outs up to three."""
    on = [one.name for one in runners(now.bases)]
    assert len(set(on)) == len(on)
    assert 0 <= now.outs <= 3
    if now.begun and sides(now):
        assert set(on) <= set(now.squad(now.offence).order)
        asking = [ask.why for _, ask in table.asks()]
        assert "pitch" not in asking or now.batter.name not in on


def nine(before: State, now: State, table: Table) -> None:
    """Nine bat and each position is filled once; who has left does not come back (CL-082, CL-123)."""
    for side in sides(now):
        squad = now.squad(side)
        assert len(set(squad.order)) == len(squad.order) in (8, 9)
        assert len(squad.order) < 9 or set(FIELD) == set(squad.spots)
        people = [*squad.order, *squad.bench]
        assert len(set(people)) == len(people)
        assert not set(squad.gone) & set(squad.bench)
        if before.game == now.game and before.phase == now.phase:
            assert set(before.squad(side).gone) <= set(squad.gone)


def runs(before: State, now: State, table: Table) -> None:
    """The score is the sum of the line; nobody but the side at bat scores."""
    if not sides(now):
        return
    line = line_score(table.log).lines
    assert list(now.score) == [sum(one or 0 for one in line[side]) for side in SEATS]
    assert all(new >= old for old, new in zip(before.score, now.score, strict=True)) or before.game != now.game


def arms(_: State, now: State, table: Table) -> None:
    """Pitchers of a side share its opponents' outs and runs; nobody's limit is below nothing."""
    for i, side in enumerate(SEATS):
        if side in sides(now):
            outs = sum(arm.outs for arm in now.arms[i].values())
            assert outs <= 27 + 3 * max(0, now.clock.inning - 9)
            assert sum(arm.runs for arm in now.arms[i].values()) <= now.score[1 - i]
            assert all(0 <= arm.earned <= arm.runs for arm in now.arms[i].values())


def at_bats(_: State, now: State, table: Table) -> None:
    """No at-bat goes on for ever."""
    begun = next((n for n, told in enumerate(reversed(table.log)) if told.event.code == "at-bat"), 0)
    assert begun < 120


HOLDS: tuple[Holds, ...] = (cards, hands, field, nine, runs, arms, at_bats)


@pytest.mark.rule("CL-076", "CL-082", "CL-123")
@examples(25)
@given(HOUSES, CHOICES, WHICH)
def test_all_of_it_holds(house: dict[str, str], numbers: list[int], which: int) -> None:
    """After every answer."""
    for before, now, table in walk(house, numbers, which):
        for holds in HOLDS:
            holds(before, now, table)
        assert table.asks() or table.outcome


@examples(6)
@given(HOUSES, CHOICES, WHICH)
def test_each_chair_answers_its_own(house: dict[str, str], numbers: list[int], which: int) -> None:
    """The other chair's answer is refused and changes nothing."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers[::3]:
        refuses_others(table, number, pick)
        if not step(table, number, pick):
            break


# The cap -------------------------------------------------------------------------------------------------------------

AMOUNTS = st.lists(st.tuples(st.sampled_from(("away", "home", None)), st.integers(-6, 6)), max_size=8)


@pytest.mark.rule("CL-209", "CL-210", "CL-211", "CL-214")
@examples(300)
@given(AMOUNTS)
def test_no_manager_moves_a_number_by_more_than_three(amounts: list[tuple[Seat | None, int]]) -> None:
    """In one direction, whatever he plays; the stadium may, and the other manager has a cap of his own."""
    s = State(house={rule.key: rule.values[0] for rule in HOUSE_RULES}, actions=ACTIONS)
    mine = [amount for amount in amounts if amount[0] == "away"]
    assert -3 <= modifiers.capped(s, mine) <= 3
    up = [amount for amount in mine if amount[1] > 0]
    down = [amount for amount in mine if amount[1] < 0]
    assert modifiers.capped(s, mine) == min(3, sum(n for _, n in up)) + max(-3, sum(n for _, n in down))
    theirs = [amount for amount in amounts if amount[0] == "home"]
    nobody = [amount for amount in amounts if amount[0] is None]
    assert modifiers.capped(s, amounts) == modifiers.capped(s, mine) + modifiers.capped(s, theirs) + sum(
        n for _, n in nobody
    )


# Ends ----------------------------------------------------------------------------------------------------------------


def played_out(house: dict[str, str], seed: int, cards: Deck) -> State:
    """The end of a game or a series at random."""
    dice = random.Random(seed)

    def answer(ask: Ask) -> object:
        return pick(ask, dice.randrange(1 << 16))

    return drive(GAME, state(Table(GAME, [cards], house)).copy(), answer)


@examples(6)
@given(HOUSES, st.integers(0, 1 << 32), WHICH)
def test_a_bare_playout_ends(house: dict[str, str], seed: int, which: int) -> None:
    """Under any house rules: no window that nobody can leave, no half-inning without an end."""
    end = played_out(house, seed, DECKS[which])
    assert end.outcome
    games = int(house.get("series", "1"))
    assert sum(end.won) <= games
    assert max(end.won) * 2 > games or sum(end.won) == games


# Taking back, correcting, restoring ----------------------------------------------------------------------------------


@examples(8)
@given(HOUSES, numbered(160), WHICH, st.data())
def test_undo_never_happened(house: dict[str, str], numbers: list[int], which: int, data: st.DataObject) -> None:
    """Taking back an answer, with what was revealed together with it, and giving all again leads to the same place."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers:
        if not step(table, number, pick):
            break
    undo_never_happened(table, data.draw(st.sampled_from(table.answers)).n)


@examples(8)
@given(HOUSES, numbered(160), WHICH)
def test_a_journal_replays_to_the_same_table(house: dict[str, str], numbers: list[int], which: int) -> None:
    """With answers taken back and corrected in it, through JSON; and a clone taken anywhere is the same."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers:
        if not meddle(table, number, pick):
            break
    assert len(replays(table)) == len(table.journal)
    assert all(one.n < two.n for one, two in pairwise(table.answers))
