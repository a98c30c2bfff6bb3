"""The printed board while pieces are placed. A layout counts when a person confirms it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SeatEntries, SecretEntry
from device.table.live_game import GameChange, LiveGame
from engine.asks import Arrange
from engine.printed_board import BOARD_AREAS
from engine.seats import Seat
from engine.table import Table
from engine.views import LayoutView

if TYPE_CHECKING:
    from vision.board.read import BoardDoubt, BoardLayout

DOUBT_LINES = {
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
"""Remedy for each doubt of `vision.board.read.BOARD_DOUBT_ADVICE`, for a small display. Turning < > places by hand."""

EMPTY_BOARD_TEXT = "The camera is watching: place the {noun}s on the board."

MOVEMENT_HOLD_S = 1.0
"""A movement over the board counts as going on for this long after it was seen, in seconds."""

MAX_LINE_LENGTH = 40
"""Characters on one line of a small display."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutAsk:
    """A request to place pieces for one ask. Each is a new object, even when the same ask opens again.

    n: number of the ask.
    places: areas of the ask.
    names: all pieces in the order of their stickers.
    wanted: the pieces in play by index in `names`, True if the back must be up.
    least: pieces that must lie on the board.
    since: seconds of the session's clock. Earlier pictures do not count.
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
    def from_table(cls, table: Table, now: float) -> LayoutAsk | None:
        """Build the request for the open Arrange ask, if it is for the printed board of a game with `pieces`."""
        pieces = table.game.pieces
        for n, ask in table.open_asks():
            if pieces and isinstance(ask, Arrange) and set(ask.places) <= set(BOARD_AREAS):
                lying = pieces.lying(table.state)
                names = tuple(name for name, _ in lying)
                if set(ask.pieces) <= set(names):
                    wanted = {i: back for i, (name, back) in enumerate(lying) if name in ask.pieces}
                    return cls(n, ask.seat, ask.places, names, wanted, ask.min_pieces, now, pieces.noun)
        return None


@dataclass(frozen=True, slots=True)
class ProposedLayout:
    """A layout that a camera saw for a request.

    `value` has the certain part of the answer, piece by area. With `doubts` the layout cannot count.
    """

    laying: LayoutAsk
    value: Mapping[str, str]
    doubts: tuple[BoardDoubt, ...]

    @classmethod
    def from_layout(cls, laying: LayoutAsk, layout: BoardLayout) -> ProposedLayout:
        """Compare a seen layout with the request.

        A piece with the wrong side up still has a certain place. If enough pieces lie on the board, none counts as
        missing. An empty board is never an answer, because it is also the state before the first piece.
        """
        from vision.board.read import find_doubts

        lies = {area: laid.piece for area, laid in layout.areas.items() if laid and laid.piece in laying.wanted}
        doubts = find_doubts(layout, laying.wanted)
        if len(lies) >= max(laying.least, 1):
            doubts = tuple(doubt for doubt in doubts if doubt.code != "missing")
        return cls(laying, {area: laying.names[piece] for area, piece in lies.items()}, doubts)

    def layout_view(self, fresh: bool) -> LayoutView:
        """Build the public view. `fresh` is False if the buttons enter something else, because OK would accept that."""
        line = self._display_line() if fresh else None
        return LayoutView(
            self.laying.n, self.laying.seat, dict(self.value), not self.doubts, self._advice_sentences(), line
        )

    @property
    def _missing_pieces(self) -> list[str]:
        return [
            self.laying.names[piece]
            for piece in self.laying.wanted
            if self.laying.names[piece] not in self.value.values()
        ]

    def _advice_sentences(self) -> list[str]:
        if not self.doubts:
            return [f"Not on the board: {', '.join(self._missing_pieces)}."] if self._missing_pieces else []
        if not self.value and {doubt.code for doubt in self.doubts} == {"missing"}:
            return [EMPTY_BOARD_TEXT.format(noun=self.laying.noun)]
        return [doubt.advice(self.laying.names) for doubt in self.doubts]

    def _display_line(self) -> str:
        if not self.doubts:
            if not self._missing_pieces:
                return f"All {self.laying.noun}s seen: OK?"
            line = f"{self._piece_count_text(len(self.value))} seen, not {', '.join(self._missing_pieces)}: OK?"
            return line if len(line) <= MAX_LINE_LENGTH else f"{self._piece_count_text(len(self.value))} seen: OK?"
        doubt = self.doubts[0]
        words = DOUBT_LINES[doubt.code]
        areas = ("Several areas" if len(doubt.areas) > 3 else ", ".join(doubt.areas)) or "Outside"
        names = ", ".join(self.laying.names[piece] for piece in doubt.pieces) or "Something"
        line = words.format(areas=areas, pieces=names, noun=self.laying.noun)
        return (
            line
            if len(line) <= MAX_LINE_LENGTH
            else words.format(areas=areas, pieces=self._piece_count_text(len(doubt.pieces)), noun=self.laying.noun)
        )

    def _piece_count_text(self, many: int) -> str:
        return f"1 {self.laying.noun}" if many == 1 else f"{many} {self.laying.noun}s"


class Board:
    """The printed board of `game`: the request to place pieces, and the layout that a camera sees.

    A seen layout starts the entry in `entries` until a button changes it. Methods with an entry need the game's lock.
    """

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self.laying: LayoutAsk | None = None
        """The current request, a new object each time, or None."""
        self._has_camera = False
        """True while a camera over the board works."""
        self._seen_layout: ProposedLayout | None = None
        self._last_motion = -math.inf

    def set_camera_working(self, on: bool) -> None:
        with self._game.lock:
            if on != self._has_camera:
                with self._game.publish_change():
                    self._has_camera = on

    def set_layout(self, laying: LayoutAsk, layout: BoardLayout | None) -> None:
        """Set the layout that a camera sees at rest, None while something moves. It counts after a person's OK."""
        with self._game.lock:
            if laying is not self.laying:
                return
            self._last_motion = self._game.clock() if layout is None else -math.inf
            lying = None if layout is None else ProposedLayout.from_layout(laying, layout)
            if lying != self._seen_layout:
                with self._game.publish_change():
                    self._seen_layout = lying
                    if self.is_untouched(self._entries.entry_for_seat(self._game.live, laying.seat)):
                        self._start_entry(laying)

    def restore_seen_layout(self) -> bool:
        """Replace the buttons' entry by the seen layout. Returns False if the buttons have entered nothing."""
        if self.laying is None or not self._is_overridden(self._entries.shown):
            return False
        self._start_entry(self.laying)
        return True

    def _start_entry(self, laying: LayoutAsk) -> None:
        """Start the seat's entry with the pieces whose place is certain."""
        lying = self._seen_layout
        start = [lying.value.get(place) for place in lying.laying.places] if lying else []
        self._entries.start_entry(self._game.live, laying.seat, start)

    def handle_change(self, change: GameChange) -> None:
        """Ask for a new layout after a new game, or if the ask of the seen layout is no longer open."""
        if change.new or self.laying is None or self.laying.n not in dict(self._game.live.open_asks()):
            self.laying = LayoutAsk.from_table(self._game.live, self._game.clock())
            self._seen_layout, self._last_motion = None, -math.inf

    def certain_answer(self, entry: AnswerEntry | SecretEntry) -> dict[str, str] | None:
        """The answer that OK gives for this entry, or None if OK does something else."""
        lying = self._seen_layout
        return dict(lying.value) if lying and not lying.doubts and self._is_overridden(entry) is False else None

    def is_looking_for_layout(self, entry: AnswerEntry | SecretEntry | None) -> bool:
        """True until a camera has seen a layout at rest. Until then this entry is not shown."""
        return self._has_camera and self._seen_layout is None and self.is_untouched(entry)

    def is_entry_hidden(self, entry: AnswerEntry | SecretEntry) -> bool:
        """True if the display shows the camera's state or doubts in place of this entry."""
        doubts = self._seen_layout is not None and bool(self._seen_layout.doubts)
        return self.is_looking_for_layout(entry) or (doubts and self._is_overridden(entry) is False)

    def layout_view(self, entry: AnswerEntry | SecretEntry | None) -> LayoutView | None:
        """Public view of the layout. It has a line for the display while `entry` is untouched."""
        return self._seen_layout.layout_view(self._is_overridden(entry) is False) if self._seen_layout else None

    def is_untouched(self, entry: AnswerEntry | SecretEntry | None) -> bool:
        """True if this entry places the pieces and no button has changed it."""
        return (
            self.laying is not None
            and isinstance(entry, AnswerEntry)
            and entry.n == self.laying.n
            and not entry.touched
        )

    @property
    def has_motion(self) -> bool:
        return self._game.clock() - self._last_motion < MOVEMENT_HOLD_S

    def _is_overridden(self, entry: AnswerEntry | SecretEntry | None) -> bool | None:
        """True if the buttons enter something else. None if neither a layout nor a camera concerns this entry."""
        seen = self.laying if self._seen_layout or self._has_camera else None
        return entry.touched if seen and isinstance(entry, AnswerEntry) and entry.n == seen.n else None
