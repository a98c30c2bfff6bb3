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

RETRY_S = 10.0
"""Seconds after which what could not be saved is saved again."""

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
        self._save_at = self._started + SAVE_EVERY
        self._unsaved: dict[str, str] = {}
        """The code, while the store has another one."""
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

    def free(self, seat: Seat) -> None:
        """Void every pass of a seat, choose a new code, and end all invitations.

        Raises StoreError; then only the invitations have ended.
        """
        self.invitations.end()
        try:
            with self._lock:
                code, epoch = fresh_code(self._digits), self._epochs[seat] + 1
                self._store.keep({"code": code, _epoch(seat): str(epoch)})
                self.code, self._unsaved = code, {}
                self._epochs |= {seat: epoch}
        finally:
            self._renewed()

    def recode(self) -> None:
        """Choose a new code, and end all invitations; passes that were given stay good."""
        self.invitations.end()
        self._change_code()

    def _change_code(self) -> None:
        """Choose a new code. If it cannot be stored, it counts all the same, and is stored later."""
        with self._lock:
            self.code = fresh_code(self._digits)
            self._unsaved = {"code": self.code}
        self.keep()
        self._renewed()

    def age(self) -> float:
        """Return the seconds this table has been on in its whole life, a clock that never jumps."""
        return self._age_before + self._clock() - self._started

    def guessed(self) -> None:
        """Note that somebody is guessing the code, and take a longer one. Invitations stay good: they let others in."""
        self._guessed = self._clock()
        if len(self.code) < MORE_DIGITS:
            log.warning("Somebody is guessing the code.")
            self._change_code()

    @property
    def warning(self) -> str | None:
        """Return what to say while somebody is guessing the code."""
        if self._clock() > self._guessed + CALM:
            return None
        return f"Somebody is guessing the code. It now has {len(self.code)} digits."

    @property
    def _digits(self) -> int:
        return MORE_DIGITS if self._clock() < self._guessed + CAUTIOUS else DIGITS

    def tick(self) -> None:
        """Save the age every `SAVE_EVERY` seconds, so that a power cut loses minutes at most."""
        if self._clock() > self._save_at:
            self.keep()

    def keep(self) -> None:
        """Save the age, the passes, and a code that is not saved yet. What cannot be saved now is saved soon."""
        try:
            with self._lock:
                self._store.keep({"lit": str(round(self.age())), "passes": self.passes.text()} | self._unsaved)
                self._unsaved = {}
            self._save_at = self._clock() + SAVE_EVERY
        except StoreError as error:
            self._save_at = self._clock() + RETRY_S
            log.warning("The code, the passes and the table's age were not saved: %s", error)


def fresh_code(digits: int = DIGITS) -> str:
    """Return a random code."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def _epoch(seat: Seat) -> str:
    """Return the store's key for the epoch of a seat."""
    return f"epoch of {seat}"
