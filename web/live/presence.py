"""The phones that are listening, limits on their number, and the phones that are signed in."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from device.shapes import Presence, RejectionSummary, SignedInPhone
from web.security import admission
from web.security.addresses import address_key
from web.security.devices import device_kind
from web.security.fair_share import FairShare, ReservedPlace
from web.security.passes import Pass, PassCookies
from web.security.rejection_log import RejectionLog

RESERVED_SHARE = 0.05
"""The share of both limits for phones with a pass, so that spectators never shut them out."""


@dataclass(frozen=True, slots=True, eq=False)
class ListeningPhone:
    """A page that is listening. `since` is on the clock of its `ListeningPhones`."""

    held: Pass
    device: str
    address: str
    since: float


class ListeningPhones:
    """The phones that are listening, at most `most`, and `each` from one address. Thread-safe.

    When there is no room, the oldest page of the address with the most spectators is evicted, for an address with fewer
    or for a pass. Without spectators a seat's page is evicted, for the operator or for a seat's phone at an address
    with fewer. Evictions are recorded in `refusals`, and the caller records rejections.
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
        self,
        held: Pass,
        agent: str,
        address: str,
        hang_up: Callable[[], None] = lambda: None,
        ended: Callable[[], object] = lambda: None,
    ) -> Iterator[None]:
        """Count a phone as listening in this context. Raises PhoneRejected if full.

        `hang_up` is called on eviction, and `ended` at the end of the context.
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
            ended()

    def listening_phones(self) -> Sequence[ListeningPhone]:
        with self._lock:
            return list(self._here)


def presence_report(
    code: str, room: ListeningPhones, passes: PassCookies, asker: Pass, refusals: RejectionSummary
) -> Presence:
    """Return signed-in phones, spectators and rejections. `code` is the display's. `asker` is the reader's pass."""
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
