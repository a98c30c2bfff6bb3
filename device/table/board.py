"""The printed board of a game: what is to be laid on it, and what a camera sees there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.table.entry.board_layout import BoardLayout, LayoutAsk
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import Change, LiveGame

if TYPE_CHECKING:
    from vision.board.read import Layout


class Board:
    """The printed board of `game`. What lies there is put into `entries`, until a button changes it."""

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self.layout = BoardLayout()
        """The layout itself; to be used under the game's lock only."""

    @property
    def laying(self) -> LayoutAsk | None:
        """The current request to lay pieces on the printed board, a new object each time; None if there is none."""
        return self.layout.laying

    def watch(self, on: bool) -> None:
        """Say whether a camera over the board works."""
        with self._game.lock:
            if on != self.layout.watched:
                with self._game.change():
                    self.layout.watched = on

    def lies(self, laying: LayoutAsk, layout: Layout | None) -> None:
        """Take a layout that a camera sees at rest for `laying`; None: something moves. It counts when a person presses
        OK.
        """
        game, entries = self._game, self._entries
        with game.lock:
            if self.layout.see(laying, layout, game.clock()):
                with game.change():
                    if self.layout.unmoved(entries.of(game.live, laying.seat)):
                        entries.lay(game.live, laying.seat, self.layout.start)

    def lay_again(self) -> bool:
        """Enter what a camera sees in place of what buttons have begun to. Returns False if they have not."""
        laying = self.layout.laying
        if laying is None or not self.layout.moved(self._entries.shown):
            return False
        self._entries.lay(self._game.live, laying.seat, self.layout.start)
        return True

    def settle(self, change: Change) -> None:
        """Ask for another layout if another one is asked for."""
        self.layout.settle(self._game.live, self._game.clock(), change.new)
