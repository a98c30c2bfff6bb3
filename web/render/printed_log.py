"""The printed play log of a game, on sheets of A4: the line score, the plays in columns, and the full box score.

All lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.shapes import GameSummary
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from engine.views import PlayView
from web.render.templates import day, drawing, halves

WIDE, HIGH, EDGE, GAP = 210.0, 297.0, 14.0, 6.0
"""Width and height of a sheet, its margin, and the gap between two columns."""

HEAD, LATER = 76.0, 30.0
"""Where the columns begin on the first sheet and on later ones."""

TALL = 4.6
"""Height of a line of the box score, if there is room."""

PARAGRAPH = 0.4
"""Lines between two plays."""

INDENT, BOLD = 2.4, 1.09
"""How far plays are indented under their half-inning, and how much wider bold type is, for scoring plays."""

WIDTHS = (
    ("iljtf.,:;'’!|I ", 0.28),
    ("r()-", 0.34),
    ("mMwW—…@%", 1.0),
    ("ABCDEFGHJKLNOPQRSTUVXYZ+", 0.73),
)
"""Letters and their widths; all others count as lowercase letters and digits."""


BATTING = ("AB", "R", "H", "RBI", "BB", "SO")
PITCHING = ("IP", "H", "R", "ER", "BB", "SO", "HR")
NOTES = {"doubles": "2B", "triples": "3B", "hr": "HR", "sf": "SF", "sac": "SAC", "fc": "FC", "e": "E"} | {
    "gdp": "GDP",
    "sb": "SB",
    "cs": "CS",
    "ibb": "IBB",
    "hbp": "HBP",
}
"""What batters did beside the columns, and its abbreviation."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One printed line: words at the left, and figures in columns. `kind` is "team", "head", "row", "all" or "note"."""

    kind: str
    words: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogPrint:
    """How the log is printed: columns, font size, and line height."""

    columns: int
    size: float
    line: float

    @property
    def width(self) -> float:
        """The width of a column."""
        return (WIDE - 2 * EDGE - GAP * (self.columns - 1)) / self.columns


LARGE, SMALL = LogPrint(2, 3.0, 4.1), LogPrint(3, 2.25, 2.9)
"""A game that fits is printed large on one sheet, any other small on as many as it takes."""


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line: its place, and whether it heads a half-inning or belongs to a scoring play."""

    x: float
    y: float
    words: str
    head: bool = False
    runs: str = ""
    scoring: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed sheet: rows of the log, or the box score."""

    rows: tuple[Row, ...]
    size: float
    width: float
    box: tuple[PrintedLine, ...] = ()


def box_score(board: Scoreboard) -> list[PrintedLine]:
    """Return the batters and pitchers of both sides; nothing if the panel of the scoreboard has no box score."""
    box = board.panel.get("box")
    return [line for seat in SEATS for line in _side(board.sides[seat].name, box[seat])] if box else []


def _side(name: str, box: Mapping[str, Any]) -> Iterator[PrintedLine]:
    yield PrintedLine("team", name)
    yield PrintedLine("head", "Batter", BATTING)
    seen: set[int] = set()
    for one in box["batting"]:
        indent = "   " if one["spot"] in seen else ""
        seen.add(one["spot"])
        yield PrintedLine("row", f"{indent}{one['name']} {'-'.join(one['positions'])}", _figures(one, BATTING))
    yield PrintedLine("all", "All", _figures(box["total"], BATTING))
    for key, short in NOTES.items():
        if did := [one["name"] + (f" {one[key]}" if one[key] > 1 else "") for one in box["batting"] if one.get(key)]:
            yield from _notes(f"{short}: {', '.join(did)}")
    yield PrintedLine("head", "Pitcher", PITCHING)
    for one in box["pitching"]:
        yield PrintedLine("row", f"{one['name']} {one['role']}", _figures(one, PITCHING))
    if came := [f"{one['name']} {one['inherited']}-{one['scored']}" for one in box["pitching"] if one["inherited"]]:
        yield from _notes(f"Inherited runners-scored: {'; '.join(came)}")
    if good := [one["name"] for one in box["pitching"] if one["quality"]]:
        yield from _notes(f"QA: {', '.join(good)}")


def _notes(words: str) -> Iterator[PrintedLine]:
    return (PrintedLine("note", line) for line in wrapped(words, (WIDE - 2 * EDGE) / TALL / 0.7))


def _figures(one: Mapping[str, Any], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(one.get(column.lower(), 0)) for column in columns)


def sheets(log: Sequence[PlayView], board: Scoreboard | None = None) -> list[Sheet]:
    """Return the play log on as few sheets as possible, at least one, then the box score of `board`, if it has one."""
    large = laid(log, LARGE)
    found = large if len(large) == 1 else laid(log, SMALL)
    box = tuple(box_score(board)) if board else ()
    step = min(TALL, (HIGH - EDGE - LATER) / max(1, len(box)))
    return [*found, *([Sheet((), step, WIDE - 2 * EDGE, box)] if box else [])]


def laid(log: Sequence[PlayView], how: LogPrint) -> list[Sheet]:
    """Return the log in columns. No half's heading stands alone at the foot, and no play is split between columns."""
    rows: list[list[Row]] = [[]]
    column, y = 0, HEAD
    bottom = HIGH - EDGE

    for group in reversed(halves(log)):
        top = group.name
        runs = f"{group.runs} R" if group.runs else ""
        plays = [(play.sentence, play.scored) for play in reversed(group.plays)] or [("Nothing yet.", 0)]
        for i, (sentence, scored) in enumerate(plays):
            mark = f" +{scored}" if scored else ""
            words = wrapped(sentence + mark, (how.width - INDENT) / how.size / (BOLD if scored else 1))
            need = (len(words) + (0 if i else 2)) * how.line
            if y + need > bottom:
                column, y = column + 1, HEAD if len(rows) == 1 else LATER
                if column == how.columns:
                    rows.append([])
                    column, y = 0, LATER
            x = EDGE + column * (how.width + GAP)
            if not i:
                y += how.line * 1.6
                rows[-1].append(Row(x, y, top, head=True, runs=runs))
                y += how.line * 0.4
            for line in words:
                y += how.line
                rows[-1].append(Row(x + INDENT, y, line, scoring=bool(scored)))
            y += how.line * PARAGRAPH
    return [Sheet(tuple(one), how.size, how.width) for one in rows]


def draw(past: GameSummary, board: Scoreboard, all_sheets: Sequence[Sheet], number: int) -> str:
    """Return sheet `number`, counted from 1, as SVG."""
    return drawing(
        "printed_log.svg",
        past=past,
        board=board,
        sides=board.sides,
        day=day(past.started),
        sheet=all_sheets[number - 1],
        number=number,
        count=len(all_sheets),
    )


def wrapped(words: str, width: float) -> list[str]:
    """Return the words in lines of at most `width` font sizes; a longer word stands alone."""
    lines: list[str] = []
    for word in words.split():
        if lines and length(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def length(words: str) -> float:
    """Return about how long a text in Helvetica, or a font of its metrics, is, in font sizes; rather too long."""
    return sum(next((wide for letters, wide in WIDTHS if letter in letters), 0.57) for letter in words)
