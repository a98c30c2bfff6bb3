"""The cap on what cards add and take away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.numbers import modifiers
from engine.games.clutch.rules import ACTIONS
from engine.games.clutch.state import State
from engine.seats import Seat
from tests.engine.tables import examples

AMOUNTS = st.lists(st.tuples(st.sampled_from(("away", "home", None)), st.integers(-6, 6)), max_size=8)


@pytest.mark.rule("CL-209", "CL-210", "CL-211", "CL-214")
@examples(300)
@given(AMOUNTS)
def test_no_manager_moves_a_number_by_more_than_three(amounts: list[tuple[Seat | None, int]]) -> None:
    """In one direction, whatever he plays; the stadium may, and the other manager has a cap of his own."""
    s = State(house={rule.key: rule.values[0] for rule in HOUSE_RULES}, actions=ACTIONS)
    mine = [amount for amount in amounts if amount[0] == "away"]
    assert -3 <= modifiers.capped(s, mine) <= 3
    up = [amount for amount in mine if amount[1] > 0]
    down = [amount for amount in mine if amount[1] < 0]
    assert modifiers.capped(s, mine) == min(3, sum(n for _, n in up)) + max(-3, sum(n for _, n in down))
    theirs = [amount for amount in amounts if amount[0] == "home"]
    nobody = [amount for amount in amounts if amount[0] is None]
    assert modifiers.capped(s, amounts) == modifiers.capped(s, mine) + modifiers.capped(s, theirs) + sum(
        n for _, n in nobody
    )
