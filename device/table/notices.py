"""What a table says besides its game, for a moment or until it is mended, and who hears that anything changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Notices:
    """Notices, what is missing, what the camera sees. Safe to use from any thread; `clock` gives seconds that only
    grow."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._lock = threading.RLock()
        self._subscribers: list[Callable[[], None]] = []
        self._version = 0
        self._notice: tuple[str, float] | None = None
        self._missing: dict[str, str] = {}
        self._watching = {"state": "off", "words": "No camera."}

    @property
    def version(self) -> int:
        """Rises with every change of anything that is shown."""
        return self._version

    def tell(self, notice: str, seconds: float = 4.0) -> None:
        """Show a sentence for a moment."""
        with self._change():
            self._notice = (notice, self.clock() + seconds)

    def miss(self, part: str, words: str | None) -> None:
        """Say that a part is missing and what to do instead, or with None that it is there again."""
        with self._lock:
            if self._missing.get(part) == words:
                return
            with self._change():
                if words is None:
                    del self._missing[part]
                else:
                    self._missing[part] = words

    def touch(self) -> None:
        """Something outside the game changed that faces show."""
        with self._change():
            pass

    def watch(self, state: str, words: str) -> None:
        """Say what the camera is seeing."""
        with self._lock:
            if self._watching["state"] != state:
                with self._change():
                    self._watching = {"state": state, "words": words}

    def hush(self) -> None:
        """Take away a notice whose time is over."""
        with self._lock:
            if self._notice is not None and self.clock() >= self._notice[1]:
                with self._change():
                    self._notice = None

    def health(self) -> dict[str, str]:
        """What is missing, by part."""
        with self._lock:
            return dict(self._missing)

    def said(self) -> dict[str, Any]:
        """All of it, as a public view holds it."""
        with self._lock:
            return {
                "version": self._version,
                "watching": self._watching,
                "missing": list(self._missing.values()),
                "notice": self._notice[0] if self._notice else None,
            }

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` after every change, on whatever thread made it; gives what ends it.

        The game is locked meanwhile: `changed` must only take note, and look later.
        """
        with self._lock:
            self._subscribers.append(changed)

        def unsubscribe() -> None:
            with self._lock:
                if changed in self._subscribers:
                    self._subscribers.remove(changed)

        return unsubscribe

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Hold the lock, and tell the subscribers when nothing was refused."""
        with self._lock:
            yield
            self._version += 1
            for changed in self._subscribers:
                changed()
