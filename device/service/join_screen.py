"""How phones join the table: its addresses, and the code or invitation on the display."""

from __future__ import annotations

import math
import socket
from collections.abc import Callable

from device.service import address
from device.service.access import Access
from device.settings import WebSettings
from device.shapes import TableAddresses

MAX_URL_LENGTH = 53
"""Characters of a URL in a QR code that the display can draw. One with the IP address always fits."""


class JoinScreen:
    """Addresses and codes of a table with these settings. `alone` is true while the display has no buttons."""

    def __init__(self, access: Access, web: WebSettings, alone: Callable[[], bool]) -> None:
        self._access, self._web, self._is_without_buttons = access, web, alone
        self.port, self.given = web.port, False
        """The port of the open pages, and whether the service manager passed it."""

    @property
    def has_no_buttons(self) -> bool:
        """True while nobody can press OK at the display."""
        return self._is_without_buttons()

    def table_addresses(self) -> TableAddresses:
        """The table's addresses, or the name of a proxy on this machine."""
        loopback = not self.given and self._web.host in ("127.0.0.1", "localhost", "::1")
        if (named := self._web.name) and loopback:
            return TableAddresses(f"http://{named}/", named, named)
        name = "localhost" if loopback else named or f"{socket.gethostname()}.local"
        tail = "" if self.port == 80 else f":{self.port}"
        where = "127.0.0.1" if loopback else address.local_address()
        return TableAddresses(f"http://{name}{tail}/", name, f"{where}{tail}")

    def code_info(self) -> tuple[str, str, str]:
        """URL, address and the operator's code. If nobody can press OK, the URL contains an invitation."""
        found = self.table_addresses()
        return (
            self.invitation_info()[0] if self._is_without_buttons() else found.url,
            found.address,
            self._access.sign_in_code,
        )

    def invitation_info(self) -> tuple[str, str, str]:
        """URL, address and an invitation for one phone. It is in the fragment, which browsers never send."""
        found, invitation = self.table_addresses(), self._access.invitations.current_invitation()
        url, numeric = (f"{start}in#{invitation}" for start in (found.url, f"http://{found.address}/"))
        return url if len(url) <= MAX_URL_LENGTH else numeric, found.address, invitation

    def seconds_left(self, scan: bool) -> float:
        """Seconds until `invitation_info` (`scan`) or `code_info` has a new invitation, infinity if it has none."""
        return self._access.invitations.seconds_left if scan or self._is_without_buttons() else math.inf
