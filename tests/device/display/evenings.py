"""What the display gets of whole games: the stored ones, played again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from device.table.seat_entries import SeatEntries
from engine.asks import Call
from engine.errors import EngineError, IllegalAnswer
from engine.game import Game
from engine.journal import entry_of
from engine.table import Table
from engine.views import RaceView, RunnerView, View
from tests import golden
from tests.device.display.views import of_table


def tables(game: Game) -> Iterator[Table]:
    """Yield the table of each stored game of this rulebook after each entry. It is the same table each time."""
    for path in sorted(golden.FOLDER.glob(f"{game.key}*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        table = golden.new(game, lines[0]["header"]["house"])
        yield table
        for line in lines:
            if "entry" in line:
                with suppress(EngineError):  # a game whose rules changed is stored again by its own tests
                    table.write(entry_of(line["entry"]))
                yield table


def view_of(table: Table) -> View:
    """Return what the display gets of a table, with the cursor of its buttons or the race."""
    view, entries = of_table(table, dial=None), SeatEntries()
    calls = [(n, ask) for n, ask in table.asks() if isinstance(ask, Call)]
    if calls:
        seats = {ask.seat: RunnerView(ask.wins, None, "rolling", "") for _, ask in calls}
        return replace(view, race=RaceView({ask.seat: n for n, ask in calls}, seats, None))
    with suppress(IllegalAnswer):  # the house draws
        entries.settle(table)
    shown = entries.shown
    return replace(view, dial=shown.view() if shown else None)


def decisions(game: Game) -> dict[str, View]:
    """Return a view for each `why` that occurs, in the order of the game's words."""
    found: dict[str, View] = {}
    for table in tables(game):
        for _, ask in table.asks():
            if ask.why not in found:
                found[ask.why] = view_of(table)
    return {why: found[why] for why in game.words.asks if why in found}
