"""The written index names the facts that asks and events carry."""

from __future__ import annotations

import random

from device.storage.decks import house_deck
from engine.asks import Choose
from engine.games.bottom_of_the_9th import GAME
from engine.table import Table
from tests.engine.games.bottom_of_the_9th.fixture import deck, true
from tests.engine.rules_index import Index, words
from tests.engine.tables import inside, pick

INDEX = Index(GAME.key)


def test_asks_and_events_carry_the_facts_that_the_index_lists() -> None:
    """In many games at random under every house rule: the codes told, their facts and the options are the listed."""
    asks = {code: set(words(row[4])) for row in INDEX.rows("Asks") for code in words(row[0])}
    answers = {code: set(words(row[3])) for row in INDEX.rows("Asks") for code in words(row[0])}
    events = {row[0].strip("`"): set(words(row[1])) for row in INDEX.rows("Events")}
    for code in ("strike", "foul", "contact", "crush", "ball"):
        assert {"seat", "batter", "letter", "control", "swing"} == events[code]
    reliefs = {code for code in INDEX.listed("Options") if code.startswith("relief-")}
    answers["relief"] |= reliefs
    answers["pitch-call"] |= answers["guess"]
    seen: set[str] = set()
    dice = random.Random(1)
    for game in range(150):
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules}
        cards = [house_deck(GAME), deck({"F-DULL": 'positions = "C"\ntrait = "bonus 2 as 3B"'})][game % 2]
        table = Table(GAME, [cards], house)
        names = {one.name for one in (*true(table).cards.batters, *true(table).cards.pitchers)}
        while table.asks():
            n, ask = dice.choice(table.asks())
            assert asks[ask.why] == set(ask.facts), ask.why
            inner = inside(ask)
            options = set(inner.options) if isinstance(inner, Choose) else set()
            if ask.why != "blank":
                assert options - names <= answers[ask.why], ask.why
                seen.update(f"option {option}" for option in options - names)
            seen.add(f"ask {ask.why}")
            table.answer(ask.seat, n, pick(ask, dice.randrange(1 << 16)))
        for told in table.log:
            assert events[told.event.code] == set(told.event.facts), told.event.code
            seen.add(f"event {told.event.code}")
    wanted = {f"ask {code}" for code in asks} | {f"event {code}" for code in events}
    assert set() == wanted - seen
    assert set(INDEX.listed("Options")) - {"nothing"} == {one[7:] for one in seen if one.startswith("option")}


def test_the_panel_is_listed() -> None:
    """Each key of the panel, and of the cards in it."""
    table = Table(GAME, [deck()])
    assert {"lineup"} == set(table.scoreboard().panel)
    for value in ("ready-made", "F-PIT", "F-REL"):
        ((n, ask),) = table.asks()
        table.answer(ask.seat, n, value)
    assert sorted(INDEX.listed("Panel")) == sorted(table.scoreboard().panel)
