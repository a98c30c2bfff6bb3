"""Who is at the other end of a connection within this machine, from the kernel's own table of connections."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

TABLES = ("tcp", "tcp6")

ESTABLISHED = "01"
"""The state of a connection whose other end is still held by a process."""


def owner(connection: socket.socket) -> int | None:
    """Return the user whose process has accepted this TCP connection; None if that cannot be known.

    Ask once something was heard from there: before, nobody may have accepted it, and the kernel says root.
    """
    here, there = connection.getsockname(), connection.getpeername()
    wanted = {(_written(there, wide), _written(here, wide)) for wide in (False, True)}
    for table in TABLES:
        try:
            lines = Path("/proc/net", table).read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for columns in map(str.split, lines):
            # Without an inode no process has it any more, and the kernel says root again.
            if (columns[1], columns[2]) in wanted and columns[3] == ESTABLISHED and columns[9] != "0":
                return int(columns[7])
    return None


def _written(address: tuple[str, int], wide: bool) -> str:
    """Return an address as the kernel's table has it; `wide`, as an IPv6 one."""
    host = address[0].partition("%")[0]
    if ":" in host:
        packed = socket.inet_pton(socket.AF_INET6, host)
    else:
        packed = (b"\0" * 10 + b"\xff\xff" if wide else b"") + socket.inet_pton(socket.AF_INET, host)
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return f"{''.join(f'{word:08X}' for word in words)}:{address[1]:04X}"
