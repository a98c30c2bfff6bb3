"""Stored seasons and a duel, replayed entry by entry and compared with their files; then what happens in them."""

from __future__ import annotations

from typing import Any

from engine.games.seventh_inning_stretch import GAME
from tests.golden.seasons import STORIES


def events_of(story: str) -> list[dict[str, Any]]:
    """Return the events that the current rules give, in order: those of the file."""
    return list(STORIES.replayed(story).events)


def test_the_playthroughs_cover_nearly_every_event() -> None:
    """Only the very first event and those of other house rules are missing."""
    other = {"season", "veteran", "rookie", "goat", "refreshed", "stay-seated", "change-chairs"}
    assert set(GAME.words.events) - other <= {event["code"] for story in STORIES.houses for event in events_of(story)}
