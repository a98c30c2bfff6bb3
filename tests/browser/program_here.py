"""The program in this process, where its end by signals or a lost power cable is not what is tested.

The same parts as `dugout run` puts together, and the same server, in a thread. Against a process of its own this saves
the first use of everything that is compiled or imported late, a quarter of a CPU second for each start.
"""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path
from types import TracebackType
from unittest.mock import patch

import httpx

from device.cli import build_parser
from device.commands.run import build_app, choose_settings
from device.display import startup
from device.service.safe_mode import StartCounter
from device.service.systemd import Systemd
from tests.device.process import SETTINGS, Program

WAIT = 300.0
"""Seconds that a reply, or the end of the program, may take on a machine that has much else to do."""


def client_of(url: str, **how: str) -> httpx.Client:
    """A client of the table at `url`, with these headers. It loads no certificates, which takes longer than a page."""
    return httpx.Client(base_url=url, timeout=WAIT, verify=False, headers=how)


class ProgramHere(Program):
    """`dugout run` without hardware, or `demo`, in a thread; `client` holds the operator's cookie.

    Without a `port` the kernel chooses one.
    """

    def __init__(
        self, folder: Path, *options: str, command: str = "run", show: float = 0.3, port: int = 0, more: str = ""
    ) -> None:
        self.folder, file = folder, folder / "dugout.toml"
        file.write_text(SETTINGS.format(port=port or 8000, show=show) + more)
        args = build_parser(command).parse_args([command, "--settings", str(file), "--data", str(folder), *options])
        settings, unsafe = choose_settings(args, failed=0)
        settings = settings.model_copy(update={"web": settings.web.model_copy(update={"port": port})})
        oled = startup.start_with_greeting(settings.display, args.demo)
        app = build_app(args, settings, Systemd({}), unsafe, oled, StartCounter(None))
        assert app is not None
        self.app, self._ended = app, False
        if args.autoplay is not None:
            app.start_autoplay()
        listening = app.open_listening_socket()  # the server closes it
        self.port: int = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        interval = sys.getswitchinterval()
        self._thread = threading.Thread(target=app.serve, args=(listening,), name="program")
        self._thread.start()
        self.client = client_of(self.url)
        self.client.post("/table", data={"code": self.code})
        # What the server sets for a process of its own.
        sys.setswitchinterval(interval)
        gc.unfreeze()

    @property
    def code(self) -> str:
        """The operator's code, which the display shows."""
        return self.app.access.sign_in_code

    def kill(self) -> None:
        """End it, like `end`: here nothing can be killed."""
        self.end()

    def end(self) -> int:
        """End it, and close its store; return its exit status."""
        self.app.stop_serving()
        self._thread.join(WAIT)
        assert not self._thread.is_alive(), "the program does not end"
        if not self._ended:
            self._ended = True
            with patch("os.sync"):  # it would wait for all that other tests have written
                self.app.stop()
        return 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self.end()
