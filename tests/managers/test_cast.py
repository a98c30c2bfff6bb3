"""The cast: who they are, and that a temper changes answers only where it hardly costs anything."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from engine.games import GAMES
from managers.cast import (
    CAST,
    CAST_BY_CHOICE,
    DEFAULT_MAX_TEMPER_COST,
    MAX_TEMPER_COSTS,
    SECRET_TEMPER_SHARE,
    Temper,
    tempered_policy,
)
from managers.manager import STRENGTHS, WeighedAnswer, greedy_policy, softmax_policy

TEMPERS: tuple[Temper, ...] = get_args(Temper)
ENGINE = Path(__file__).parents[2] / "engine"
CHOICES = ["bank", "bat", "steal-second", "hit-and-run", "pinch-1"]


def test_each_strength_has_each_temper() -> None:
    assert sorted(product(STRENGTHS, TEMPERS)) == sorted((one.strength, one.temper) for one in CAST.values())
    assert len(CAST) == len({one.name for one in CAST.values()}) == 9


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_strength_alone_plays_by_the_book(strength: str) -> None:
    """As older games and programs choose a computer."""
    one = CAST_BY_CHOICE[strength]
    assert (strength, "by the book") == (one.strength, one.temper)


def test_nobody_of_the_cast_is_on_a_card() -> None:
    """Neither by full name nor by first name."""
    cards = " ".join(deck.read_text("utf-8") for deck in ENGINE.glob("games/*/house.toml"))
    assert cards
    assert not [one.name for one in CAST.values() if re.search(rf"\b{one.name.split()[0]} [A-Z]", cards)]


def test_no_answer_beyond_the_margin_gains() -> None:
    """Whatever the chances: shares only move among answers that cost less than the game allows, and add up to 1."""
    chance = Random(1)
    for _ in range(3000):
        game, temper, secret = chance.choice([*GAMES]), chance.choice(TEMPERS), chance.random() < 0.5
        best = chance.random()
        weighed = [WeighedAnswer(one, max(0.0, best - chance.expovariate(200))) for one in CHOICES]
        weighed = greedy_policy(weighed) if chance.random() < 0.5 else softmax_policy(weighed, 0.01)
        cost, top = MAX_TEMPER_COSTS.get(game, DEFAULT_MAX_TEMPER_COST), max(one.win for one in weighed)
        after = tempered_policy(weighed, temper, game, secret)
        assert [one.value for one in weighed] == [one.value for one in after]
        assert 1.0 == pytest.approx(sum(one.share for one in after))
        for old, now in zip(weighed, after, strict=True):
            assert old.win == now.win
            assert now.share == old.share or top - now.win <= cost


@pytest.mark.parametrize(
    ("temper", "chosen"), [("patient", "bank"), ("by the book", "bat"), ("bold", "steal-second")], ids=TEMPERS
)
def test_a_temper_shows(temper: Temper, chosen: str) -> None:
    """Where three answers are nearly as good: a patient one settles for what there is, a bold one tries something."""
    wins = {"bank": 0.602, "bat": 0.603, "steal-second": 0.601, "hit-and-run": 0.55}
    weighed = greedy_policy([WeighedAnswer(value, win) for value, win in wins.items()])
    after = {one.value: one.share for one in tempered_policy(weighed, temper, "small-ball", secret=False)}
    assert 1.0 == after[chosen]


def test_in_secret_nobody_can_count_on_a_temper() -> None:
    """It decides one time in three; the mix of the rest stays."""
    weighed = [WeighedAnswer("low", 0.5, 0.6, risk=1.0), WeighedAnswer("high", 0.4999, 0.4, risk=5.0)]
    low, high = tempered_policy(weighed, "bold", "bottom-of-the-9th", secret=True)
    assert low.share == pytest.approx(0.6 * (1 - SECRET_TEMPER_SHARE))
    assert high.share == pytest.approx(1 - low.share)


def test_what_is_not_rated_stays() -> None:
    """If all answers are rated alike, a temper does not pick one: it might undo the same answer for ever."""
    weighed = greedy_policy([WeighedAnswer(value, 0.5) for value in ("bat-on", "bank")])
    for temper in TEMPERS:
        assert weighed == tempered_policy(weighed, temper, "small-ball", secret=False)


def test_more_dice_are_bolder() -> None:
    weighed = greedy_policy([WeighedAnswer([0], 0.5), WeighedAnswer([0, 2, 3], 0.4999), WeighedAnswer([1], 0.4)])
    assert [0.0, 1.0, 0.0] == [one.share for one in tempered_policy(weighed, "bold", "rallybird", secret=False)]
