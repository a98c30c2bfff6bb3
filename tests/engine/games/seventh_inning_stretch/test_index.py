"""The written index names the facts that asks and events carry."""

from __future__ import annotations

import random

from device.storage.decks import house_deck
from engine.asks import Ask, Choose
from engine.errors import HouseRuleError
from engine.games.seventh_inning_stretch import GAME
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import deck
from tests.engine.rules_index import Index, words
from tests.engine.tables import inside, pick

INDEX = Index(GAME.key)

BLANK = {
    "F-5": '[[batter]]\nname = "F-5"\ntier = 1\nblank = true\n',
    "F-CUT": '[[pitcher]]\nname = "F-CUT"\ntier = 1\nstamina = 3\nblank = true\n',
    "team T-1": '[[team]]\nname = "t1"\nshort = "T1"\ntier = 2\ndice = 3\nleast = 2\nblank = true\n',
}
"""A card of each kind that the table reads."""

SELDOM = {"duelFirstBat": "ask", "tier2TeamPick": "choose"}
"""House rules with asks that come once in a game at most."""


def offers(ask: Ask) -> set[str]:
    """What may be chosen."""
    return set(ask.options) if isinstance(ask, Choose) else set()


def test_asks_and_events_carry_the_facts_that_the_index_lists() -> None:
    """In many games at random under every house rule: the codes told, their facts and the options are the listed. What
    stands behind a ";" is there now and then, all of it or nothing."""
    asks = {code: set(words(row[4])) for row in INDEX.rows("Asks") for code in words(row[0])}
    answers = {code: set(words(row[3])) for row in INDEX.rows("Asks") for code in words(row[0])}
    events = {row[0].strip("`"): [set(words(part)) for part in row[1].split(";")] for row in INDEX.rows("Events")}
    named = set(GAME.words.options)
    decks = (house_deck(GAME), deck(BLANK))
    seen: set[str] = set()
    dice = random.Random(1)
    games = 0
    while games < 36:
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules} | SELDOM
        house["mode"] = GAME.house_rules[0].values[games % 3]
        try:
            table = Table(GAME, [decks[games % 2]], house)
        except HouseRuleError:
            continue
        games += 1
        while table.asks() and len(table.answers) < 1500:
            n, ask = table.asks()[0]
            assert asks[ask.why] == set(ask.facts), ask.why
            inner = inside(ask)
            options = offers(inner) & named
            assert options <= answers[ask.why], ask.why
            seen |= {f"ask {ask.why}", *(f"option {option}" for option in options)}
            value = "team" if "team" in offers(inner) else pick(ask, dice.randrange(1 << 16))
            table.answer(ask.seat, n, value)
        for told in table.log:
            always, *sometimes = events[told.event.code]
            assert set(told.event.facts) in [always, *(always | some for some in sometimes)], told.event.code
            seen.add(f"event {told.event.code}")
    wanted = {f"ask {code}" for code in asks} | {f"event {code}" for code in events}
    assert set() == wanted - seen
    assert set(INDEX.listed("Options")) == {one[7:] for one in seen if one.startswith("option")}


def test_the_panel_is_listed() -> None:
    """Each key of the panel."""
    assert sorted(INDEX.listed("Panel")) == sorted(Table(GAME, [deck()]).scoreboard().panel)
