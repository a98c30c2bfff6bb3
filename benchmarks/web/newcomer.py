"""A new visitor, who loads `/` completely, then listens until the first view. Prints the seconds.

`python -m benchmarks.web.newcomer PORT NUMBER`; the number determines the loopback address.
"""

from __future__ import annotations

import socket
import sys
import time

from benchmarks.web.crowd import first_view

TIMEOUT_S = 60.0  # Seconds until it gives up, when the table is probably gone.
RETRY_S = 0.5  # Seconds until a disconnected browser retries.


def main(port: int, number: int) -> None:
    """Load the page and wait for the view. Raises OSError if that takes longer than `TIMEOUT_S`."""
    address, began = f"127.210.{number // 250 % 250}.{1 + number % 250}", time.monotonic()
    while True:
        try:
            first_view(port, address)
            with socket.create_connection(("127.0.0.1", port), 20, (address, 0)) as line:
                line.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                heard = b""
                while b"event: view" not in heard:
                    if not (more := line.recv(65536)):
                        raise ConnectionError
                    heard += more
            break
        except OSError:
            if time.monotonic() > began + TIMEOUT_S:
                raise
            time.sleep(RETRY_S)
    print(time.monotonic() - began)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
