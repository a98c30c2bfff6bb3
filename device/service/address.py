"""Where phones reach this machine; nothing is sent to find it."""

from __future__ import annotations

import fcntl
import socket
import struct

SIOCGIFADDR = 0x8915
"""Linux's question for an interface's address (netdevice(7))."""

NOWHERE = "127.0.0.1"


def own() -> str:
    """This machine's IPv4 address in the local network. Where no way leads out of it, as in a hotspot of its own, that
    of the first interface that has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return next((one for one in _all(probe) if not one.startswith("127.")), NOWHERE)


def _all(probe: socket.socket) -> list[str]:
    found = []
    for _, name in socket.if_nameindex():
        try:
            told = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()))
        except OSError:
            continue  # it has none
        found.append(socket.inet_ntoa(told[20:24]))
    return found
