"""Choices of Bottom of the 9th that are none: all the relief there is.

A pitcher who took less relief could have done the same with all of it: the last tests play both games side by side,
with the same dice and calls, and the tokens never fall behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.asks import Choose
from engine.table import Table
from tests.engine.games.bottom_of_the_9th.fixture import at, contact, dash, deck, rows, true
from tests.engine.games.bottom_of_the_9th.random_cards import Box, Player, Power, box
from tests.engine.games.bottom_of_the_9th.test_random_cards import legal, random_house, start
from tests.engine.tables import inside, offered, play


def out(bases: str = "", **more: Any) -> Table:
    """Play an at-bat in which the batter is thrown out with these bases taken."""
    return dash(contact(at(bases, **more)), "away")


def relief_moot(table: Table) -> str | None:
    """Return the moot answer about relief."""
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Choose), ask
    assert "relief" == ask.why
    return ask.moot_option


def test_all_relief_is_taken_where_nothing_speaks_against_it() -> None:
    """Every token goes to its top row; a part of it is a choice, and so is a reliever who may come in."""
    for where, expected in (((1, 2), "relief-1-2"), ((3, 0), "relief-3-0"), ((2, 2), None), ((3, 1), None)):
        assert expected == relief_moot(out(rows=where, reliever=None))
    assert None is relief_moot(out(rows=(1, 2)))
    assert None is relief_moot(out("1", rows=(2, 1), reliever=None))
    assert "relief-0-2" == relief_moot(out("1", rows=(0, 2), reliever=None))


def test_relief_is_a_choice_where_a_card_looks_at_the_rows() -> None:
    """Of the pitcher or of a batter still to come; a blank card may."""
    tired = '{ do = "swing -1", when = { direction_row = 3 } }'
    rested = '{ do = "swing -1", unless = { location_row = 0 } }'
    for card in (tired, rested):
        arms = {"F-MILD": f'role = "starter"\nace = "inside-high"\ntrait = {card}'}
        assert None is relief_moot(out(rows=(1, 1), reliever=None, cards=deck(arms=arms)))
        batters = {"F-LEFT": f'positions = "LF"\nlocation = {card}'}
        assert None is relief_moot(out(rows=(1, 1), reliever=None, cards=deck(batters)))
    other = {"F-LEFT": 'positions = "LF"\nlocation = { do = "swing -1", when = { outs = 2 } }'}
    assert "relief-1-1" == relief_moot(out(rows=(1, 1), reliever=None, cards=deck(other)))
    assert None is relief_moot(out(rows=(1, 1), reliever=None, batter="F-DULL", cards=deck(BLANK)))


BLANK = {"F-LEFT": 'positions = "LF"\nblank = true'}


# Side by side --------------------------------------------------------------------------------------------------------


def cards_that_ignore_rows(chance: Random) -> Box:
    """Return a deck with random abilities, of which none depends on fatigue."""

    def plain(card: Player) -> Player:
        able = {slot: tuple(filter(ignores_rows, powers)) for slot, powers in card.powers.items()}
        return replace(card, blank=False, powers=able)

    cards = box(chance)
    batters = tuple(map(plain, cards.batters))
    return replace(cards, batters=batters, starter=plain(cards.starter), reliever=plain(cards.reliever))


def ignores_rows(power: Power) -> bool:
    return not any(fact.endswith("_row") for needs in (*power.when, *power.unless) for fact in needs)


def moot_reliefs(chance: Random, count: int) -> Iterator[tuple[Table, str]]:
    """Yield tables with random cards at a moot choice of relief, and the answer."""
    while count:
        table = start(cards_that_ignore_rows(chance), random_house(chance))
        for _ in range(120):
            if not table.open_asks():
                break
            n, ask = table.open_asks()[0]
            found = inside(ask)
            if found.why == "relief" and isinstance(found, Choose) and found.moot_option and count:
                count -= 1
                yield table.clone(), found.moot_option
            benches = isinstance(found, Choose) and "bench" in found.options
            table.answer_ask(ask.seat, n, "bench" if benches else chance.choice(legal(ask)))


def play_beside(rested: Table, tired: Table, chance: Random) -> None:
    """Play both games to the end, and check that the rested pitcher could throw and rest as the other does."""
    while tired.open_asks():
        assert all(one <= other for one, other in zip(rows(rested), rows(tired), strict=True))
        n, ask = tired.open_asks()[0]
        value = chance.choice(legal(ask))
        tired.answer_ask(ask.seat, n, value)
        if (ask.seat, ask.why) not in [(other.seat, other.why) for _, other in rested.open_asks()]:
            assert "relief" == ask.why, "a pitcher who is at the top needs no relief"
            continue
        m, same = next(pair for pair in rested.open_asks() if pair[1].seat == ask.seat)
        if ask.why == "relief" and value != "bench":
            value = next(one for one in legal(same) if ends_higher(rested, one, tired))
        rested.answer_ask(same.seat, m, value)
    assert tired.outcome == rested.outcome


def ends_higher(table: Table, option: str, other: Table) -> bool:
    """True if no token is lower after this relief than in the other game."""
    then = play(table.clone(), option)
    return all(one <= two for one, two in zip(true(then).rows, true(other).rows, strict=True))


def check_relief(seed: int, count: int) -> None:
    chance = Random(seed)
    for table, given in moot_reliefs(chance, count):
        for option in set(offered(table)) - {given}:
            play_beside(play(table.clone(), given), play(table.clone(), option), Random(seed))


def test_a_pitcher_with_all_relief_can_do_what_one_with_less_does() -> None:
    check_relief(1, 30)


@pytest.mark.slow
def test_pitchers_with_all_relief_can_do_what_those_with_less_do() -> None:
    check_relief(2, 500)
