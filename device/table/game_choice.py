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
from device.table.preset_answers import SeatSettings
from engine.errors import DeckError, DeckFault, IllegalAnswer
from engine.game import Rulebook
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from managers.manager import has_manager


def rulebook_for(key: str) -> Rulebook:
    """Return the rules of a game. Raises DeckError for an unknown key."""
    if key not in GAMES:
        raise DeckError(DeckFault("settings", "", "game", f"there is no game {key!r}; there are {', '.join(GAMES)}."))
    return GAMES[key]


def game_key(chosen: GameSettings) -> str:
    """Return the key of the chosen game; the first in the list if none is chosen."""
    return chosen.key or next(iter(GAMES))


def build_table(chosen: GameSettings, folder: Path) -> Table:
    """Return a new table with the chosen game; `folder` holds the owner's decks. Raises DeckError or HouseRuleError."""
    game = rulebook_for(game_key(chosen))
    return Table(game, decks.load_decks(game, [folder / file for file in chosen.decks]), chosen.house)


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

    def game_catalog(self) -> Catalogue:
        """Return the games, their house rules, and the owner's decks for them."""
        return Catalogue(self._library.playable_games())

    def begin_game(
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
        chosen = rulebook_for(game)
        table = Table(chosen, self._library.load_decks(chosen, decks), house, names=names)
        settings = SeatSettings(pace=self._game.settings.pace).with_pace(pace or self._game.settings.pace)
        for seat, strength in (managers or {}).items():
            settings = settings.with_manager(table, seat, strength)
        self._begin_game(table, settings)

    def can_be_managed(self, game: str, house: Mapping[str, str]) -> bool:
        """True if a person may play this game, with these house rules and its own decks, against a computer."""
        chosen = rulebook_for(game)
        table = Table(chosen, self._library.load_decks(chosen, []), house)
        return len(table.scoreboard().plays) == 2 and has_manager(game)

    def begin_rematch(self, managers: Mapping[Seat, str] | None = None, **house: str) -> None:
        """Start a game like the one on the table, with other values for some house rules, and with these managers
        (None: the same).
        """
        table = self._game.table
        twin = Table(table.game, table.decks, {**table.house, **house}, names=table.names)
        settings = self._game.settings.for_rematch()
        if managers is not None:
            settings = replace(settings, managers=managers)
        kept = {seat: strength for seat, strength in settings.managers.items() if seat in twin.scoreboard().plays}
        self._begin_game(twin, replace(settings, managers=kept))

    def resume_or_begin(self, table: Table) -> str:
        """Resume the last paused game with the rules and cards of this new table; without one, start this one. Returns
        where the game goes on, "" for a new one.
        """
        kept = self._past.find_matching_game(table)
        with suppress(IllegalAnswer):  # a game that cannot be read stays where it is
            if kept and self.resume_game(kept.id):
                return kept.stands or ""
        self._begin_game(table)
        return ""

    def resume_game(self, number: int) -> bool:
        """Resume a paused game."""
        if not self._game.resume_game(number):
            return False
        self._changed()
        return True

    def paused_games(self) -> list[GameSummary]:
        """Return the paused games."""
        return self._past.paused_games()

    def set_game_name(self, number: int, name: str) -> bool:
        """Give a game a name."""
        return self._store.rename_game(number, name)

    def _begin_game(self, table: Table, settings: SeatSettings | None = None) -> None:
        self._game.begin_game(table, settings)
        self._changed()
