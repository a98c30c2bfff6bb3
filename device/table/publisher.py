"""The one lock of a game, its version, the notices beside it, and who receives what changed."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from device.table.notices import NOTICE_SECONDS, Notices
from engine.seats import Seat
from engine.views import View, Watching


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


class Publisher(ABC):
    """Hold the game's only lock and publish its views.

    After each change `_build` makes the views of the new version, and every subscriber receives them, still under the
    lock. `clock` returns seconds that never decrease.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._lock = threading.RLock()
        self._version = self._depth = 0
        self._changed = False
        self._subscribers: list[Receive] = []
        self._views: Views | None = None
        self._notices = Notices()
        self._missing: dict[str, str] = {}
        self._watching = Watching("off", "No camera.")

    @abstractmethod
    def _build(self, version: int) -> Views:
        """Return what every audience sees now, under this version."""

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Hold the lock, and publish when the outermost change ends, unless everything in it was refused."""
        with self._lock:
            self._depth += 1
            try:
                yield
                self._changed = True
            finally:
                self._depth -= 1
                if not self._depth and self._changed:
                    self._changed = False
                    self._version += 1
                    self._views = self._build(self._version)
                    for receive in self._subscribers:
                        receive(self._views)

    def touch(self) -> None:
        """Publish again: something outside the game changed that displays show."""
        with self._change():
            pass

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The version of the views; it rises with every change of anything shown."""
        return self.views().version

    def views(self) -> Views:
        """Return what every audience sees now."""
        with self._lock:
            if self._views is None:
                self._views = self._build(self._version)
            return self._views

    def view(self, seat: Seat | None) -> View:
        """Return the whole small view of one audience (None: spectators)."""
        return self.views().of(seat)

    def subscribe(self, receive: Receive) -> Callable[[], None]:
        """Call `receive` with the current views now, and again after every change, on the thread that made the change.

        It must only take note of them and do its work later. Returns a function that ends the subscription.
        """
        with self._lock:
            receive(self.views())
            self._subscribers.append(receive)

        def unsubscribe() -> None:
            with self._lock:
                if receive in self._subscribers:
                    self._subscribers.remove(receive)

        return unsubscribe

    # Notices -----------------------------------------------------------------------------------------------------

    def show_notice(self, sentence: str, seconds: float = NOTICE_SECONDS) -> None:
        """Show a sentence for a moment, until the next one, or until a person answers."""
        with self._change():
            self._notices.show(sentence, self.clock(), seconds)

    def show_warning(self, sentence: str) -> None:
        """Show a sentence that somebody must notice. It stays its whole time, whatever comes after it."""
        with self._change():
            self._notices.warn(sentence, self.clock())

    def _expire(self, now: float) -> None:
        """Remove the notices whose time is over. The caller holds the lock."""
        if self._notices.update(now):
            self.touch()

    def miss(self, part: str, words: str | None) -> None:
        """Set what to do instead of using a missing part; None: the part is back."""
        with self._lock:
            if self._missing.get(part) == words:
                return
            if words is None:
                del self._missing[part]
            else:
                self._missing[part] = words
            self.touch()

    def watch(self, state: str, words: str) -> None:
        """Set what the dice camera is doing."""
        with self._lock:
            if self._watching.state != state:
                self._watching = Watching(state, words)
                self.touch()

    def health(self) -> dict[str, str]:
        """Return what is missing, by part."""
        with self._lock:
            return dict(self._missing)
