"""The drawn scorecard of a side on a landscape sheet, with a diamond for each plate appearance, as fans keep score.

All lengths are in mm. A sheet is A4 landscape without margins of 15 mm and 12 mm, which fits on Letter too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import ceil

from device.shapes import GameSummary
from engine.box_score import BattingTotals
from engine.scoreboard import Scoreboard
from engine.scoreboard import SideScore as Team
from engine.scorecard.sheet import PitchingTotals, Scorecard, ScorecardBox, ScorecardRow
from engine.seats import SEATS, Seat, opposite_seat
from web.render.printed_log import text_width
from web.render.templates import local_time_text, render_drawing, skipped_innings

SHEET_WIDTH_MM = 267.0
SHEET_HEIGHT_MM = 186.0

GRID_TOP_MM = 27.0
"""Height above the grid."""
INNING_ROW_HEIGHT_MM = 6.0
"""Height of the row of innings."""
FOOTER_HEIGHT_MM = 25.0
"""Height below the grid, for totals by inning and pitchers."""

NAME_COLUMN_WIDTH_MM = 46.0
"""Width of the column of names."""
TOTAL_COLUMN_WIDTH_MM = 7.5
"""Width of each column of totals."""

BATTING_COLUMNS = ("AB", "R", "H", "RBI", "BB", "SO")
"""The totals of a batter, in the order of the fields of `BattingTotals`."""

MAX_INNING_COLUMNS = 14
"""Columns of innings on a sheet. A longer game has several sheets."""
MAX_BOX_WIDTH_MM = 34.0
"""Width of a box with room to spare."""
MAX_BOX_HEIGHT_MM = 24.0
"""Height of a box with room to spare."""

NUMBER_COLUMN_WIDTH_MM = 14.0
"""Width of the column of row numbers, in place of names."""

EMPTY_ROW_COUNT = 9
"""Rows of a sheet before the first batter."""

NAME_SIZE_MM = 3.4
"""Font size of names that fit."""
MIN_NAME_SCALE = 0.62
"""Smallest scale of a long name. Beyond that it is shortened."""

INK_COLORS = {
    "red": "#b3261e",
    "blue": "#1f4e9c",
    "green": "#1c6b41",
    "yellow": "#b98d0a",
    "orange": "#b85f10",
    "purple": "#653a96",
}
"""Ink for runs, by team color. Other teams have `DEFAULT_INK_COLOR`."""

DEFAULT_INK_COLOR = "#17261e"
"""Nearly black."""


SheetColumns = Sequence[tuple[int, int | None]]
"""The inning of each column on a sheet, with the column index in the scorecard (None: not played)."""


@dataclass(frozen=True, slots=True)
class FittedText:
    """A text in a font size that fits."""

    words: str
    size: float


@dataclass(frozen=True, slots=True)
class GridCell:
    """The layout of one box, in mm of the page.

    path: the runner's path, as SVG. out: center of the out-number circle.
    marks: words next to bases, with their positions.
    dots: the positions of the runs batted in.
    """

    x: float
    y: float
    box: ScorecardBox
    middle: tuple[float, float]
    diamond: str
    path: str
    out: tuple[float, float]
    marks: tuple[tuple[float, float, str], ...]
    dots: tuple[tuple[float, float], ...]
    means: str


@dataclass(frozen=True, slots=True)
class GridPlayer:
    """A name in a row, with totals in the order of `BATTING_COLUMNS`."""

    y: float
    name: FittedText
    figures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of the grid. `y` is its top."""

    y: float
    number: str
    players: tuple[GridPlayer, ...]
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class GridColumn:
    """The columns of one inning, from the left edge `x`. Runs and hits are "" before the inning is played."""

    x: float
    width: float
    inning: int
    runs: str
    hits: str


@dataclass(frozen=True, slots=True)
class ScorecardGrid:
    """One sheet with the grid of a side, or a part of it.

    left: left edge of the boxes.
    width, height: size of a box.
    named: True if players have names.
    """

    seat: Seat
    part: int
    parts: int
    left: float
    width: float
    height: float
    named: bool
    columns: tuple[GridColumn, ...]
    lines: tuple[GridRow, ...]
    total: BattingTotals
    pitchers: tuple[PitchingTotals, ...]
    ink: str

    @property
    def bottom_edge(self) -> float:
        return GRID_TOP_MM + INNING_ROW_HEIGHT_MM + self.height * len(self.lines)

    @property
    def right_edge(self) -> float:
        return self.left + sum(column.width for column in self.columns)


