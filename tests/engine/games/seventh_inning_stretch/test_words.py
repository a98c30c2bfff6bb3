"""Every question, option and event reads as a plain sentence."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from engine.errors import HouseRuleError
from engine.events import Event
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import Pitcher, force
from engine.games.seventh_inning_stretch.state import Pool
from engine.games.seventh_inning_stretch.words import gathered, purchases, reads, reads_team
from engine.table import Table
from engine.views import plain
from tests.engine.games.seventh_inning_stretch.fixture import BLANK, LINES, at, deck, new, true
from tests.engine.tables import offered, pick, play

SENTENCE = re.compile(r"([A-Z0-9]|[tu]\d)[^{}_\[\]]*[.!?]")
"""Begins with a capital letter, a number or a team of the fixture, ends as sentences do, and has no fact left open."""

ASKS: dict[str, tuple[dict[str, Any], str]] = {
    "at-bat": ({"batter": "Ida"}, "Ida is at bat. How many dice do you roll?"),
    "swing": ({"batter": "Ida", "count": 1}, "Ida: roll 1 die."),
    "resources": (
        {"batter": "Ida", "rule": "by a die: 0 0 1 2 2 3"},
        "Ida brings dice by a die: 0 0 1 2 2 3. Roll it.",
    ),
    "steal-third": ({"count": 3}, "Roll 3 dice to steal third: 6."),
    "tokens": ({"dice": [2, 3], "now": "nothing yet"}, "The dice show 2 and 3: nothing yet. Spend a token?"),
    "extra-base": ({"face": "5 or 6"}, "Dice to push the runners on a base? One of them must show 5 or 6."),
    "ability": (
        {"dice": [4], "now": "2 runs", "pitcher": "Max", "left": 1},
        "The dice show 4: 2 runs. Max: use the ability? Possible: 1 time.",
    ),
    "reroll": ({}, "Pick up the dice you like, at least one, and throw them again; leave the others lying."),
    "ability-reroll": ({"what": "throw a 6 again"}, "The ability: throw a 6 again; leave the others lying."),
    "recover-more": ({"stars": 1}, "Another one for a star? You have 1 star."),
    "pick": ({"count": 4}, "Keep one of these 4 cards; the others are passed on."),
}
"""Some asks with their facts, and the sentences."""

EVENTS: dict[str, tuple[dict[str, Any], str]] = {
    "out": ({"batter": "Ida", "outs": 2}, "Ida is out. Outs: 2."),
    "gathers": ({"batter": "Ida", "what": "2 dice"}, "Ida comes to bat and brings 2 dice."),
    "scores": ({"scored": 1, "team": "Home", "away": 0, "home": 1}, "1 run in for Home! 0 to 1."),
    "regular-season": ({"won": 1, "lost": 5, "stars": 2}, "The regular season is over: 1 win, 5 lost, 2 stars."),
    "line-up": ({"team": "Visitors", "order": ["Ida", "Max"]}, "Visitors bat in this order: Ida and Max."),
    "goat": ({"face": 6, "down": 2}, "The die shows 6: 2 runs behind from the start."),
}
"""Some events with their facts, and the sentences."""


@pytest.mark.parametrize("code", ASKS)
def test_a_question_is_a_sentence(code: str) -> None:
    facts, sentence = ASKS[code]
    assert sentence == GAME.words.ask(code, facts)


@pytest.mark.parametrize("code", EVENTS)
def test_an_event_is_a_sentence(code: str) -> None:
    facts, sentence = EVENTS[code]
    assert sentence == GAME.words.event(Event(code, facts))


def said(table: Table) -> list[str]:
    return [plain(table.ask_view(n, ask, None))["sentence"] for n, ask in table.asks()]


def labels(table: Table) -> list[str]:
    shown = [plain(table.ask_view(n, ask, ask.seat)) for n, ask in table.asks()]
    return [one["label"] for each in shown for kind in ("options", "pieces", "places") for one in each.get(kind, ())]


@pytest.mark.parametrize("mode", ["season", "extended", "duel"])
def test_random_games_read_well(mode: str) -> None:
    """With all house rules and blank cards: events are sentences, and the answers to a question all differ."""
    dice = random.Random(mode)
    games = 0
    while games < 6:
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules} | {"mode": mode}
        try:
            table = new(house, deck(BLANK) if games % 2 else None)
        except HouseRuleError:
            continue
        games += 1
        while table.asks() and len(table.answers) < 500:
            for sentence in said(table):
                assert SENTENCE.fullmatch(sentence), sentence
            called = labels(table)
            assert all(re.match(r"[A-Z0-9]|[tu]\d", one) for one in called), called
            assert len(set(called)) == len(called) or len(table.asks()) > 1, called
            n, ask = table.asks()[0]
            table.answer(ask.seat, n, pick(ask, dice.randrange(1 << 16)))
        for line in table.lines():
            assert SENTENCE.fullmatch(line.sentence), line.sentence


def test_the_effect_of_a_card_is_described() -> None:
    """For a batter, a pitcher and a team; singular and plural are right, and bringing nothing leaves no gap."""
    box = true(new()).box
    for name, brings in {
        "F-PAIR": "Brings 2 dice. A pair: single.",
        "F-RES": "Brings 1 die, 1 reroll token and 1 +/-1 token. Highest 6:",
        "F-6": "Brings 1 die a runner. ",
        "F-7": "Brings dice by a die: 0 0 1 2 2 3. ",
        "F-8": "Brings 2 dice when behind; else 1. ",
    }.items():
        assert reads(box.batters[name]).startswith(brings)
    assert "Stamina 2: lower one die by 2." == reads(box.pitchers["F-PIT"])
    assert "3 dice, 2 at least: the difference of the two lowest" == reads_team(box.teams["T-1"])
    assert ("0 dice", "2 dice and 2 +/-1 tokens") == (gathered(Pool()), gathered(Pool(2, 0, 2)))
    assert {"The table reads this card."} == {
        reads(true(new(cards=deck(BLANK))).box.batters["F-5"]),
        reads(Pitcher("Max", 1, "", 2, None, True)),
    }


def test_star_purchases_are_named_with_their_price() -> None:
    labels = purchases({"team": 1, "flip-both": 5})
    assert {
        "team": "A team of tier 2 first in the semi-finals, 1 star",
        "flip-both": "Home Field in both series, 5 stars",
    } == labels


def test_ways_to_answer_are_named() -> None:
    table = at("F-MAX", "1", pool=(1, 1, 1))
    named = {one["value"]: one["label"] for one in plain(table.view("home"))["asks"][0]["options"]}
    assert {"1": "1 die", "3": "3 dice", "0": "No dice", "steal-second": "Steal second"}.items() <= named.items()
    assert {"1", "2", "3", "0", "steal-second"} == set(offered(table))
    play(table, "1", [3])
    named = {one["value"]: one["label"] for one in plain(table.view("home"))["asks"][0]["options"]}
    assert {
        "keep": "Leave them so",
        "reroll": "Throw some again",
        "3-up": "A 3 up to 4",
        "3-down": "A 3 down to 2",
    } == named


def test_every_line_of_a_card_can_be_read() -> None:
    """As typed in, next to its outcome, along with the condition of a playoff card."""
    box: Any = true(new()).box
    for name, typed in LINES.items():
        assert typed == [one.text for one in box.batters[name].lines]
    assert "no rerolls and start 1 run down" == force("no rerolls and start 1 run down").text
