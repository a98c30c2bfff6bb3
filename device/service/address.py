"""The address at which phones reach this machine, found without sending anything."""

from __future__ import annotations

import fcntl
import socket
import struct

SIOCGIFADDR = 0x8915
"""Linux's request for the address of an interface (netdevice(7))."""

LOOPBACK_ADDRESS = "127.0.0.1"


def local_address() -> str:
    """This machine's IPv4 address in the local network, or `LOOPBACK_ADDRESS`.

    Without a route to other networks, as in the Pi's own hotspot, it is that of the first interface with an address.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return next((one for one in _interface_addresses(probe) if not one.startswith("127.")), LOOPBACK_ADDRESS)


def _interface_addresses(probe: socket.socket) -> list[str]:
    found = []
    for _, name in socket.if_nameindex():
        try:
            reply = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()))
        except OSError:
            continue  # it has no address
        found.append(socket.inet_ntoa(reply[20:24]))
    return found
