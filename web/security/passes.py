"""Passes of phones that are signed in: their list, and the signed cookie that names one of them.

A pass is valid for one evening, while it is on the list. A new game changes the code, but ends no pass. Freeing a seat
ends its passes for that seat, because each holds the seat's epoch and freeing raises the table's.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fastapi import Request, Response
from itsdangerous import BadData, URLSafeSerializer

from engine.seats import SEATS, Seat
from web.security import admission
from web.security.devices import device_kind

COOKIE_NAME = "dugout"
"""The name of the cookie."""
PASS_LIFETIME_S = 24 * 3600
"""Lifetime of a pass in seconds, one long evening. It counts on the phone's clock and on the table's age."""

STORED_FIELDS = ("held", "device", "since", "seen")
"""The fields of a listed pass that are stored."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Permissions of one phone. `epoch` is its seat's when the pass was given. `id` is "" if the pass is not listed."""

    operator: bool = False
    seat: Seat | None = None
    epoch: int = 0
    id: str = field(default="", compare=False)

    @property
    def priority_rank(self) -> int:
        """The rank where places are limited: 2 the operator, 1 a seat, 0 a spectator."""
        return 2 if self.operator else 1 if self.seat else 0


@dataclass(slots=True)
class ListedPass:
    """A pass on the list, with the times at which it was given and last seen, as ages of the table in seconds.

    device: the kind of device.
    address: where it was given. "" after a restart, because it is not stored.
    """

    held: Pass
    device: str
    since: int
    seen: int
    address: str = ""


class SignedOutError(Exception):
    """Phones were signed out since this one asked, and it may be one of them."""


class PassList:
    """The valid passes, at most `admission.TOTAL_PASSES`. Thread-safe.

    kept: the list from `stored_text`.
    age: returns how long the table has been on, in seconds. A Pi's time of day may be wrong, and jump by years.
    changed: called after each change, except when a pass is seen.
    """

    def __init__(
        self, kept: str = "[]", age: Callable[[], float] = lambda: 0.0, changed: Callable[[], None] = lambda: None
    ) -> None:
        self._age, self._changed = age, changed
        self._writing = threading.Lock()
        # Never changed in place, so that readers need no lock.
        self._given = {one.held.id: one for one in _parse_pass_list(kept)}
        self.sign_outs = 0
        """How often a phone signed others out."""

    def grant_pass(
        self,
        held: Pass,
        kind: str,
        address: str = "",
        asked: int | None = None,
        left: Callable[[str], None] = lambda address: None,
    ) -> Pass:
        """Give a new pass in place of the one with the same id, if any.

        If there are too many, the least recently seen pass of the address with the most is evicted.

            kind: the kind of device.
            asked: the value of `sign_outs` when the phone asked. Raises SignedOutError if it has changed.
            left: called with the address of each evicted pass.
        """
        now = int(self._age())
        given, leavers = replace(held, id=secrets.token_urlsafe(12)), list[str]()
        with self._writing:
            self._validate_sign_outs(asked)
            rest = {id_: one for id_, one in self._given.items() if id_ != held.id and not self._is_expired(one)}
            many = Counter(one.address or one.held.id for one in rest.values())
            while len(rest) >= admission.TOTAL_PASSES.limit:
                leaver = min(rest.values(), key=lambda one: (-many[one.address or one.held.id], one.seen))
                many[leaver.address or leaver.held.id] -= 1
                del rest[leaver.held.id]
                leavers.append(leaver.address)
            self._given = rest | {given.id: ListedPass(given, kind, now, now, address)}
        self._changed()
        for one in leavers:
            left(one)
        return given

    def find_pass(self, id_: str) -> Pass:
        """Return the pass with this id and mark it as seen. An empty pass if it has ended."""
        found = self._given.get(id_)
        if found is None or self._is_expired(found):
            return Pass()
        found.seen = max(found.seen, int(self._age()))
        return found.held

    def end_passes(self, ids: Collection[str]) -> None:
        with self._writing:
            ended = self._remove_passes(ids)
        if ended:
            self._changed()

    def sign_out_passes(self, ids: Collection[str], asked: int | None = None) -> int:
        """End these passes, and any that is being given now. Return the new `sign_outs`. `asked` as in `grant_pass`."""
        with self._writing:
            self._validate_sign_outs(asked)
            ended = self._remove_passes(ids)
            # Last, so that a reader of the count and then of the list finds these passes ended, or is rejected.
            self.sign_outs += 1
            signed_out = self.sign_outs
        if ended:
            self._changed()
        return signed_out

    def _remove_passes(self, ids: Collection[str]) -> bool:
        rest = {id_: one for id_, one in self._given.items() if id_ not in ids}
        ended = len(rest) < len(self._given)
        self._given = rest
        return ended

    def _validate_sign_outs(self, asked: int | None) -> None:
        if asked not in (None, self.sign_outs):
            raise SignedOutError

    def current_age_s(self) -> int:
        """Return the table's age in seconds, the clock of the list."""
        return int(self._age())

    def valid_passes(self) -> Sequence[ListedPass]:
        return [one for one in self._given.values() if not self._is_expired(one)]

    def stored_text(self) -> str:
        listed = [asdict(one) for one in self._given.values()]
        return json.dumps([{name: one[name] for name in STORED_FIELDS} for one in listed])

    def _is_expired(self, one: ListedPass) -> bool:
        return self._age() - one.since > PASS_LIFETIME_S


