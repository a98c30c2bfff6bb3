"""Access to the table: the operator's code, the list of passes, the seats' epochs, and the age at which passes end."""

from __future__ import annotations

import hmac
import logging
import math
import secrets
import threading
import time
from collections.abc import Callable

from device.service.invitation import Invitations
from device.storage.store import Store, StoreError
from engine.seats import SEATS, Seat
from web.security.passes import PassList

log = logging.getLogger("dugout.passes")

SAVE_EVERY = 600.0
"""Seconds between two saves of the table's age, and of when phones were last seen."""

DIGITS, MORE_DIGITS = 6, 8
"""Digits of the code: while nobody guesses it, and once somebody does."""

CALM = 600.0
"""Seconds without a wrong code after which the warning goes away."""

CAUTIOUS = 24 * 3600.0
"""Seconds after which a new code is short again."""


class Access:
    """What a phone's pass is checked against, stored in the journal. Any thread may call it.

    `code` makes a phone the operator's; `key` signs the `passes`. `renewed` is called once there is a new code. Without
    `remember`, the passes of earlier runs have ended. `clock` returns seconds.
    """

    def __init__(
        self,
        store: Store,
        renewed: Callable[[], None] = lambda: None,
        *,
        remember: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._renewed = store, renewed
        self._clock, self._lock = clock, threading.Lock()
        self._guessed = -math.inf
        self.code = store.remember("code", fresh_code)
        self.key = store.remember("key")
        self._epochs = {seat: int(store.remember(_epoch(seat), lambda: "0")) for seat in SEATS}
        self._started, self._age_before = clock(), float(store.remember("lit", lambda: "0"))
        self._saved = self._started
        kept = store.remember("passes", lambda: "[]") if remember else "[]"
        self.passes = PassList(kept, self.age, self.keep)
        self.invitations = Invitations(renewed, clock)
        if not remember:
            self.keep()

    def role(self, code: str) -> str | None:
        """Return "operator" if the code is right, else None."""
        return "operator" if hmac.compare_digest(code.encode(), self.code.encode()) else None

    def invited(self, invitation: str) -> bool:
        """Use up an invitation from the display; return False if it is not good."""
        return self.invitations.take(invitation)

    def epoch(self, seat: Seat) -> int:
        """Return how often a seat was freed; passes of an earlier epoch are void."""
        return self._epochs[seat]

    def free(self, seat: Seat | None) -> None:
        """Choose a new code, and void every pass of a seat, if one is given.

        Raises StoreError; then nothing has changed.
        """
        with self._lock:
            code, epochs = fresh_code(self._digits), {seat: self._epochs[seat] + 1} if seat else {}
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
        return self._age_before + self._clock() - self._started

    def guessed(self) -> None:
        """Note that somebody is guessing the code, and take a longer one."""
        self._guessed = self._clock()
        if len(self.code) < MORE_DIGITS:
            log.warning("Somebody is guessing the code.")
            self.recode()

    @property
    def warning(self) -> str | None:
        """Return what to say while somebody is guessing the code."""
        if self._clock() > self._guessed + CALM:
            return None
        return f"Somebody is guessing the code. It has {len(self.code)} digits now."

    @property
    def _digits(self) -> int:
        return MORE_DIGITS if self._clock() < self._guessed + CAUTIOUS else DIGITS

    def tick(self) -> None:
        """Save the age every `SAVE_EVERY` seconds, so that a power cut loses minutes at most."""
        if self._clock() > self._saved + SAVE_EVERY:
            self.keep()

    def keep(self) -> None:
        """Save the age and the passes. What cannot be saved now is saved later."""
        self._saved = self._clock()
        try:
            self._store.keep({"lit": str(round(self.age())), "passes": self.passes.text()})
        except StoreError as error:
            log.warning("The passes and the table's age were not saved: %s", error)


def fresh_code(digits: int = DIGITS) -> str:
    """Return a random code."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def _epoch(seat: Seat) -> str:
    """Return the store's key for the epoch of a seat."""
    return f"epoch of {seat}"
