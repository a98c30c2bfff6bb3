"""The written index names the facts that asks and events carry."""

from __future__ import annotations

import random

from device.storage.decks import house_deck
from engine.asks import Choose
from engine.games.rallybird import GAME
from engine.table import Table
from tests.engine.games.rallybird.fixture import deck
from tests.engine.rules_index import Index, words
from tests.engine.tables import inside, pick

INDEX = Index(GAME.key)


def test_asks_and_events_carry_the_facts_that_the_index_lists() -> None:
    """In many games at random under every house rule: the codes told, their facts and the options are the listed."""
    asks = {code: set(words(row[4])) for row in INDEX.rows("Asks") for code in words(row[0])}
    answers = {code: set(words(row[3])) for row in INDEX.rows("Asks") for code in words(row[0])}
    events = {row[0].strip("`"): set(words(row[1])) for row in INDEX.rows("Events")}
    named = set(GAME.words.options)
    seen: set[str] = set()
    dice = random.Random(1)
    for game in range(80):
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules} | {"startInning": "9"}
        table = Table(GAME, [(house_deck(GAME), deck({"F-5": "blank = true\ntwice = true\n"}))[game % 2]], house)
        while table.asks() and len(table.answers) < 400:
            ((n, ask),) = table.asks()
            assert asks[ask.why] == set(ask.facts), ask.why
            inner = inside(ask)
            options = set(inner.options) & named if isinstance(inner, Choose) else set()
            assert options <= answers[ask.why], ask.why
            seen |= {f"ask {ask.why}", *(f"option {option}" for option in options)}
            table.answer(ask.seat, n, pick(ask, dice.randrange(1 << 16)))
        for told in table.log:
            assert events[told.event.code] == set(told.event.facts), told.event.code
            seen.add(f"event {told.event.code}")
    wanted = {f"ask {code}" for code in asks} | {f"event {code}" for code in events}
    assert set() == wanted - seen
    assert set(INDEX.listed("Options")) == {one[7:] for one in seen if one.startswith("option")}


def test_the_panel_is_listed() -> None:
    """Each key of the panel."""
    assert sorted(INDEX.listed("Panel")) == sorted(Table(GAME, [deck()]).scoreboard().panel)
