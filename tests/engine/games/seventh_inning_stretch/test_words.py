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
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    BLANK,
    LINES,
    against,
    at,
    deck,
    new,
    pitcher_card,
    swing,
    true,
)
from tests.engine.tables import offered, panel, pick, play

SENTENCE = re.compile(r"([A-Z0-9]|[tu]\d)[^{}_\[\]]*[.!?]")
"""Begins with a capital letter, a number or a team of the fixture, ends as sentences do, and has no fact left open."""

ASKS: dict[str, tuple[dict[str, Any], str, str]] = {
    "at-bat": (
        {"batter": "Ida Renn", "card": "a 6: single", "out": 2},
        "At bat: Renn",
        "Ida Renn is at bat: a 6: single. How many dice do you roll? They are used up; with none it is out 2.",
    ),
    "swing": (
        {"batter": "Ida Renn", "count": 1, "card": "a 6: single", "out": 3},
        "At bat: Renn",
        "Roll 1 die for Ida Renn: a 6: single. Anything else is out 3.",
    ),
    "resources": (
        {"batter": "Ida", "rule": "0 dice on 1 or 2; 1 die on 3 to 6"},
        "Dice for Ida",
        "Roll for the dice that Ida brings: 0 dice on 1 or 2; 1 die on 3 to 6.",
    ),
    "steal-third": (
        {"count": 3, "runner": "Max"},
        "Steal third: 6",
        "Roll 3 dice for Max to steal third: with a 6 every runner moves up a base, without one a runner is out.",
    ),
    "tokens": (
        {"dice": [2, 3], "now": "nothing yet", "what": "Ida Renn", "short": "Renn", "left": "1 reroll token"},
        "Token: Renn",
        "Ida Renn: the dice show 2 and 3, nothing yet. Spend a token? You have 1 reroll token.",
    ),
    "extra-base": (
        {"runners": ["Max"], "face": "5 or 6", "short": "5-6", "fails": "that is the third out", "batter": "Ida"},
        "Extra base: 5-6",
        "Roll for Max to move up one more base? A die must show 5 or 6; otherwise that is the third out. Ida stays.",
    ),
    "ability": (
        {"dice": [4], "now": "2 runs", "pitcher": "Max", "left": 1, "ability": "remove a 4"},
        "Ability: Max",
        "The dice show 4: 2 runs. Does Max use the ability: remove a 4? Possible: 1 time.",
    ),
    "reroll": (
        {"what": "Steal second", "short": "Steal second"},
        "Reroll: Steal second",
        "Steal second: pick up the dice you like, at least one, and throw them again; leave the others lying.",
    ),
    "ability-reroll": (
        {"pitcher": "Max", "what": "reroll the 6"},
        "Ability: reroll",
        "The ability of Max: reroll the 6; leave the others lying.",
    ),
    "relief": (
        {"pitcher": "Max Abel", "left": 1},
        "Reliever for Abel?",
        "Max Abel can use the ability 1 more time. Does somebody relieve? Abel is then out for the rest of this game.",
    ),
    "recover-more": (
        {"stars": 1},
        "Recover one for a star?",
        "Does another one join your roster for a star? You have 1 star.",
    ),
    "pick": ({"count": 4}, "Keep one of 4 cards", "Keep one of these 4 cards; the others are passed on."),
}
"""Some asks with their facts, their titles and their sentences."""

EVENTS: dict[str, tuple[dict[str, Any], str]] = {
    "out": ({"batter": "Ida", "outs": 2}, "Ida is out. Outs: 2."),
    "gathers": ({"batter": "Ida", "what": "2 dice"}, "Ida comes to bat and brings 2 dice."),
    "scores": ({"scored": 1, "team": "Home", "away": 0, "home": 1}, "1 run in for Home! 0 to 1."),
    "regular-season": ({"won": 1, "lost": 5, "stars": 2}, "The regular season is over: 1 win, 5 lost, 2 stars."),
    "line-up": ({"team": "Visitors", "order": ["Ida", "Max"]}, "Visitors bat in this order: Ida and Max."),
    "goat": ({"face": 6, "down": 2}, "The die shows 6: 2 runs behind from the start."),
}
"""Some events with their facts, and the sentences."""


@each("code", ASKS)
def test_a_question_is_a_sentence(code: str) -> None:
    facts, title, sentence = ASKS[code]
    assert (title, sentence) == (GAME.words.title(code, facts), GAME.words.ask(code, facts))


@each("code", EVENTS)
def test_an_event_is_a_sentence(code: str) -> None:
    facts, sentence = EVENTS[code]
    assert sentence == GAME.words.event(Event(code, facts))


def said(table: Table) -> list[str]:
    return [plain(table.ask_view(n, ask, None))["sentence"] for n, ask in table.asks()]


def labels(table: Table) -> list[str]:
    shown = [plain(table.ask_view(n, ask, ask.seat)) for n, ask in table.asks()]
    return [one["label"] for each in shown for kind in ("options", "pieces", "places") for one in each.get(kind, ())]


@pytest.mark.slow
@each("mode", ["season", "extended", "duel"])
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
        "keep": "Keep the dice",
        "reroll": "Reroll some dice",
        "3-up": "A 3 up to 4",
        "3-down": "A 3 down to 2",
    } == named


def test_an_outcome_says_what_it_does() -> None:
    table = swing(at("F-TWO", "13"), 5, 5)
    noted = {one["value"]: one["note"] for one in plain(table.view("home"))["asks"][0]["options"]}
    assert {
        "single": "1 run in, runners on first and second",
        "double": "1 run in, runners on second and third",
    } == noted


def test_what_the_dice_are_is_shown_with_abilities_included() -> None:
    """In the panel and in the play log: runs of a team after each use, and what a batter's dice meet."""
    less = deck({"F-PIT": pitcher_card("F-PIT", "2 runs fewer")})
    table = play(against(cards=less), [2, 5, 6])
    assert "3 runs" == panel(table, "now")
    play(table, "less")
    assert "1 run" == panel(table, "now")
    lines = [one.sentence for one in table.lines()]
    assert {"t1 roll 2, 5 and 6: 3 runs.", "The dice show 2, 5 and 6: 1 run."} <= {*lines}
    table = swing(at(pool=(0, 0, 1)), 5, 3)
    assert "double" == panel(table, "now")
    assert "home run" == panel(play(table, "5-up"), "now")


def test_every_line_of_a_card_can_be_read() -> None:
    """As typed in, next to its outcome, along with the condition of a playoff card."""
    box: Any = true(new()).box
    for name, typed in LINES.items():
        assert typed == [one.text for one in box.batters[name].lines]
    assert "no rerolls and start 1 run down" == force("no rerolls and start 1 run down").text
