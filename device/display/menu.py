"""Button handling and screen selection: game, join screen, menu, shutdown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from PIL import Image

from device.display import screens_64
from device.display.oled import Screens
from device.display.pages import PageRotation, PageTurner
from device.storage.seat_settings import PACE_DELAYS_S
from device.storage.store import StoreError
from device.table.session import GameSession
from engine.ask_views import RerollView, RollView
from engine.errors import EngineError
from engine.game import ASK_PREFERENCE_LABELS, Rulebook
from engine.games import GAMES
from engine.journal import Source
from engine.league.views import FixtureOffer
from engine.scoreboard import seat_label
from engine.seats import SEATS, Seat, opposite_seat
from engine.views import AudienceView, TopicView
from managers.cast import CAST

if TYPE_CHECKING:
    from device.service.join_screen import JoinScreen
    from device.table.game_choice import GameChoice

BUTTON_STEPS = {"previous": -1, "next": 1}
JOIN_SCREEN_HINT = "Press > to play. Hold undo for the menu."
"""Hint that takes turns with the join screen, under the title of the game."""


MAX_ODDS = 6
"""The most outcomes of a roll on the display, the likeliest."""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """Line of the menu with its action."""

    label: str
    action: Callable[[], None]


class FixtureMenu(Protocol):
    """What the menu needs of leagues (`device.league.leagues.Leagues`)."""

    def next_fixtures(self) -> Sequence[FixtureOffer]: ...

    def begin_fixture(self, key: str, fixture: int) -> None: ...


def _cast_label(key: str) -> str:
    """Line for a manager of the cast, such as "Ruth, bold all-star"."""
    one = CAST[key]
    temper = "" if one.temper == "by the book" else f"{one.temper} "
    return f"{one.name.split()[0]}, {temper}{one.strength}"


class Menu:
    """Button handling and the display's picture of the current view.

    sleep: puts the display to sleep until a press.
    shutdown: ends the table in an orderly way.
    draw: screens of the display's size.
    leagues: the leagues whose next fixture the menu offers.
    """

    def __init__(
        self,
        session: GameSession,
        joining: JoinScreen,
        games: GameChoice,
        sleep: Callable[[], None],
        shutdown: Callable[[], None],
        draw: Screens = screens_64,
        leagues: FixtureMenu | None = None,
    ) -> None:
        self._session, self._joining, self._games, self._leagues = session, joining, games, leagues
        self._shutdown, self._screens = shutdown, draw
        self._turner = PageTurner(session.game.clock)
        self._lock = threading.Lock()
        self._screen = "welcome" if not session.game.table.answers else "game"
        self._index = 0
        self._main = (
            MenuItem("Back to game", lambda: self._show_screen("game")),
            MenuItem("Join & code", lambda: self._show_screen("join")),
            MenuItem("New game", self._open_new_game),
            MenuItem("Sleep", sleep),
            MenuItem("Shut down", self.shut_down),
        )

        self._no = MenuItem("No, keep playing", lambda: self._show_screen("game"))
        self._items: tuple[MenuItem, ...] = self._main

    def handle_press(self, button: str, when: float | None = None) -> None:
        """Handle a press of a button of `device.inputs.buttons`. Errors are shown as a notice, never raised.

        `when` is in seconds of the session's clock, None for now.
        """
        self._turner.handle_press()
        try:
            with self._lock:
                screen = self._screen
            self._dispatch_press(button, screen, when)
        except (EngineError, StoreError) as error:
            self._session.game.notices.show_notice(str(error))

    def _dispatch_press(self, button: str, screen: str, when: float | None) -> None:
        seat, _, key = button.rpartition("-")
        if button == "shutdown":
            self.shut_down()
        elif button == "menu":
            self._open_main_menu()
        elif screen in ("welcome", "join") and key == "ok" and not self._session.race.wanted_dice:
            self._show_screen("scan")
        elif screen in ("welcome", "join", "scan"):
            # The press that closes the join screen does nothing else, unless it is a call.
            self._show_screen("game")
            if key == "ok" and self._session.race.wanted_dice:
                self._session.buttons.press_ok(self._pressing_seat(seat), when)
        elif screen == "menu":
            if button == "undo":
                self._show_screen("game")
            elif key in BUTTON_STEPS:
                self._index = (self._index + BUTTON_STEPS[key]) % len(self._items)
                self._show_screen("menu")
            else:
                self._items[self._index].action()
        elif button == "undo":
            self._undo_last()
        elif self._session.game.current_views().public.table.outcome:
            self._open_main_menu()
        elif key in BUTTON_STEPS:
            self._session.buttons.move_cursor(self._pressing_seat(seat), BUTTON_STEPS[key])
        else:
            self._session.buttons.press_ok(self._pressing_seat(seat), when)

    def _pressing_seat(self, word: str) -> Seat:
        """Seat that a press counts for. "" stands for a button without a seat and means the asked seat.

        A person who plays alone has the buttons of both seats, and throws the dice for a computer in the other seat.
        """
        view = self._session.game.current_views().public
        plays = view.table.scoreboard.plays
        asked = view.dial.seat if view.dial else next((ask.seat for ask in view.table.asks), None)
        mine = next((seat for seat in plays if seat == (word or asked)), next(iter(plays)))
        if view.managers:
            own = {ask.seat for ask in view.table.asks if ask.seat not in view.managers}
            thrown = {ask.seat for ask in view.table.asks if isinstance(ask, RollView | RerollView)}
            if mine not in own and (open_to := own or thrown):
                return next(iter(open_to))
        return mine

    def _undo_last(self) -> None:
        proposal = self._session.game.current_views().public.proposal
        if proposal and proposal.source == Source.CAMERA:
            self._session.rolls.reject_roll()
        elif not self._session.buttons.undo_step():
            self._session.game.undo_answers(source=Source.BUTTONS)

    def _show_items(self, items: tuple[MenuItem, ...]) -> None:
        self._items, self._index = items, 0
        self._show_screen("menu")

    def _open_main_menu(self) -> None:
        """Open the main menu.

        Ask-me settings, paused games and the next fixture of the league last played are listed only if there are any
        and the store can be read.
        """
        items = list(self._main)
        if self._session.game.current_views().public.manageable and not self._session.game.table.outcome:
            items.insert(3, MenuItem("Computer managers", self._open_manager_menu))
        view = self._session.game.current_views().public
        if view.manageable or any(asked.topics for asked in view.standing.values()):
            items.insert(3, MenuItem("Ask me less", self._open_seat_list))
        items.insert(3, MenuItem("Other rulebook", self._open_rulebooks))
        with suppress(StoreError):
            if self._games.paused_games():
                items.insert(3, MenuItem("Paused games", self._open_paused_games))
            for offer in self._leagues.next_fixtures()[:1] if self._leagues else ():
                words = f"{'Resume' if offer.paused else 'Next'}: {offer.away.name} at {offer.home.name}"
                items.insert(3, MenuItem(words, partial(self._confirm_fixture, offer)))
        self._show_items(tuple(items))

    def _confirm_fixture(self, offer: FixtureOffer) -> None:
        if self._is_game_under_way:
            self._show_items((self._no, MenuItem("Yes, begin it", partial(self._begin_fixture, offer))))
        else:
            self._begin_fixture(offer)

    def _begin_fixture(self, offer: FixtureOffer) -> None:
        self._show_screen("game")
        if self._leagues:
            self._leagues.begin_fixture(offer.book, offer.fixture.number)

    def _open_paused_games(self) -> None:
        """Open the list of paused games with their numbers, the last first. Many have no name."""
        games = [
            MenuItem(f"{one.id} damaged", partial(self._show_damage_notice, one.id))
            if one.damaged
            else MenuItem(f"{one.id} {one.name or one.game.title}", partial(self._confirm_resume, one.id))
            for one in self._games.paused_games()
        ]
        self._show_items((MenuItem("Back to game", lambda: self._show_screen("game")), *games))

    def _show_damage_notice(self, game: int) -> None:
        self._show_screen("game")
        self._session.game.notices.show_notice(f"Game {game} is damaged. On the Pi: sudo dugout games --repair", 12)

    def _confirm_resume(self, game: int) -> None:
        if self._is_game_under_way:
            yes = MenuItem(f"Yes, resume {game}", partial(self._resume_game, game))
            self._show_items((self._no, yes))
        else:
            self._resume_game(game)

    def _resume_game(self, game: int) -> None:
        self._show_screen("game")
        if not self._games.resume_game(game):
            self._session.game.notices.show_notice(f"Game {game} no longer exists.")

    def _open_manager_menu(self, index: int = 0) -> None:
        """Show the manager of each seat and the pace. OK cycles the selected entry."""
        view = self._session.game.current_views().public
        items = [MenuItem("Back to game", lambda: self._show_screen("game"))]
        for seat in view.table.scoreboard.plays:
            managed = view.managers.get(seat)
            name, key = seat_label(view.table.scoreboard, seat), managed.key if managed else None
            items.append(
                MenuItem(f"{name}: {_cast_label(key) if key else 'a person'}", partial(self._cycle_manager, seat, key))
            )
        if view.managers:
            items.append(MenuItem(f"Pace: {view.pace}", partial(self._cycle_pace, view.pace, len(items))))
        self._show_items(tuple(items))
        self._index = min(index, len(items) - 1)
        self._session.game.publish_again()

    def _cycle_manager(self, seat: Seat, key: str | None) -> None:
        order = (None, *CAST)
        self._session.managed.assign_manager(seat, order[(order.index(key) + 1) % len(order)])
        self._open_manager_menu(self._index)

    def _cycle_pace(self, pace: str, index: int) -> None:
        order = list(PACE_DELAYS_S)
        self._session.managed.set_pace(order[(order.index(pace) + 1) % len(order)])
        self._open_manager_menu(index)

    def _open_seat_list(self) -> None:
        """Show the list of seats, or the ask-me settings of the only one."""
        seats = list(self._session.game.current_views().public.standing)
        if len(seats) == 1:
            self._open_topics(seats[0])
        else:
            board = self._session.game.current_views().public.table.scoreboard
            whose = [MenuItem(seat_label(board, seat), partial(self._open_topics, seat)) for seat in seats]
            self._show_items((MenuItem("Back to game", lambda: self._show_screen("game")), *whose))

    def _open_topics(self, seat: Seat, index: int = 0) -> None:
        """Show the ask-me settings of a seat. OK cycles the selected topic."""
        asked = self._session.game.current_views().public.standing.get(seat)
        items = [
            MenuItem(
                f"{topic.title}: {ASK_PREFERENCE_LABELS[topic.when].lower()}",
                partial(self._cycle_ask_preference, seat, place, topic),
            )
            for place, topic in enumerate(asked.topics if asked else (), 1)
        ]
        view = self._session.game.current_views().public
        if asked and view.manageable:
            only = MenuItem(
                f"Only what matters: {'on' if asked.assisted else 'off'}",
                partial(self._toggle_assistance, seat, not asked.assisted, len(items) + 1),
            )
            items.append(only)
        fewer = asked is not None and (asked.assisted or any(topic.when != "always" for topic in asked.topics))
        less = asked is not None and fewer and not asked.waiting
        if seat in view.waits or (less and view.table.asks):
            items.append(MenuItem("Wait: ask everything", partial(self._reopen_answers, seat)))
        self._show_items((MenuItem("Back to game", lambda: self._show_screen("game")), *items))
        self._index = index
        self._session.game.publish_again()

    def _reopen_answers(self, seat: Seat) -> None:
        """Reopen the seat's answers. It works even if OK would answer the seat's own question."""
        self._show_screen("game")
        self._session.seats.reopen_answers(seat, source=Source.BUTTONS)

    def _cycle_ask_preference(self, seat: Seat, place: int, topic: TopicView) -> None:
        order = list(ASK_PREFERENCE_LABELS)
        self._session.seats.set_ask_preference(seat, topic.key, order[(order.index(topic.when) + 1) % len(order)])
        self._open_topics(seat, place)

    def _toggle_assistance(self, seat: Seat, on: bool, place: int) -> None:
        self._session.managed.set_assistance(seat, on)
        self._open_topics(seat, place)

    @property
    def _is_game_under_way(self) -> bool:
        table = self._session.game.table
        return bool(table.answers) and not table.outcome

    def _open_new_game(self) -> None:
        table = self._session.game.table
        self._ask_new_game_options(table.game, table.house, self._games.begin_rematch)

    def _open_rulebooks(self) -> None:
        others = [game for game in GAMES.values() if game.key != self._session.game.table.game.key]
        self._show_items((self._no, *(MenuItem(game.title, partial(self._open_other_game, game)) for game in others)))

    def _open_other_game(self, game: Rulebook) -> None:
        def begin_game(managers: Mapping[Seat, str] | None = None, game_pace: str = "", **house: str) -> None:
            self._games.begin_game(game.key, [], house, managers=managers or {}, game_pace=game_pace)

        self._ask_new_game_options(game, game.resolve_house_rules({}), begin_game)

    def _ask_new_game_options(self, game: Rulebook, house: Mapping[str, str], begin: Callable[..., None]) -> None:
        """Ask for the options of a new game, then begin it with the resulting house rules."""
        if game.paces:
            asks = (
                MenuItem(
                    pace.title,
                    partial(self._ask_variant, game, {**house, **pace.house}, partial(begin, game_pace=pace.key), True),
                )
                for pace in game.paces
            )
            self._show_items((self._no, *asks))
        else:
            self._ask_variant(game, house, begin, not self._is_game_under_way)

    def _ask_variant(self, game: Rulebook, house: Mapping[str, str], begin: Callable[..., None], sure: bool) -> None:
        """Ask how the cards are handled or who plays, if the game has variants. Then ask who manages."""
        if ways := game.ways(house):
            asks = (
                MenuItem(
                    way.label,
                    partial(self._ask_players, game, {**house, **way.house}, partial(begin, **way.house), True),
                )
                for way in ways
            )
            self._show_items((self._no, *asks))
        else:
            self._ask_players(game, house, begin, sure)

    def _ask_players(self, game: Rulebook, house: Mapping[str, str], begin: Callable[..., None], sure: bool) -> None:
        """Ask whether a person or a computer plays either side, if a computer can. Then begin the game.

        With `sure`, nobody must confirm leaving the current game.
        """

        def start_action(**managers: Mapping[Seat, str]) -> Callable[[], None]:
            return partial(self._begin_new_game, partial(begin, **managers))

        if self._games.can_be_managed(game.key, house):

            def choose_opponent(seat: Seat) -> None:
                cast = (MenuItem(_cast_label(key), start_action(managers={opposite_seat(seat): key})) for key in CAST)
                self._show_items((self._no, *cast))

            against = [
                MenuItem(f"{seat.capitalize()} v computer", partial(choose_opponent, seat)) for seat in reversed(SEATS)
            ]
            self._show_items((self._no, MenuItem("Two players", start_action(managers={})), *against))
        elif sure:
            start_action()()
        else:
            self._show_items((self._no, MenuItem("Yes, new game", start_action())))

    def _begin_new_game(self, begin: Callable[[], None]) -> None:
        begin()
        self._show_screen("welcome")

    def shut_down(self) -> None:
        self._show_screen("bye")
        self._shutdown()

    def _show_screen(self, screen: str) -> None:
        with self._lock:
            self._screen = screen
        self._session.game.publish_again()

    @property
    def current_screen(self) -> str:
        """Name of the screen: welcome (like join, until the first answer), join, scan, game, menu or bye."""
        with self._lock:
            return self._screen

    @property
    def seconds_left(self) -> float:
        """Seconds until an unchanged view gives another picture, 0 if it would now."""
        screen = self.current_screen
        if screen not in ("welcome", "join", "scan"):
            return self._turner.seconds_left
        return min(self._turner.seconds_left, self._joining.seconds_left(screen == "scan"))

    def current_picture(self, screen: str = "") -> Image.Image:
        """Draw the current picture of `screen`, "" for the selected one."""
        view = self._session.game.view_for(None)
        if self.current_screen == "welcome" and view.table.version:
            with self._lock:
                self._screen = "game"
        chosen = screen or self.current_screen
        return self._turner.current_picture(
            view, lambda pages: self._draw_screen(chosen, view, pages), self._odds(view) if chosen == "game" else ""
        )

    def _odds(self, view: AudienceView) -> str:
        """What the open roll can become, in sentences. "" if it lies there already, or that is unknown."""
        if view.proposal or not any(ask.kind == "roll" for ask in view.table.asks):
            return ""
        return " ".join(f"{one.odds}: {one.brief}." for one in self._session.record.outcome_chances()[:MAX_ODDS])

    def _screen_rows(self, screen: str) -> list[str]:
        """Screen as rows of text that leave space for warnings. Empty for the game and the last screen."""
        match screen:
            case "welcome" | "join":
                url, other, code = self._joining.code_info()
                return [urlsplit(url).netloc, other, f"Code {code}"]
            case "scan":
                url, address, invitation = self._joining.invitation_info()
                return ["Open this and enter:", address + urlsplit(url).path, invitation]
            case "menu":
                return [f"> {self._items[self._index].label}"]
        return []

    def _draw_screen(self, screen: str, view: AudienceView, pages: PageRotation) -> Image.Image:
        if view.warnings and not view.proposal and (rows := self._screen_rows(screen)):
            return self._screens.draw_with_warnings(rows, view, pages)
        match screen:
            case "welcome" | "join" if not view.proposal:
                # The join screen stays longer, because phones must scan it.
                if pages.current_item((True, True, False)):
                    return self._screens.draw_join_screen(*self._joining.code_info())
                return self._screens.draw_message(view.game.title, JOIN_SCREEN_HINT)
            case "scan" if not view.proposal:
                return self._screens.draw_scan_screen(*self._joining.invitation_info())
            case "menu":
                return self._screens.draw_menu([item.label for item in self._items], self._index, pages)
            case "bye":
                return self._screens.draw_goodbye("Shutting down")
        return self._screens.draw_game(view, pages)
