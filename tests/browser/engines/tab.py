"""One tab of a browser, whatever its engine: the smallest set of actions that each of them can be told."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from tests.browser.chromium import PATIENCE
from tests.browser.engines.complaints import TAKE
from tests.browser.room import PHONE

T = TypeVar("T")


def wait_for(what: Callable[[], T], words: Callable[[], str]) -> T:
    """Wait until `what` returns something true, and return that. Fails with `words` where that never happens."""
    last = time.monotonic() + PATIENCE / 1000
    while not (found := what()):
        if time.monotonic() > last:
            raise AssertionError(words())
        time.sleep(0.02)
    return found


class Engine(Protocol):
    """A running browser with one tab. `end` ends all its processes."""

    def open(self, url: str) -> None:
        """Load a page, and return when it has loaded."""

    def resize(self, width: int, height: int) -> None:
        """Make the page so large, in CSS pixels, as nearly as the engine can: WPE stays at 800 × 600."""

    def run(self, script: str) -> Any:
        """Run the body of a function in the page; return its result, as JSON."""

    def tap(self, x: float, y: float) -> None:
        """Tap with a finger, or click if the engine has none. In CSS pixels from the top left of what is seen."""

    def end(self) -> None: ...


PLACE = """
let found = null;
for (const one of document.querySelectorAll(%r)) {
  if (one.disabled || one.closest(".resting")) continue;
  one.scrollIntoView({ block: "center" });
  const { left, top, width, height } = one.getClientRects()[0] || {};
  const x = left + width / 2, y = top + height / 2;
  if (width && height && one.contains(document.elementFromPoint(x, y))) { found = [x, y]; break; }
}
return found;
"""
"""The middle of the first element that a finger reaches: shown, enabled, not covered, and no longer resting."""


class Tab:
    """What a person does in a tab and sees there. Everything waits until it can be done."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._complaints = engine, list[str]()
        self._url, self._size = "", (0, 0)

    def open(self, url: str, size: tuple[int, int] = PHONE) -> None:
        """Load a page, which keeps its complaints."""
        self._complaints = self.complaints()
        if size != self._size:
            self._engine.resize(*size)
            self._size = size
        self._engine.open(url)
        self._url = url

    def leave(self) -> None:
        """Leave the page, which loads nothing more. What it complains of on its way is forgotten."""
        self._engine.open("about:blank")
        self._url = ""

    def complaints(self) -> list[str]:
        """Return what went wrong in the pages since this was asked."""
        found = self._complaints + (self.run(TAKE) if self._url else [])
        self._complaints = []
        return found

    def run(self, script: str) -> Any:
        return self._engine.run(script)

    def until(self, script: str) -> Any:
        """Wait until an expression is true in the page; return its value."""
        return wait_for(lambda: self.run(f"return {script}"), lambda: f"never came: {script}\n{self.words()}")

    def find(self, selector: str) -> list[float] | None:
        """Return where to tap the first element that can be seen and tapped now, or None."""
        found: list[float] | None = self.run(PLACE % selector)
        return found

    def see(self, selector: str) -> list[float]:
        """Wait until an element can be seen and tapped; return where."""
        place = wait_for(lambda: self.find(selector), lambda: f"never seen: {selector}\n{self.words()}")
        assert place is not None
        return place

    def tap(self, selector: str) -> None:
        """Tap the first element that can be tapped."""
        self._engine.tap(*self.see(selector))

    def type(self, selector: str, words: str) -> None:
        """Fill in a field."""
        self.run(f"document.querySelector({selector!r}).value = {words!r};")

    def words(self) -> str:
        """Return all that the page says, and what went wrong in it."""
        self._complaints = self.complaints()
        return "\n".join([self._url, self.run("return document.body.innerText"), *self._complaints])
