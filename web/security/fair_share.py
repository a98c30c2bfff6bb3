"""Places that many addresses share: when all are taken, an idle one gives way, or the oldest of who holds most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Place:
    """A place that an address holds.

    `give_up` is called, once, when somebody else gets the place. `idle` places give way first, `kept` ones never.
    """

    address: str
    give_up: Callable[[], None]
    idle: bool = False
    kept: bool = False


class NoPlace(Exception):
    """There is no place: `alone` if the address itself has too many."""

    def __init__(self, alone: bool) -> None:
        super().__init__("too many from this address" if alone else "all places are taken")
        self.alone = alone


class FairShare:
    """At most `most` places, and `each` for one address. Not thread-safe."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each = most, each
        self._places: dict[str, dict[Place, None]] = {}
        """By address, the oldest first."""

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def enter(self, place: Place, share: float = 1) -> None:
        """Take a place, if need be from another; `share` is the part of both limits that this one may use.

        An idle place gives way to any other. A place in use gives way only where its address holds more than the
        newcomer's, or where the newcomer is kept. Raises NoPlace.
        """
        own = self._places.setdefault(place.address, {})
        own[place] = None
        leaver: Place | None = None
        if alone := len(own) - 1 >= self.each * share:
            leaver = next((one for one in own if one.idle and one is not place), None)
        elif len(self) - 1 >= self.most * share:
            leaver = self._idle(place) or self._in_use(0 if place.kept else len(own))
        else:
            return
        if leaver is None:
            self.leave(place)
            raise NoPlace(alone)
        self.leave(leaver)
        leaver.give_up()

    def move(self, place: Place, address: str) -> None:
        """Count a place for another address from now on. Raises NoPlace, and then it is given back."""
        self.leave(place)
        place.address = address
        self.enter(place)

    def leave(self, place: Place) -> None:
        """Give a place back; one that was given up already may be given back again."""
        own = self._places.get(place.address, {})
        own.pop(place, None)
        if not own:
            self._places.pop(place.address, None)

    def _idle(self, newcomer: Place) -> Place | None:
        """Return the oldest idle place of the address that has most of them."""
        most = list[Place]()
        for held in self._places.values():
            most = max(most, [one for one in held if one.idle and one is not newcomer], key=len)
        return most[0] if most else None

    def _in_use(self, count: int) -> Place | None:
        """Return the oldest place of the address that holds most, if those are more than `count`."""
        most = list[Place]()
        for held in self._places.values():
            most = max(most, [one for one in held if not one.kept], key=len)
        return most[0] if len(most) > count else None
