"""Button handling and screen selection: game, join screen, menu, shutdown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PIL import Image

from device.display import screens_64
from device.display.oled import Screens
from device.display.pages import Pages, PageTurner
from device.storage.standing_settings import PACES
from device.storage.store import StoreError
from device.table.session import Session
from engine.ask_views import RerollView, RollView
from engine.errors import EngineError
from engine.game import ASK_WHEN, Game
from engine.games import GAMES
from engine.journal import Source
from engine.scoreboard import seat_words
from engine.seats import SEATS, Seat, other
from engine.views import TopicView, View
from managers.manager import STRENGTHS

if TYPE_CHECKING:
    from device.service.join_screen import JoinScreen
    from device.table.game_choice import GameChoice

STEPS = {"previous": -1, "next": 1}
GO_ON = "Press > to play. Hold undo for the menu."
"""What to do on the join screen, under the title of the game."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the menu, and its action."""

    label: str
    action: Callable[[], None]


class Menu:
    """Turns presses into answers and the session's view into the display's picture.

    `sleep` puts the display to sleep until a press, `shutdown` ends the table in order. `draw` are the screens of the
    display's size.
    """

    def __init__(
        self,
        session: Session,
        joining: JoinScreen,
        games: GameChoice,
        sleep: Callable[[], None],
        shutdown: Callable[[], None],
        draw: Screens = screens_64,
    ) -> None:
        self._session, self._joining, self._games = session, joining, games
        self._shutdown, self._draw = shutdown, draw
        self._turner = PageTurner(session.game.clock)
        self._lock = threading.Lock()
        self._screen = "welcome" if not session.game.table.answers else "game"
        self._index = 0
        self._main = (
            Item("Back to game", lambda: self._go("game")),
            Item("Join & code", lambda: self._go("join")),
            Item("New game", self._ask_again),
            Item("Sleep", sleep),
            Item("Shut down", self.shutdown),
        )

        self._no = Item("No, keep playing", lambda: self._go("game"))
        self._items: tuple[Item, ...] = self._main

    def pressed(self, button: str, when: float | None = None) -> None:
        """Handle a press of a button of `device.inputs.buttons`, `when` in seconds of the session's clock (None: now).

        Never raises: a refusal is shown as a notice.
        """
        self._turner.press()
        try:
            with self._lock:
                screen = self._screen
            self._act(button, screen, when)
        except (EngineError, StoreError) as error:
            self._session.game.notices.show(str(error))

    def _act(self, button: str, screen: str, when: float | None) -> None:
        seat, _, key = button.rpartition("-")
        if button == "shutdown":
            self.shutdown()
        elif button == "menu":
            self._menu()
        elif screen in ("welcome", "join") and key == "ok" and not self._session.race.wanted:
            self._go("scan")
        elif screen in ("welcome", "join", "scan"):
            # The press that puts the join screen away does nothing else, unless it is a call.
            self._go("game")
            if key == "ok" and self._session.race.wanted:
                self._session.buttons.press(self._seat(seat), when)
        elif screen == "menu":
            if button == "undo":
                self._go("game")
            elif key in STEPS:
                self._index = (self._index + STEPS[key]) % len(self._items)
                self._go("menu")
            else:
                self._items[self._index].action()
        elif button == "undo":
            self._undo()
        elif self._session.game.views().public.table.outcome:
            self._menu()
        elif key in STEPS:
            self._session.buttons.turn(self._seat(seat), STEPS[key])
        else:
            self._session.buttons.press(self._seat(seat), when)

    def _seat(self, word: str) -> Seat:
        """Return the seat of these buttons; without one (""), the seat that is asked. A person who plays alone has the
        buttons of both seats, and throws the dice for the computer that manages the other one.
        """
        view = self._session.game.views().public
        plays = view.table.scoreboard.plays
        asked = view.dial.seat if view.dial else next((ask.seat for ask in view.table.asks), None)
        mine = next((seat for seat in plays if seat == (word or asked)), next(iter(plays)))
        if view.managers:
            own = {ask.seat for ask in view.table.asks if ask.seat not in view.managers}
            thrown = {ask.seat for ask in view.table.asks if isinstance(ask, RollView | RerollView)}
            if mine not in own and (open_to := own or thrown):
                return next(iter(open_to))
        return mine

    def _undo(self) -> None:
        if self._session.game.views().public.proposal:
            self._session.rolls.reject()
        elif not self._session.buttons.back():
            self._session.game.undo(source=Source.BUTTONS)

    def _open(self, items: tuple[Item, ...]) -> None:
        self._items, self._index = items, 0
        self._go("menu")

    def _menu(self) -> None:
        """Open the menu, with what the seats are asked if this game has such topics, and with the games put aside if
        there are any and the store can be read.
        """
        items = list(self._main)
        if self._session.game.views().public.manageable and not self._session.game.table.outcome:
            items.insert(3, Item("Computer managers", self._ask_manager))
        if any(asked.topics for asked in self._session.game.views().public.standing.values()):
            items.insert(3, Item("Ask me less", self._ask_whom))
        items.insert(3, Item("Other rulebook", self._ask_rulebook))
        with suppress(StoreError):
            if self._games.aside():
                items.insert(3, Item("Paused games", self._ask_which))
        self._open(tuple(items))

    def _ask_which(self) -> None:
        """Open the list of games put aside, the last one first, each with its number, since many have no name."""
        games = [
            Item(f"{one.id} damaged", partial(self._refuse, one.id))
            if one.damaged
            else Item(f"{one.id} {one.name or one.game.title}", partial(self._ask_take, one.id))
            for one in self._games.aside()
        ]
        self._open((Item("Back to game", lambda: self._go("game")), *games))

    def _refuse(self, game: int) -> None:
        self._go("game")
        self._session.game.notices.show(f"Game {game} is damaged. On the Pi: sudo dugout games --repair", 12)

    def _ask_take(self, game: int) -> None:
        if self._under_way:
            yes = Item(f"Yes, resume {game}", partial(self._play_on, game))
            self._open((self._no, yes))
        else:
            self._play_on(game)

    def _play_on(self, game: int) -> None:
        self._go("game")
        if not self._games.take(game):
            self._session.game.notices.show(f"Game {game} no longer exists.")

    def _ask_manager(self, index: int = 0) -> None:
        """Open the list of seats, each with who manages it, and the pace; OK sets the next of these."""
        view = self._session.game.views().public
        items = [Item("Back to game", lambda: self._go("game"))]
        for seat in view.table.scoreboard.plays:
            managed = view.managers.get(seat)
            strength = managed.strength if managed else None
            name = seat_words(view.table.scoreboard, seat)
            items.append(Item(f"{name}: {strength or 'a person'}", partial(self._manage_next, seat, strength)))
        if view.managers:
            items.append(Item(f"Pace: {view.pace}", partial(self._pace_next, view.pace, len(items))))
        self._open(tuple(items))
        self._index = min(index, len(items) - 1)
        self._session.game.touch()

    def _manage_next(self, seat: Seat, strength: str | None) -> None:
        order = (None, *STRENGTHS)
        self._session.managed.manage(seat, order[(order.index(strength) + 1) % len(order)])
        self._ask_manager(self._index)

    def _pace_next(self, pace: str, index: int) -> None:
        order = list(PACES)
        self._session.managed.set_pace(order[(order.index(pace) + 1) % len(order)])
        self._ask_manager(index)

    def _ask_whom(self) -> None:
        """Open the list of seats, or the topics of the only one."""
        seats = list(self._session.game.views().public.standing)
        if len(seats) == 1:
            self._ask_about(seats[0])
        else:
            board = self._session.game.views().public.table.scoreboard
            whose = [Item(seat_words(board, seat), partial(self._ask_about, seat)) for seat in seats]
            self._open((Item("Back to game", lambda: self._go("game")), *whose))

    def _ask_about(self, seat: Seat, index: int = 0) -> None:
        """Open the topics of a seat, each with when it is asked; OK sets the next of these."""
        asked = self._session.game.views().public.standing.get(seat)
        items = [
            Item(f"{topic.title}: {ASK_WHEN[topic.when].lower()}", partial(self._ask_next, seat, place, topic))
            for place, topic in enumerate(asked.topics if asked else (), 1)
        ]
        view = self._session.game.views().public
        less = asked is not None and not asked.waiting and any(topic.when != "always" for topic in asked.topics)
        if seat in view.waits or (less and view.table.asks):
            items.append(Item("Wait: ask everything", partial(self._wait, seat)))
        self._open((Item("Back to game", lambda: self._go("game")), *items))
        self._index = index
        self._session.game.touch()

    def _wait(self, seat: Seat) -> None:
        """Wait also where OK would answer the seat's own question."""
        self._go("game")
        self._session.seats.wait(seat, source=Source.BUTTONS)

    def _ask_next(self, seat: Seat, place: int, topic: TopicView) -> None:
        order = list(ASK_WHEN)
        self._session.seats.stand(seat, topic.key, order[(order.index(topic.when) + 1) % len(order)])
        self._ask_about(seat, place)

    @property
    def _under_way(self) -> bool:
        table = self._session.game.table
        return bool(table.answers) and not table.outcome

    def _ask_again(self) -> None:
        table = self._session.game.table
        self._ask_how(table.game, table.house, self._games.again)

    def _ask_rulebook(self) -> None:
        """Open the list of rulebooks, without the one on the table."""
        others = [game for game in GAMES.values() if game.key != self._session.game.table.game.key]
        self._open((self._no, *(Item(game.title, partial(self._ask_other, game)) for game in others)))

    def _ask_other(self, game: Game) -> None:
        def begin(managers: Mapping[Seat, str] | None = None, **house: str) -> None:
            self._games.new_game(game.key, [], house, managers=managers or {})

        self._ask_how(game, game.house({}), begin)

    def _ask_how(self, game: Game, house: Mapping[str, str], begin: Callable[..., None]) -> None:
        """Ask what is to be known before a new game, then begin it with the house rules that this changes."""
        if ways := game.ways(house):
            asks = (
                Item(way.label, partial(self._ask_who, game, {**house, **way.house}, partial(begin, **way.house), True))
                for way in ways
            )
            self._open((self._no, *asks))
        else:
            self._ask_who(game, house, begin, not self._under_way)

    def _ask_who(self, game: Game, house: Mapping[str, str], begin: Callable[..., None], sure: bool) -> None:
        """Ask who plays, a person or a computer on either side, where a computer can; then begin.

        `sure`: nobody needs to be asked whether to leave the game on the table.
        """

        def starts(**managers: Mapping[Seat, str]) -> Callable[[], None]:
            return partial(self._new_game, partial(begin, **managers))

        if self._games.manageable(game.key, house):
            against = [
                Item(f"{seat.capitalize()} v {strength}", starts(managers={other(seat): strength}))
                for seat in reversed(SEATS)
                for strength in STRENGTHS
            ]
            self._open((self._no, Item("Two players", starts(managers={})), *against))
        elif sure:
            starts()()
        else:
            self._open((self._no, Item("Yes, new game", starts())))

    def _new_game(self, begin: Callable[[], None]) -> None:
        begin()
        self._go("welcome")

    def shutdown(self) -> None:
        """Show the shutdown screen, and end."""
        self._go("bye")
        self._shutdown()

    def _go(self, screen: str) -> None:
        with self._lock:
            self._screen = screen
        self._session.game.touch()

    @property
    def screen(self) -> str:
        """Return which screen is shown: welcome (as join, until the first answer), join, scan, game, menu or bye."""
        with self._lock:
            return self._screen

    @property
    def left(self) -> float:
        """Seconds until the picture would be another though nothing has changed, 0 if it would be now."""
        screen = self.screen
        if screen not in ("welcome", "join", "scan"):
            return self._turner.left
        return min(self._turner.left, self._joining.left(screen == "scan"))

    def picture(self, screen: str = "") -> Image.Image:
        """Return the picture to show now: of this screen, or else of the one that was chosen."""
        view = self._session.game.view(None)
        if self.screen == "welcome" and view.table.version:
            with self._lock:
                self._screen = "game"
        chosen = screen or self.screen
        return self._turner.picture(view, lambda pages: self._drawn(chosen, view, pages))

    def _rows(self, screen: str) -> list[str]:
        """Return a screen in rows, which leave room for warnings; none for the game and for the last screen."""
        match screen:
            case "welcome" | "join":
                url, address, code = self._joining.join()
                return [urlsplit(url).netloc, address, f"Code {code}"]
            case "scan":
                url, address, invitation = self._joining.scan()
                return ["Open this and enter:", address + urlsplit(url).path, invitation]
            case "menu":
                return [f"> {self._items[self._index].label}"]
        return []

    def _drawn(self, screen: str, view: View, pages: Pages) -> Image.Image:
        if view.warnings and not view.proposal and (rows := self._rows(screen)):
            return self._draw.warned(rows, view, pages)
        match screen:
            case "welcome" | "join" if not view.proposal:
                # How to join stays longer, because phones must scan it.
                if pages.of((True, True, False)):
                    return self._draw.join(*self._joining.join())
                return self._draw.message(view.game.title, GO_ON)
            case "scan" if not view.proposal:
                return self._draw.scan(*self._joining.scan())
            case "menu":
                return self._draw.menu([item.label for item in self._items], self._index, pages)
            case "bye":
                return self._draw.bye("Shutting down")
        return self._draw.game(view, pages)
