"""Puts a table together and runs it. Everything that may fail alone is supervised alone.

The order of starting is the order in which people miss things: display, journal, buttons, pages, camera.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL.Image import Image

from device.devices import Devices
from device.diagnostics import recent_log
from device.diagnostics.live_report import LiveReport
from device.diagnostics.press_log import PressLog
from device.display import startup
from device.display.menu import Menu
from device.display.oled import Oled
from device.inputs.house_player import HousePlayer
from device.inputs.roll_samples import RollSamples
from device.service import address, safe_mode, shutdown
from device.service.access import Access
from device.service.systemd import Systemd
from device.service.watchdog import Watchdog
from device.settings import Settings
from device.storage import decks
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store, StoreError
from device.table import play_log
from device.table.past_games import PastGames
from device.table.session import Session
from engine.errors import DeckError, EngineError, Fault, IllegalAnswer
from engine.game import Game
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table

if TYPE_CHECKING:
    from device.simulator.devices import SimulatedDevices

log = logging.getLogger("dugout")

TICK = 0.05
"""Seconds between looks at pins, clocks and display."""

HANGS = 10.0
"""Seconds without a tick, or a turn of the loop that serves the pages, after which either is taken to hang."""

ENDS = (signal.SIGTERM, signal.SIGINT)
"""By what it is told to end: a service manager's word, and a person's at a terminal."""

TURN = 8.0
"""Seconds for which the display shows in turn, in safe mode, each part of why it is in it, and how phones join."""

TOLD = 8.0
"""Seconds for which it is shown that a phone took a seat: the other side is to see it."""


class App:
    """One table with its hands and faces: what `web.port.Port` asks for. `demo` simulates every device.

    `service` is told how the table is; `unsafe` is why much is left out (`device.service.safe_mode`), in words, or
    None; `oled` is its display, where that shows something already.
    """

    def __init__(
        self,
        settings: Settings,
        demo: bool,
        seed: int | None = None,
        service: Systemd | None = None,
        unsafe: str | None = None,
        oled: Oled | None = None,
    ) -> None:
        self.settings, self.demo = settings, demo
        self.service, self.unsafe = service or Systemd({}), unsafe
        self.oled = oled or startup.greeting(settings.display, demo)
        # In safe mode a display may hang: pages are served all the same.
        self._pulse = Watchdog() if unsafe else self.oled.pulse
        data = settings.data.expanduser().absolute()
        try:
            self._store = Store(data / "journal.db")
            try:
                self._assemble(data, seed)
            except BaseException:
                self._store.close()
                raise
        except (EngineError, StoreError) as error:
            self.oled.stop(self.oled.draw.message("Dugout", str(error)))
            raise

    def _assemble(self, data: Path, seed: int | None) -> None:
        settings, demo = self.settings, self.demo
        self._decks = data / "decks"
        self.library = decks.DeckLibrary(self._decks, settings.game.decks)
        self.passes = Access(self._store)
        self.announce: Callable[[str], None] = lambda code: None
        self.resumed = ""
        self._born = time.monotonic()
        lessons = RollSamples(data / "trays")
        chosen, evidence = settings.game, RollPictures(data / "evidence")
        self.session = Session(
            self._store,
            lambda: self._table(chosen.key, chosen.decks, chosen.house),
            show=settings.camera.show,
            evidence=evidence,
            lessons=lessons,
        )
        self._history = PastGames(self._store.path, lambda: self.session.game[0], evidence.has)
        self._house = HousePlayer(self.session, self.passes.key, secrets.choice)
        does = (self._join_screen, self._again, self.oled.sleep, self._end)
        self.menu = Menu(
            self.session,
            *does,
            draw=self.oled.draw,
            aside=self.aside,
            take=self.take,
            bare=lambda: self._again(level="players"),
        )
        self._stage: Any = self._open_stage(seed) if demo else None
        trays, stage = data / "trays", self._stage
        self._heard = PressLog(lambda: self.session.view(None))
        self._devices = Devices(settings, self.session, self._pressed, trays, lessons, self._pulse, stage, self.unsafe)
        self.settings, self.unsafe = self._devices.settings, self._devices.unsafe
        self._done = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="ticker", daemon=True)
        self._player: threading.Thread | None = None
        self._server: Any = None
        self._port, self._given = settings.web.port, False
        self.doctor = LiveReport(
            self._devices.figures, self._store, self.oled, self._heard, lambda: (self._port, self._given)
        )
        self._open = self._ending = False

    # Starting and stopping ---------------------------------------------------------------------------------------

    def listen(self) -> socket.socket:
        """The socket the pages are served on: the service manager's, or one of the settings' address.

        Raises OSError when that is taken or is not this machine's.
        """
        if (given := self.service.listening()) is not None:
            self._port, self._given = given.getsockname()[1], True
            return given
        web = self.settings.web
        family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
        return socket.create_server((web.host, web.port), family=family, backlog=256)

    def serve(self, listening: socket.socket) -> None:
        """Play until told to stop: serve the pages, watch the tray, look after hands and faces."""
        from device.service.server import Server

        self._server = Server(self, self._serves)
        recent_log.listen("uvicorn")
        self._ticker.start()
        self._devices.start()
        # uvicorn raises the signal again when it has ended; the parts below still want to end in order.
        for number in ENDS:
            signal.signal(number, self._server.handle_exit)
        self._server.run(sockets=[listening])

    def _serves(self) -> None:
        """A turn of the loop that serves the pages; at the first they can be had."""
        self._pulse.beat("pages", HANGS)
        if not self._open:
            self._open = True
            self.service.ready(self._status())

    def _status(self) -> str:
        """How the table is, for who asks the service manager."""
        return " ".join((f"Open: {self.join()['url']}", *self.session.health().values()))

    def stop(self, failed: str = "") -> None:
        """Let every part go; what the display says last is true by then: how it `failed`, if it did."""
        self.service.stopping()
        self._done.set()
        for thread in (self._ticker, self._player):
            if thread is not None and thread.is_alive():
                thread.join(2)
        self._devices.stop()
        self.passes.keep()
        self._store.close()
        os.sync()
        self.oled.stop(self.oled.draw.message("Dugout", failed) if failed else self.oled.draw.bye(self._last_words()))

    def _last_words(self) -> str:
        if self.demo and self._ending:
            return "Safe to unplug"
        if self._ending and self.settings.poweroff:
            if (refused := shutdown.poweroff()) is None:
                return shutdown.UNPLUG
            log.error("The machine cannot be switched off: %s", refused)
            return shutdown.last(self.service.managed, shutdown.STAYS)
        return shutdown.last(self.service.managed)

    def _end(self) -> None:
        self._ending = True
        if self._server is not None:
            signal.raise_signal(signal.SIGTERM)

    def _tick(self) -> None:
        shown = -1
        while not self._done.wait(TICK):
            self._pulse.beat("buttons and clocks", HANGS)
            try:
                shown = self._look_after(shown)
            except Exception:  # one bad moment must not cost the evening its buttons
                log.exception("A tick failed.")
                shown = self.session.version
            if self._open:
                self.service.ping(self._pulse.late())

    def _look_after(self, shown: int) -> int:
        """Poll the buttons, let a shown roll count, and show what is new since version `shown`; gives the version."""
        self._devices.look_after(self.session.version != shown)
        self.session.miss("display", self.oled.missing)
        self.session.tick()
        version = self.session.version
        self._house.look(version != shown)
        if version != shown or self.session.counting or self.unsafe:
            self.oled.show(self._picture(), news=self.unsafe is None)
            if self.unsafe and version != shown:
                self.oled.touch()
        if version != shown and self._open and self.service.managed:
            self.service.status(self._status())
        self.passes.tick()
        return version

    def _picture(self) -> Image:
        """What the display shows; in safe mode nobody has buttons to look at anything else."""
        if self.unsafe is None or self.menu.screen == "bye":
            return self.menu.picture()
        parts = safe_mode.parts(self.unsafe)
        turn = int((time.monotonic() - self._born) // TURN) % (len(parts) + 1)
        draw = self.oled.draw
        return draw.message("Safe mode", parts[turn]) if turn < len(parts) else draw.join(*self._join_screen())

    def _open_stage(self, seed: int | None) -> SimulatedDevices:
        from device.simulator.devices import SimulatedDevices

        return SimulatedDevices(self.settings.buttons.pins, seed)

    def _pressed(self, button: str, when: float) -> None:
        self._heard.note(button)
        # The press that wakes the display does nothing else, unless a race is on: then it is a call.
        if not self.oled.touch() or self.session.racing is not None:
            self.menu.pressed(button, when)

    def _join_screen(self) -> tuple[str, str, str]:
        found = self.join()
        return found["url"], found["address"], self.code

    def _again(self, **house: str) -> None:
        table = self.session.table
        self._begin(Table(table.game, table.decks, {**table.house, **house}))

    def _begin(self, table: Table) -> None:
        """Put a new game on the table."""
        self.session.new_game(table)
        self._recode()

    def _recode(self) -> bool:
        """Put another code on the display with another game; passes that were given stay good."""
        try:
            self._renew()
        except StoreError as error:
            log.warning("The code stays as it is: %s", error)
        return True

    def _renew(self, freed: Seat | None = None) -> None:
        """Take a new code, and back the passes of the seat that is `freed`. Raises StoreError; nothing has changed."""
        self.passes.renew(freed)
        self.session.touch()
        self.announce(self.code)

    # What the web asks for ---------------------------------------------------------------------------------------

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """The whole small view of one audience."""
        return self.session.view(seat)

    def plays(self) -> list[dict[str, Any]]:
        """The whole play log."""
        return self.session.plays()

    def rolls(self, most: int | None = None) -> list[dict[str, Any]]:
        """The rolls that stand."""
        return self.session.rolls(most)

    def answers(self) -> list[dict[str, Any]]:
        """What people answered and stands."""
        return play_log.answers(self.session.table)

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        """Answer an ask."""
        self.session.answer(seat, n, value, source)

    def call(self, seat: Seat, n: int, source: str) -> None:
        """A call in a race, made now."""
        self.session.call(seat, n, self.session.clock(), source)

    def reject(self, n: int) -> None:
        """Drop a shown roll."""
        self.session.reject(n)

    def tell(self, words: str) -> None:
        """Show a sentence."""
        self.session.tell(words, TOLD)

    def hold(self, n: int) -> None:
        """Let a shown roll wait."""
        self.session.hold(n)

    def undo(self, n: int | None, version: int | None = None) -> None:
        """Take back."""
        self.session.undo(n, version=version)

    def undoing(self, n: int) -> dict[str, Any]:
        """What taking back would change."""
        return play_log.undoing(self.session.table, n)

    def amend(self, n: int, value: Any, version: int | None = None) -> None:
        """Correct a roll."""
        self.session.amend(n, value, version=version)

    def preview(self, n: int, value: Any) -> dict[str, Any]:
        """What a correction would change."""
        return self.session.preview(n, value)

    def catalogue(self) -> dict[str, Any]:
        """The games, their house rules, and the owner's decks that they can be played with."""
        return {"games": self.library.games()}

    def new_game(self, game: str, decks: list[str], house: dict[str, str]) -> None:
        """Put another game on the table; `decks` by the names the catalogue has. Raises DeckError or HouseRuleError."""
        chosen = rules(game)
        self._begin(Table(chosen, self.library.load(chosen, decks), house))

    def resume(self) -> str:
        """Put the game of the settings on the table: the last such with these cards that was put aside, else a new one;
        gives where it goes on, "" of a new one. Raises DeckError or HouseRuleError."""
        chosen = self.settings.game
        table = self._table(chosen.key, chosen.decks, chosen.house)
        kept = self._history.like(table)
        with suppress(IllegalAnswer):  # one that cannot be read stays where it is
            if kept and self.take(kept["id"]):
                return str(kept["stands"])
        self._begin(table)
        return ""

    def _table(self, key: str, files: list[str], house: dict[str, str]) -> Table:
        game = rules(key)
        return Table(game, decks.load(game, [self._decks / file for file in files]), house)

    def games(self, page: int) -> dict[str, Any]:
        """A page of the games that were played."""
        return self._history.games(page)

    def aside(self) -> list[dict[str, Any]]:
        """The games that were put aside."""
        return self._history.aside()

    def take(self, number: int) -> bool:
        """Put a game that was put aside on the table again."""
        return self.session.take(number) and self._recode()

    def name(self, number: int, name: str) -> bool:
        """Give a game a name."""
        return self._store.name(number, name)

    def past(self, number: int) -> dict[str, Any] | None:
        """One of these games."""
        return self._history.game(number)

    def replay(self, number: int) -> list[dict[str, Any]] | None:
        """Its steps."""
        return self._history.replay(number)

    def journal(self, number: int) -> dict[str, Any] | None:
        """Its journal, as anyone may read it."""
        return self._history.journal(number)

    @property
    def code(self) -> str:
        """The code on the display."""
        return self.passes.code

    def role(self, code: str) -> str | None:
        """The operator's code makes an operator."""
        return self.passes.role(code)

    def epoch(self, seat: Seat) -> int:
        """How often a seat was freed."""
        return self.passes.epoch(seat)

    def free(self, seat: Seat) -> None:
        """Take back every pass of a seat, and change the code."""
        self._renew(seat)

    def shutdown(self) -> None:
        """End in order."""
        self.menu.shutdown()

    def secret_key(self) -> bytes:
        """What cookies are signed with."""
        return self.passes.key.encode()

    def age(self) -> float:
        """How long the table was on, ever."""
        return self.passes.age()

    def join(self) -> dict[str, Any]:
        """How a phone finds the table."""
        port = self._port
        loopback = not self._given and self.settings.web.host in ("127.0.0.1", "localhost", "::1")
        name = "localhost" if loopback else self.settings.web.name or f"{socket.gethostname()}.local"
        tail = "" if port == 80 else f":{port}"
        where = "127.0.0.1" if loopback else address.own()
        return {"url": f"http://{name}{tail}/", "name": name, "address": f"{where}{tail}"}

    def camera_jpeg(self) -> bytes | None:
        """The camera's picture."""
        return camera.jpeg() if (camera := self._devices.camera) is not None else None

    def board_jpeg(self) -> bytes | None:
        """The board camera's picture."""
        return board.jpeg() if (board := self._devices.board) is not None else None

    def evidence(self, name: str) -> bytes | None:
        """The picture of a roll that counted."""
        return self.session.picture(name)

    def glass_png(self) -> bytes | None:
        """The display's bitmap."""
        return self.oled.png()

    def press(self, button: str, action: str) -> None:
        """Move a virtual button."""
        self._stage.press(button, action)

    def simulate(self, what: str) -> None:
        """Move virtual dice or Gloves."""
        self._stage.simulate(what, self.session)

    def calibrate(self, step: str) -> dict[str, Any]:
        """A step of the camera's calibration."""
        return self._devices.calibrate(step)

    def health(self) -> list[dict[str, Any]]:
        """How each part is."""
        return self._devices.health()

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change."""
        return self.session.subscribe(changed)

    # Playing by itself -------------------------------------------------------------------------------------------

    def autoplay(self, seed: int, pause: float = 0.8) -> None:
        """Let a bot play both seats until the game is over, a step every `pause` seconds."""
        from random import Random

        from device.inputs.autoplay import Autoplay

        if self.session.table.outcome:
            self._again()
        drawn = (self._stage.tray, self._stage.ground) if self._stage else (None, None)
        player = Autoplay(self.session, Random(seed), *drawn)

        def play() -> None:
            while not self._done.wait(pause) and player.step():
                pass

        self._player = threading.Thread(target=play, name="autoplay", daemon=True)
        self._player.start()


def rules(key: str) -> Game:
    """The rules of a game. Raises DeckError where there is none of that key."""
    if key not in GAMES:
        raise DeckError(Fault("settings", "", "game", f"there is no game {key!r}; there are {', '.join(GAMES)}."))
    return GAMES[key]
