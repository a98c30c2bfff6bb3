"""How phones join the table: its addresses, and the code or invitation on the display."""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable

from device.service import address
from device.service.access import Access
from device.settings import WebSettings
from device.shapes import TableAddresses

MAX_URL_LENGTH = 53
"""Characters of a URL in a QR code that the display can draw. One with the IP address always fits."""

ADDRESS_INTERVAL_S = 5.0
"""Interval at which the address is checked, in seconds. A router may assign another one."""

NAME_INTERVAL_S = 30.0
"""Interval at which avahi is asked for the name, in seconds. It changes if another machine has it."""


class JoinScreen:
    """Addresses and codes of a table with these settings. `alone` is true while the display has no buttons."""

    def __init__(
        self,
        access: Access,
        web: WebSettings,
        alone: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._access, self._web, self._is_without_buttons, self._clock = access, web, alone, clock
        self.port, self.given = web.port, False
        """The port of the open pages, and whether the service manager passed it."""
        self._address, self._address_is_due_at = "", -math.inf
        self._name, self._name_is_due_at = f"{socket.gethostname()}.local", -math.inf

    @property
    def has_no_buttons(self) -> bool:
        """True while nobody can press OK at the display."""
        return self._is_without_buttons()

    def table_addresses(self, reached: str = "") -> TableAddresses:
        """The table's addresses, or the name of the proxy before it.

        A QR code has the IP address, because many phones cannot find a name that ends in .local. `reached` is the
        address at which a page was requested: the phones around it are in the same network.
        """
        loopback = not self.given and self._web.host in ("127.0.0.1", "localhost", "::1")
        if (named := self._web.name) and (loopback or self._web.proxies):
            return TableAddresses(f"http://{named}/", named, named, f"http://{named}/")
        tail = "" if self.port == 80 else f":{self.port}"
        if loopback:
            url = f"http://localhost{tail}/"
            return TableAddresses(url, "localhost", f"{address.LOOPBACK_ADDRESS}{tail}", url)
        where = address.phone_address(reached) or address.local_address()
        name = named or self._local_name(where)
        url, numeric = f"http://{name}{tail}/", f"http://{where}{tail}/"
        is_found_everywhere = bool(named) and not named.endswith(".local")
        return TableAddresses(url, name, f"{where}{tail}", url if is_found_everywhere else numeric)

    def _local_name(self, where: str) -> str:
        """This machine's name in the local network."""
        if self._clock() >= self._name_is_due_at:
            self._name_is_due_at = self._clock() + NAME_INTERVAL_S
            self._name = address.local_name(where) or f"{socket.gethostname()}.local"
        return self._name

    def has_new_address(self) -> bool:
        """True once after this machine's address has changed. It is checked every `ADDRESS_INTERVAL_S` seconds."""
        if self._clock() < self._address_is_due_at:
            return False
        self._address_is_due_at = self._clock() + ADDRESS_INTERVAL_S
        before, self._address = self._address, address.local_address()
        return before not in ("", self._address)

    def code_info(self) -> tuple[str, str, str]:
        """URL for a QR code, another address to type, and the operator's code.

        If nobody can press OK, the URL contains an invitation.
        """
        found = self.table_addresses()
        other = found.address if found.qr_url == found.url else found.url.removeprefix("http://").rstrip("/")
        url = self.invitation_info()[0] if self._is_without_buttons() else found.qr_url
        return url, other, self._access.sign_in_code

    def invitation_info(self) -> tuple[str, str, str]:
        """URL, address and an invitation for one phone. It is in the fragment, which browsers never send."""
        found, invitation = self.table_addresses(), self._access.invitations.current_invitation()
        url, numeric = (f"{start}in#{invitation}" for start in (found.qr_url, f"http://{found.address}/"))
        return url if len(url) <= MAX_URL_LENGTH else numeric, found.address, invitation

    def seconds_left(self, scan: bool) -> float:
        """Seconds until `invitation_info` (`scan`) or `code_info` has a new invitation, infinity if it has none."""
        return self._access.invitations.seconds_left if scan or self._is_without_buttons() else math.inf
