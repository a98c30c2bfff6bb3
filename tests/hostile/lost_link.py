"""Run in a network of its own: phones listen, then their link goes down. Print how long their streams are held."""

from __future__ import annotations

import subprocess
import sys
import time

from device.service.connections import UNREAD_TIMEOUT_S
from device.service.server import Server
from tests.device.service.test_server import STREAM, held, lines, serving
from tests.web.phones import small_ball

PHONES = 20


def main(unread: float) -> None:
    """Measure with this limit in seconds."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    table = small_ball()
    server = Server(table.port, unread=unread)
    with serving(server) as port:
        phones = [held(port, STREAM) for _ in range(PHONES)]
        assert all(phone.recv(20) for phone in phones)
        subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
        start = time.monotonic()
        table.game.publish_again()
        while lines(server) and time.monotonic() < start + 60:
            time.sleep(0.05)
        print(len(lines(server)), round(time.monotonic() - start, 1))
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else UNREAD_TIMEOUT_S)
