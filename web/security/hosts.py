"""Host names by which a table may be reached.

A foreign page can point its own name to the table (DNS rebinding), and a browser would let it read everything here as
its own. Such requests still carry the foreign name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address

HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:]+)(?::[0-9]*)?")
"""A Host header in lower case, with an IPv6 address in brackets, another address or a name, and a port."""


def is_own_host(host: str, names: Collection[str]) -> bool:
    """Return True if a Host header is an address, localhost, a .local name, or in `names` (lower case, no last dot)."""
    found = HOST_PATTERN.fullmatch(host.lower())
    if found is None:
        return False
    name = found[1].strip("[]").removesuffix(".")
    try:
        ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".local") or name in names
    return True
