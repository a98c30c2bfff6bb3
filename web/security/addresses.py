"""Addresses of clients: by which one is counted, and how one address may be written.

One IPv6 address stands for the whole /64 network around it. A socket for both kinds of addresses, such as the one that
systemd opens, shows 10.0.0.7 as ::ffff:10.0.0.7.
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address, ip_address, ip_network

from starlette.types import Scope

IPV6_NETWORK_BITS = 64
"""Bits of an IPv6 address that name a network: a household, or one phone, has all addresses in it (RFC 6177)."""


def address_key(address: str) -> str:
    """Return what limits count for an address: an IPv4 address as it is, also one written as IPv6 (`::ffff:10.0.0.7`),
    and of an IPv6 address its /64 network.

    Anything else is returned as it is.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ip_network((int(ip), IPV6_NETWORK_BITS), strict=False))


def client_key(scope: Scope) -> str:
    """Return what a request's phone is counted as; "?" if its address is unknown."""
    return address_key((scope.get("client") or "?")[0])


def short_address(address: str) -> str:
    """Return the end of what `address_key` returned, by which people tell phones apart and nobody finds them elsewhere.

    That is the last number of an IPv4 address, and the last group of an IPv6 network.
    """
    try:
        network = ip_network(address)
    except ValueError:
        return "an unknown address"
    if network.is_loopback or address == address_key("::1"):
        return "this machine"
    if isinstance(network, IPv4Network):
        return f"…{network.network_address.packed[-1]}"
    return f"…{int(network.network_address) >> (128 - IPV6_NETWORK_BITS) & 0xFFFF:x}"


IPV4_MAPPED_BITS = 96
"""Bits of an IPv6 address before the IPv4 address that is written in it."""


def address_spellings(network: str) -> list[str]:
    """Return an address or network as an IPv4 socket and as a socket for both shows those in it; one if there is one.

    Raises ValueError.
    """
    found = ip_network(network)
    if isinstance(found, IPv4Network):
        return [str(found), f"::ffff:{found.network_address}/{IPV4_MAPPED_BITS + found.prefixlen}"]
    inner = found.network_address.ipv4_mapped
    if inner is None or found.prefixlen < IPV4_MAPPED_BITS:
        return [str(found)]
    return [str(found), f"{inner}/{found.prefixlen - IPV4_MAPPED_BITS}"]
