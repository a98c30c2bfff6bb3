"""In every sentence of every game, verbs agree with what people call the sides."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from engine.events import GameWords
from engine.seats import Seat
from engine.table import Table
from engine.text.agreement import is_plural_name
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import step

SIDE_FACTS = {"team", "offense", "defense", "visitors", "hosts", "red", "blue", "away", "home", "chair", "whose"}
"""Facts that name a side."""

ANY_NUMBER = {
    *(
        "a",
        "ahead",
        "and",
        "as",
        "at",
        "before",
        "both",
        "can",
        "could",
        "discard",
        "first",
        "for",
        "in",
        "made",
        "may",
    ),
    *("must", "of", "on", "or", "put", "to", "will", "with", "won"),
}
"""Words that may follow the name of one and of several. "discard" follows "makes"."""

NAMES: list[dict[Seat, str]] = [
    {"away": "Leo", "home": "The Owls"},
    {"away": "Owls", "home": "Your team"},
    {"away": "You", "home": "Leo"},
]


def templates(words: GameWords) -> Iterator[str]:
    yield from (*words.asks.values(), *words.events.values(), *words.options.values(), *words.titles.values())
    for ways in words.announced.ways.values():
        yield from ways


@every_game()
def test_each_template_has_both_forms(contract: Contract) -> None:
    """A verb after a side's name is part of its field, in the singular and in the plural."""
    for template in templates(contract.game.words):
        pieces = [*string.Formatter().parse(template), ("", None, None, None)]
        for (_, fact, form, _), (after, *_) in pairwise(pieces):
            follows = re.match(r" ([a-z']+)", after)
            if fact in SIDE_FACTS and not form and follows:
                assert follows[1] in ANY_NUMBER, template


@pytest.mark.parametrize("names", NAMES, ids=[" and ".join(one.values()) for one in NAMES])
@every_game()
def test_spoken_and_shown_sentences_agree(contract: Contract, names: dict[Seat, str]) -> None:
    """Whatever a random game asks, shows and calls: also sentences that the rules put together."""
    chance, heard = Random(5), set[str]()
    for deck in contract.decks[:1] * 2:
        house = contract.ends.houses[0]
        table = Table(contract.game, [deck], house, names=names)
        for _ in range(250):
            asks = [table.ask_view(n, ask, ask.seat) for n, ask in table.open_asks()]
            heard |= {text for ask in asks for text in (ask.title, ask.sentence)}
            if not step(table, chance.getrandbits(60), contract.pick):
                break
        heard |= {contract.game.words.event_sentence(one.event) for one in table.log}
        heard |= {contract.game.words.announcement_sentence(one.event, one.n) for one in table.log}
        heard |= {table.outcome.sentence} if table.outcome else set()
    found = 0
    for name in names.values():
        for text in heard:
            for word in re.findall(rf"\b{name} ([a-z']+)", text):
                found += 1
                assert word in ANY_NUMBER or is_plural_name(name) != word.endswith(("s", "doesn't")), text
    assert found > 2 or contract.game.key == "bottom-of-the-9th", "no sentence has a verb after a name"
