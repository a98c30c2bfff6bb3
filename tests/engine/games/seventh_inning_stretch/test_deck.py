"""The house-made set: whole, varied, and harder from tier to tier."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from statistics import mean

import pytest

from device.storage.decks import house_deck
from engine.cards import cards_of
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import Box, Team, unpack
from engine.games.seventh_inning_stretch.dice.conditions import OUTCOMES, At

BOX = unpack(cards_of([house_deck(GAME)]))
LINES = [line for batter in BOX.batters.values() for line in batter.lines]


@pytest.mark.rule("SI-002", "SI-006", "SI-027")
def test_the_house_made_set_is_whole() -> None:
    """46 cards, 28 with a team on the back; in each upper tier ten batters and four pitchers; six playoff cards."""
    counts = {tier: (len(BOX.tier(tier)), sum(name in BOX.pitchers for name in BOX.tier(tier))) for tier in (1, 2, 3)}
    assert {1: (18, 2), 2: (14, 4), 3: (14, 4)} == counts
    assert (28, 6) == (len(BOX.teams), len(BOX.playoffs))
    assert {name: "P" if name in BOX.pitchers else "B" for name in BOX.teams} == {
        name: team.letter for name, team in BOX.teams.items()
    }


def test_every_kind_of_phrase_is_on_a_card() -> None:
    """Outcomes, what is measured, guards, star rules, abilities and scores: an owner sees how each is typed."""
    needs = {need.what for line in LINES for way in line.ways for need in way}
    assert {"highest", "lowest", "sum", "spread", "dice", "straight", "alike", "pairs"} == needs
    assert set(OUTCOMES) == {line.outcome for line in LINES}
    guards = {when.what for line in LINES for when in line.when}
    assert {"bases", "runners", "outs", "inning", "lead"} == guards
    assert {"", "runner", "out", "batter"} == {batter.dice.per for batter in BOX.batters.values()}
    assert {"runners", "outs", "inning", "lead"} == {
        when.what for batter in BOX.batters.values() for when in batter.dice.when
    }
    assert any(batter.dice.rolled for batter in BOX.batters.values())
    assert 10 == len({pitcher.ability.verb for pitcher in BOX.pitchers.values() if pitcher.ability})
    chains = [chain for team in BOX.teams.values() if team.runs for chain, _ in team.runs.chains]
    assert {"plus", "less", "at most", "divided by"} == {deed for chain in chains for deed, _ in chain}
    assert {"rank", "difference", "each", "number", "for"} == {term.kind for chain in chains for _, term in chain}


def scores(box: Box, tier: int) -> float:
    """The runs that the teams of a tier score in a half before anybody pitches."""
    return mean(float(expected(team)) for team in box.teams.values() if team.tier == tier)


def expected(team: Team) -> Fraction:
    """The runs to be expected of a team in the eighth."""
    assert team.runs is not None
    total = 0
    for hand in combinations_with_replacement(range(1, 7), team.dice):
        falls = factorial(team.dice) // prod(map(factorial, Counter(hand).values()))
        total += falls * team.runs(hand, At(inning=8))
    return Fraction(total, 6**team.dice)


def test_tiers_are_harder_and_better_one_after_the_other() -> None:
    assert scores(BOX, 2) + 0.2 < scores(BOX, 3) < 2.2
    on = At(1, (True, False, False), 8, -1, 2)
    brings = [
        mean(
            batter.dice.count(on, 4) + batter.rerolls + batter.nudges
            for batter in BOX.batters.values()
            if batter.tier == tier
        )
        for tier in (1, 2, 3)
    ]
    assert 1.5 < brings[0] < brings[1] - 0.4 < brings[2] - 0.4 < 3.2
    stamina = [mean(pitcher.stamina for pitcher in BOX.pitchers.values() if pitcher.tier == tier) for tier in (1, 2, 3)]
    assert stamina == sorted(stamina)


def test_the_playoff_cards_ban_a_token_less_from_level_to_level() -> None:
    """No rerolls, no +/-1 tokens, nothing; on either side (A10)."""
    for (_, level), card in BOX.playoffs.items():
        assert ({3: {"rerolls"}, 2: {"nudges"}, 1: set()}[level], card.grey) == (set(card.green.ban), card.green)
