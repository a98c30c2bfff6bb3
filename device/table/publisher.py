"""Publishing a session's views: the one lock of the game, its version, and who receives what changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from engine.seats import Seat
from engine.views import View


@dataclass(frozen=True, slots=True)
class Views:
    """What every audience may see after one change.

    `due` is when a proposed roll counts, in seconds of `clock`; None while none is counting.
    """

    public: View
    away: View
    home: View
    due: float | None
    clock: Callable[[], float]

    @property
    def version(self) -> int:
        """The version of the session, the same for every audience."""
        return self.public.version

    def of(self, seat: Seat | None) -> View:
        """Return the view of one audience (None: spectators), with the time left until a roll counts as it is now."""
        view = self.public if seat is None else self.home if seat == "home" else self.away
        if self.due is None or view.proposal is None:
            return view
        return replace(view, proposal=replace(view.proposal, seconds=round(max(0.0, self.due - self.clock()), 2)))


Receive = Callable[[Views], None]


class Publisher:
    """Hold the game's only lock and publish its views.

    After each change it has `build` make the views of the new version and passes them to every subscriber, still under
    the lock. A subscriber must only take note of them and do its work later. Call `receive` with the current views now,
    and again after every change, on the thread that made the change.

    Returns a function that ends the subscription.
    """

    def __init__(self, build: Callable[[int], Views]) -> None:
        self.lock = threading.RLock()
        self._build = build
        self._version = 0
        self._subscribers: list[Receive] = []
        self._depth = 0
        self._changed = False
        self._views: Views | None = None

    @property
    def views(self) -> Views:
        """The views published last."""
        with self.lock:
            if self._views is None:
                self._views = self._build(self._version)
            return self._views

    @contextmanager
    def change(self) -> Iterator[None]:
        """Hold the lock, and publish when the outermost change ends, unless everything in it was refused."""
        with self.lock:
            self._depth += 1
            try:
                yield
                self._changed = True
            finally:
                self._depth -= 1
                if not self._depth and self._changed:
                    self._changed = False
                    self._publish()

    def subscribe(self, receive: Receive) -> Callable[[], None]:
        """Have `receive` called with the views of now and after every change, on the thread that made it.

        Returns what ends it.
        """
        with self.lock:
            receive(self.views)
            self._subscribers.append(receive)

        def unsubscribe() -> None:
            with self.lock:
                if receive in self._subscribers:
                    self._subscribers.remove(receive)

        return unsubscribe

    def _publish(self) -> None:
        self._version += 1
        self._views = self._build(self._version)
        for receive in self._subscribers:
            receive(self._views)
