"""The written index names the facts that asks and events carry."""

from __future__ import annotations

import random

from engine.games.small_ball import GAME
from tests.engine.games.small_ball.fixture import at, new
from tests.engine.rules_index import Index, words

INDEX = Index(GAME.key)


def test_asks_and_events_carry_the_facts_that_the_index_lists() -> None:
    """In many games at random under every house rule: the codes told, their facts and the options are the listed."""
    asks = {row[0].strip("`"): set(words(row[3])) for row in INDEX.rows("Asks")}
    answers = {row[0].strip("`"): set(words(row[2])) for row in INDEX.rows("Asks")}
    for row in INDEX.rows("Asks"):
        if row[3].startswith("as `decision`"):
            asks[row[0].strip("`")] = asks["decision"] | set(words(row[3])) - {"decision"}
    events = {row[0].strip("`"): set(words(row[1])) for row in INDEX.rows("Events")}
    seen: set[str] = set()
    dice = random.Random(1)
    for game in range(60):
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules if rule.key != "awayTeam"}
        late = at("12", stake=5, inning=9, used=((0, 1), (0,)), house=house)
        table = new(house | {"awayTeam": "ask"}) if game % 2 else late
        while table.asks() and len(table.answers) < 250:
            ((n, ask),) = table.asks()
            assert asks[ask.why] == set(ask.facts), ask.why
            options = getattr(ask, "options", ())
            assert set(options) <= answers[ask.why]
            seen.add(f"ask {ask.why}")
            seen.update(f"option {option}" for option in options)
            table.answer(ask.seat, n, dice.choice(options) if options else dice.randint(1, 6))
        for told in table.log:
            if told.n >= 0:
                assert events[told.event.code] == set(told.event.facts), told.event.code
                seen.add(f"event {told.event.code}")
    wanted = {f"ask {code}" for code in asks} | {f"event {code}" for code in events}
    assert set() == wanted - seen
    assert {f"option {code}" for code in INDEX.listed("Options")} == {one for one in seen if one.startswith("option")}
