"""The next fixture in the menu of the buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from device.display import screens_32, screens_64
from device.display.menu import Menu
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import GameSession
from engine.errors import LeagueError
from engine.games import GAMES
from engine.journal import Source
from engine.league.league import Fixture
from engine.league.views import BookTeam, FixtureOffer
from engine.table import Table
from tests.device.display.menus import menu

GAME = GAMES["small-ball"]
OWLS, BEARS = BookTeam("owls", "Owls"), BookTeam("bears", "Bears")
OFFER = FixtureOffer("summer", "Summer league", Fixture(7, 3, "owls", "bears"), OWLS, BEARS)


@dataclass
class Leagues:
    """Offers fixtures; `begun` notes which began."""

    offers: Sequence[FixtureOffer] = ()
    begun: list[tuple[str, int]] = field(default_factory=list)

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        return self.offers

    def begin_fixture(self, key: str, fixture: int) -> None:
        if fixture == 0:
            raise LeagueError("That fixture is over.")
        self.begun.append((key, fixture))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[GameSession]:
    store = Store(tmp_path / "journal.db")
    yield GameSession(store, lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}))
    store.close()


def labels(shown: Menu) -> list[str]:
    return [item.label for item in shown._items]


def press(shown: Menu, *buttons: str) -> None:
    for button in buttons:
        shown.handle_press(button)


def test_the_menu_begins_the_next_fixture(session: GameSession) -> None:
    """Only the first one; at once, as no game is under way."""
    leagues = Leagues([OFFER, replace(OFFER, book="winter")])
    shown = menu(session, leagues=leagues)
    press(shown, "menu")
    assert ["New game", "Next: Owls at Bears"] == labels(shown)[2:4]
    press(shown, *["away-next"] * 3, "away-ok")
    assert ([("summer", 7)], "game") == (leagues.begun, shown.current_screen)


def test_a_game_under_way_is_left_only_after_a_yes(session: GameSession) -> None:
    leagues = Leagues([replace(OFFER, paused=4)])
    shown = menu(session, leagues=leagues)
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    press(shown, "menu", *["away-next"] * 3)
    assert "Resume: Owls at Bears" == labels(shown)[3]
    press(shown, "away-ok")
    assert (["No, keep playing", "Yes, begin it"], []) == (labels(shown), leagues.begun)
    press(shown, "away-next", "away-ok")
    assert [("summer", 7)] == leagues.begun


def test_what_cannot_begin_is_a_notice(session: GameSession) -> None:
    leagues = Leagues([replace(OFFER, fixture=replace(OFFER.fixture, number=0))])
    shown = menu(session, leagues=leagues)
    press(shown, "menu", *["away-next"] * 3, "away-ok")
    assert "That fixture is over." == session.game.view_for(None).notice


def test_without_leagues_the_menu_is_as_before(session: GameSession) -> None:
    for leagues in (None, Leagues()):
        shown = menu(session, leagues=leagues)
        press(shown, "menu")
        assert not [label for label in labels(shown) if "Next" in label]


@pytest.mark.parametrize("draw", [screens_32, screens_64])
def test_long_names_are_drawn(session: GameSession, draw: object) -> None:
    """As long as a team's name may be."""
    long = [BookTeam(key, "W" * 24) for key in ("owls", "bears")]
    shown = menu(session, draw=draw, leagues=Leagues([replace(OFFER, away=long[0], home=long[1])]))
    press(shown, "menu", *["away-next"] * 3)
    assert shown.current_picture().getbbox()
