"""The address by which a client is counted."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from web.security.addresses import address_key, address_spellings, short_address


@pytest.mark.parametrize(
    ("address", "by"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::7", "2001:db8:1:3::/64"),
        ("fe80::1%wlan0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_how_an_address_counts(address: str, by: str) -> None:
    """One network of IPv6 is one client; IPv4 counts by address, however it is written."""
    assert by == address_key(address)


@pytest.mark.parametrize(
    ("network", "found"),
    [
        ("127.0.0.1", ["127.0.0.1/32", "::ffff:127.0.0.1/128"]),
        ("10.0.0.0/8", ["10.0.0.0/8", "::ffff:10.0.0.0/104"]),
        ("::ffff:10.0.0.0/104", ["::ffff:a00:0/104", "10.0.0.0/8"]),
        ("2001:db8::/32", ["2001:db8::/32"]),
        ("::/0", ["::/0"]),
    ],
)
def test_how_a_network_may_be_written(network: str, found: list[str]) -> None:
    """An IPv4 network is also one of IPv6, and the other way round; nothing else is."""
    assert [ip_network(one) for one in found] == [ip_network(one) for one in address_spellings(network)]


@pytest.mark.parametrize(
    ("address", "end"),
    [
        ("192.168.178.77", "…77"),
        ("::ffff:10.0.0.7", "…7"),
        ("2001:db8:1:2:3:4:5:6", "…2"),
        ("fe80::1", "…0"),
        ("127.0.0.1", "this machine"),
        ("::1", "this machine"),
        ("?", "an unknown address"),
        ("", "an unknown address"),
    ],
)
def test_only_the_end_of_an_address_is_shown(address: str, end: str) -> None:
    """By it people tell phones apart; of an IPv6 address it is the end of the network."""
    assert end == short_address(address_key(address))
