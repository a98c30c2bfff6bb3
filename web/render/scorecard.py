"""The scorecard of a game, on sheets of A4: line score above, the play log in columns below. All lengths are mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.scoreboard import Scoreboard
from engine.views import PlayView
from web.models import GameSummary
from web.render import box_score
from web.render.templates import day, drawing, halves

WIDE, HIGH, EDGE, GAP = 210.0, 297.0, 14.0, 6.0
"""A sheet, its margin, and what is between two columns."""

HEAD, LATER = 76.0, 30.0
"""Where the columns begin on the first sheet, and on those after it."""

TALL = 4.6
"""What a line of the box score is high, where there is room."""

PARAGRAPH = 0.4
"""Lines that lie between two plays."""

INDENT, BOLD = 2.4, 1.09
"""How far plays are set in under their half-inning, and how much longer a scoring one is for being bold."""

WIDTHS = (
    ("iljtf.,:;'’!|I ", 0.28),
    ("r()-", 0.34),
    ("mMwW—…@%", 1.0),
    ("ABCDEFGHJKLNOPQRSTUVXYZ+", 0.73),
)
"""Letters and how wide they are; all others are small letters and figures."""


@dataclass(frozen=True, slots=True)
class LogPrint:
    """How the log is set: columns, the size of its letters, and what a line is high."""

    columns: int
    size: float
    line: float

    @property
    def width(self) -> float:
        """Of a column."""
        return (WIDE - 2 * EDGE - GAP * (self.columns - 1)) / self.columns


LARGE, SMALL = LogPrint(2, 3.0, 4.1), LogPrint(3, 2.25, 2.9)
"""A short game is set large, on one sheet; one that has no room there is set small, on as many as it takes."""


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line: where it stands, and whether it heads a half-inning, or is of a scoring play."""

    x: float
    y: float
    words: str
    head: bool = False
    runs: str = ""
    scoring: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed of the log on one sheet."""

    rows: tuple[Row, ...]
    size: float
    width: float
    box: tuple[box_score.PrintedLine, ...] = ()
    """The box score, on a sheet of its own."""


def sheets(log: Sequence[PlayView], board: Scoreboard | None = None) -> list[Sheet]:
    """The play log set on as few sheets as it takes, at least one; then the box score of `board`, if it keeps one."""
    large = laid(log, LARGE)
    found = large if len(large) == 1 else laid(log, SMALL)
    box = tuple(wrapped_box(box_score.lines(board))) if board else ()
    step = min(TALL, (HIGH - EDGE - LATER) / max(1, len(box)))
    return [*found, *([Sheet((), step, WIDE - 2 * EDGE, box)] if box else [])]


def wrapped_box(lines: Sequence[box_score.PrintedLine]) -> Iterator[box_score.PrintedLine]:
    """The same with long notes on several lines."""
    for line in lines:
        if line.kind == "note":
            yield from (
                box_score.PrintedLine("note", words) for words in wrapped(line.words, (WIDE - 2 * EDGE) / TALL / 0.7)
            )
        else:
            yield line


def laid(log: Sequence[PlayView], how: LogPrint) -> list[Sheet]:
    """The log in columns. A half's heading stands never alone at the foot, and no play is broken over two columns."""
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
    """Sheet `number`, counted from 1, as SVG."""
    return drawing(
        "scorecard.svg",
        past=past,
        board=board,
        sides=board.sides,
        day=day(past.started),
        sheet=all_sheets[number - 1],
        number=number,
        count=len(all_sheets),
    )


def wrapped(words: str, width: float) -> list[str]:
    """The words in lines at most `width` letters' sizes long; a word longer than that stands alone."""
    lines: list[str] = []
    for word in words.split():
        if lines and length(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def length(words: str) -> float:
    """About how long a text in Helvetica, or a face of its measures, is, in its letters' size; rather too long."""
    return sum(next((wide for letters, wide in WIDTHS if letter in letters), 0.57) for letter in words)
