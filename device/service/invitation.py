"""Invitations: what the display shows to let one phone in without the code, so that no wrong code can lock it out."""

from __future__ import annotations

import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable

INVITATION_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What an invitation is made of: nothing that looks like something else."""

INVITATION_LENGTH = 16
"""Letters of an invitation, 78 bits: nobody guesses one while it lasts."""

INVITATION_LIFETIME_S = 120.0
REFRESH_INTERVAL_S = 60.0
"""Seconds in which an invitation is good, and after which the display shows a new one."""


class Invitations:
    """Makes invitations, each good for one phone. They are kept in memory only. Any thread may call it.

    `used` is called once one was used; `clock` returns seconds.
    """

    def __init__(self, used: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic) -> None:
        self._used, self._clock, self._lock = used, clock, threading.Lock()
        self._made: dict[str, float] = {}

    @property
    def seconds_left(self) -> float:
        """Seconds for which what was shown last is fresh, 0 if it is not any more."""
        return max(0.0, max(self._made.values(), default=-math.inf) + REFRESH_INTERVAL_S - self._clock())

    def current_invitation(self) -> str:
        """Return the invitation for the display."""
        with self._lock:
            now = self._clock()
            self._made = {one: made for one, made in self._made.items() if now < made + INVITATION_LIFETIME_S}
            newest = max(self._made, key=lambda one: self._made[one], default="")
            if not newest or now >= self._made[newest] + REFRESH_INTERVAL_S:
                newest = "".join(secrets.choice(INVITATION_LETTERS) for _ in range(INVITATION_LENGTH))
                self._made[newest] = now
            return newest

    def revoke_all(self) -> None:
        """Refuse every invitation that was shown until now."""
        with self._lock:
            self._made = {}

    def redeem_invitation(self, given: str) -> bool:
        """Use up an invitation as a phone sent it; return False if there is none, or none any more."""
        typed = "".join(given.split()).upper().encode("utf-8", "replace")
        with self._lock:
            now = self._clock()
            found = [one for one, made in self._made.items() if hmac.compare_digest(one.encode(), typed)]
            good = any(now < self._made.pop(one) + INVITATION_LIFETIME_S for one in found)
        if good:
            self._used()
        return good
