"""Addresses of clients: the key by which limits count one, and its spellings.

Limits count an IPv6 address as its /64 network. A socket for both kinds of addresses, such as the one that systemd
opens, shows 10.0.0.7 as ::ffff:10.0.0.7.
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address, ip_address, ip_network

from starlette.types import Scope

IPV6_NETWORK_BITS = 64
"""Network bits of an IPv6 address. A household, or one phone, has all addresses of such a network (RFC 6177)."""


def address_key(address: str) -> str:
    """Return the key by which limits count an address, or any other text unchanged.

    It is the address of IPv4, even if written as IPv6 (`::ffff:10.0.0.7`), or the /64 network of IPv6.
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
    """Return the address key of a request, "?" if its address is unknown."""
    return address_key((scope.get("client") or "?")[0])


def short_address(address: str) -> str:
    """Return the end of an address key, which distinguishes phones here without identifying them elsewhere.

    It is the last number of an IPv4 address, or the last group of an IPv6 network.
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


IPV4_MAPPED_PREFIX_BITS = 96
"""Bits of an IPv6 address before the IPv4 address in it."""


def address_spellings(network: str) -> list[str]:
    """Return the spellings of a network at an IPv4 socket and at one for both kinds. Raises ValueError."""
    found = ip_network(network)
    if isinstance(found, IPv4Network):
        return [str(found), f"::ffff:{found.network_address}/{IPV4_MAPPED_PREFIX_BITS + found.prefixlen}"]
    inner = found.network_address.ipv4_mapped
    if inner is None or found.prefixlen < IPV4_MAPPED_PREFIX_BITS:
        return [str(found)]
    return [str(found), f"{inner}/{found.prefixlen - IPV4_MAPPED_PREFIX_BITS}"]
