"""The layout of the printed board while pieces are laid: an arrangement that counts when a person confirms it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SecretEntry
from engine.asks import Arrange
from engine.seats import Seat
from engine.table import Table
from engine.views import LayoutView

if TYPE_CHECKING:
    from vision.board.read import Doubt, Layout

AREAS = ("A", "B", "C", "D", "E", "F")
"""The areas of the printed board (`vision.board.sheets.AREAS`); other places are filled without a camera."""

LINES = {
    "no-board": "No board seen: turn < >.",
    "blur": "Board blurred: turn < >.",
    "covered": "{areas} is covered: uncover it.",
    "doubled": "{areas}: one {noun} in each.",
    "between": "{pieces} lies between: move it.",
    "strange": "An unknown sticker: take it away.",
    "missing": "Lay {pieces}, or < >.",
    "side": "Turn over {pieces} in {areas}.",
    "extra": "Take {pieces} off {areas}.",
}
"""What to do about each doubt of `vision.board.read.DOUBTS`, for a small display; < > lays by hand."""

BARE = "The camera is watching: lay the {noun}s on the board."
"""The sentence for an empty board."""

REST = 1.0
"""Seconds for which a movement over the board counts as going on, if nothing more is seen of it."""

WIDE = 40
"""The most characters on one line of a small display."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutAsk:
    """A request to lay pieces for ask `n`. Each request is a new object, even when the same ask opens again.

    `places` are those of the ask, `names` all pieces in the order of their stickers. `wanted` has the pieces in play,
    by index in `names`: True if their back must be up. At least `least` of them must lie on the board. Pictures from
    before `since`, in seconds of the session's clock, do not count.
    """

    n: int
    seat: Seat
    places: tuple[str, ...]
    names: tuple[str, ...]
    wanted: Mapping[int, bool]
    least: int
    since: float
    noun: str = "piece"

    @classmethod
    def of(cls, table: Table, now: float) -> LayoutAsk | None:
        """Return what to lay on the printed board now, if the open asks include an open arrangement of a game with
        `pieces`.
        """
        pieces = table.game.pieces
        for n, ask in table.asks():
            if pieces and isinstance(ask, Arrange) and set(ask.places) <= set(AREAS):
                lying = pieces.lying(table.state)
                names = tuple(name for name, _ in lying)
                if set(ask.pieces) <= set(names):
                    wanted = {i: back for i, (name, back) in enumerate(lying) if name in ask.pieces}
                    return cls(n, ask.seat, ask.places, names, wanted, ask.least, now, pieces.noun)
        return None


@dataclass(frozen=True, slots=True)
class ProposedLayout:
    """A layout seen for an ask: `value` is the certain part of the answer, area to piece; with `doubts` it cannot
    count.
    """

    laying: LayoutAsk
    value: Mapping[str, str]
    doubts: tuple[Doubt, ...]

    @classmethod
    def of(cls, laying: LayoutAsk, layout: Layout) -> ProposedLayout:
        """Compare what a camera saw with what is to be laid.

        A piece with the wrong side up still has a certain place. If enough pieces lie on the board, none counts as
        missing. An empty board is never an answer, because it is also the state before the first piece.
        """
        from vision.board.read import find_doubts

        lies = {area: laid.piece for area, laid in layout.areas.items() if laid and laid.piece in laying.wanted}
        doubts = find_doubts(layout, laying.wanted)
        if len(lies) >= max(laying.least, 1):
            doubts = tuple(doubt for doubt in doubts if doubt.code != "missing")
        return cls(laying, {area: laying.names[piece] for area, piece in lies.items()}, doubts)

    def view(self, fresh: bool) -> LayoutView:
        """Return the layout as everybody may see it. Set `fresh` to False once the buttons enter something else,
        because OK would take that.
        """
        line = self._line() if fresh else None
        return LayoutView(self.laying.n, self.laying.seat, dict(self.value), not self.doubts, self._words(), line)

    @property
    def _left(self) -> list[str]:
        """The pieces in play that are not seen on the board."""
        return [
            self.laying.names[piece]
            for piece in self.laying.wanted
            if self.laying.names[piece] not in self.value.values()
        ]

    def _words(self) -> list[str]:
        if not self.doubts:
            return [f"Not on the board: {', '.join(self._left)}."] if self._left else []
        if not self.value and {doubt.code for doubt in self.doubts} == {"missing"}:
            return [BARE.format(noun=self.laying.noun)]
        return [doubt.advice(self.laying.names) for doubt in self.doubts]

    def _line(self) -> str:
        if not self.doubts:
            if not self._left:
                return f"All {self.laying.noun}s seen: OK?"
            line = f"{self._count(len(self.value))} seen, not {', '.join(self._left)}: OK?"
            return line if len(line) <= WIDE else f"{self._count(len(self.value))} seen: OK?"
        doubt = self.doubts[0]
        words = LINES[doubt.code]
        areas = ("Several areas" if len(doubt.areas) > 3 else ", ".join(doubt.areas)) or "Outside"
        names = ", ".join(self.laying.names[piece] for piece in doubt.pieces) or "Something"
        line = words.format(areas=areas, pieces=names, noun=self.laying.noun)
        return (
            line
            if len(line) <= WIDE
            else words.format(areas=areas, pieces=self._count(len(doubt.pieces)), noun=self.laying.noun)
        )

    def _count(self, many: int) -> str:
        return f"1 {self.laying.noun}" if many == 1 else f"{many} {self.laying.noun}s"


