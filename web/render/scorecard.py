"""The drawn scorecard of a side, on a landscape sheet: a diamond for each plate appearance, as fans keep score.

All lengths are in mm. A sheet is as large as A4 landscape without margins of 15 mm and 12 mm, which Letter has too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import ceil

from device.shapes import GameSummary
from engine.box_score import Batting
from engine.scoreboard import Scoreboard
from engine.scoreboard import Side as Team
from engine.scorecard.sheet import Box, Pitching, Row, Sheet
from engine.seats import SEATS, Seat, other
from web.render.printed_log import length
from web.render.templates import begun, day, drawing

WIDE, HIGH = 267.0, 186.0
"""Width and height of a sheet."""

TOP, HEADS, FOOT = 27.0, 6.0, 25.0
"""Height above the grid, of the row of innings, and below the grid, for totals by inning and pitchers."""

NAMES, FIGURE = 46.0, 7.5
"""Width of the column of names, and of each column of totals."""

BATTING = ("AB", "R", "H", "RBI", "BB", "SO")

COLUMNS, WIDEST, HIGHEST = 14, 34.0, 24.0
"""Most columns of innings on a sheet, and the most that a box measures."""

NUMBERS = 14.0
"""Width of the column of names where players have none."""

INNINGS = 9
"""Columns of a game that begins with the first inning, played or not."""

LETTERS, SMALLEST = 3.4, 0.62
"""Size of names, and how far long ones may shrink before they are shortened."""

COLOURS = {
    "red": "#b3261e",
    "blue": "#1f4e9c",
    "green": "#1c6b41",
    "yellow": "#b98d0a",
    "orange": "#b85f10",
    "purple": "#653a96",
}
"""Ink for what a team scores; other teams have black."""

BLACK = "#17261e"


Piece = Sequence[tuple[int, int | None]]
"""The columns of a sheet: each with its inning, and its place in the scorecard (None: not played)."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text in the size in which it fits its place."""

    words: str
    size: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A box of the grid as it is drawn.

    `path` is what the runner ran, as an SVG path, `out` where the circle with the number of the out is, and `marks`
    are words beside bases, each with its place. `dots` are the places of the runs batted in.
    """

    x: float
    y: float
    box: Box
    middle: tuple[float, float]
    diamond: str
    path: str
    out: tuple[float, float]
    marks: tuple[tuple[float, float, str], ...]
    dots: tuple[tuple[float, float], ...]
    means: str


@dataclass(frozen=True, slots=True)
class Player:
    """A name of a row, with the player's totals in the order of `BATTING`."""

    y: float
    name: Text
    figures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the grid: its top, its number, its players, and its boxes."""

    y: float
    number: str
    players: tuple[Player, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """Columns of one inning: left edge and width, and the runs and hits in that inning, "" before it is played."""

    x: float
    width: float
    inning: int
    runs: str
    hits: str


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet: the side's grid, or a part of it. `width` and `height` are those of a box, `left` is the left edge of
    the boxes, and `named` is true if players have names.
    """

    seat: Seat
    part: int
    parts: int
    left: float
    width: float
    height: float
    named: bool
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    total: Batting
    pitchers: tuple[Pitching, ...]
    ink: str

    @property
    def bottom(self) -> float:
        """The lower edge of the boxes."""
        return TOP + HEADS + self.height * len(self.lines)

    @property
    def right(self) -> float:
        """The right edge of the boxes."""
        return self.left + sum(column.width for column in self.columns)


def grids(cards: Mapping[Seat, Sheet], board: Scoreboard) -> list[Grid]:
    """Return the sheets of a game: those of each side that batted; of both, empty, before anybody did."""
    batted = [seat for seat in SEATS if cards[seat].rows] or SEATS
    return [grid for seat in batted for grid in _side(cards, board, seat)]


