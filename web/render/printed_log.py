"""The printed play log of a game on A4 sheets, with line score, plays and complete box score. All lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.shapes import GameSummary
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from engine.story_views import GameStory
from engine.views import PlayView, WinProbabilityView
from web.render.templates import local_time_text, plays_by_half, render_drawing

SHEET_WIDTH_MM = 210.0
"""Width of A4."""
SHEET_HEIGHT_MM = 297.0
"""Height of A4."""
SHEET_MARGIN_MM = 14.0
COLUMN_GAP_MM = 6.0
"""Gap between two columns."""

FIRST_SHEET_TOP_MM = 76.0
"""Top of the columns on the first sheet, below the line score."""
GRAPH_HEIGHT_MM = 26.0
"""Height of the graph of win probability on the first sheet, with its gap to the columns below it."""
STORY_LINE_MM = 4.4
"""Line height of headline and recap on the first sheet."""
STORY_SIZE_MM = 3.2
"""Font size of the recap."""
LATER_SHEET_TOP_MM = 30.0
"""Top of the columns on later sheets."""

MAX_BOX_LINE_HEIGHT_MM = 4.6
"""Line height of a box score that has room."""

PLAY_GAP_LINES = 0.4
"""Gap between two plays, in lines."""

PLAY_INDENT_MM = 2.4
"""Indent of plays below their half-inning."""
BOLD_WIDTH_FACTOR = 1.09
"""Width of bold type, for scoring plays, relative to regular type."""

LETTER_WIDTHS = (
    ("iljtf.,:;'’!|I ", 0.28),
    ("r()-", 0.34),
    ("mMwW—…@%", 1.0),
    ("ABCDEFGHJKLNOPQRSTUVXYZ+", 0.73),
)
"""Letters with their width in font sizes. Others count as lowercase letters and digits."""


BATTING_COLUMNS = ("AB", "R", "H", "RBI", "BB", "SO")
"""Columns of batters, as keys of the box score in capitals."""
PITCHING_COLUMNS = ("IP", "H", "R", "ER", "BB", "SO", "HR")
"""Columns of pitchers, as keys of the box score in capitals."""
NOTE_ABBREVIATIONS = {"doubles": "2B", "triples": "3B", "hr": "HR", "sf": "SF", "sac": "SAC", "fc": "FC", "e": "E"} | {
    "gdp": "GDP",
    "sb": "SB",
    "cs": "CS",
    "ibb": "IBB",
    "hbp": "HBP",
}
"""Abbreviations of the statistics below the batters, by key of the box score."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line of the box score, with figures in columns. `kind` is "team", "head", "row", "all" or "note"."""

    kind: str
    words: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogLayout:
    """The number of columns, font size and line height of the log."""

    columns: int
    size: float
    line: float

    @property
    def column_width(self) -> float:
        return (SHEET_WIDTH_MM - 2 * SHEET_MARGIN_MM - COLUMN_GAP_MM * (self.columns - 1)) / self.columns


