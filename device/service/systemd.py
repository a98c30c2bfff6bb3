"""Communicates with systemd: the passed socket, readiness, status and watchdog. Elsewhere it does nothing.

The protocols are sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3), a few lines each. Packages for them are C
bindings to systemd's own library, or have been unmaintained for years.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, MutableMapping, Sequence

from engine.text.numbers import parse_whole_number

log = logging.getLogger("dugout.service")

FIRST_PASSED_FD = 3
"""The first file descriptor that systemd passes."""


class Systemd:
    """This process as a service. Removes systemd's variables from `environ`, because child processes are not services.

    `clock` returns monotonic seconds. `hangs` is called with a sentence when parts hang, and with "" when they recover.
    """

    def __init__(
        self,
        environ: MutableMapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
        hangs: Callable[[str], None] = lambda words: None,
    ) -> None:
        self._clock, self._hangs = clock, hangs
        here = str(os.getpid())
        self._address = environ.pop("NOTIFY_SOCKET", "")
        limit = (parse_whole_number(environ.pop("WATCHDOG_USEC", ""), 10**15) or 0) / 1e6
        if environ.pop("WATCHDOG_PID", here) != here:
            limit = 0
        files = parse_whole_number(environ.pop("LISTEN_FDS", ""), 1000) or 0
        self._files = files if environ.pop("LISTEN_PID", "") == here else 0
        environ.pop("LISTEN_FDNAMES", None)
        self._every = limit / 4
        self._pinged = float("-inf")
        self._status = ""
        self._late: tuple[str, ...] = ()

    @property
    def is_managed(self) -> bool:
        """True if a service manager restarts the program when it fails."""
        return bool(self._address)

    def passed_socket(self) -> socket.socket | None:
        """The listening socket that systemd passed, or None. Raises OSError if it is not a socket."""
        if not self._files:
            return None
        self._files = 0
        passed = socket.socket(fileno=FIRST_PASSED_FD)
        passed.set_inheritable(False)
        return passed

    def report_ready(self, status: str) -> None:
        self._status = " ".join(status.split())
        self._send_lines("READY=1", f"STATUS={self._status}")

    def report_status(self, status: str) -> None:
        """Report the table's state in a sentence or two, if it has changed."""
        status = " ".join(status.split())  # a line break would end it
        if status != self._status:
            self._status = status
            self._send_lines(f"STATUS={status}")

    def report_stopping(self) -> None:
        self._send_lines("STOPPING=1", "STATUS=Closing.")

    def ping_watchdog(self, late: Sequence[str]) -> None:
        """Ping the watchdog at least every second, unless parts are `late`. Otherwise the manager kills the program."""
        late = tuple(late)
        if late != self._late:
            self._late = late
            words = f"Not responding: {', '.join(late)}." if late else ""
            self._hangs(words)
            log.log(logging.ERROR if late else logging.WARNING, words or "Everything is responding again.")
        now = self._clock()
        if self._every and not late and now >= self._pinged + self._every:
            self._pinged = now
            self._send_lines("WATCHDOG=1")

    def _send_lines(self, *lines: str) -> None:
        if not self._address:
            return
        # The name of an abstract socket begins with a zero byte, written "@".
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
                sock.settimeout(1)
                sock.connect(address)
                sock.send("\n".join(lines).encode())
        except OSError as error:
            # The game goes on without the manager.
            log.warning("Cannot send %s to the service manager: %s", lines[0], error)
