"""Real browsers on the real program. One Chromium for each worker, a context of its own for each phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.browser.chromium import PATIENCE, Faults
from tests.browser.room import Room, played

expect.set_options(timeout=PATIENCE)


QUICK = "test_each_page.py"
"""The module that the default run has; all others are slow."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests in a browser to the full run, but for one of each page."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.path.name != QUICK:
            item.add_marker(pytest.mark.slow)


# No longer than this package: a started Playwright leaves its loop running in this thread, which other tests' own
# loops do not like.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    if path is None:
        pytest.skip("There is no Chromium here (Debian: apt install chromium; or name one in DUGOUT_CHROMIUM).")
    if not chromium.driver_runs():
        pytest.skip("Playwright does not run here (Debian: apt install libatomic1).")
    with chromium.launched(path) as browser:
        yield browser


@pytest.fixture(scope="package")
def large_browser(browser: Browser) -> Iterator[Browser]:
    """A Chromium with letters of twice the usual size."""
    with chromium.launched_beside(browser, chromium.LARGE) as large:
        yield large


@pytest.fixture
def faults() -> Iterator[Faults]:
    """Complaints of a test's pages; none may be left at its end."""
    faults = Faults()
    yield faults
    assert faults.left() == []


class Rooms(Protocol):
    """Makes a room: options and `command` of the program (`run`: typed dice; `demo`: drawn and read), `game` or
    `tables`. With `process` the program has a process of its own."""

    def __call__(self, *options: str, game: str = "small-ball", **how: Any) -> Room: ...


@pytest.fixture
def rooms(browser: Browser, faults: Faults, tmp_path: Path) -> Iterator[Rooms]:
    """Rooms with a table each, closed at the end."""
    made: list[Room] = []

    def make(*options: str, game: str = "small-ball", **how: Any) -> Room:
        missing = "board" if how.get("command") == "demo" else "camera|board"
        faults.meant(rf"/({missing})\.jpg.*404")  # what the operator's page asks for and a table without it lacks
        folder = tmp_path / f"room-{len(made)}"
        folder.mkdir()
        more = f'[game]\nkey = "{game}"\n' + how.pop("more", "")
        made.append(Room(browser, faults, folder, *options, more=more, **{"process": False} | how))
        return made[-1]

    yield make
    for room in made:
        room.close()


@pytest.fixture
def begun(rooms: Rooms) -> Room:
    """The same, some plays into the game."""
    return rooms(tables=[played("small-ball", lambda table: len(table.journal) > 20)])


@pytest.fixture
def room(rooms: Rooms) -> Room:
    """A table of Small Ball without a camera: dice are typed."""
    return rooms()
