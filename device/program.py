"""`dugout run` and `dugout demo`: settings, a table, and the address it is served on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.app import App
from device.settings import SettingsError, load
from device.store import StoreError
from engine.errors import EngineError


def run(args: argparse.Namespace) -> int:
    """Play until told to stop; gives the exit status: 2 when settings, decks, journal or address cannot be used."""
    try:
        settings = load(Path(args.settings) if args.settings else None)
        web = settings.web.model_copy(
            update={
                "host": args.host or ("127.0.0.1" if args.demo else settings.web.host),
                "port": args.port or settings.web.port,
            }
        )
        data = Path(args.data) if args.data else settings.data / "demo" if args.demo else settings.data
        seed = args.seed if args.demo and args.seed is not None else args.autoplay
        app = App(settings.model_copy(update={"web": web, "data": data}), args.demo, seed)
    except (SettingsError, EngineError, StoreError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    try:
        with app.listen() as listening:
            if args.autoplay is not None:
                app.autoplay(args.autoplay)
            where = app.join()["url"]
            # In a service's log the code would be for everyone to read; there the display tells it.
            code = f" with the code {app.code}" if args.demo or sys.stdout.isatty() else ""
            print(f"The table is open: {where} (to run it: {where}table{code}). Games are kept in {data}.", flush=True)
            if code:
                app.announce = lambda new: print(f"The code is {new} now.", flush=True)
            app.serve(listening)
    except OSError as error:
        print(f"dugout: {web.host} port {web.port} cannot be served: {error.strerror or error}.", file=sys.stderr)
        return 2
    finally:
        app.stop()
    return 0
