"""Who may act at the table: the code on the display, the seats' epochs, and the age by which passes run out."""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
import time

from device.storage.store import Store, StoreError
from engine.seats import SEATS, Seat

log = logging.getLogger("dugout.passes")

LIT = 600.0
"""Seconds after which it is kept anew how long the table was on."""


class Access:
    """What a phone's pass is checked against. All of it outlives the program; any thread may ask.

    `code` makes an operator; `key` signs what phones hold.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self.code = store.remember("code", fresh_code)
        self.key = store.remember("key")
        self._epochs: dict[Seat, int] = {seat: int(store.remember(_epoch(seat), lambda: "0")) for seat in SEATS}
        self._born, self._lit = time.monotonic(), float(store.remember("lit", lambda: "0"))
        self._kept = self._born

    def role(self, code: str) -> str | None:
        """The operator's code makes an operator."""
        return "operator" if hmac.compare_digest(code.encode(), self.code.encode()) else None

    def epoch(self, seat: Seat) -> int:
        """How often a seat was freed."""
        return self._epochs[seat]

    def renew(self, freed: Seat | None = None) -> None:
        """Take a new code, and with it back every pass of the seat that is `freed`.

        Raises StoreError, and nothing has changed.
        """
        with self._lock:
            code, epochs = fresh_code(), {freed: self._epochs[freed] + 1} if freed else {}
            self._store.keep({"code": code} | {_epoch(seat): str(epoch) for seat, epoch in epochs.items()})
            self.code = code
            self._epochs |= epochs

    def age(self) -> float:
        """Seconds the table was on, ever: no clock that may jump."""
        return self._lit + time.monotonic() - self._born

    def tick(self) -> None:
        """Keep the age now and then: a power cut takes some minutes of it, not all."""
        if time.monotonic() > self._kept + LIT:
            self.keep()

    def keep(self) -> None:
        """Keep the age."""
        self._kept = time.monotonic()
        try:
            self._store.keep({"lit": str(round(self.age()))})
        except StoreError as error:
            log.warning("How long the table was on is not kept: %s", error)


def fresh_code() -> str:
    """A code of six digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


def _epoch(seat: Seat) -> str:
    """Where the store remembers how often a seat was freed."""
    return f"epoch of {seat}"
