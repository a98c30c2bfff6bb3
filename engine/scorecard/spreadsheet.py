"""The plays and the box score of a game as CSV, for spreadsheets and data frames."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engine.seats import SEATS, Seat
from engine.views import PlayView, TableView

PLAY_COLUMNS = (
    *("game", "game_in_series", "play", "inning", "half", "seat", "side", "event", "moment", "text"),
    *("runs", "away_score", "home_score", "rolled", "corrected"),
)
"""The columns of the plays. `play` numbers them from 1; the scores are those after it, of this game of a series."""

BOX_COLUMNS = (
    *("game", "game_in_series", "seat", "side", "player"),
    *("at_bats", "runs", "hits", "rbi", "walks", "strikeouts"),
)
"""The columns of the box score, with a row for each batter. Games without names have one row for each side."""

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a text that begins with one of these for a formula."""

Row = Sequence[object]


def play_rows(number: int, log: Sequence[PlayView], table: TableView) -> Iterator[Row]:
    """The plays of game `number`, by `PLAY_COLUMNS`, of its play log and its last view."""
    score: Counter[tuple[int, str]] = Counter()
    for play, line in enumerate(log, 1):
        if line.seat:
            score[line.game, line.seat] += line.scored
        yield (
            *(number, line.game, play, line.inning, line.half, line.seat or "", _side_name(table, line.seat)),
            *(line.code, line.moment or "", line.sentence, line.scored),
            *(score[line.game, seat] for seat in SEATS),
            *(int(line.thrown), int(line.corrected)),
        )


def box_rows(number: int, log: Sequence[PlayView], table: TableView) -> Iterator[Row]:
    """The batters of game `number`, by `BOX_COLUMNS`; none before it is over. Of a series, those of the last game."""
    for seat, side in (table.box or {}).items():
        for player, did in (side.batters or {"": side.total}).items():
            yield (
                *(number, log[-1].game, seat, _side_name(table, seat), player),
                *(did.at_bats, did.runs, did.hits, did.driven_in, did.walks, did.strikeouts),
            )


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """A header and these rows as CSV (RFC 4180), with a byte order mark, by which spreadsheets recognize UTF-8.

    A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "\ufeff" + "".join(lines)


class _Lines(list[str]):
    """The lines of a file, to write to."""

    def write(self, line: str) -> None:
        self.append(line)


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_SIGNS) else value


def _side_name(table: TableView, seat: Seat | None) -> str:
    """Name of the side of this seat; "" for nobody."""
    return table.scoreboard.sides[seat].name if seat else ""
