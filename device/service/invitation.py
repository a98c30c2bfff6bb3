"""Invitations, which the display shows to let one phone in without the code, whatever wrong codes others enter."""

from __future__ import annotations

import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable

INVITATION_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Characters of an invitation, of which no two look alike."""

INVITATION_LENGTH = 16
"""Characters of an invitation, 78 bits, which nobody guesses in its lifetime."""

INVITATION_LIFETIME_S = 120.0
"""Seconds for which an invitation is valid."""

REFRESH_INTERVAL_S = 60.0
"""Interval at which the display shows a new one, in seconds."""


class Invitations:
    """Creates invitations for one phone each, in memory only. Calls `used` after each use. Any thread may call it."""

    def __init__(self, used: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic) -> None:
        self._used, self._clock, self._lock = used, clock, threading.Lock()
        self._made: dict[str, float] = {}

    @property
    def seconds_left(self) -> float:
        """Seconds until the display needs a new invitation."""
        return max(0.0, max(self._made.values(), default=-math.inf) + REFRESH_INTERVAL_S - self._clock())

    def current_invitation(self) -> str:
        with self._lock:
            now = self._clock()
            self._made = {one: made for one, made in self._made.items() if now < made + INVITATION_LIFETIME_S}
            newest = max(self._made, key=lambda one: self._made[one], default="")
            if not newest or now >= self._made[newest] + REFRESH_INTERVAL_S:
                newest = "".join(secrets.choice(INVITATION_LETTERS) for _ in range(INVITATION_LENGTH))
                self._made[newest] = now
            return newest

    def revoke_all(self) -> None:
        with self._lock:
            self._made = {}

    def redeem_invitation(self, given: str) -> bool:
        """Use up an invitation sent by a phone. Returns False if it is unknown or expired."""
        typed = "".join(given.split()).upper().encode("utf-8", "replace")
        with self._lock:
            now = self._clock()
            found = [one for one, made in self._made.items() if hmac.compare_digest(one.encode(), typed)]
            good = any(now < self._made.pop(one) + INVITATION_LIFETIME_S for one in found)
        if good:
            self._used()
        return good
