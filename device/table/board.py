"""The printed board of a game while pieces are laid: an arrangement that counts when a person confirms it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SeatEntries, SecretEntry
from device.table.live_game import Change, LiveGame
from engine.asks import Arrange
from engine.printed_board import AREAS
from engine.seats import Seat
from engine.table import Table
from engine.views import LayoutView

if TYPE_CHECKING:
    from vision.board.read import Doubt, Layout

LINES = {
    "no-board": "No board seen: turn < >.",
    "blur": "Board blurred: turn < >.",
    "covered": "{areas} is covered: uncover it.",
    "doubled": "{areas}: one {noun} in each.",
    "between": "{pieces} is in between: move it.",
    "strange": "Unknown sticker: remove it.",
    "missing": "Place {pieces}, or < >.",
    "side": "Turn over {pieces} in {areas}.",
    "extra": "Take {pieces} off {areas}.",
}
"""What to do about each doubt of `vision.board.read.DOUBTS`, for a small display; < > lays by hand."""

BARE = "The camera is watching: place the {noun}s on the board."
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


class Board:
    """The printed board of `game`: what to lay, and what a camera sees on it.

    That is put into `entries`, until a button changes it. Call what takes an entry under the lock of the game only.
    """

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self.laying: LayoutAsk | None = None
        """The current request to lay pieces, a new object each time; None if there is none."""
        self._watched = False
        """True while a camera over the board works."""
        self._lying: ProposedLayout | None = None
        self._moved = -math.inf

    def watch(self, on: bool) -> None:
        """Say whether a camera over the board works."""
        with self._game.lock:
            if on != self._watched:
                with self._game.change():
                    self._watched = on

    def lies(self, laying: LayoutAsk, layout: Layout | None) -> None:
        """Take a layout that a camera sees at rest for `laying`; None: something moves. It counts when a person presses
        OK.
        """
        with self._game.lock:
            if laying is not self.laying:
                return
            self._moved = self._game.clock() if layout is None else -math.inf
            lying = None if layout is None else ProposedLayout.of(laying, layout)
            if lying != self._lying:
                with self._game.change():
                    self._lying = lying
                    if self.unmoved(self._entries.of(self._game.live, laying.seat)):
                        self._lay(laying)

    def lay_again(self) -> bool:
        """Enter what a camera sees in place of what buttons have begun to. Returns False if they have not."""
        if self.laying is None or not self._turned(self._entries.shown):
            return False
        self._lay(self.laying)
        return True

    def _lay(self, laying: LayoutAsk) -> None:
        """Start the entry of the seat that lays with the pieces that certainly lie there."""
        lying = self._lying
        start = [lying.value.get(place) for place in lying.laying.places] if lying else []
        self._entries.lay(self._game.live, laying.seat, start)

    def settle(self, change: Change) -> None:
        """Keep the seen layout only if its ask is still open."""
        if change.new or self.laying is None or self.laying.n not in dict(self._game.live.asks()):
            self.laying = LayoutAsk.of(self._game.live, self._game.clock())
            self._lying, self._moved = None, -math.inf

    def sure(self, entry: AnswerEntry | SecretEntry) -> dict[str, str] | None:
        """Return the answer that OK gives on this seat's entry; None if OK means something else."""
        lying = self._lying
        return dict(lying.value) if lying and not lying.doubts and self._turned(entry) is False else None

    def looking(self, entry: AnswerEntry | SecretEntry | None) -> bool:
        """True while a camera has not seen a layout at rest yet, so that this entry is not shown."""
        return self._watched and self._lying is None and self.unmoved(entry)

    def doubtful(self, entry: AnswerEntry | SecretEntry) -> bool:
        """True if the display shows what the camera does, or what is wrong with the layout, in place of this entry."""
        doubts = self._lying is not None and bool(self._lying.doubts)
        return self.looking(entry) or (doubts and self._turned(entry) is False)

    def view(self, entry: AnswerEntry | SecretEntry | None) -> LayoutView | None:
        """Return the layout as everybody may see it, with a line for the display while `entry`, which it shows, is
        untouched.
        """
        return self._lying.view(self._turned(entry) is False) if self._lying else None

    def unmoved(self, entry: AnswerEntry | SecretEntry | None) -> bool:
        """True if this entry lays the pieces and no button has changed it yet."""
        return (
            self.laying is not None
            and isinstance(entry, AnswerEntry)
            and entry.n == self.laying.n
            and not entry.touched
        )

    @property
    def moves(self) -> bool:
        """True if a camera saw something move over the board just now."""
        return self._game.clock() - self._moved < REST

    def _turned(self, entry: AnswerEntry | SecretEntry | None) -> bool | None:
        """True if buttons have begun to enter something other than the layout; None if there is no layout for this
        entry and no camera that looks for one.
        """
        seen = self.laying if self._lying or self._watched else None
        return entry.touched if seen and isinstance(entry, AnswerEntry) and entry.n == seen.n else None
