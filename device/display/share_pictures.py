"""Pictures of results to share, drawn on request."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime
from functools import partial

from device.display.share_picture import GameResult, PictureShape, SideResult, result_png
from device.shapes import GameRecord
from engine.seats import SEATS, Seat

MAX_CACHED_PICTURES = 8  # maximum pictures in the cache, of about 80 kB each


class SharePictures:
    """Cache of result pictures. Draws one at a time. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept = OrderedDict[tuple[GameResult, PictureShape], bytes]()

    def result_picture(self, record: GameRecord, shape: PictureShape) -> bytes | None:
        """Result of a game as a PNG file. None if it is not over or cannot be read."""
        found = game_result(record)
        if found is None:
            return None
        with self._lock:
            if (found, shape) not in self._kept:
                self._kept[found, shape] = result_png(found, shape)
                if len(self._kept) > MAX_CACHED_PICTURES:
                    self._kept.popitem(last=False)
            return self._kept[found, shape]


def game_result(record: GameRecord) -> GameResult | None:
    """Content of a game's picture. None if the game is not over or cannot be read."""
    table, summary = record.table, record.summary
    if table is None or table.outcome is None or table.box is None:
        return None
    board, outcome, star = table.scoreboard, table.outcome, table.star
    away, home = map(partial(_side_result, record), SEATS)
    best = None
    if star:
        heading = "Star of the game" if table.box[star.seat].batters else "Half-inning of the game"
        best = heading, star.name, f"{board.sides[star.seat].name}: {star.words}"
    played = [at for side in board.sides.values() for at, runs in enumerate(side.line) if runs is not None]
    return GameResult(
        summary.name or summary.game.title,
        _local_day(summary.played or summary.started),
        outcome.sentence,
        (away, home),
        min([*played, board.inning - 1]),
        board.regulation,
        best,
    )


def _side_result(record: GameRecord, seat: Seat) -> SideResult:
    assert record.table is not None
    side, outcome = record.table.scoreboard.sides[seat], record.table.outcome
    won = outcome is not None and outcome.winner == seat
    return SideResult(side.name, side.colour, tuple(side.line), side.runs, side.hits, won)


def _local_day(moment: str) -> str:
    """Local day of an ISO time, "" if unknown."""
    try:
        day = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError):
        return ""
    return f"{day.day} {day:%B %Y}"
