"""Every decision of every game has a title, so that no display falls back to a bare "Choose" or "Roll 2 dice"."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from device.display import content, lettering, screens_32, screens_64
from engine.game import Rulebook
from engine.games import GAMES
from engine.views import AudienceView, RaceView
from tests.device.display.evenings import decisions
from tests.device.display.views import turns
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game

BOTH = (screens_64, screens_32)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_each_decision_has_a_title(game: Rulebook) -> None:
    """By its code; the templates are filled below."""
    untitled = sorted(set(game.words.asks) - set(game.words.titles))
    assert not untitled


@pytest.mark.slow
@every_game()
def test_the_display_names_each_decision(contract: Contract) -> None:
    """Every decision comes in a stored or random game, as on the contact sheets; its title is filled in there, and is
    what the display says at both heights, beside whose it is, with nothing cut or covered."""
    for why, view in decisions(contract, games=0).items():
        (title,) = {ask.title for ask in view.table.asks if ask.why == why}
        assert title[:1].isupper() or not title[:1].isalpha(), title
        assert not title.endswith("."), title
        assert not re.search(r"[{}]", title), title
        assert len(title) <= 40, title
        assert all(content.decision_title(ask) == ask.title for ask in view.table.asks)
        for size in BOTH:
            said = read(size, view)
            assert isinstance(view.race, RaceView) or set(lettering.ascii_text(title).split()) <= said, (why, said)


def read(size: ModuleType, view: AudienceView) -> set[str]:
    """Return the words on all pages of a view."""
    return {word for page in turns(size.draw_game, view) for part in page for word in part.split()}