def _side(cards: Mapping[Seat, Sheet], board: Scoreboard, seat: Seat) -> list[Grid]:
    sheet, team = cards[seat], board.sides[seat]
    first = begun(board) + 1
    played = dict(enumerate(sheet.columns))
    last = max([INNINGS, *played.values()])
    wanted = list[tuple[int, int | None]]()
    for inning in range(first, last + 1):
        mine = [at for at, one in played.items() if one == inning]
        wanted += [(inning, at) for at in mine] or [(inning, None)]
    parts = ceil(len(wanted) / COLUMNS)
    each = ceil(len(wanted) / parts)
    pieces = [wanted[start : start + each] for start in range(0, len(wanted), each)]
    rows = sheet.rows or tuple(Row((), {}) for _ in range(INNINGS))
    named = not sheet.rows or bool(sheet.batters)
    left, figures = (NAMES, FIGURE * len(BATTING)) if named else (NUMBERS, 0)
    width = min(WIDEST, (WIDE - left - figures) / each)
    height = min(HIGHEST, (HIGH - TOP - HEADS - FOOT) / len(rows))
    faced = tuple(one for one in cards[other(seat)].pitchers if one.batters)
    ink = COLOURS.get(team.colour, BLACK)
    return [
        Grid(
            seat,
            number,
            len(pieces),
            left,
            width,
            height,
            named,
            _columns(sheet, team, piece, left, width),
            tuple(_line(sheet, row, at, piece, left, width, height) for at, row in enumerate(rows)),
            sheet.total,
            faced,
            ink,
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _columns(sheet: Sheet, team: Team, piece: Piece, x: float, width: float) -> tuple[Column, ...]:
    found = list[Column]()
    for inning in dict.fromkeys(inning for inning, _ in piece):
        mine = [at for one, at in piece if one == inning]
        runs = team.line[inning - 1] if inning <= len(team.line) else None
        hits = sum(sheet.inning(at).hits for at in mine if at is not None)
        known = runs is not None
        wide = width * len(mine)
        found.append(Column(x, wide, inning, str(runs) if known else "", str(hits) if known else ""))
        x += wide
    return tuple(found)


def _line(sheet: Sheet, row: Row, at: int, piece: Piece, left: float, width: float, height: float) -> Line:
    y = TOP + HEADS + at * height
    cells = tuple(
        _cell(row.boxes[column], left + place * width, y, width, height)
        for place, (_, column) in enumerate(piece)
        if column is not None and column in row.boxes
    )
    step = min(LETTERS * 1.3, (height - 1) / max(1, len(row.names)))
    start = y + (height - step * len(row.names)) / 2
    players = tuple(
        Player(
            start + step * (place + 0.75),
            fitted(name, NAMES - 9 - 2 * bool(place), min(LETTERS, step * 0.8)),
            astuple(sheet.batters.get(name, Batting())),
        )
        for place, name in enumerate(row.names)
    )
    return Line(y, str(at + 1), players, cells)


def _cell(box: Box, x: float, y: float, width: float, height: float) -> Cell:
    """Lay out one box: the diamond in the middle, the result at the upper left, runs batted in at the lower left."""
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
    return Cell(x, y, box, (cx, cy), _path(corners, True), _path(ran), stop, tuple(marks), dots, means(box))


def _path(points: Sequence[tuple[float, float]], closed: bool = False) -> str:
    if len(points) < 2:
        return ""
    return "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points[: -1 if closed else None]) + (" Z" if closed else "")


def means(box: Box) -> str:
    """Return a box in words: "Ann Bly: 1B, scored, 2 RBI"."""
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


def fitted(words: str, width: float, size: float) -> Text:
    """Return a text that fits a width: smaller, else with initials for the first words, else cut with an ellipsis."""
    for tried in (words, initials(words)):
        wide = length(tried) * size
        if wide * SMALLEST <= width:
            return Text(tried, round(size * min(1.0, width / wide), 2) if wide else size)
    size *= SMALLEST
    kept = initials(words)
    while kept and length(kept + "…") * size > width:
        kept = kept[:-1]
    return Text(kept + "…", round(size, 2))


def initials(words: str) -> str:
    """Return a name with initials for all words but the last: "O. Kovalenko"."""
    *first, last = words.split() or [""]
    return " ".join([*(f"{word[0]}." for word in first), last])


def draw(past: GameSummary, board: Scoreboard, grid: Grid) -> str:
    """Return a sheet as SVG."""
    side, against = board.sides[grid.seat], board.sides[other(grid.seat)]
    innings = max(INNINGS, board.inning, *(len(one.line) for one in board.sides.values()))
    first = begun(board)
    line = [
        (fitted(board.sides[seat].name, 26, 3.2), [_run(board.sides[seat], i) for i in range(first, innings)], seat)
        for seat in SEATS
    ]
    return drawing(
        "scorecard.svg",
        past=past,
        board=board,
        grid=grid,
        heading=fitted(side.name, 92, 8.5),
        against=against.name,
        day=day(past.started),
        first=first,
        line=line,
        step=min(6.0, 84 / (innings - first)),
        colours=COLOURS,
        wide=WIDE,
        high=HIGH,
        top=TOP,
        heads=HEADS,
        names=grid.left,
        figure=FIGURE,
        batting=BATTING if grid.named else (),
        total=astuple(grid.total),
    )


def _run(side: Team, inning: int) -> str:
    runs = side.line[inning] if inning < len(side.line) else None
    return "" if runs is None else str(runs)
