"""The address by which a client is counted: one IPv6 address stands for the whole /64 network around it."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

NETWORK = 64
"""Bits of an IPv6 address that name a network: a household, or one phone, has all addresses in it (RFC 6177)."""


def counted(address: str) -> str:
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
    return str(ip_network((int(ip), NETWORK), strict=False))
