"""Access to the table: the operator's code, the list of passes, the seats' epochs, and the expiry of passes."""

from __future__ import annotations

import hmac
import logging
import math
import secrets
import threading
import time
from collections.abc import Callable
from hashlib import sha256

from device.service.invitation import Invitations
from device.storage.store import Store, StoreError
from engine.seats import SEATS, Seat
from web.security.passes import PassList

log = logging.getLogger("dugout.passes")

SAVE_INTERVAL_S = 600.0
"""Interval between saves of the table's age and of when phones were last seen, in seconds."""

RETRY_DELAY_S = 10.0
"""Delay before a failed save is retried, in seconds."""

TABLE_ID_LENGTH = 16
"""Characters of a table's public ID, from which its key cannot be computed."""

CODE_DIGITS = 6
"""Digits of the code while nobody guesses it."""

LONG_CODE_DIGITS = 8
"""Digits of the code after somebody began to guess."""

GUESS_WARNING_S = 600.0
"""The guess warning disappears this long after the last wrong code, in seconds."""

LONG_CODE_PERIOD_S = 24 * 3600.0
"""A new code is short again this long after the last guess, in seconds."""


class Access:
    """The secrets that a phone's pass is checked against, stored in the journal. Any thread may call it.

    sign_in_code: signs a phone in as the operator.
    cookie_key: signs the `pass_list`.
    renewed: called after each new code.
    remember: False if the passes of earlier runs have expired.
    clock: returns seconds.
    """

    def __init__(
        self,
        store: Store,
        renewed: Callable[[], None] = lambda: None,
        *,
        remember: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._on_new_code = store, renewed
        self._clock, self._lock = clock, threading.Lock()
        self._last_guess = -math.inf
        self.sign_in_code = store.get_or_create_value("code", random_code)
        self.cookie_key = store.get_or_create_value("key")
        self.table_id = sha256(f"table {self.cookie_key}".encode()).hexdigest()[:TABLE_ID_LENGTH]
        self._epochs = {seat: int(store.get_or_create_value(_epoch_key(seat), lambda: "0")) for seat in SEATS}
        self._started, self._stored_age = clock(), float(store.get_or_create_value("lit", lambda: "0"))
        self._save_at = self._started + SAVE_INTERVAL_S
        self._unsaved: dict[str, str] = {}
        """The code, while the store has another one."""
        kept = store.get_or_create_value("passes", lambda: "[]") if remember else "[]"
        self.pass_list = PassList(kept, self.table_age, self.save_now)
        self.invitations = Invitations(renewed, clock)
        if not remember:
            self.save_now()

    def role_for_code(self, code: str) -> str | None:
        return "operator" if hmac.compare_digest(code.encode(), self.sign_in_code.encode()) else None

    def redeem_invitation(self, invitation: str) -> bool:
        return self.invitations.redeem_invitation(invitation)

    def seat_epoch(self, seat: Seat) -> int:
        """Number of times that a seat was freed. Passes of an earlier epoch are void."""
        return self._epochs[seat]

    def free_seat(self, seat: Seat) -> None:
        """Void every pass of a seat, choose a new code, and revoke all invitations.

        Raises StoreError. In that case only the invitations are revoked.
        """
        self.invitations.revoke_all()
        try:
            with self._lock:
                code, epoch = random_code(self._digit_count), self._epochs[seat] + 1
                self._store.save_values({"code": code, _epoch_key(seat): str(epoch)})
                self.sign_in_code, self._unsaved = code, {}
                self._epochs |= {seat: epoch}
        finally:
            self._on_new_code()

    def change_code(self) -> None:
        """Choose a new code and revoke all invitations. Existing passes stay valid."""
        self.invitations.revoke_all()
        self._set_new_code()

    def _set_new_code(self) -> None:
        """Choose a new code. If it cannot be stored, it is valid anyway, and is stored later."""
        with self._lock:
            self.sign_in_code = random_code(self._digit_count)
            self._unsaved = {"code": self.sign_in_code}
        self.save_now()
        self._on_new_code()

    def table_age(self) -> float:
        """Seconds for which this table has been on since it was installed, a clock that never jumps."""
        return self._stored_age + self._clock() - self._started

    def lengthen_code(self) -> None:
        """Choose a longer code, because somebody is guessing it. Invitations stay valid, so that others can join."""
        self._last_guess = self._clock()
        if len(self.sign_in_code) < LONG_CODE_DIGITS:
            log.warning("Somebody is guessing the code.")
            self._set_new_code()

    @property
    def guess_warning(self) -> str | None:
        if self._clock() > self._last_guess + GUESS_WARNING_S:
            return None
        return f"Somebody is guessing the code. It now has {len(self.sign_in_code)} digits."

    @property
    def _digit_count(self) -> int:
        return LONG_CODE_DIGITS if self._clock() < self._last_guess + LONG_CODE_PERIOD_S else CODE_DIGITS

    def save_if_due(self) -> None:
        """Save the age every `SAVE_INTERVAL_S` seconds, so that a power cut loses only minutes."""
        if self._clock() > self._save_at:
            self.save_now()

    def save_now(self) -> None:
        """Save the age, the passes, and an unsaved code. A failed save is retried soon."""
        try:
            with self._lock:
                self._store.save_values(
                    {"lit": str(round(self.table_age())), "passes": self.pass_list.stored_text()} | self._unsaved
                )
                self._unsaved = {}
            self._save_at = self._clock() + SAVE_INTERVAL_S
        except StoreError as error:
            self._save_at = self._clock() + RETRY_DELAY_S
            log.warning("The code, the passes and the table's age were not saved: %s", error)


def random_code(digits: int = CODE_DIGITS) -> str:
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def _epoch_key(seat: Seat) -> str:
    return f"epoch of {seat}"
