"""What a roll can become, which everybody sees before it is thrown, tells nothing of hands of cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from engine.asks import Draw, Roll, Secret
from engine.chances import MAX_WAYS, outcome_chances
from engine.dice import die_sides
from engine.games import GAMES
from engine.table import Table
from engine.views import json_data


def looks(table: Table) -> Any:
    return json_data(table.view_for(None))


def games_with_other_hands(seed: int) -> Iterator[tuple[Table, Table]]:
    """Yield two games before each roll, which differ only in home's hand, until others see a difference."""
    game, chance = GAMES["clutch"], Random(seed)
    tables = [Table(game, (house_deck(game),)) for _ in range(2)]
    while looks(tables[0]) == looks(tables[1]) and tables[0].outcome is None:
        (n, ask), *_ = tables[0].open_asks()
        if isinstance(ask, Roll):
            yield tables[0], tables[1]
        values = [pick_answer(tables[0].ask_view(n, ask, ask.seat, dealer=True), chance)] * 2
        for place, table in enumerate(tables):
            inner = getattr(dict(table.open_asks()).get(n), "ask", None)
            if isinstance(ask, Secret) and isinstance(inner, Draw):
                values[place] = chance.choice(inner.options) if ask.seat == "home" or not place else values[0]
            elif isinstance(ask, Secret) and inner is not None:
                values[place] = "pass" if "pass" in inner.options else inner.options[-1]
            table.answer_ask(ask.seat, n, values[place])


def windows_differ(one: Table, other: Table) -> bool:
    """True if a face of the open roll has something offered to one hand alone."""
    ((n, ask),) = one.open_asks()
    assert isinstance(ask, Roll)
    sides = [die_sides(die.kind, one.house) for die in ask.dice]
    if len(list(product(*sides))) > MAX_WAYS:
        return False
    for faces in product(*sides):
        twins = [table.clone() for table in (one, other)]
        for twin in twins:
            twin.answer_ask(ask.seat, n, list(faces))
        if looks(twins[0]) != looks(twins[1]):
            return True
    return False


def test_two_hands_have_the_same_chances() -> None:
    """Also where, if that face falls, one hand would be asked for a card and the other would not."""
    rolls = (tables for seed in range(20) for tables in games_with_other_hands(seed))
    one, other = next(tables for tables in rolls if windows_differ(*tables))
    assert outcome_chances(one)
    assert outcome_chances(one) == outcome_chances(other)
