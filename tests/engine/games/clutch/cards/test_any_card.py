"""Random cards: whatever a card says, a game with it can be played to its end."""

from __future__ import annotations

import random
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Ask
from engine.game import play_to_end
from engine.games.clutch import GAME
from engine.games.clutch.state import State
from tests.engine.games.clutch.any_cards import close_game
from tests.engine.games.clutch.field import at, run, state
from tests.engine.games.clutch.fixture import written
from tests.engine.tables import examples, inside, pick

MOST = 1000
"""Answers in which an at-bat is over, whatever is chosen: no window is without an end."""

AT_BATS = 200
"""At-bats after which a game is left: it has no end if a card makes every ground ball a single."""


class LongEnough(Exception):
    """The game goes on and on, at-bat by at-bat."""


@examples(25)
@given(st.integers(0, 1 << 32))
def test_no_card_stops_the_game(seed: int) -> None:
    """Both managers play random cards of all kinds at random, in the bottom of the ninth of a tied or close game."""
    dice, left, number = random.Random(seed), MOST, 0
    s = state(close_game(dice, {}, ("B9",))).copy()

    def answer(ask: Ask) -> object:
        nonlocal left, number
        if s.number > AT_BATS:
            raise LongEnough
        left = left - 1 if s.number == number else MOST
        number = s.number
        assert left, f"{inside(ask).why} is asked for ever"
        return pick(ask, dice.randrange(1 << 16))

    with suppress(LongEnough):
        assert play_to_end(GAME, s, answer).outcome


def test_a_stadium_does_not_trigger_itself() -> None:
    park = written("stadium", name="Park", when="on a check", do="both draw 1 if an infield check is made")

    def position(s: State) -> None:
        s.stadium = "Park"

    table = at(home=["CHK1B"], cards={"Park": park}, position=position)
    run(table, "1B!", "CHK1B", "D1", "D14")
    assert "GB" == state(table).last[-1]
