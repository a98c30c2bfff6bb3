"""The three levels and what each of them asks, and games that end early."""

from __future__ import annotations

import random

import pytest

from engine.asks import Choose, Roll
from engine.games.clutch import GAME
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import at, deck, event_codes, run, state, upto
from tests.engine.tables import inside, panel
from tests.engine.tables import pick as any_of

CARDS = ("mulligan", "to-bottom", "over-limit", "draw", "discard", "blank", "take-back", "recover", "search", "looked")
"""Asks that have to do with strategy cards, beside all that begin with "cards-"."""

SECTION_4 = ("walk", "bunt", "bunt-again", "infield", "send-home")
"""Asks of the rules of section 4."""


def asks(level: str, seed: int) -> tuple[set[str], set[str], set[str]]:
    """Return the codes of all asks in a whole random game, of their options, and the kinds of dice."""
    table, dice = Table(GAME, [deck()], {"format": "open", "level": level}), random.Random(seed)
    codes, choices, kinds = set[str](), set[str](), set[str]()
    while table.open_asks():
        ((n, ask), *_) = table.open_asks()
        asked = inside(ask)
        codes.add(asked.why)
        if isinstance(asked, Choose):
            choices |= set(asked.options)
        if isinstance(asked, Roll):
            kinds |= {die.kind for die in asked.dice}
        number = dice.randrange(1 << 16)
        table.answer_ask(ask.seat, n, any_of(ask, 0 if asked.why in ("defence", "changes") and number % 4 else number))
    return codes, choices, kinds


def of_cards(codes: set[str]) -> set[str]:
    """Return the codes that have to do with strategy cards."""
    return {one for one in codes if one.startswith("cards-") or one in CARDS}


@pytest.mark.rule("CL-023", "CL-387")
@each("seed", [1, 2])
def test_a_basic_game_asks_for_no_cards_and_nothing_of_section_4(seed: int) -> None:
    """The at-bat is otherwise the same; no d16 is rolled."""
    codes, choices, kinds = asks("basic", seed)
    assert set() == of_cards(codes)
    assert set() == codes & set(SECTION_4)
    assert not {"walk", "bunt", "in"} & choices
    assert {"pitch", "swing", "throw", "extra-base", "defence"} <= codes
    assert {"steal-second", "new-pitcher"} <= choices
    assert kinds <= {"d20", "d24"}


@pytest.mark.rule("CL-023", "CL-243", "CL-387")
@each("seed", [1, 2])
def test_player_cards_alone_have_all_rules_except_for_other_cards(seed: int) -> None:
    codes, choices, kinds = asks("players", seed)
    assert set() == of_cards(codes)
    assert {"walk", "bunt", "infield", "pitch", "swing", "throw"} <= codes
    assert {"walk", "bunt", "in", "steal-second"} <= choices
    assert "check" not in codes
    assert kinds <= {"d20", "d24"}


@pytest.mark.rule("CL-387")
def test_the_full_game_has_windows_and_no_d16() -> None:
    codes, _, kinds = asks("full", 1)
    assert {"mulligan", "draw", "cards-before-pitch", "cards-result"} <= codes
    assert "d16" not in kinds


@pytest.mark.rule("CL-023", "CL-207")
@each("level", ["players", "basic"])
def test_without_cards_the_board_shows_none(level: str) -> None:
    table = at(away=["SW+2"], home=["PT+2"], level=level)
    assert (None, None, None) == tuple(panel(table, one) for one in ("cards", "hands", "stadium"))
    run(table, "1B!")
    assert not [one for one in table.answers if one.ask.why.startswith("cards-")]


@pytest.mark.rule("CL-132")
@each(("side", "winner"), [("home", "away"), ("away", "home")])
def test_a_forfeit_ends_the_game_at_once(side: str, winner: str) -> None:
    score = (1, 9) if side == "home" else (9, 1)
    table = at("T5 0o ---", score, position=lambda s: setattr(s, "ended", f"forfeit-{side}"))
    result = state(table).outcome
    assert result is not None
    assert (winner, "forfeit") == (result.winner, result.reason)
    assert "by forfeit" in result.sentence
    assert "game-over" == event_codes(table)[-1]


@pytest.mark.rule("CL-132")
def test_a_forfeit_is_one_game_of_a_series() -> None:
    table = at("T5 0o ---", house={"series": "3"}, position=lambda s: setattr(s, "ended", "forfeit-home"))
    assert ((1, 0), 2) == (state(table).won, state(table).game)
    assert "starter" == upto(table, "starter").why
