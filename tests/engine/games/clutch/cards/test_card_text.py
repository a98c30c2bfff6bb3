"""Card texts."""

from __future__ import annotations

import re

from engine.games.clutch.cards.card_text import effects_text, hand_text, in_play_text, offer_text, phrase_in_words
from tests.each import each
from tests.engine.games.clutch import fixture

STRATEGIES = fixture.box().strategies


@each("name", STRATEGIES)
def test_every_card_can_be_read(name: str) -> None:
    card = STRATEGIES[name]
    for said in (hand_text(card), offer_text(card)):
        does = effects_text(card.play)
        assert said.startswith(does[:1].upper() + does[1:])
        assert said.endswith(".")
        assert not {"br", "st", "GB", "1B", "2B", "-"} & set(re.findall(r"\w+|-(?=\d)", said))


def test_a_card_in_play_shows_its_effect_and_duration() -> None:
    more = {"special": "momentum", "until": "after a strikeout by my batter", "cost": "discard 1"}
    written = fixture.strategy("X", "offense", "before the pitch", "swing +1", **more)
    card = fixture.box({"X": written}).strategies["X"]
    until = "ntil after a strikeout by my batter."
    assert f"Swing +1. U{until}" == in_play_text(card)
    assert f"It stays in play u{until} It costs: discard 1. Played at bat, before the pitch." in hand_text(card)


@each(
    ("typed", "said"),
    [
        ("change GB to 1B if a 1B check fails", "change a ground ball to a single if a first baseman check fails"),
        ("change 1B or 2B to an FB", "change a single or a double to a fly ball"),
        ("on a 2B", "on a double"),
        ("3B+SS +2", "third baseman and shortstop +2"),
        ("the batter plays 3B", "the batter plays third baseman"),
        ("swing +2 if the batter has HR else -1", "swing +2 if the batter has HR else −1"),
        ("score as WP", "score as a wild pitch"),
        ("lead runner br -2", "lead runner Baserunning −2"),
        ("throw - d6", "throw − d6"),
        ("at the end of a multi-run half-inning", "at the end of a multi-run half-inning"),
    ],
)
def test_abbreviations_are_spelled_out(typed: str, said: str) -> None:
    assert said == phrase_in_words(typed)
