"""Of equal plays, every manager chooses the plain one."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import get_args

import pytest

from device.storage.decks import house_deck
from engine.games.small_ball import GAME
from engine.table import Table
from managers.games.small_ball.advice import regular_policy
from managers.manager import Strength, WeighedAnswer, build_manager, greedy_policy
from tests.managers.games.small_ball.games import decided, late, setup


@pytest.mark.parametrize("strength", get_args(Strength))
def test_no_out_is_given_up_for_nothing(strength: Strength) -> None:
    """A sacrifice with two outs, which always busts, or one that gains nothing over batting, is never chosen."""
    deck, house, chance = house_deck(GAME), {"awayTeam": "red"}, Random(7)
    manager, met = build_manager(setup(deck, house), strength), 0
    for table in (Table(GAME, [deck], house), late(deck, house, chance, 9)):
        for one in islice(decided(table, manager, chance, stray=0.6), 60):
            worth = {weighed.value: weighed for weighed in one.weighed}
            if "sacrifice" in worth and one.state.outs == 2:
                met += 1
                assert 0 == worth["sacrifice"].share
    assert met > 3


def test_rounding_is_no_reason() -> None:
    """Two chances that differ in their last digit are the same."""
    weighed = [WeighedAnswer("bat", 0.3), WeighedAnswer("sacrifice", 0.3 + 1e-16)]
    assert [1.0, 0.0] == [one.share for one in greedy_policy(weighed)]
    shares = {one.value: one.share for one in regular_policy(None, weighed)}
    assert {"bat": 1.0, "sacrifice": 0.0} == shares
