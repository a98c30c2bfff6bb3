"""A browser of each engine with one tab, and tables that it can open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

import pytest

from engine.table import Table
from tests.browser.chromium import Faults
from tests.browser.engines.complaints import create_scripted_app
from tests.browser.engines.engines import ENGINES
from tests.browser.engines.tab import Tab
from tests.browser.room import Room

NO_CAMERA = r"^lost: .*/(camera|board)\.jpg"
"""The operator's page asks for the pictures that a table without a camera lacks."""


class Rooms(Protocol):
    """Makes a room whose pages keep their complaints, with `tables` played there before."""

    def __call__(self, *tables: Table) -> Room: ...


@contextmanager
def scripted_room(folder: Path, *tables: Table) -> Iterator[Room]:
    with patch("device.service.server.create_app", create_scripted_app):
        room = Room(None, Faults(), folder, tables=tables, process=False)
        room.program.client.get("/api/view")  # its server has been made by now
    try:
        yield room
    finally:
        room.close()


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    with ExitStack() as made:

        def make(*tables: Table) -> Room:
            folder = tmp_path / f"room-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            return made.enter_context(scripted_room(folder, *tables))

        yield make


@pytest.fixture(scope="module")
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A tab of the engine that the test names."""
    kind = ENGINES[request.param]
    if missing := kind.missing():
        pytest.skip(missing)
    engine = kind.start(tmp_path_factory.mktemp(request.param))
    try:
        yield Tab(engine)
    finally:
        engine.end()


@pytest.fixture
def tab(started: Tab, rooms: Rooms) -> Iterator[Tab]:
    """The same, in a test that fails if a page complains. Its page is left before the rooms close."""
    yield started
    found = started.complaints()
    started.leave()
    assert [] == [one for one in found if not re.search(NO_CAMERA, one)]
