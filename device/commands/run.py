"""`dugout run` and `dugout demo`. Open the table and serve it until a signal stops it."""

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

from device.commands import arguments, privileges, target
from device.diagnostics import recent
from device.display import startup
from device.display.oled import Oled
from device.named_file import without_long_words
from device.service import safe_mode, shutdown
from device.service.safe_mode import StartCounter
from device.service.systemd import Systemd
from device.settings import GameSettings, Settings, SettingsError, expand_path, load_settings

if TYPE_CHECKING:
    from device.app import App

COMMAND_DESCRIPTIONS = {
    "run": "play at the table with the hardware that is connected",
    "demo": "play with simulated hardware",
}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    seed = arguments.number_between(0, arguments.MAX_SEED)
    for name, about in COMMAND_DESCRIPTIONS.items():
        parser = commands.add_parser(name, help=about, description=f"{about.capitalize()}, until Ctrl-C.")
        target.add_options(parser)
        parser.add_argument(
            "--game", metavar="KEY", help="the game to play or to resume; another game on the table is paused"
        )
        parser.add_argument("--host", type=arguments.host_argument, help="the address to serve the pages on")
        parser.add_argument(
            "--port", type=arguments.number_between(1, 65535), metavar="NUMBER", help="the port to serve the pages on"
        )
        parser.add_argument("--autoplay", type=seed, metavar="SEED", help="let computers play, repeatably in the demo")
        if name == "demo":
            parser.add_argument("--seed", type=seed, metavar="NUMBER", help="make the simulated dice repeatable")
        parser.set_defaults(run=run_command, demo=name == "demo")


def data_folder(args: argparse.Namespace, settings: Settings) -> Path:
    """Data folder named by `args` or the settings. Raises SettingsError if its home folder is unknown."""
    return expand_path(Path(args.data) if args.data else settings.data / "demo" if args.demo else settings.data)


def run_command(args: argparse.Namespace) -> int:
    """Play until a signal stops the table. Return 0, or 2 if settings, decks, journal or address cannot be used.

    After several failed starts in a row the table opens in safe mode, regardless of the settings.
    """
    starts = StartCounter.from_environment()
    service = Systemd(hangs=starts.store_reason)
    if service.is_managed:
        # Print the stack of each hanging thread before the watchdog kills the program.
        faulthandler.enable()
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    recent.record_logger()
    failed = 0 if args.demo else starts.count_start()
    try:
        settings, unsafe = choose_settings(args, failed, starts.failure_reason)
    except SettingsError as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    oled = startup.start_with_greeting(settings.display, args.demo)
    # Later the server of the pages handles both signals itself.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    try:
        app = build_app(args, settings, service, unsafe, oled, starts)
    except SystemExit:
        oled.stop(oled.draw.draw_goodbye(shutdown.last_words(service.is_managed)))
        starts.mark_success()
        return 0
    if app is None:
        return 2
    web, last = settings.web, shutdown.crash_words(service.is_managed)
    steady = threading.Timer(safe_mode.STABLE_AFTER_S, starts.mark_success)
    steady.daemon = True
    steady.start()
    try:
        with contextlib.suppress(SystemExit), app.open_listening_socket() as listening:
            if args.autoplay is not None:
                app.start_autoplay()
            url = app.join_screen.table_addresses().url
            code = f", code {app.access.sign_in_code}" if may_print_code(args) else ""
            resumed = f" Resumed: {app.resumed}." if app.resumed else ""
            stored = f"Games are stored in {settings.data}."
            print(f"The table is open: {url} (operator: {url}table{code}). {stored}{resumed}", flush=True)
            app.serve(listening)
        starts.mark_success()
        last = ""
    except (OSError, UnicodeError) as error:  # UnicodeError is for an overlong host name
        why = getattr(error, "strerror", None) or error
        last = without_long_words(f"Cannot serve the pages at {web.host} port {web.port}: {why}.")
        print(f"dugout: {last}", file=sys.stderr)
        starts.store_reason(last)
        return 2
    except Exception as error:
        starts.store_reason(f"{type(error).__name__}: {error}")
        raise
    finally:
        steady.cancel()
        app.stop(last)
    return 0


def may_print_code(args: argparse.Namespace) -> bool:
    """True if the code may be printed. Anyone may read a service's log, so a service shows it on the display only."""
    return args.demo or sys.stdout.isatty()


def print_new_code(code: str) -> None:
    print(f"The code is now {code}.", flush=True)


def build_app(
    args: argparse.Namespace, settings: Settings, service: Systemd, unsafe: str | None, oled: Oled, starts: StartCounter
) -> App | None:
    """Build the table with all its parts. None if its decks or journal cannot be used, after printing why.

    Most of the program is imported only here. On a small Pi that takes seconds, and the display comes first.
    """
    from device.app import App
    from device.storage import decks
    from device.storage.store import StoreError
    from device.table.game_choice import rulebook_for
    from engine.errors import EngineError

    seed = args.seed if args.demo and args.seed is not None else args.autoplay
    try:
        if args.game is not None:
            rulebook_for(args.game)
        file = Path(args.settings) if args.settings else None
        announce = print_new_code if may_print_code(args) else None
        app = App(settings, args.demo, seed, service, unsafe, oled, file=file, announce=announce)
        if args.game is not None and app.session.game.table.game.key != args.game:
            app.resume_or_begin_game()
    except (EngineError, StoreError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        starts.store_reason(str(error))
        return None
    except Exception as error:
        starts.store_reason(f"{type(error).__name__}: {error}")
        oled.stop(oled.draw.draw_message("Dugout", shutdown.crash_words(service.is_managed)))
        raise
    for note in decks.possible_typos(app.session.game.table.game, app.session.game.table.decks):
        print(f"dugout: please check: {note}", file=sys.stderr)
    return app


def choose_settings(args: argparse.Namespace, failed: int, why: str = "") -> tuple[Settings, str | None]:
    """Settings to start with, and the reason for safe mode or None. Root becomes the data folder's owner.

    failed: number of failed starts in a row.
    why: reason of the last failure.

    Raises OSError as `rights.drop_privileges` does, and SettingsError. Safe mode uses the default settings instead.
    """
    file = Path(args.settings) if args.settings else None
    privileges.drop_privileges(*filter(None, [file]))
    last = f" The last time: {why}" if why else ""
    unsafe = (
        safe_mode.FAILED_STARTS_TEXT.format(failed=failed) + last if failed >= safe_mode.MAX_FAILED_STARTS else None
    )
    try:
        settings = load_settings(file)
    except SettingsError as error:
        if unsafe is None:
            raise
        settings, unsafe = Settings(), f"{unsafe} The settings: {error}"
    if unsafe:
        settings = safe_mode.safe_mode_settings(settings, failed)
    host = args.host or ("127.0.0.1" if args.demo else settings.web.host)
    web = settings.web.model_copy(update={"host": host, "port": args.port or settings.web.port})
    data = data_folder(args, settings)
    privileges.drop_privileges(data)
    update = {"web": web, "data": data}
    if args.game is not None:
        from device.table.game_choice import game_key

        update |= {
            "game": settings.game
            if args.game == game_key(settings.game)
            else GameSettings.model_construct(key=args.game)
        }
    return settings.model_copy(update=update), unsafe