def scorecard_grids(cards: Mapping[Seat, Scorecard], board: Scoreboard) -> list[ScorecardGrid]:
    """Return the grids of each side that has batted. Before the first batter, return an empty grid for both."""
    batted = [seat for seat in SEATS if cards[seat].rows] or SEATS
    return [grid for seat in batted for grid in _side_grids(cards, board, seat)]


def _side_grids(cards: Mapping[Seat, Scorecard], board: Scoreboard, seat: Seat) -> list[ScorecardGrid]:
    sheet, team = cards[seat], board.sides[seat]
    first = skipped_innings(board) + 1
    played = dict(enumerate(sheet.columns))
    last = max([board.regulation, *played.values()])
    wanted = list[tuple[int, int | None]]()
    for inning in range(first, last + 1):
        mine = [at for at, one in played.items() if one == inning]
        wanted += [(inning, at) for at in mine] or [(inning, None)]
    parts = ceil(len(wanted) / MAX_INNING_COLUMNS)
    each = ceil(len(wanted) / parts)
    pieces = [wanted[start : start + each] for start in range(0, len(wanted), each)]
    rows = sheet.rows or tuple(ScorecardRow((), {}) for _ in range(EMPTY_ROW_COUNT))
    named = not sheet.rows or bool(sheet.batters)
    left, figures = (
        (NAME_COLUMN_WIDTH_MM, TOTAL_COLUMN_WIDTH_MM * len(BATTING_COLUMNS)) if named else (NUMBER_COLUMN_WIDTH_MM, 0)
    )
    width = min(MAX_BOX_WIDTH_MM, (SHEET_WIDTH_MM - left - figures) / each)
    height = min(
        MAX_BOX_HEIGHT_MM, (SHEET_HEIGHT_MM - GRID_TOP_MM - INNING_ROW_HEIGHT_MM - FOOTER_HEIGHT_MM) / len(rows)
    )
    faced = tuple(one for one in cards[opposite_seat(seat)].pitchers if one.batters)
    ink = INK_COLORS.get(team.colour, DEFAULT_INK_COLOR)
    return [
        ScorecardGrid(
            seat,
            number,
            len(pieces),
            left,
            width,
            height,
            named,
            _grid_columns(sheet, team, piece, left, width),
            tuple(_grid_row(sheet, row, at, piece, left, width, height) for at, row in enumerate(rows)),
            sheet.total,
            faced,
            ink,
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _grid_columns(sheet: Scorecard, team: Team, piece: SheetColumns, x: float, width: float) -> tuple[GridColumn, ...]:
    found = list[GridColumn]()
    for inning in dict.fromkeys(inning for inning, _ in piece):
        mine = [at for one, at in piece if one == inning]
        runs = team.line[inning - 1] if inning <= len(team.line) else None
        hits = sum(sheet.column_totals(at).hits for at in mine if at is not None)
        known = runs is not None
        wide = width * len(mine)
        found.append(GridColumn(x, wide, inning, str(runs) if known else "", str(hits) if known else ""))
        x += wide
    return tuple(found)


def _grid_row(
    sheet: Scorecard, row: ScorecardRow, at: int, piece: SheetColumns, left: float, width: float, height: float
) -> GridRow:
    y = GRID_TOP_MM + INNING_ROW_HEIGHT_MM + at * height
    cells = tuple(
        _grid_cell(row.boxes[column], left + place * width, y, width, height)
        for place, (_, column) in enumerate(piece)
        if column is not None and column in row.boxes
    )
    step = min(NAME_SIZE_MM * 1.3, (height - 1) / max(1, len(row.names)))
    start = y + (height - step * len(row.names)) / 2
    players = tuple(
        GridPlayer(
            start + step * (place + 0.75),
            fitted_text(name, NAME_COLUMN_WIDTH_MM - 9 - 2 * bool(place), min(NAME_SIZE_MM, step * 0.8)),
            astuple(sheet.batters.get(name, BattingTotals())),
        )
        for place, name in enumerate(row.names)
    )
    return GridRow(y, str(at + 1), players, cells)


def _grid_cell(box: ScorecardBox, x: float, y: float, width: float, height: float) -> GridCell:
    """Lay out one box, with the result at the upper left and runs batted in at the lower left."""
    cx, cy = x + width * 0.57, y + height * 0.53
    r = min(width * 0.36, height * 0.42)
    corners = [(cx, cy + r), (cx + r, cy), (cx, cy - r), (cx - r, cy), (cx, cy + r)]
    ran = corners[box.start : box.base + 1]
    if box.out and box.base:
        ahead = corners[min(4, box.base + 1)]
        stop = ((corners[box.base][0] + ahead[0]) / 2, (corners[box.base][1] + ahead[1]) / 2)
        ran = [*ran, stop]
    else:
        stop = (cx, cy)
    beside = {2: (x + width - 1.8, cy - r * 0.75), 3: (cx - r - 1.8, cy + 0.2), 4: (x + 3, cy + r * 0.6)}
    marks = [(*beside[base], "SB") for base in box.steals if base in beside]
    if box.caught:
        marks.append((cx, cy, "CS"))
    dots = tuple((x + 1.7 + 2.1 * place, y + height - 1.8) for place in range(box.driven_in))
    return GridCell(
        x, y, box, (cx, cy), _svg_path(corners, True), _svg_path(ran), stop, tuple(marks), dots, box_in_words(box)
    )


def _svg_path(points: Sequence[tuple[float, float]], closed: bool = False) -> str:
    if len(points) < 2:
        return ""
    return "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points[: -1 if closed else None]) + (" Z" if closed else "")


def box_in_words(box: ScorecardBox) -> str:
    """Return a box in words, such as "Ann Bly: 1B, scored, 2 RBI"."""
    bases = ("", "first", "second", "third")
    parts = [box.result] if box.result else [f"began on {bases[box.start]}"] if box.start else []
    if box.scored:
        parts.append("scored")
    elif box.out:
        parts.append(f"out {box.out}")
    elif 0 < box.base < 4:
        parts.append(f"reached {bases[box.base]}")
    if box.driven_in:
        parts.append(f"{box.driven_in} RBI")
    return f"{box.batter or f'No. {box.number}'}: {', '.join(parts)}"


def fitted_text(words: str, width: float, size: float) -> FittedText:
    """Fit a text to a width. It is made smaller, then first words become initials, then an ellipsis shortens it."""
    for tried in (words, name_with_initials(words)):
        wide = text_width(tried) * size
        if wide * MIN_NAME_SCALE <= width:
            return FittedText(tried, round(size * min(1.0, width / wide), 2) if wide else size)
    size *= MIN_NAME_SCALE
    kept = name_with_initials(words)
    while kept and text_width(kept + "…") * size > width:
        kept = kept[:-1]
    return FittedText(kept + "…", round(size, 2))


def name_with_initials(words: str) -> str:
    """Return a name with initials for all words but the last, such as "O. Kovalenko"."""
    *first, last = words.split() or [""]
    return " ".join([*(f"{word[0]}." for word in first), last])


def draw_grid(past: GameSummary, board: Scoreboard, grid: ScorecardGrid) -> str:
    side, against = board.sides[grid.seat], board.sides[opposite_seat(grid.seat)]
    innings = max(board.regulation, board.inning, *(len(one.line) for one in board.sides.values()))
    first = skipped_innings(board)
    line = [
        (
            fitted_text(board.sides[seat].name, 26, 3.2),
            [_runs_in_inning(board.sides[seat], i) for i in range(first, innings)],
            seat,
        )
        for seat in SEATS
    ]
    return render_drawing(
        "scorecard.svg",
        past=past,
        board=board,
        grid=grid,
        heading=fitted_text(side.name, 92, 8.5),
        against=against.name,
        day=local_time_text(past.started),
        first=first,
        line=line,
        step=min(6.0, 84 / (innings - first)),
        colours=INK_COLORS,
        wide=SHEET_WIDTH_MM,
        high=SHEET_HEIGHT_MM,
        top=GRID_TOP_MM,
        heads=INNING_ROW_HEIGHT_MM,
        names=grid.left,
        figure=TOTAL_COLUMN_WIDTH_MM,
        batting=BATTING_COLUMNS if grid.named else (),
        total=astuple(grid.total),
    )


def _runs_in_inning(side: Team, inning: int) -> str:
    runs = side.line[inning] if inning < len(side.line) else None
    return "" if runs is None else str(runs)
