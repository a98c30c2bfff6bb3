"""Choose the game on the table: begin, pause and resume games, and list the paused ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from device.settings import GameSettings
from device.shapes import GameCatalog, GameSummary, LessonView
from device.storage import decks
from device.storage.decks import DeckLibrary
from device.storage.store import Store
from device.table.live_game import LiveGame
from device.table.managed_seats import CAST_VIEWS
from device.table.past_games import PastGames
from device.table.preset_answers import SeatSettings
from engine.cards import Deck, cards_in_decks
from engine.errors import DeckError, DeckFault, IllegalAnswer
from engine.game import GamePace, Rulebook
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from engine.views import GameName
from managers.manager import has_manager


def rulebook_for(key: str) -> Rulebook:
    """Find a game's rulebook by its key. Raises DeckError for an unknown key."""
    if key not in GAMES:
        raise DeckError(DeckFault("settings", "", "game", f"there is no game {key!r}; there are {', '.join(GAMES)}."))
    return GAMES[key]


def game_key(chosen: GameSettings) -> str:
    """Key of the configured game, by default the first in the list."""
    return chosen.key or next(iter(GAMES))


def build_table(chosen: GameSettings, folder: Path) -> Table:
    """Build a table for the configured game. `folder` holds the owner's decks. Raises DeckError or HouseRuleError."""
    game = rulebook_for(game_key(chosen))
    return Table(game, decks.load_decks(game, [folder / file for file in chosen.decks]), chosen.house)


def _house_rules_with_pace(way: GamePace | None, house: Mapping[str, str]) -> dict[str, str]:
    return {**(way.house if way else {}), **house}


def _settings_with_pace(way: GamePace | None, table: Table, settings: SeatSettings) -> SeatSettings:
    """The settings with or without the coach's answers for the people of a game at this pace, unchanged for None."""
    if way is None:
        return settings
    for seat in table.scoreboard().plays:
        settings = settings.with_assistance(seat, way.asks_little and seat not in settings.managers)
    return settings


def prepare_game(
    chosen: Rulebook,
    cards: Sequence[Deck],
    house: Mapping[str, str],
    names: Mapping[Seat, str],
    managers: Mapping[Seat, str],
    game_pace: str,
    settings: SeatSettings,
) -> tuple[Table, SeatSettings]:
    """Build a new game with these `settings` and its managers. See `GameChoice.begin_game`."""
    way = chosen.find_pace(game_pace)
    house = _house_rules_with_pace(way, house)
    house = chosen.seated_house_rules(house) if names or managers else house
    table = Table(chosen, cards, house, names=names)
    for seat, choice in managers.items():
        settings = settings.with_manager(table, seat, choice)
    return table, _settings_with_pace(way, table, settings)