def _parse_pass_list(kept: str) -> list[ListedPass]:
    """Parse a stored list. A damaged one is empty, so that everybody enters the code again."""
    try:
        return [_parse_listed_pass(**one) for one in json.loads(kept)][-admission.TOTAL_PASSES.limit :]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []


def _parse_listed_pass(held: dict[str, Any], device: str, since: int, seen: int) -> ListedPass:
    seat = held["seat"] if held["seat"] in SEATS else None
    return ListedPass(
        Pass(bool(held["operator"]), seat, int(held["epoch"]), str(held["id"])), str(device), int(since), int(seen)
    )


class PassCookies:
    """Reads and writes the cookies of listed passes. `key` signs them. `epoch` returns how often a seat was freed."""

    def __init__(self, key: bytes, listed: PassList, epoch: Callable[[Seat], int] = lambda seat: 0) -> None:
        self._signer = URLSafeSerializer(key, salt="dugout-pass-3")
        self.listed, self._epoch = listed, epoch

    def granted_pass(self, request: Request) -> Pass:
        """Return the pass of a request as it was given. An empty pass if it is missing, forged or has ended."""
        return self.listed.find_pass(self._cookie_pass_id(request))

    def valid_pass(self, given: Pass) -> Pass:
        """Return a pass without its seat if that has been freed."""
        if given.seat is not None and given.epoch == self._epoch(given.seat):
            return given
        return Pass(given.operator, id=given.id)

    def current_pass(self, request: Request) -> Pass:
        return self.valid_pass(self.granted_pass(request))

    def freed_seat(self, request: Request) -> Seat | None:
        """Return the seat that this phone held until it was freed, or None."""
        given = self.granted_pass(request)
        return given.seat if self.valid_pass(given).seat is None else None

    def has_ended_pass(self, request: Request) -> bool:
        """Return True if this phone has a pass of this table that has ended."""
        id_ = self._cookie_pass_id(request)
        return bool(id_) and not self.listed.find_pass(id_).id

    def write_cookie(
        self,
        response: Response,
        given: Pass,
        agent: str = "",
        address: str = "",
        asked: int | None = None,
        left: Callable[[str], None] = lambda address: None,
    ) -> None:
        """Give a phone a new pass in its cookie. An empty pass ends the one with its id and deletes the cookie.

        agent: the User-Agent of the phone.
        address: its address key.
        asked, left: as in `PassList.grant_pass`.
        """
        if given == Pass():
            self.listed.end_passes({given.id})
            response.delete_cookie(COOKIE_NAME, httponly=True, samesite="strict")
        else:
            value = self._signer.dumps(self.listed.grant_pass(given, device_kind(agent), address, asked, left).id)
            response.set_cookie(COOKIE_NAME, value, max_age=PASS_LIFETIME_S, httponly=True, samesite="strict")

    def _cookie_pass_id(self, request: Request) -> str:
        try:
            return str(self._signer.loads(request.cookies.get(COOKIE_NAME, "")))
        except BadData:
            return ""
