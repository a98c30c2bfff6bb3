"""Who is in the room: the phones that are listening now, and how many may; and those that are signed in."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from device.shapes import Presence, RefusalSummary, SignedInPhone
from web.security import admission
from web.security.addresses import address_key
from web.security.devices import device_kind
from web.security.fair_share import FairShare, ReservedPlace
from web.security.passes import Pass, PassCookies
from web.security.rejection_log import RejectionLog

RESERVED_SHARE = 0.05
"""The share of both limits that only phones with a pass may use: spectators never shut out a seat or the operator.
Connections of other kinds are limited by the server (`device.service.connections`)."""


@dataclass(frozen=True, slots=True, eq=False)
class ListeningPhone:
    """One page that is listening. `since` is on the clock of its `ListeningPhones`."""

    held: Pass
    device: str
    address: str
    since: float


class ListeningPhones:
    """The phones that are listening: at most `most`, and `each` from one address. Safe to use from any thread.

    When there is no room, the address with most spectators loses its oldest to an address with fewer, or to a pass; a
    seat's page, if there are no spectators, to the operator, or to a seat's phone at an address with fewer. Those that
    lose a place are noted in `refusals`; the caller notes who gets none.
    """

    def __init__(
        self,
        refusals: RejectionLog,
        most: int = admission.TOTAL_PAGES.limit,
        each: int = admission.PAGES_PER_ADDRESS.limit,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._here: dict[ListeningPhone, None] = {}
        pages, own = replace(admission.TOTAL_PAGES, limit=most), replace(admission.PAGES_PER_ADDRESS, limit=each)
        self._places = FairShare(pages, own, refusals)

    def __len__(self) -> int:
        return len(self._here)

    @contextmanager
    def register_phone(
        self, held: Pass, agent: str, address: str, hang_up: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Count a phone as here while this lasts. Raises TurnedAway if there is no room.

        `hang_up` is called if its place goes to another phone.
        """
        phone, spectator = ListeningPhone(held, device_kind(agent), address, self._clock()), held == Pass()
        place = ReservedPlace(address_key(address), hang_up, rank=held.priority_rank)
        with self._lock:
            self._places.reserve_place(place, 1 - RESERVED_SHARE if spectator else 1)
            self._here[phone] = None
        try:
            yield
        finally:
            with self._lock:
                del self._here[phone]
                self._places.release_place(place)

    def listening_phones(self) -> Sequence[ListeningPhone]:
        """Return who is listening now, the longest first."""
        with self._lock:
            return list(self._here)


def presence_report(
    code: str, room: ListeningPhones, passes: PassCookies, asker: Pass, refusals: RefusalSummary
) -> Presence:
    """Return who is signed in, who watches, and who was refused. `code` is the one on the display, `asker` the pass of
    who asks.
    """
    here = [(phone, passes.valid_pass(phone.held)) for phone in room.listening_phones()]
    listening = {held.id for _, held in here}
    now = passes.listed.current_age_s()
    phones = [
        SignedInPhone(
            id=held.id,
            role="operator" if held.operator else "seat",
            seat=held.seat,
            device=one.device,
            seconds=max(0, now - one.since),
            unseen=0 if held.id in listening else max(0, now - one.seen),
            own=held.id == asker.id,
        )
        for one in passes.listed.valid_passes()
        if (held := passes.valid_pass(one.held)) != Pass()
    ]
    spectators = Counter(phone.device for phone, held in here if held == Pass())
    return Presence(code, phones, dict(spectators.most_common()), refusals)
