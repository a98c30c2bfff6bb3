"""Passes: the list of phones that are signed in, and the signed cookie that names one entry of it.

A pass is valid for the evening, and only while it is on the list: a new game has a new code, but ends no pass. A seat's
passes lose it when the operator frees the seat: each holds the seat's epoch, and freeing raises the table's.
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
PASS_LIFETIME_S = 24 * 3600
"""Seconds a pass is valid: one long evening, both by the phone's clock and by the time the table has been on."""

STORED_FIELDS = ("held", "device", "since", "seen")
"""What is stored of a pass on the list."""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one phone may do. The operator's phone can also hold a seat, taken in its `epoch`.

    `id` is its place on the list of passes, "" for none.
    """

    operator: bool = False
    seat: Seat | None = None
    epoch: int = 0
    id: str = field(default="", compare=False)

    @property
    def priority_rank(self) -> int:
        """Who goes first where there is not enough for all: 2 the operator, 1 a seat, 0 a spectator."""
        return 2 if self.operator else 1 if self.seat else 0


@dataclass(slots=True)
class ListedPass:
    """A pass on the list: the kind of device, and when it was given and last seen, by the table's age in seconds.

    `address` is where it was given, "" if that was before a restart: it is not stored.
    """

    held: Pass
    device: str
    since: int
    seen: int
    address: str = ""


class SignedOutError(Exception):
    """Phones were signed out since this one asked: it may be one of them."""


class PassList:
    """The passes that were given and have not ended, as many as `admission.TOTAL_PASSES` allows. Any thread may call
    it.

    `kept` is the list as `stored_text` returned it before. `age` returns the seconds the table has been on: a Pi's time
    of day may be wrong, and jump by years during a game. `changed` is called after each change except of when a pass
    was seen.
    """

    def __init__(
        self, kept: str = "[]", age: Callable[[], float] = lambda: 0.0, changed: Callable[[], None] = lambda: None
    ) -> None:
        self._age, self._changed = age, changed
        self._writing = threading.Lock()
        # Replaced as a whole: who reads needs no lock.
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
        """Give a new pass in place of the one with the same id, if any; `kind` is the kind of device.

        If there are too many, the pass seen longest ago of the address with most falls off the list, and `left` is
        called with that address. `asked` is what `sign_outs` was when the phone asked. Raises SignedOutError if phones
        were signed out since.
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
        """Return the pass with this id, and note that it was seen; an empty one if it has ended."""
        found = self._given.get(id_)
        if found is None or self._is_expired(found):
            return Pass()
        found.seen = max(found.seen, int(self._age()))
        return found.held

    def end_passes(self, ids: Collection[str]) -> None:
        """Refuse these passes from now on."""
        with self._writing:
            ended = self._remove_passes(ids)
        if ended:
            self._changed()

    def sign_out_passes(self, ids: Collection[str], asked: int | None = None) -> int:
        """Refuse these passes from now on, and any pass that is just being given. Return the new `sign_outs`.

        `asked` as in `grant_pass`.
        """
        with self._writing:
            self._validate_sign_outs(asked)
            ended = self._remove_passes(ids)
            # Counted last: who reads it and then the list finds these passes ended, or is refused.
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
        """Return the table's age in seconds, by which the list counts."""
        return int(self._age())

    def valid_passes(self) -> Sequence[ListedPass]:
        """Return the passes that are valid, the oldest first."""
        return [one for one in self._given.values() if not self._is_expired(one)]

    def stored_text(self) -> str:
        """Return the list to be kept."""
        listed = [asdict(one) for one in self._given.values()]
        return json.dumps([{name: one[name] for name in STORED_FIELDS} for one in listed])

    def _is_expired(self, one: ListedPass) -> bool:
        return self._age() - one.since > PASS_LIFETIME_S


def _parse_pass_list(kept: str) -> list[ListedPass]:
    """Return a list that was kept; one that is damaged is empty, and everybody enters the code again."""
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
    """Reads and writes the cookies of the passes on a list. `key` signs them, `epoch` returns how often a seat was
    freed.
    """

    def __init__(self, key: bytes, listed: PassList, epoch: Callable[[Seat], int] = lambda seat: 0) -> None:
        self._signer = URLSafeSerializer(key, salt="dugout-pass-3")
        self.listed, self._epoch = listed, epoch

    def granted_pass(self, request: Request) -> Pass:
        """Return the pass of a request as it was given; an empty one if it is missing, forged or has ended."""
        return self.listed.find_pass(self._cookie_pass_id(request))

    def valid_pass(self, given: Pass) -> Pass:
        """Return what is left of a pass: not a seat that was freed since."""
        if given.seat is not None and given.epoch == self._epoch(given.seat):
            return given
        return Pass(given.operator, id=given.id)

    def current_pass(self, request: Request) -> Pass:
        """Return what a request's phone may do now."""
        return self.valid_pass(self.granted_pass(request))

    def freed_seat(self, request: Request) -> Seat | None:
        """Return the seat this phone held until it was freed, if any."""
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
        """Give a phone a pass in place of the one with the same id; an empty one ends that and deletes its cookie.

        `agent` is its User-Agent, `address` what it is counted as, `asked` and `left` as in `PassList.grant_pass`.
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
