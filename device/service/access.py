"""Access to the table: the operator's code, the seats' epochs, and the age at which passes expire."""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable

from device.storage.store import Store, StoreError
from engine.seats import SEATS, Seat

log = logging.getLogger("dugout.passes")

SAVE_EVERY = 600.0
"""Seconds between two saves of the table's age."""


class Access:
    """What a phone's pass is checked against, stored in the journal. Any thread may call it.

    `code` makes a phone the operator's; `key` signs the passes. `renewed` is called once there is a new code.
    """

    def __init__(self, store: Store, renewed: Callable[[], None] = lambda: None) -> None:
        self._store, self._renewed = store, renewed
        self._lock = threading.Lock()
        self.code = store.remember("code", fresh_code)
        self.key = store.remember("key")
        self._epochs = {seat: int(store.remember(_epoch(seat), lambda: "0")) for seat in SEATS}
        self._started, self._age_before = time.monotonic(), float(store.remember("lit", lambda: "0"))
        self._saved = self._started

    def role(self, code: str) -> str | None:
        """Return "operator" if the code is right, else None."""
        return "operator" if hmac.compare_digest(code.encode(), self.code.encode()) else None

    def epoch(self, seat: Seat) -> int:
        """Return how often a seat was freed; passes of an earlier epoch are void."""
        return self._epochs[seat]

    def free(self, seat: Seat | None) -> None:
        """Choose a new code, and void every pass of a seat, if one is given.

        Raises StoreError; then nothing has changed.
        """
        with self._lock:
            code, epochs = fresh_code(), {seat: self._epochs[seat] + 1} if seat else {}
            self._store.keep({"code": code} | {_epoch(one): str(epoch) for one, epoch in epochs.items()})
            self.code = code
            self._epochs |= epochs
        self._renewed()

    def recode(self) -> None:
        """Take a new code for another game; passes that were given stay good. If it cannot be kept, the code stays."""
        try:
            self.free(None)
        except StoreError as error:
            log.warning("The code stays as it is: %s", error)

    def age(self) -> float:
        """Return the seconds this table has been on in its whole life, a clock that never jumps."""
        return self._age_before + time.monotonic() - self._started

    def tick(self) -> None:
        """Save the age every `SAVE_EVERY` seconds, so that a power cut loses minutes at most."""
        if time.monotonic() > self._saved + SAVE_EVERY:
            self.keep()

    def keep(self) -> None:
        """Save the age."""
        self._saved = time.monotonic()
        try:
            self._store.keep({"lit": str(round(self.age()))})
        except StoreError as error:
            log.warning("The table's age was not saved: %s", error)


def fresh_code() -> str:
    """Return a random code of six digits."""
    return f"{secrets.randbelow(1_000_000):06d}"


def _epoch(seat: Seat) -> str:
    """Return the store's key for the epoch of a seat."""
    return f"epoch of {seat}"
