"""The address by which a client is counted."""

from __future__ import annotations

import pytest

from web.security.addresses import counted


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
    assert by == counted(address)
