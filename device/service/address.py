"""The addresses and the name at which phones reach this machine, found without sending anything."""

from __future__ import annotations

import fcntl
import socket
import struct
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address

from device.machine import Machine

SIOCGIFADDR = 0x8915
"""Linux's request for the address of an interface (netdevice(7))."""

LOOPBACK_ADDRESS = "127.0.0.1"

HOTSPOT_NETWORK = IPv4Network("10.42.0.0/16")
"""Network in which NetworkManager chooses the addresses of its hotspots and their guests."""

NAME_TIMEOUT_S = 0.3
"""Timeout of avahi, which knows this machine's own name without asking others, in seconds."""


def local_address() -> str:
    """This machine's IPv4 address for phones, or `LOOPBACK_ADDRESS`.

    It is that of an open hotspot, whose guests reach no other network; else that of the way to other networks; else
    that of the first interface with an address.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        found = [one for one in _interface_addresses(probe) if not one.is_loopback and not one.is_link_local]
        hotspot = next((one for one in found if one in HOTSPOT_NETWORK), None)
        if hotspot is not None:
            return str(hotspot)
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return str(found[0]) if found else LOOPBACK_ADDRESS


def phone_address(address: str) -> str | None:
    """IPv4 address of this machine at which a phone reached it. None if it is another machine's or says nothing.

    It says nothing if it is not IPv4, if a proxy on this machine was reached, or if it is link-local.
    """
    try:
        ip: IPv4Address | IPv6Address | None = ip_address(address)
    except ValueError:
        return None
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped  # at a socket for both kinds of addresses
    return None if ip is None or ip.is_loopback or ip.is_link_local or ip.is_unspecified else str(ip)


def local_name(address: str) -> str | None:
    """Name ending in .local that avahi gives this machine at `address`. None if avahi does not know it in time.

    It is not always the machine's own: if another has that name already, it is NAME-2.local.
    """
    return Machine().ask_avahi(f"RESOLVE-ADDRESS {address}", NAME_TIMEOUT_S) or None


def _interface_addresses(probe: socket.socket) -> list[IPv4Address]:
    found = []
    for _, name in socket.if_nameindex():
        try:
            reply = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()))
        except OSError:
            continue  # it has no address
        found.append(IPv4Address(reply[20:24]))
    return found
