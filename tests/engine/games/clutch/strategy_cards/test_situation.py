"""The sentence of each window, and the numbers in the asks."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.clutch.cards.card_text import hand_text
from engine.games.clutch.strategy_cards.situation import SITUATIONS
from engine.games.clutch.words import WORDS
from engine.table import Table
from engine.views import plain
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, upto

STRATEGIES = fixture.box().strategies


def test_each_window_has_its_sentence() -> None:
    asked = {why.removeprefix("cards-") for why in WORDS.asks if why.startswith("cards-")}
    assert set(SITUATIONS) == asked


@pytest.mark.parametrize(
    ("window", "script", "said"),
    [
        ("before-pitch", [], "Px is about to pitch: advantage with 8 or more. Command 3 against On-Base 10."),
        ("pitch-roll", ["P12"], "The pitch roll is 12: Pitch 15 against On-Base 10."),
        ("advantage", ["P12"], "Pitch 15 against On-Base 10: Px has the advantage."),
        ("advantage", ["P1"], "A mistake pitch. Pitch 4 against On-Base 10: Bx has the advantage."),
        ("swing-roll", ["P12", "S4"], "The swing roll is 4: a strikeout on the chart of Px."),
        ("result", ["P12", "S4"], "The result is a strikeout."),
        (
            "throw",
            ["1B!", "to-home", "at-home"],
            "A throw at A-CF, going for home: out with 15 or more. +4 against 18.",
        ),
        (
            "throw-roll",
            ["1B!", "to-home", "at-home", "D11"],
            "The roll of the throw at A-CF, going for home is 11: 15 to 18.",
        ),
        ("throw-result", ["1B!", "to-home", "at-home", "D11"], "A-CF is safe at home, 15 to 18."),
        ("after", ["1B!"], "Bx: a single."),
    ],
)
def test_how_it_stands(window: str, script: list[str], said: str) -> None:
    table = at("T5 0o -2-", away=["SW+2"], home=["SW-2"], house={"windows": "always"})
    ask = upto(table, f"cards-{window}", *script)
    shown = plain(table.ask_view(table.asks()[0][0], ask, ask.seat))
    assert f"{said} Do you play a card?" == shown["sentence"]


def asked(table: Table, why: str, *script: str) -> Any:
    """The ask as its own seat sees it, as plain data."""
    ask = upto(table, why, *script)
    return plain(table.ask_view(table.asks()[0][0], ask, ask.seat))


def test_menus_tell_the_numbers() -> None:
    table = at("T5 0o 1--", level="players")
    assert (
        "Bx, On-Base 10, is up against Px, Command 3. What does the defence do?" == asked(table, "defence")["sentence"]
    )
    assert "Bx, On-Base 10, faces Px, Command 3. What does the offence do?" == asked(table, "offence")["sentence"]


def test_who_discards_reads_his_cards() -> None:
    cards = [name for name in STRATEGIES if STRATEGIES[name].side == "offense"][:8]
    shown = asked(at(away=cards), "over-limit")
    assert [hand_text(STRATEGIES[one["value"]]) for one in shown["options"]] == [
        one["note"] for one in shown["options"]
    ]


def sentence(table: Table, why: str, *script: str) -> str:
    """What is asked, with all that was played before."""
    return str(asked(table, why, *script)["sentence"])


PITCH = {
    "": "Px pitches to Bx: roll the d20; advantage with 8 or more. Command 3 against On-Base 10.",
    "PITCH+2": "Px pitches to Bx: roll the d20; advantage with 6 or more. Command 3 +2 against On-Base 10.",
    "OB+2": "Px pitches to Bx: roll the d20; advantage with 10 or more. Command 3 against On-Base 12.",
    "NOWAY": "Px pitches to Bx: roll the d20; Bx has the advantage whatever is rolled. Command 3 against On-Base 10.",
}


@pytest.mark.parametrize("card", PITCH)
def test_the_pitch_says_what_it_needs(card: str) -> None:
    cards = {
        "PITCH+2": fixture.strategy("PITCH+2", "defense", "before the pitch", "pitch +2"),
        "OB+2": fixture.strategy("OB+2", "offense", "before the pitch", "on-base +2"),
        "NOWAY": fixture.strategy("NOWAY", "offense", "before the pitch", "the batter has the advantage"),
    }
    side = "home" if card == "PITCH+2" else "away"
    table = at(cards=cards, **{side: (card,)}) if card else at()  # type: ignore[arg-type]
    assert PITCH[card] == sentence(table, "pitch", *filter(None, [card]))


def test_the_swing_says_what_each_number_gives() -> None:
    table = at(cards={"S": fixture.strategy("S", "defense", "before the pitch", "swing -2")}, home=("S",))
    assert (
        "Bx swings on the chart of Px: roll the d20. Swing −2. 1–7 SO · 8–12 GB · 13–14 LD · 15–17 FB · 18–19 BB · "
        "20 1B." == sentence(table, "swing", "S", "P15")
    )
    assert sentence(at(arm={"outs": 27, "faced": 9}), "swing", "P15").startswith(
        "Bx swings on the chart of Px: roll the Power Die (d24). 1–"
    )


def test_throws_and_odds_count_cards() -> None:
    card = {"T": fixture.strategy("T", "defense", "on a throw", "throw +2")}
    table = at("T5 0o -2-", cards=card, home=("T",))
    said = sentence(table, "throw", "1B!", "to-home", "at-home", "T")
    assert "Throw at A-CF, going for home: roll the d20; out with 13 or more. +4 +2 against 18." == said
