"""Games with chosen rolls, a store with them, and its dice report."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from device.analysis.dice_report import DiceReports
from device.shapes import DiceReport
from device.storage.hash_chain import add_game_checksums
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from engine.asks import Roll
from engine.table import Table
from tests.device.stored_games import table


def answered(game: Table, *values: Any) -> Table:
    """Answer the first open ask with each of these values."""
    for value in values:
        n, ask = game.open_asks()[0]
        game.answer_ask(ask.seat, n, value)
    return game


def batted(*rolls: int) -> Table:
    """A game in which every batter bats and rolls these."""
    game = table()
    for face in rolls:
        while not isinstance(game.open_asks()[0][1], Roll):
            answered(game, game.open_asks()[0][1].options[0])  # type: ignore[union-attr]
        answered(game, [face])
    return game


class Stored:
    """A store with games, its pictures, and the reports on them."""

    def __init__(self, folder: Path) -> None:
        self.store, self.pictures = Store(folder / "journal.db"), RollPictures(folder / "evidence")
        self.reports = DiceReports(folder / "journal.db", folder / "evidence")

    def put(self, game: Table, source: str = "phone") -> int:
        """Store a game whose answers all have one source."""
        number = self.store.begin_game(game)
        self.change("update entry set source = ? where game = ?", source, number, game=number)
        return number

    def change(self, query: str, *values: object, game: int = 0) -> None:
        """Change the file. With `game`, its checksums are made new."""
        with closing(sqlite3.connect(self.store.path)) as db, db:
            db.execute(query, values)
            if game:
                add_game_checksums(db, game)


def complete(reports: DiceReports, seconds: float = 60.0) -> DiceReport:
    """Ask again until the report is complete."""
    end = time.monotonic() + seconds
    while (found := reports.dice_report()).done < found.total:
        assert time.monotonic() < end
        time.sleep(0.002)
    return found
