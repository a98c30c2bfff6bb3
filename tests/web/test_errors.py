"""Refusals in a sentence."""

from __future__ import annotations

import json

import pytest

from web.errors import MAX_SENTENCE_LENGTH, rejection_response


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("That was answered already.", "That was answered already."),
        ("No such file: '/home/pi/decks/my deck.toml'.", "No such file: …."),
        ("a" * 500, "a" * (MAX_SENTENCE_LENGTH - 1) + "…"),
        ("Not saved. Try again. '/mnt/card one/" + "x/" * 7000, "Not saved. Try again. '…"),
        ("'" + "/" * 16_000, "'" + "/" * (MAX_SENTENCE_LENGTH - 2) + "…"),
    ],
)
def test_a_refusal_is_short_and_names_no_file(sentence: str, shown: str) -> None:
    """However long the sentence is, and wherever it is cut."""
    said = json.loads(bytes(rejection_response("/api/answer", 422, "deck", sentence).body))
    assert {"error": "deck", "sentence": shown} == said
