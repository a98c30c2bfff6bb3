"""Views of the table for every audience, built under one lock and passed to subscribers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from engine.seats import Seat
from engine.views import AudienceView


@dataclass(frozen=True, slots=True)
class AudienceViews:
    """The views of one version by audience. `due` is when a proposed roll counts, in seconds of `clock`, or None."""

    public: AudienceView
    away: AudienceView
    home: AudienceView
    due: float | None
    clock: Callable[[], float]

    @property
    def version(self) -> int:
        return self.public.version

    def view_for(self, seat: Seat | None) -> AudienceView:
        """The view of one audience (None: spectators), with the current time left until a roll counts."""
        view = self.public if seat is None else self.home if seat == "home" else self.away
        if self.due is None or view.proposal is None:
            return view
        return replace(view, proposal=replace(view.proposal, seconds=round(max(0.0, self.due - self.clock()), 2)))


ViewsReceiver = Callable[[AudienceViews], None]


class ViewPublisher:
    """The lock of a game, and the views that `build` makes of each version. Any thread may use it.

    `clock` returns monotonic seconds. Subscribers receive the views under the lock.
    """

    def __init__(self, clock: Callable[[], float], build: Callable[[int], AudienceViews]) -> None:
        self.clock, self._build = clock, build
        self.lock = threading.RLock()
        self._version = self._depth = 0
        self._changed = False
        self.held_until = 0.0
        """Time until which nothing new is published, in seconds of `clock`. Subscribers wake up with the old views."""
        self._subscribers: list[ViewsReceiver] = []
        self._views: AudienceViews | None = None

    @contextmanager
    def publish_change(self) -> Iterator[None]:
        """Hold the lock and publish when the outermost change ends, unless every change was rejected."""
        with self.lock:
            self._depth += 1
            try:
                yield
                self._changed = True
            finally:
                self._depth -= 1
                if not self._depth and self._changed:
                    if self.clock() >= self.held_until:
                        self._changed = False
                        self._version += 1
                        self._views = self._build(self._version)
                    views = self.current_views()
                    for receive in self._subscribers:
                        receive(views)

    def publish_again(self) -> None:
        """Publish a new version, because something shown outside the game changed."""
        with self.publish_change():
            pass

    @property
    def version(self) -> int:
        """Version of the views, which grows with every visible change."""
        return self.current_views().version

    def current_views(self) -> AudienceViews:
        with self.lock:
            if self._views is None:
                self._views = self._build(self._version)
            return self._views

    def view_for(self, seat: Seat | None) -> AudienceView:
        """Current view of one audience (None: spectators)."""
        return self.current_views().view_for(seat)

    def subscribe(self, receive: ViewsReceiver) -> Callable[[], None]:
        """Call `receive` with the current views now and after every change, on the thread of the change.

        It must return quickly and work later. Returns a function that ends the subscription.
        """
        with self.lock:
            receive(self.current_views())
            self._subscribers.append(receive)

        def unsubscribe() -> None:
            with self.lock:
                if receive in self._subscribers:
                    self._subscribers.remove(receive)

        return unsubscribe
