"""What the first view weighs."""

from __future__ import annotations

import re

import pytest

from benchmarks.pages import visit
from tests.browser.conftest import Rooms
from tests.browser.room import TV, played

MOST = 60_000
"""Most bytes that `/` may load: on the wire with the stream's first frame, and unpacked without that frame, which
repeats the page."""


@pytest.mark.parametrize("game", ["small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch"])
def test_the_first_view_is_light(rooms: Rooms, game: str) -> None:
    """Everything `/` loads in mid-game, in bytes on the wire; nothing of other pages."""
    room = rooms(tables=[played(game, lambda table: len(table.journal) > 43)])
    for size in ((390, 844), TV):
        first = visit(room.context(size=size), "/")
        assert first.live is not None
        unpacked = {name: size for name, (_, size) in first.parts.items() if not name.endswith("/stream")}
        assert 10_000 < sum(size for size, _ in first.parts.values()) < MOST, first.parts
        assert 10_000 < sum(unpacked.values()) < MOST, unpacked
        assert [] == [name for name in unpacked if re.search(r"hands|table|seat|deck|replay|games\.|sounds", name)]
