"""House rules as a page asks them."""

from __future__ import annotations

import pytest

from engine.game import Game, HouseRule
from engine.games import GAMES

OPEN = HouseRule("who", ("a", "b"), "A1", "One; or the other.", "Who?", ("One", "The other"), "Cards")


def test_values_have_plain_names() -> None:
    """Words apart, yes and no; and where true stands for one side of an "or", which side it is."""
    for rule, called in (
        (HouseRule("k", ("hallOfFamer", "20-man"), "", "How hard."), ("hall of famer", "20-man")),
        (HouseRule("k", ("false", "true"), "", "Whether a run counts, or none."), ("no", "yes")),
        (HouseRule("k", ("false", "true"), "", "Before it, or after."), ("the first", "the second")),
        (OPEN, ("One", "The other")),
    ):
        assert called == rule.called


def test_what_has_a_title_is_asked() -> None:
    """Even where the rulebook leaves it open; all else that it leaves open is folded."""
    assert not OPEN.silent
    assert HouseRule("k", ("a", "b"), "A1", "").silent
    assert ("Who?", ("One", "The other"), "Cards") == (OPEN.title, OPEN.called, OPEN.under)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_value_has_a_name_of_its_own(game: Game) -> None:
    """In every game that can be played."""
    for rule in game.house_rules:
        assert len(rule.values) == len(set(rule.called)), rule.key
