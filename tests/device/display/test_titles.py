"""Every decision of every game has a title, so that no display falls back to a bare "Choose" or "Roll 2 dice"."""

from __future__ import annotations

import pytest

from device.display import content
from engine.game import Game
from engine.games import GAMES
from tests.device.display.evenings import tables

EACH = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@EACH
def test_each_decision_has_a_title(game: Game) -> None:
    """By its code; the templates are filled below."""
    untitled = sorted(set(game.words.asks) - set(game.words.titles))
    assert not untitled


@EACH
def test_titles_in_play(game: Game) -> None:
    """In the stored games each title is filled in, short enough for a display, and is what the display says."""
    seen: set[str] = set()
    for table in tables(game):
        for ask in table.view(None).asks:
            if ask.title in seen:
                continue
            seen.add(ask.title)
            assert ask.title, ask.why
            assert content.title(ask) == ask.title
            assert ask.title[:1].isupper() or not ask.title[:1].isalpha(), ask.title
            assert not ask.title.endswith("."), ask.title
            assert "{" not in ask.title
            assert len(ask.title) <= 40, ask.title
