"""Choose the game on the table: start one, pause it, resume one, and list past games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from device.settings import GameSettings
from device.shapes import Catalogue, GameSummary
from device.storage import decks
from device.storage.decks import DeckLibrary
from device.storage.store import Store
from device.table.live_game import LiveGame
from device.table.past_games import PastGames
from device.table.standing_answers import StandingSettings
from engine.errors import DeckError, Fault, IllegalAnswer
from engine.game import Game
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from managers.manager import has_manager


def rules(key: str) -> Game:
    """Return the rules of a game. Raises DeckError for an unknown key."""
    if key not in GAMES:
        raise DeckError(Fault("settings", "", "game", f"there is no game {key!r}; there are {', '.join(GAMES)}."))
    return GAMES[key]


def key_of(chosen: GameSettings) -> str:
    """Return the key of the chosen game; the first in the list if none is chosen."""
    return chosen.key or next(iter(GAMES))


def table_for(chosen: GameSettings, folder: Path) -> Table:
    """Return a new table with the chosen game; `folder` holds the owner's decks. Raises DeckError or HouseRuleError."""
    game = rules(key_of(chosen))
    return Table(game, decks.load(game, [folder / file for file in chosen.decks]), chosen.house)


class GameChoice:
    """Change the game on the table: `web.port.GamesPort`. Any thread may call it.

    `changed` is called after another game is put on the table.
    """

    def __init__(
        self,
        game: LiveGame,
        store: Store,
        library: DeckLibrary,
        past: PastGames,
        changed: Callable[[], None],
    ) -> None:
        self._game, self._store, self._library, self._past = game, store, library, past
        self._changed = changed

    def catalogue(self) -> Catalogue:
        """Return the games, their house rules, and the owner's decks for them."""
        return Catalogue(self._library.games())

    def new_game(
        self,
        game: str,
        decks: list[str],
        house: Mapping[str, str],
        names: Mapping[Seat, str] | None = None,
        managers: Mapping[Seat, str] | None = None,
        pace: str = "",
    ) -> None:
        """Put another game on the table; `decks` are names from the catalog, `names` what people call the sides.

        `managers` has the strength of the computer that manages a seat, `pace` how soon it answers ("": as in the game
        on the table). Raises DeckError, HouseRuleError, or IllegalAnswer for what can be no name, or what no computer
        manages.
        """
        chosen = rules(game)
        table = Table(chosen, self._library.load(chosen, decks), house, names=names)
        settings = StandingSettings(pace=self._game.settings.pace).paced(pace or self._game.settings.pace)
        for seat, strength in (managers or {}).items():
            settings = settings.managed(table, seat, strength)
        self._begin(table, settings)

    def manageable(self, game: str, house: Mapping[str, str]) -> bool:
        """True if a person may play this game, with these house rules and its own decks, against a computer."""
        chosen = rules(game)
        table = Table(chosen, self._library.load(chosen, []), house)
        return len(table.scoreboard().plays) == 2 and has_manager(game)

    def again(self, managers: Mapping[Seat, str] | None = None, **house: str) -> None:
        """Start a game like the one on the table, with other values for some house rules, and with these managers
        (None: the same).
        """
        table = self._game.table
        twin = Table(table.game, table.decks, {**table.house, **house}, names=table.names)
        settings = self._game.settings.again()
        if managers is not None:
            settings = replace(settings, managers=managers)
        kept = {seat: strength for seat, strength in settings.managers.items() if seat in twin.scoreboard().plays}
        self._begin(twin, replace(settings, managers=kept))

    def resume(self, table: Table) -> str:
        """Resume the last paused game with the rules and cards of this new table; without one, start this one. Returns
        where the game goes on, "" for a new one.
        """
        kept = self._past.like(table)
        with suppress(IllegalAnswer):  # a game that cannot be read stays where it is
            if kept and self.take(kept.id):
                return kept.stands or ""
        self._begin(table)
        return ""

    def take(self, number: int) -> bool:
        """Resume a paused game."""
        if not self._game.take(number):
            return False
        self._changed()
        return True

    def aside(self) -> list[GameSummary]:
        """Return the paused games."""
        return self._past.aside()

    def name(self, number: int, name: str) -> bool:
        """Give a game a name."""
        return self._store.name(number, name)

    def _begin(self, table: Table, settings: StandingSettings | None = None) -> None:
        self._game.new_game(table, settings)
        self._changed()
