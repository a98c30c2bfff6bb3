"""Build one table from its settings and run it.

Each part may fail alone. Parts start in the order in which people miss them: display, journal, buttons, pages, camera.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from device.analysis.background import BackgroundAnalysis
from device.analysis.dice_report import DiceReports
from device.devices import Devices
from device.diagnostics import recent
from device.diagnostics.live_report import LiveReport
from device.diagnostics.running_table import DoctorSocket
from device.display import startup
from device.display.league_rows import league_rows
from device.display.menu import Menu
from device.display.oled import Oled
from device.display.share_pictures import SharePictures
from device.display.table_display import TableDisplay
from device.inputs.chance_draws import AutomaticDraws
from device.inputs.computer_managers import ComputerManagers
from device.inputs.corrections import LearnedCorrections
from device.inputs.photographs import Photographs
from device.league.game_labels import GameLabels
from device.league.leagues import Leagues
from device.service import safe_mode, shutdown
from device.service.access import Access
from device.service.join_screen import JoinScreen
from device.service.systemd import Systemd
from device.service.watchdog import Watchdog
from device.settings import Settings, WebSettings, expand_path
from device.storage.decks import DeckLibrary
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store, StoreError
from device.table.game_choice import GameChoice, build_table
from device.table.past_games import PastGames
from device.table.session import GameSession
from engine.errors import EngineError
from web.port import TablePorts
from web.security.rejection_log import RejectionLog

log = logging.getLogger("dugout")

MIN_TICK_S = 0.02
"""Shortest time between two ticks, in seconds. A tick polls pins, clocks and display."""

MAX_TICK_S = 1.0
"""Longest time between two ticks, in seconds, if nothing changes."""

HANG_TIMEOUT_S = 10.0
"""Heartbeat timeout of the ticker and of the page server, in seconds."""

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
"""Signals that stop the program: SIGTERM from systemd, SIGINT from Ctrl-C."""


class App:
    """One table with its parts.

        demo: simulates every device.
        service: the service manager.
        unsafe: reason for safe mode in words (`device.service.safe_mode`), or None.
        oled: the display, if it already shows something.
        file: the settings file, if one is named.
        announce: called with each new sign-in code.

    Raises EngineError or StoreError if the decks or the journal cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        demo: bool,
        seed: int | None = None,
        service: Systemd | None = None,
        unsafe: str | None = None,
        oled: Oled | None = None,
        *,
        file: Path | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self.settings, self.demo = settings, demo
        self._file, self._announce = file, announce
        self.service, self.unsafe = service or Systemd({}), unsafe
        self.oled = oled or startup.start_with_greeting(settings.display, demo)
        # In safe mode the display may hang, and the pages must be served even then.
        self._watchdog = Watchdog() if unsafe else self.oled.pulse
        data = expand_path(settings.data).absolute()
        try:
            self._store = Store(data / "journal.db")
            self._doctor_socket = DoctorSocket(data)
            try:
                self._build_components(data, seed)
            except BaseException:
                self._doctor_socket.close()
                self._store.close()
                raise
        except (EngineError, StoreError) as error:
            self.oled.stop(self.oled.draw.draw_message("Dugout", str(error)))
            raise

    def _build_components(self, data: Path, seed: int | None) -> None:
        settings, store = self.settings, self._store
        self._decks = data / "decks"
        self.resumed = ""
        lessons, self._pictures = LearnedCorrections(), RollPictures(data / "evidence")
        files, people = LeagueFiles(data / "leagues"), PeopleFile(data / "people.json")
        self.session = GameSession(
            store,
            lambda: build_table(settings.game, self._decks),
            show=settings.camera.show,
            evidence=self._pictures,
            lessons=lessons,
            league_labels=GameLabels(files, people).game_labels,
        )
        self.access = Access(store, self._show_new_code, remember=settings.web.remember)
        self._announced: str | None = self.access.sign_in_code
        """The last code given to `announce`. None while nobody needs to hear of another."""
        self.library = DeckLibrary(self._decks, settings.game.decks)
        self.past = PastGames(
            store.path, lambda: self.session.game.number, self._pictures.has_picture, SharePictures().result_picture
        )
        self.dice = DiceReports(store.path, data / "evidence")
        self.games = GameChoice(self.session.game, store, self.library, self.past, self.access.change_code)
        self._automatic_draws = AutomaticDraws(self.session, self.access.cookie_key)
        stage = self._open_simulation(seed) if self.demo else None
        tray = partial(stage.simulate_action, "throw", self.session) if stage else None
        chance = secrets.SystemRandom() if seed is None else Random(seed)
        self.managers = ComputerManagers(self.session, chance, tray=tray)
        self.analysis = BackgroundAnalysis(self.session, self.past, settings.analysis.level)
        self.leagues = Leagues(files, people, self.session, store, self.games, self.library, chance)
        self.join_screen = JoinScreen(self.access, settings.web, lambda: self._has_no_buttons)
        self.menu = Menu(
            self.session, self.join_screen, self.games, self.oled.sleep, self._shut_down, self.oled.draw, self.leagues
        )
        if settings.display.league:
            self.oled.sleep_rows = partial(league_rows, self.leagues.books)
        self._rejections = RejectionLog()
        self._press_log = recent.PressLog(lambda: self.session.game.current_views().public.table.asks)
        self.devices = Devices(
            settings, self.session, self._handle_press, data / "trays", lessons, self._watchdog, stage, self.unsafe
        )
        self.settings, self.unsafe = self.devices.settings, self.devices.unsafe
        self._display = TableDisplay(
            self.session.game,
            self.menu,
            self.oled,
            self.join_screen,
            lambda: self.access.guess_warning,
            safe_mode.reason_pages(self.unsafe) if self.unsafe else (),
        )
        self._seen_version = -1
        """Version of the views that the parts have seen."""
        self._stopping, self._changed = threading.Event(), threading.Event()
        self.session.game.subscribe(lambda views: self._changed.set())
        self._ticker = threading.Thread(target=self._run_ticker, name="ticker", daemon=True)
        self._server: Any = None
        self.doctor = LiveReport(
            self.devices.table_figures,
            store,
            self.oled,
            self._press_log,
            lambda: (self.join_screen.port, self.join_screen.given),
            self._rejections.rejection_summary,
            self.analysis.evaluation_time,
            self.access.table_id,
            self._file,
        )
        self._open = self._ending = False

    def web_port(self) -> TablePorts:
        table = self.session
        return TablePorts(
            game=table.game,
            seats=table.seats,
            race=table.race,
            rolls=table.rolls,
            photographs=Photographs(table),
            managed=table.managed,
            corrections=table.corrections,
            record=table.record,
            notices=table.game.notices,
            games=self.games,
            past=self.past,
            dice=self.dice,
            access=self.access,
            devices=self.devices,
            library=self.library,
            doctor=self.doctor,
            managers=self.managers,
            analysis=self.analysis,
            books=self.leagues.books,
            leagues=self.leagues,
            join=self.join_screen.table_addresses,
            display_png=self.oled.png_bytes,
            shutdown=self.menu.shut_down,
            own_names=host_names(self.settings.web, socket.gethostname()),
            refusals=self._rejections,
        )

    # Starting and stopping ---------------------------------------------------------------------------------------

    def open_listening_socket(self) -> socket.socket:
        """Open the socket for the pages, or use the one passed by the service manager.

        The host `::` means every IPv6 and IPv4 address, and port 0 any free one. Raises OSError if the address is taken
        or is not this machine's.
        """
        if (given := self.service.passed_socket()) is not None:
            self.join_screen.port, self.join_screen.given = given.getsockname()[1], True
            return given
        web = self.settings.web
        family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
        both = web.host == "::" and socket.has_dualstack_ipv6()
        listening = socket.create_server((web.host, web.port), family=family, backlog=256, dualstack_ipv6=both)
        self.join_screen.port = listening.getsockname()[1]
        return listening

    def serve(self, listening: socket.socket) -> None:
        """Serve the pages and run all parts until a signal or `stop_serving`."""
        from device.service.server import Server

        self._server = Server(self.web_port(), self._record_server_heartbeat, proxies=self.settings.web.proxies)
        recent.record_logger("uvicorn")
        self._doctor_socket.start_answering(self.doctor.table_report)
        self.devices.start()
        self._ticker.start()
        self.managers.start()
        self.analysis.start()
        self.leagues.start()
        # uvicorn raises the signal again when it ends, and would skip the shutdown of the parts. Python handles signals
        # in the main thread only.
        if threading.current_thread() is threading.main_thread():
            for number in STOP_SIGNALS:
                signal.signal(number, self._server.handle_exit)
        self._server.run(sockets=[listening])

    def stop_serving(self) -> None:
        """End `serve`, from any thread, as SIGTERM does."""
        if self._server is not None:
            self._server.handle_exit(signal.SIGTERM, None)

    def _record_server_heartbeat(self) -> None:
        """Record a heartbeat of the page server. The first one reports the table as ready."""
        self._watchdog.beat("pages", HANG_TIMEOUT_S)
        if not self._open:
            self._open = True
            self.service.report_ready(self._status_text())

    def _status_text(self) -> str:
        return " ".join(
            (f"Open: {self.join_screen.table_addresses().url}", *self.session.game.notices.current_faults().values())
        )

    def stop(self, failed: str = "") -> None:
        """Stop every part. The display then shows `failed`, or if that is empty, whether it is safe to unplug."""
        self.service.report_stopping()
        self._stopping.set()
        self._changed.set()
        self.managers.stop()
        self.analysis.stop()
        self.leagues.stop()
        if self._ticker.is_alive():
            self._ticker.join(2)
        self.devices.stop()
        # A process that ends while OpenCV encodes is aborted.
        self._pictures.wait_for_clips(10)
        self.access.save_now()
        self._doctor_socket.close()
        self._store.close()
        os.sync()
        self.oled.stop(
            self.oled.draw.draw_message("Dugout", failed) if failed else self.oled.draw.draw_goodbye(self._last_words())
        )

    def _last_words(self) -> str:
        if self.demo and self._ending:
            return "Safe to unplug"
        if self._ending and self.settings.poweroff:
            if (refused := shutdown.power_off()) is None:
                return shutdown.UNPLUG_TEXT
            log.error("The machine cannot be turned off: %s", refused)
            return shutdown.last_words(self.service.is_managed, shutdown.STILL_ON_TEXT)
        return shutdown.last_words(self.service.is_managed)

    def _shut_down(self) -> None:
        self._ending = True
        self.stop_serving()

    # The ticker --------------------------------------------------------------------------------------------------

    def _run_ticker(self) -> None:
        while not self._stopping.wait(MIN_TICK_S):
            self._watchdog.beat("buttons and clocks", HANG_TIMEOUT_S)
            try:
                wait = self._update_components()
            except Exception:  # one failed tick must not cost the evening its buttons
                log.exception("A look at the parts failed.")
                wait = MAX_TICK_S
            if self._open:
                self.service.ping_watchdog(self._watchdog.late_parts())
            self._changed.wait(min(wait, MAX_TICK_S))
            self._changed.clear()

    def _update_components(self, new: bool = False) -> float:
        """Update every part and return the seconds until the next update is due. `new` treats the view as changed."""
        self._store.update_copy()
        waits = [self.devices.update_components(), self.session.tick()]
        notices = self.session.game.notices
        if (guessing := self.access.guess_warning) and "code" not in notices.current_faults():
            notices.show_warning(guessing)
        notices.set_fault("code", guessing)
        notices.set_fault(self._display.name, self._display.fault)
        view = self.session.game.view_for(None)
        new = new or view.version != self._seen_version or self.join_screen.has_new_address()
        self._seen_version = view.version
        waits += [self._automatic_draws.make_open_draws(new), self._display.update(view, new)]
        if new and self._open and self.service.is_managed:
            self.service.report_status(self._status_text())
        self.access.save_if_due()
        return min(waits)

    @property
    def _has_no_buttons(self) -> bool:
        """True if there are no buttons next to the display. A button held at the start disables them too."""
        wanted = self.settings
        return wanted.buttons.factory == "none" and not wanted.remote.name and not self.demo

    def _open_simulation(self, seed: int | None) -> Any:
        from device.simulator.scene import SimulatedDevices

        return SimulatedDevices(self.settings.buttons.pins, seed)

    def _handle_press(self, button: str, when: float) -> None:
        self._press_log.record_press(button)
        # The press that wakes the display does nothing else, except in a race, where it is a call.
        if not self.oled.wake_up() or self.session.race.wanted_dice is not None:
            self.menu.handle_press(button, when)
        self._changed.set()

    def _show_new_code(self) -> None:
        """Show the new code and pass it to `announce`."""
        self.session.game.publish_again()
        if self._announced is not None and self.access.sign_in_code != self._announced:
            self._announced = self.access.sign_in_code
            if self._announce is not None:
                self._announce(self.access.sign_in_code)

    # Starting games ----------------------------------------------------------------------------------------------

    def resume_or_begin_game(self) -> None:
        """Resume a paused game that matches the settings, or begin one. Raises DeckError or HouseRuleError.

        `resumed` is then the situation of the resumed game in words, "" for a new one.
        """
        self._announced = None
        self.resumed = self.games.resume_or_begin(build_table(self.settings.game, self._decks))
        self._announced = self.access.sign_in_code

    def start_autoplay(self) -> None:
        """Assign a computer to every side without a manager. If the last game is over, begin a new one."""
        if self.session.game.view_for(None).table.outcome:
            self.games.begin_rematch()
        public = self.session.game.view_for(None)
        self.session.managed.set_pace("brisk")
        for seat in public.table.scoreboard.plays:
            if seat not in public.managers:
                self.session.managed.assign_manager(seat, "regular")


def host_names(web: WebSettings, host: str) -> list[str]:
    """The table's host names: the machine's, with and without its domain, and those in the settings."""
    return list(dict.fromkeys(filter(None, (host.partition(".")[0], host, web.name, *web.names))))
