"""`dugout run` and `dugout demo`: open the table and serve it until a signal stops it."""

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

from device.commands import arguments, rights, target
from device.diagnostics import recent
from device.display import startup
from device.display.oled import Oled
from device.named_file import without_long_words
from device.service import safe_mode, shutdown
from device.service.safe_mode import StartCounter
from device.service.systemd import Systemd
from device.settings import GameSettings, Settings, SettingsError, expanded, load

if TYPE_CHECKING:
    from device.app import App

ABOUT = {"run": "play at the table with the hardware that is connected", "demo": "play with simulated hardware"}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `run` and `demo` to the command line."""
    seed = arguments.whole(0, arguments.MAX_SEED)
    for name, about in ABOUT.items():
        parser = commands.add_parser(name, help=about, description=f"{about.capitalize()}, until Ctrl-C.")
        target.add_options(parser)
        parser.add_argument(
            "--game", metavar="KEY", help="the game to play or to resume; another game on the table is paused"
        )
        parser.add_argument("--host", type=arguments.host, help="the address to serve the pages on")
        parser.add_argument(
            "--port", type=arguments.whole(1, 65535), metavar="NUMBER", help="the port to serve the pages on"
        )
        parser.add_argument("--autoplay", type=seed, metavar="SEED", help="let computers play, repeatably in the demo")
        if name == "demo":
            parser.add_argument("--seed", type=seed, metavar="NUMBER", help="make the simulated dice repeatable")
        parser.set_defaults(run=run, demo=name == "demo")


def folder(args: argparse.Namespace, settings: Settings) -> Path:
    """Return the data folder that `args` or the settings name. Raises SettingsError if its home folder is unknown."""
    return expanded(Path(args.data) if args.data else settings.data / "demo" if args.demo else settings.data)


def run(args: argparse.Namespace) -> int:
    """Play until a signal stops the table; return 0, or 2 if settings, decks, journal or address cannot be used.

    After several failed starts in a row the table opens in safe mode, whatever the settings say.
    """
    starts = StartCounter.here()
    service = Systemd(hangs=starts.note)
    if service.managed:
        # Print where each thread hangs before the watchdog kills the program.
        faulthandler.enable()
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    recent.listen()
    failed = 0 if args.demo else starts.begin()
    try:
        settings, unsafe = chosen(args, failed, starts.why)
    except SettingsError as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    oled = startup.greeting(settings.display, args.demo)
    # Until the pages are served; the server then handles both signals itself.
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
    web, last = settings.web, shutdown.fault(service.managed)
    steady = threading.Timer(safe_mode.STEADY, starts.good)
    steady.daemon = True
    steady.start()
    try:
        with contextlib.suppress(SystemExit), app.listen() as listening:
            if args.autoplay is not None:
                app.autoplay()
            url = app.join_screen.addresses().url
            code = f" with the code {app.access.code}" if tells_code(args) else ""
            resumed = f" Resumed: {app.resumed}." if app.resumed else ""
            stored = f"Games are stored in {settings.data}."
            print(f"The table is open: {url} (to run it: {url}table{code}). {stored}{resumed}", flush=True)
            app.serve(listening)
        starts.good()
        last = ""
    except (OSError, UnicodeError) as error:  # the latter for a name longer than any can be
        why = getattr(error, "strerror", None) or error
        last = without_long_words(f"Cannot serve the pages at {web.host} port {web.port}: {why}.")
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


def tells_code(args: argparse.Namespace) -> bool:
    """True if the code may be printed. Anyone may read a service's log, so there it is on the display only."""
    return args.demo or sys.stdout.isatty()


def tell(code: str) -> None:
    """Print the new code."""
    print(f"The code is now {code}.", flush=True)


def loaded(
    args: argparse.Namespace, settings: Settings, service: Systemd, unsafe: str | None, oled: Oled, starts: StartCounter
) -> App | None:
    """Return the table with all its parts, or None if its decks or journal cannot be used (the reason is printed).

    Most of the program is imported only here: on a small Pi that takes seconds, and the display comes first.
    """
    from device.app import App
    from device.storage import decks
    from device.storage.store import StoreError
    from device.table.game_choice import rules
    from engine.errors import EngineError

    seed = args.seed if args.demo and args.seed is not None else args.autoplay
    try:
        if args.game is not None:
            rules(args.game)
        file = Path(args.settings) if args.settings else None
        announce = tell if tells_code(args) else None
        app = App(settings, args.demo, seed, service, unsafe, oled, file=file, announce=announce)
        if args.game is not None and app.session.game.table.game.key != args.game:
            app.resume()
    except (EngineError, StoreError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        starts.note(str(error))
        return None
    except Exception as error:
        starts.note(f"{type(error).__name__}: {error}")
        oled.stop(oled.draw.message("Dugout", shutdown.fault(service.managed)))
        raise
    for note in decks.notes(app.session.game.table.game, app.session.game.table.decks):
        print(f"dugout: please check: {note}", file=sys.stderr)
    return app


def chosen(args: argparse.Namespace, failed: int, why: str = "") -> tuple[Settings, str | None]:
    """Return the settings to start with, and the reason for safe mode or None; root becomes the data folder's owner.

    `failed` counts the failed starts in a row; `why` says why the last one failed. Raises OSError as `rights.give_up`
    does, and SettingsError; safe mode opens the table with the default settings instead.
    """
    file = Path(args.settings) if args.settings else None
    rights.give_up(*filter(None, [file]))
    last = f" The last time: {why}" if why else ""
    unsafe = safe_mode.FAILED.format(failed=failed) + last if failed >= safe_mode.ENOUGH else None
    try:
        settings = load(file)
    except SettingsError as error:
        if unsafe is None:
            raise
        settings, unsafe = Settings(), f"{unsafe} The settings: {error}"
    if unsafe:
        settings = safe_mode.modest(settings, failed)
    host = args.host or ("127.0.0.1" if args.demo else settings.web.host)
    web = settings.web.model_copy(update={"host": host, "port": args.port or settings.web.port})
    data = folder(args, settings)
    rights.give_up(data)
    update = {"web": web, "data": data}
    if args.game is not None:
        from device.table.game_choice import key_of

        update |= {
            "game": settings.game if args.game == key_of(settings.game) else GameSettings.model_construct(key=args.game)
        }
    return settings.model_copy(update=update), unsafe
