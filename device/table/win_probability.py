"""What everybody sees of the chance to win the game on the table. It is computed elsewhere, some moments later."""

from __future__ import annotations

from device.table.live_game import GameChange, LiveGame
from engine.story_views import GameStory
from engine.views import WinProbabilityView


class WinProbability:
    """The newest win probability of `game` and, after its end, the story of it. Any thread may show another."""

    def __init__(self, game: LiveGame) -> None:
        self._game = game
        self.expected = False
        """True if it is computed on this table."""
        self.view: WinProbabilityView | None = None
        self.story: GameStory | None = None

    def expect(self) -> None:
        """Let pages keep a place for it."""
        with self._game.lock:
            self.expected = True
            self._game.publish_again()

    def show(self, number: int, view: WinProbabilityView | None, story: GameStory | None) -> None:
        """Show these for game `number`, unless another is on the table by now.

        A new version is published only if the chance or the story differs, so each play causes at most one.
        """
        with self._game.lock:
            if number != self._game.number:
                return
            shown = (self.view and self.view.home, self.story)
            self.view, self.story = view, story
            if shown != (view and view.home, story):
                self._game.publish_again()

    def handle_change(self, change: GameChange) -> None:
        """Remove what another game has left, and the result and the story of a game whose end was undone."""
        is_result = self.view is not None and self.view.home in (0, 1)
        if change.another or (change.new and is_result and not self._game.live.outcome):
            self.view = None
        if change.new:
            self.story = None
