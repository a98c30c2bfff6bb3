"""Under systemd: what the service manager hands over, and what it is told. Elsewhere nothing is, and nothing is said.

The protocols are those of sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3), a few lines each. The packages
that speak them are C against systemd's own library, or were last touched years ago.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, MutableMapping, Sequence

log = logging.getLogger("dugout.service")

FIRST = 3
"""The number of the first file that is handed over."""


class Systemd:
    """This process as a service. What it is told is taken out of `environ`: programs that it starts are no service.

    `clock` gives seconds that only grow.
    """

    def __init__(
        self, environ: MutableMapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        here = str(os.getpid())
        self._address = environ.pop("NOTIFY_SOCKET", "")
        limit = int(environ.pop("WATCHDOG_USEC", "0")) / 1e6
        if environ.pop("WATCHDOG_PID", here) != here:
            limit = 0
        files = int(environ.pop("LISTEN_FDS", "0"))
        self._files = files if environ.pop("LISTEN_PID", "") == here else 0
        environ.pop("LISTEN_FDNAMES", None)
        self._every = limit / 4
        self._pinged = float("-inf")
        self._status = ""
        self._late: tuple[str, ...] = ()
        self.hangs: Callable[[str], None] = lambda words: None
        """Told what hangs, in a sentence, and with an empty one when all moves again."""

    @property
    def managed(self) -> bool:
        """Whether there is a service manager, which starts the program again when it fails."""
        return bool(self._address)

    def listening(self) -> socket.socket | None:
        """The socket that phones knock at, already open; None where none is handed over. Raises OSError for a file
        that is no socket."""
        if not self._files:
            return None
        self._files = 0
        given = socket.socket(fileno=FIRST)
        given.set_inheritable(False)
        return given

    def ready(self, status: str) -> None:
        """The table is open."""
        self._status = " ".join(status.split())
        self._say("READY=1", f"STATUS={self._status}")

    def status(self, status: str) -> None:
        """How the table is, in a sentence or two; said only when it is another."""
        status = " ".join(status.split())  # a line's end would end it
        if status != self._status:
            self._status = status
            self._say(f"STATUS={status}")

    def stopping(self) -> None:
        """The table closes."""
        self._say("STOPPING=1", "STATUS=Closing.")

    def ping(self, late: Sequence[str]) -> None:
        """All is well unless a part is `late`: then nothing is said, and the manager ends the program in a while. To be
        called a few times a second."""
        late = tuple(late)
        if late != self._late:
            self._late = late
            words = f"Hangs: {', '.join(late)}." if late else ""
            self.hangs(words)
            log.log(logging.ERROR if late else logging.WARNING, words or "All parts move again.")
        now = self._clock()
        if self._every and not late and now >= self._pinged + self._every:
            self._pinged = now
            self._say("WATCHDOG=1")

    def _say(self, *lines: str) -> None:
        if not self._address:
            return
        # The names of abstract sockets begin with a zero byte, written "@".
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.settimeout(1)
                line.connect(address)
                line.send("\n".join(lines).encode())
        except OSError as error:
            # A manager that cannot be reached is no reason to stop a game.
            log.warning("The service manager cannot be told %s: %s", lines[0], error)
