"""By which names a table may be reached.

A page elsewhere can have its own name lead to the table (DNS rebinding): a browser would then let it read everything
here as if it were ours. Such requests still carry the foreign name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address

HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:]+)(?::[0-9]*)?")
"""A Host header in lower case: an IPv6 address in brackets, another address or a name; and a port."""


def is_own_host(host: str, names: Collection[str]) -> bool:
    """Return True if a Host header has an address, localhost, a name of the local network (.local), or one of `names`.

    `names` are in lower case, without a dot at their end.
    """
    found = HOST_PATTERN.fullmatch(host.lower())
    if found is None:
        return False
    name = found[1].strip("[]").removesuffix(".")
    try:
        ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".local") or name in names
    return True