LARGE_LAYOUT = LogLayout(2, 3.0, 4.1)
"""For a game that fits on one sheet."""
SMALL_LAYOUT = LogLayout(3, 2.25, 2.9)
"""For a longer game, on several sheets."""


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A line of the log at its position. It may be the heading of a half-inning, or belong to a scoring play."""

    x: float
    y: float
    words: str
    head: bool = False
    runs: str = ""
    scoring: bool = False


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """One sheet, with rows of the log or with the box score."""

    rows: tuple[PrintedRow, ...]
    size: float
    width: float
    box: tuple[PrintedLine, ...] = ()
    win: WinProbabilityView | None = None
    story: tuple[PrintedRow, ...] = ()


def box_score_lines(board: Scoreboard) -> list[PrintedLine]:
    """Return the batters and pitchers of both sides, [] if the panel of the scoreboard has no box score."""
    box = board.panel.get("box")
    return [line for seat in SEATS for line in _side_lines(board.sides[seat].name, box[seat])] if box else []


def _side_lines(name: str, box: Mapping[str, Any]) -> Iterator[PrintedLine]:
    yield PrintedLine("team", name)
    yield PrintedLine("head", "Batter", BATTING_COLUMNS)
    seen: set[int] = set()
    for one in box["batting"]:
        indent = "   " if one["spot"] in seen else ""
        seen.add(one["spot"])
        yield PrintedLine(
            "row", f"{indent}{one['name']} {'-'.join(one['positions'])}", _column_figures(one, BATTING_COLUMNS)
        )
    yield PrintedLine("all", "All", _column_figures(box["total"], BATTING_COLUMNS))
    for key, short in NOTE_ABBREVIATIONS.items():
        if did := [one["name"] + (f" {one[key]}" if one[key] > 1 else "") for one in box["batting"] if one.get(key)]:
            yield from _note_lines(f"{short}: {', '.join(did)}")
    yield PrintedLine("head", "Pitcher", PITCHING_COLUMNS)
    for one in box["pitching"]:
        yield PrintedLine("row", f"{one['name']} {one['role']}", _column_figures(one, PITCHING_COLUMNS))
    if came := [f"{one['name']} {one['inherited']}-{one['scored']}" for one in box["pitching"] if one["inherited"]]:
        yield from _note_lines(f"Inherited runners-scored: {'; '.join(came)}")
    if good := [one["name"] for one in box["pitching"] if one["quality"]]:
        yield from _note_lines(f"QA: {', '.join(good)}")


def _note_lines(words: str) -> Iterator[PrintedLine]:
    return (
        PrintedLine("note", line)
        for line in wrapped_lines(words, (SHEET_WIDTH_MM - 2 * SHEET_MARGIN_MM) / MAX_BOX_LINE_HEIGHT_MM / 0.7)
    )


def _column_figures(one: Mapping[str, Any], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(one.get(column.lower(), 0)) for column in columns)


def log_sheets(
    log: Sequence[PlayView],
    board: Scoreboard | None = None,
    win: WinProbabilityView | None = None,
    story: GameStory | None = None,
) -> list[PrintedSheet]:
    """Return the play log on as few sheets as possible, at least one, then the box score of `board` if it has one.

    win: for a graph on the first sheet.
    story: its headline and recap stand below.
    """
    top = FIRST_SHEET_TOP_MM + (GRAPH_HEIGHT_MM if win else 0)
    told = story_rows(story, top) if story else ()
    top += STORY_LINE_MM * (len(told) + 1) if told else 0
    large = lay_out_sheets(log, LARGE_LAYOUT, top)
    found = large if len(large) == 1 else lay_out_sheets(log, SMALL_LAYOUT, top)
    found[0] = replace(found[0], win=win, story=told)
    box = tuple(box_score_lines(board)) if board else ()
    step = min(MAX_BOX_LINE_HEIGHT_MM, (SHEET_HEIGHT_MM - SHEET_MARGIN_MM - LATER_SHEET_TOP_MM) / max(1, len(box)))
    return [*found, *([PrintedSheet((), step, SHEET_WIDTH_MM - 2 * SHEET_MARGIN_MM, box)] if box else [])]


def story_rows(story: GameStory, top: float) -> tuple[PrintedRow, ...]:
    """Return the headline and the lines of the recap from `top` mm on."""
    lines = wrapped_lines(" ".join(story.recap), (SHEET_WIDTH_MM - 2 * SHEET_MARGIN_MM) / STORY_SIZE_MM)
    return tuple(
        PrintedRow(SHEET_MARGIN_MM, round(top + STORY_LINE_MM * (place + 0.5), 2), words, head=not place)
        for place, words in enumerate([story.headline, *lines])
    )


def lay_out_sheets(
    log: Sequence[PlayView], how: LogLayout, first_top: float = FIRST_SHEET_TOP_MM
) -> list[PrintedSheet]:
    """Return the log in columns. Headings stay with their first play, and no play is split between columns.

    first_top: top of the columns on the first sheet, in mm.
    """
    rows: list[list[PrintedRow]] = [[]]
    column, y = 0, first_top
    bottom = SHEET_HEIGHT_MM - SHEET_MARGIN_MM

    for group in reversed(plays_by_half(log)):
        top = group.name
        runs = f"{group.runs} R" if group.runs else ""
        plays = [(play.sentence, play.scored) for play in reversed(group.plays)] or [("Nothing yet.", 0)]
        for i, (sentence, scored) in enumerate(plays):
            mark = f" +{scored}" if scored else ""
            words = wrapped_lines(
                sentence + mark, (how.column_width - PLAY_INDENT_MM) / how.size / (BOLD_WIDTH_FACTOR if scored else 1)
            )
            need = (len(words) + (0 if i else 2)) * how.line
            if y + need > bottom:
                column, y = column + 1, first_top if len(rows) == 1 else LATER_SHEET_TOP_MM
                if column == how.columns:
                    rows.append([])
                    column, y = 0, LATER_SHEET_TOP_MM
            x = SHEET_MARGIN_MM + column * (how.column_width + COLUMN_GAP_MM)
            if not i:
                y += how.line * 1.6
                rows[-1].append(PrintedRow(x, y, top, head=True, runs=runs))
                y += how.line * 0.4
            for line in words:
                y += how.line
                rows[-1].append(PrintedRow(x + PLAY_INDENT_MM, y, line, scoring=bool(scored)))
            y += how.line * PLAY_GAP_LINES
    return [PrintedSheet(tuple(one), how.size, how.column_width) for one in rows]


def draw_sheet(past: GameSummary, board: Scoreboard, all_sheets: Sequence[PrintedSheet], number: int) -> str:
    return render_drawing(
        "printed_log.svg",
        past=past,
        board=board,
        sides=board.sides,
        day=local_time_text(past.started),
        sheet=all_sheets[number - 1],
        number=number,
        count=len(all_sheets),
    )


def wrapped_lines(words: str, width: float) -> list[str]:
    """Wrap the words in lines of at most `width` font sizes. A longer word gets its own line."""
    lines: list[str] = []
    for word in words.split():
        if lines and text_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def text_width(words: str) -> float:
    """Return an upper estimate of the width of a text in Helvetica or a font of its metrics, in font sizes."""
    return sum(next((wide for letters, wide in LETTER_WIDTHS if letter in letters), 0.57) for letter in words)
