"""Places that many addresses share. When all are taken, an idle one is evicted, or the oldest of the largest holder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from web.security.admission import Gate
from web.security.rejected import PhoneRejected
from web.security.rejection_log import RejectionLog


@dataclass(slots=True, eq=False)
class ReservedPlace:
    """A place that an address holds.

    give_up: called once, when the place is evicted.
    idle: idle places are evicted first.
    rank: lower ranks are evicted next. A newcomer of a lower rank evicts nobody.
    """

    address: str
    give_up: Callable[[], None]
    idle: bool = False
    rank: int = 0


class FairShare:
    """Places in total and for each address, limited by two gates. Evictions are recorded. Not thread-safe."""

    def __init__(self, most: Gate, each: Gate, refusals: RejectionLog) -> None:
        self.most, self.each, self._refusals = most, each, refusals
        self._places: dict[str, dict[ReservedPlace, None]] = {}
        """By address, the oldest first."""

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def reserve_place(self, place: ReservedPlace, share: float = 1) -> None:
        """Reserve a place, evicting another if necessary. `share` is the usable part of both limits, 0 to 1.

        An idle place is evicted for any other. A busy place is evicted for a newcomer of a higher rank, or of its own
        rank if its address holds more places than the newcomer's. Raises PhoneRejected, which the caller records.
        """
        own = self._places.setdefault(place.address, {})
        own[place] = None
        if len(own) - 1 >= self.each.limit * share:
            gate = self.each
            idle = (one for one in own if one.idle and one is not place)
            leaver = next(idle, None) or next((one for one in own if one.rank < place.rank), None)
        elif len(self) - 1 >= self.most.limit * share:
            gate, leaver = self.most, self._oldest_idle_place(place) or self._oldest_busy_place(place)
        else:
            return
        if leaver is None:
            self.release_place(place)
            raise PhoneRejected(gate)
        self.release_place(leaver)
        self._refusals.record_rejection(gate, leaver.address)
        leaver.give_up()

    def move_place(self, place: ReservedPlace, address: str) -> None:
        """Count a place for another address. Raises PhoneRejected, and then the place has been released."""
        self.release_place(place)
        place.address = address
        self.reserve_place(place)

    def release_place(self, place: ReservedPlace) -> None:
        """Release a place. It may be released twice."""
        own = self._places.get(place.address, {})
        own.pop(place, None)
        if not own:
            self._places.pop(place.address, None)

    def _oldest_idle_place(self, newcomer: ReservedPlace) -> ReservedPlace | None:
        most = list[ReservedPlace]()
        for held in self._places.values():
            most = max(most, [one for one in held if one.idle and one is not newcomer], key=len)
        return most[0] if most else None

    def _oldest_busy_place(self, newcomer: ReservedPlace) -> ReservedPlace | None:
        """Return the oldest place of the address with the most places of a lower rank.

        If there are none, the same for the newcomer's rank, if that address holds more than the newcomer's.
        """
        lower, same = list[ReservedPlace](), list[ReservedPlace]()
        for held in self._places.values():
            lower = max(lower, [one for one in held if one.rank < newcomer.rank], key=len)
            same = max(same, [one for one in held if one.rank == newcomer.rank], key=len)
        own = [one for one in self._places[newcomer.address] if one.rank == newcomer.rank]
        return lower[0] if lower else same[0] if len(same) > len(own) else None
