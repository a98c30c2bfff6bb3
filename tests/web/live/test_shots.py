"""What a page is sent, one change after the other, is what the page of a phone that has just come shows."""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Any

import pytest

from engine.games import GAMES
from engine.journal import Answer, Source
from engine.table import Table
from tests import golden
from tests.web.live.merging import merged
from tests.web.phones import port
from web.live.stream import SnapshotBuilder
from web.render.templates import render_panel, render_seat_panel


def events(frames: bytes) -> dict[str, Any]:
    """Return the data of each event by its name."""
    blocks = [block.split("\n") for block in frames.decode().strip().split("\n\n")]
    return {lines[0].removeprefix("event: "): json.loads(lines[-1].removeprefix("data: ")) for lines in blocks}


@pytest.mark.parametrize("key", list(GAMES))
def test_changes_lead_to_the_whole(key: str) -> None:
    """For spectators and a seat, in a recorded game of each rulebook; and they are smaller."""
    game, house = GAMES[key], golden.stored(GAMES[key])[0]["header"]["house"]
    made = port(Table(game, golden.new(game).decks, house))
    shots, kept = {None: SnapshotBuilder(), "home": SnapshotBuilder()}, dict[Any, Any]()
    sent = whole = 0
    for entry in list(takewhile(lambda entry: isinstance(entry, Answer), golden.entries_of(game)))[:60]:
        public, home = made.game.view_for(None), made.game.view_for("home")
        for seat, view, regions in (
            (None, public, render_panel(public)),
            ("home", home, render_seat_panel(home, public)),
        ):
            shot = shots[seat].build_snapshot(view, regions)
            expected = events(shot.full_frames)
            if shot.change is None:
                assert seat not in kept
                kept[seat] = expected
            else:
                news = events(shot.change)
                kept[seat] = {
                    "view": merged(kept[seat]["view"], news["change"]),
                    "panel": kept[seat]["panel"] | news["panel"],
                }
                sent, whole = sent + len(shot.change), whole + len(shot.full_frames)
            assert expected == kept[seat]
        made.game.submit_entry(entry, Source.PHONE)
    assert sent < 0.7 * whole
