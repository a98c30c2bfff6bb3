"""`dugout run` and `dugout demo`: settings, a table, and the address it is served on."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import logging
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from device.diagnostics import recent_log
from device.display import startup
from device.display.oled import Oled
from device.service import safe_mode, shutdown
from device.service.safe_mode import StartCounter
from device.service.systemd import Systemd
from device.settings import GameSettings, Settings, SettingsError, load

if TYPE_CHECKING:
    from device.app import App


def run(args: argparse.Namespace) -> int:
    """Play until told to stop; gives the exit status: 2 when settings, decks, journal or address cannot be used.

    After some starts that failed in a row it opens in safe mode, whatever the settings are.
    """
    service, starts = Systemd(), StartCounter.here()
    if service.managed:
        # What the watchdog ends tells first where each thread hung.
        faulthandler.enable()
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    recent_log.listen()
    failed = 0 if args.demo else starts.begin()
    try:
        settings, unsafe = chosen(args, failed, starts.why)
    except SettingsError as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    oled = startup.greeting(settings.display, args.demo)
    # Until the pages are served: those end in order by themselves.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    try:
        app = loaded(args, settings, service, unsafe, oled, starts)
    except SystemExit:
        oled.stop(oled.draw.bye(shutdown.last(service.managed)))
        starts.good()
        return 0
    if app is None:
        return 2
    service.hangs = starts.note
    web, last = settings.web, shutdown.fault(service.managed)
    steady = threading.Timer(safe_mode.STEADY, starts.good)
    steady.daemon = True
    steady.start()
    try:
        with contextlib.suppress(SystemExit), app.listen() as listening:
            if args.autoplay is not None:
                app.autoplay(args.autoplay)
            where = app.join()["url"]
            # In a service's log the code would be for everyone to read; there the display tells it.
            code = f" with the code {app.code}" if args.demo or sys.stdout.isatty() else ""
            kept = f"Games are kept in {settings.data}."
            on = f" It goes on where it was put aside: {app.resumed}." if app.resumed else ""
            print(f"The table is open: {where} (to run it: {where}table{code}). {kept}{on}", flush=True)
            if code:
                app.announce = lambda new: print(f"The code is {new} now.", flush=True)
            app.serve(listening)
        starts.good()
        last = ""
    except OSError as error:
        last = f"{web.host} port {web.port} cannot be served: {error.strerror or error}."
        print(f"dugout: {last}", file=sys.stderr)
        starts.note(last)
        return 2
    except Exception as error:
        starts.note(f"{type(error).__name__}: {error}")
        raise
    finally:
        steady.cancel()
        app.stop(last)
    return 0


def loaded(
    args: argparse.Namespace, settings: Settings, service: Systemd, unsafe: str | None, oled: Oled, starts: StartCounter
) -> App | None:
    """The table with all its parts, or None where its decks or journal cannot be used, which is told.

    Only now most of the program is imported: on a small Pi that takes seconds, and the display comes first.
    """
    from device.app import App, rules
    from device.storage import decks
    from device.storage.store import StoreError
    from engine.errors import EngineError

    seed = args.seed if args.demo and args.seed is not None else args.autoplay
    try:
        if args.game is not None:
            rules(args.game)
        app = App(settings, args.demo, seed, service, unsafe, oled)
        if args.game is not None and app.session.table.game.key != args.game:
            app.resumed = app.resume()
    except (EngineError, StoreError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        starts.note(str(error))
        return None
    except Exception as error:
        starts.note(f"{type(error).__name__}: {error}")
        oled.stop(oled.draw.message("Dugout", shutdown.fault(service.managed)))
        raise
    for note in decks.notes(app.session.table.game, app.session.table.decks):
        print(f"dugout: look again: {note}", file=sys.stderr)
    app.doctor.file = Path(args.settings) if args.settings else None
    return app


def chosen(args: argparse.Namespace, failed: int, why: str = "") -> tuple[Settings, str | None]:
    """The settings to start with, and why much is left out of them, or None. Raises SettingsError, unless so many
    starts `failed` that the table is to open at any rate; `why` the last of them did is told then."""
    last = f" The last time: {why}" if why else ""
    unsafe = safe_mode.FAILED.format(failed=failed) + last if failed >= safe_mode.ENOUGH else None
    try:
        settings = load(Path(args.settings) if args.settings else None)
    except SettingsError as error:
        if unsafe is None:
            raise
        settings, unsafe = Settings(), f"{unsafe} The settings: {error}"
    if unsafe:
        settings = safe_mode.modest(settings, failed)
    host = args.host or ("127.0.0.1" if args.demo else settings.web.host)
    web = settings.web.model_copy(update={"host": host, "port": args.port or settings.web.port})
    data = Path(args.data) if args.data else settings.data / "demo" if args.demo else settings.data
    game = settings.game if args.game in (None, settings.game.key) else GameSettings(key=args.game)
    return settings.model_copy(update={"web": web, "data": data, "game": game}), unsafe