class BoardLayout:
    """The board of one game: what to lay, and what a camera sees on it. Not thread-safe."""

    def __init__(self) -> None:
        self.laying: LayoutAsk | None = None
        self.watched = False
        """True while a camera over the board works."""
        self._lying: ProposedLayout | None = None
        self._moved = -math.inf

    def settle(self, table: Table, now: float, new: bool) -> None:
        """Keep the seen layout after a change only if its ask is still open, and never with `new`."""
        if new or self.laying is None or self.laying.n not in dict(table.asks()):
            self.laying, self._lying, self._moved = LayoutAsk.of(table, now), None, -math.inf

    def see(self, laying: LayoutAsk, layout: Layout | None, now: float) -> bool:
        """Take a layout at rest; None: something moves. Returns True if that changes the current layout."""
        if laying is not self.laying:
            return False
        self._moved = now if layout is None else -math.inf
        lying = None if layout is None else ProposedLayout.of(laying, layout)
        if lying == self._lying:
            return False
        self._lying = lying
        return True

    @property
    def start(self) -> list[str | None]:
        """The pieces to start buttons with, in the order of the places; None where nothing certain lies."""
        lying = self._lying
        return [lying.value.get(place) for place in lying.laying.places] if lying else []

    def sure(self, entry: AnswerEntry | SecretEntry) -> dict[str, str] | None:
        """Return the answer that OK gives on this seat's entry; None if OK means something else."""
        lying = self._lying
        return dict(lying.value) if lying and not lying.doubts and self.moved(entry) is False else None

    def looking(self, entry: AnswerEntry | SecretEntry | None) -> bool:
        """True while a camera has not seen a layout at rest yet, so that this entry is not shown."""
        return self.watched and self._lying is None and self.unmoved(entry)

    def doubtful(self, entry: AnswerEntry | SecretEntry) -> bool:
        """True if the display shows what the camera does, or what is wrong with the layout, in place of this entry."""
        doubts = self._lying is not None and bool(self._lying.doubts)
        return self.looking(entry) or (doubts and self.moved(entry) is False)

    def view(self, entry: AnswerEntry | SecretEntry | None) -> LayoutView | None:
        """Return the layout as everybody may see it, with a line for the display while `entry`, which it shows, is
        untouched.
        """
        return self._lying.view(self.moved(entry) is False) if self._lying else None

    def unmoved(self, entry: AnswerEntry | SecretEntry | None) -> bool:
        """True if this entry lays the pieces and no button has changed it yet."""
        return (
            self.laying is not None
            and isinstance(entry, AnswerEntry)
            and entry.n == self.laying.n
            and not entry.touched
        )

    def moves(self, now: float) -> bool:
        """True if a camera saw something move over the board just now."""
        return now - self._moved < REST

    def moved(self, entry: AnswerEntry | SecretEntry | None) -> bool | None:
        """True if buttons have begun to enter something other than the layout; None if there is no layout for this
        entry and no camera that looks for one.
        """
        seen = self.laying if self._lying or self.watched else None
        return entry.touched if seen and isinstance(entry, AnswerEntry) and entry.n == seen.n else None
