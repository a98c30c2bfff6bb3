"""What the computer managers are thinking about, in words for everybody.

The words follow from the public question alone. They appear once a manager has thought for a while, and stay until it
answers. After a secret question they appear whether it still thinks or not, so that they reveal nothing about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.table.live_game import GameChange, LiveGame
from engine.ask_views import AskView
from engine.events import GameWords
from engine.seats import Seat

THINKING_DELAY_S = 0.6
"""How long a manager thinks before the words appear, in seconds. A quick secret answer comes after half a second."""

MIN_SHOWN_S = 1.0
"""Shortest time for which the words are shown before the answer, in seconds, so that people can read them."""

POLL_INTERVAL_S = 0.25
"""Interval between two checks of a game with managers, in seconds."""

STUDY_WORDS = "studies the cards"

WORDS_BY_KIND: Mapping[str, str] = {"arrange": "sets the order", "reroll": "picks the dice to reroll"}
"""What a manager does by the kind of question, where the game has no words of its own."""

DEFAULT_WORDS = "weighs the choice"


def thinking_words(ask: AskView, words: GameWords) -> str:
    """What a manager does about a question, of which `ask` is the public view."""
    return words.thinking.get(ask.why) or WORDS_BY_KIND.get(ask.kind, DEFAULT_WORDS)


@dataclass(slots=True)
class Thought:
    """A thought since a time of the game's clock. `shown` is when its words appeared, None before."""

    words: str
    since: float
    secret: bool
    shown: float | None = None


class ThinkingManagers:
    """The thoughts of the managers of `game`, by seat and number of the ask, None while studying the cards."""

    def __init__(self, game: LiveGame) -> None:
        self._game = game
        self.thoughts: dict[tuple[Seat, int | None], Thought] = {}

    def begin_thought(self, seat: Seat, n: int | None = None) -> None:
        """Note that the manager of a seat thinks about the open ask `n`, or studies the cards."""
        with self._game.lock:
            ask = next((ask for ask in self._game.tables[None].asks if ask.n == n), None)
            words = thinking_words(ask, self._game.live.game.words) if ask else STUDY_WORDS
            thought = Thought(words, self._game.clock(), bool(ask and ask.secret))
            if ask or n is None:
                self.thoughts.setdefault((seat, n), thought)

    def end_thought(self, seat: Seat, n: int | None = None) -> float:
        """Note that a thought has ended. Words about an ask stay until it is answered.

        Returns the earliest time for the answer, in seconds of the game's clock.
        """
        with self._game.lock:
            thought = self.thoughts.get((seat, n))
            if thought is None:
                return 0.0
            if n is None or (thought.shown is None and not thought.secret):
                del self.thoughts[seat, n]
                if thought.shown is not None:
                    self._game.publish_again()
            return 0.0 if thought.shown is None else thought.shown + MIN_SHOWN_S

    def show_long_thoughts(self) -> float:
        """Show the words of each thought that takes long. Returns the seconds until the next call."""
        with self._game.lock:
            now = self._game.clock()
            long = [one for one in self.thoughts.values() if one.shown is None and now >= one.since + THINKING_DELAY_S]
            for one in long:
                one.shown = now
            if long:
                self._game.publish_again()
            return POLL_INTERVAL_S

    # For the game: the caller holds the lock ---------------------------------------------------------------------

    def handle_change(self, change: GameChange) -> None:
        """Delete thoughts about what is no longer asked of a manager."""
        managed = self._game.settings.managers
        asked = {(ask.seat, n) for n, ask in self._game.live.open_asks()} if not change.new else set()
        for seat, n in list(self.thoughts):
            if seat not in managed or (n is not None and (seat, n) not in asked) or change.another:
                del self.thoughts[seat, n]

    def shown_words(self, seat: Seat) -> str:
        """The words to show of a seat's manager, "" if there are none."""
        shown = [one.words for (other, _), one in self.thoughts.items() if other == seat and one.shown is not None]
        return next((words for words in shown if words != STUDY_WORDS), shown[0] if shown else "")
