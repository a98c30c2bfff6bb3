"""Every question, option and event reads as a plain sentence."""

from __future__ import annotations

import random
import re

import pytest

from engine.errors import HouseRuleError
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import StretchPitcher
from engine.games.seventh_inning_stretch.state import Pool
from engine.games.seventh_inning_stretch.words import describe_card, describe_resources, describe_team
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    BLANK,
    against,
    at,
    deck,
    new,
    pitcher_card,
    swing,
    true,
)
from tests.engine.tables import panel, pick, play

SENTENCE = re.compile(r"([A-Z0-9]|[tu]\d)[^{}_\[\]]*[.!?]")
"""Begins with a capital letter, a number or a team of the fixture, ends as sentences do, and has no fact left open."""


def said(table: Table) -> list[str]:
    return [json_data(table.ask_view(n, ask, None))["sentence"] for n, ask in table.open_asks()]


def labels(table: Table) -> list[str]:
    shown = [json_data(table.ask_view(n, ask, ask.seat)) for n, ask in table.open_asks()]
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
        while table.open_asks() and len(table.answers) < 500:
            for sentence in said(table):
                assert SENTENCE.fullmatch(sentence), sentence
            called = labels(table)
            assert all(re.match(r"[A-Z0-9]|[tu]\d", one) for one in called), called
            assert len(set(called)) == len(called) or len(table.open_asks()) > 1, called
            n, ask = table.open_asks()[0]
            table.answer_ask(ask.seat, n, pick(ask, dice.randrange(1 << 16)))
        for line in table.play_log_lines():
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
        assert describe_card(box.batters[name]).startswith(brings)
    assert "Stamina 2: lower one die by 2." == describe_card(box.pitchers["F-PIT"])
    assert "Rolls 3 dice, never fewer than 2. Runs: the difference of the two lowest" == describe_team(box.teams["T-1"])
    assert ("0 dice", "2 dice and 2 +/-1 tokens") == (describe_resources(Pool()), describe_resources(Pool(2, 0, 2)))
    assert {"Read the card."} == {
        describe_card(true(new(cards=deck(BLANK))).box.batters["F-5"]),
        describe_card(StretchPitcher("Max", 1, "", 2, None, True)),
    }


def test_what_the_dice_are_is_shown_with_abilities_included() -> None:
    """In the panel and in the play log: runs of a team after each use, and what a batter's dice meet."""
    less = deck({"F-PIT": pitcher_card("F-PIT", "2 runs fewer")})
    table = play(against(cards=less), [2, 5, 6])
    assert "3 runs" == panel(table, "now")
    play(table, "less")
    assert "1 run" == panel(table, "now")
    lines = [one.sentence for one in table.play_log_lines()]
    assert {"t1 rolls 2, 5 and 6: 3 runs.", "The dice show 2, 5 and 6: 1 run."} <= {*lines}
    table = swing(at(pool=(0, 0, 1)), 5, 3)
    assert "double" == panel(table, "now")
    assert "home run" == panel(play(table, "5-up"), "now")