class GameChoice:
    """Begin, resume and list games (`web.port.GamesPort`). Any thread may call it.

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

    def game_catalog(self) -> GameCatalog:
        return GameCatalog(self._library.playable_games(), CAST_VIEWS)

    def begin_game(
        self,
        game: str,
        decks: list[str],
        house: Mapping[str, str],
        names: Mapping[Seat, str] | None = None,
        managers: Mapping[Seat, str] | None = None,
        pace: str = "",
        table_rolls: bool = False,
        game_pace: str = "",
        people: Mapping[Seat, str] | None = None,
    ) -> None:
        """Begin another game.

        decks: names of decks in the catalog.
        names: what people call the sides. Sides not listed keep their default names.
        managers: the computer that manages a seat, a key of `managers.cast.CAST_BY_CHOICE`. With it or with names the
            sides are chosen: nobody is asked who bats first.
        pace: how soon it answers, "" as in the game on the table.
        table_rolls: True if the table rolls its dice.
        game_pace: key of a pace of the game, "" for none. `house` changes its house rules.
        people: keys of the people who manage, by seat.

        Raises DeckError, HouseRuleError, or IllegalAnswer for an invalid name or a seat that no computer can manage.
        """
        chosen = rulebook_for(game)
        usual = self._game.settings.pace
        settings = SeatSettings(pace=usual, table_rolls=table_rolls).with_pace(pace or usual).with_people(people or {})
        self.put_on_table(
            *prepare_game(
                chosen, self._library.load_decks(chosen, decks), house, names or {}, managers or {}, game_pace, settings
            )
        )

    def can_be_managed(self, game: str, house: Mapping[str, str]) -> bool:
        """True if a person may play this game against a computer, with these house rules and its own decks."""
        chosen = rulebook_for(game)
        table = Table(chosen, self._library.load_decks(chosen, []), house)
        return len(table.scoreboard().plays) == 2 and has_manager(game)

    def agree_to_rematch(self, seat: Seat, on: bool) -> None:
        """Set whether a seat asks for a rematch, which everybody sees. It begins once all seats of people do.

        Raises IllegalAnswer while the game is not over, or if nobody plays that seat.
        """
        game = self._game
        with game.lock:
            settings = game.settings.with_rematch(game.live, seat, on)
            people = set(game.live.scoreboard().plays) - set(settings.managers)
            if not on or people - set(settings.rematch_seats(game.live)):
                game.save_seat_settings(settings)
                return
            game.begin_game(*self._build_rematch())
        self._changed()

    def game_lesson(self, game: str) -> LessonView | None:
        """Lesson of a game (`web.port.GamesPort`)."""
        table = self._game.table
        if table.game.key != game:
            if game not in GAMES:
                return None
            table = Table(GAMES[game], self._library.load_decks(GAMES[game], []))
        rulebook, lesson = table.game, table.game.lesson
        if lesson is None:
            return None
        first = rulebook.start(cards_in_decks(table.decks), table.house)
        return LessonView(GameName(game, rulebook.title), lesson.cards(first), lesson.explanations)

    def begin_rematch(self, managers: Mapping[Seat, str] | None = None, game_pace: str = "", **house: str) -> None:
        """Begin a game like the one on the table, with some other house rules. Without `managers` they stay.

        game_pace: key of a pace of the game, "" to keep the house rules. Raises HouseRuleError for an unknown one.
        """
        self.put_on_table(*self._build_rematch(managers, game_pace, **house))

    def _build_rematch(
        self, managers: Mapping[Seat, str] | None = None, game_pace: str = "", **house: str
    ) -> tuple[Table, SeatSettings]:
        table = self._game.table
        way = table.game.find_pace(game_pace)
        house = {**table.house, **_house_rules_with_pace(way, house)}
        house = table.game.seated_house_rules(house) if table.names or managers else house
        twin = Table(table.game, table.decks, house, names=table.names)
        settings = self._game.settings.for_rematch(table)
        if managers is not None:
            # Against another opponent a new series begins.
            same = set(managers) == set(settings.managers)
            people = {seat: key for seat, key in settings.people.items() if seat not in managers}
            settings = replace(settings, managers=managers, people=people, wins=settings.wins if same else {})
        kept = {seat: choice for seat, choice in settings.managers.items() if seat in twin.scoreboard().plays}
        return twin, _settings_with_pace(way, twin, replace(settings, managers=kept))

    def resume_or_begin(self, table: Table) -> str:
        """Resume the last paused game with the rules and cards of this new table, or begin this one.

        Returns the situation of the resumed game in words, "" for a new one.
        """
        kept = self._past.find_matching_game(table)
        with suppress(IllegalAnswer):  # an unreadable game stays paused
            if kept and self.resume_game(kept.id):
                return kept.stands or ""
        self.put_on_table(table)
        return ""

    def resume_game(self, number: int) -> bool:
        if not self._game.resume_game(number):
            return False
        self._changed()
        return True

    def paused_games(self) -> list[GameSummary]:
        return self._past.paused_games()

    def set_game_name(self, number: int, name: str) -> bool:
        return self._store.rename_game(number, name)

    def put_on_table(self, table: Table, settings: SeatSettings | None = None) -> None:
        """Pause the game on the table and begin this new one."""
        self._game.begin_game(table, settings)
        self._changed()
