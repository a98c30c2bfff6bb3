"""One ask as a manager looks at it: the position, the judge, and the answers with what they are worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from engine.ask_views import ChooseView
from engine.games.clutch.state import State
from engine.seats import Seat
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.position import ClutchPosition

RatedAnswers = dict[str, tuple[float, str]]
"""The answers that are worth thinking about, each with the chance to win and a reason."""

ASK_PREFERENCE_ANSWERS: tuple[str, ...] = (
    *("pitch-now", "swing-now", "pitch-on", "swing-on", "no-change-on", "back-on", "ask-again", "never-mind"),
    *("not-here", "not-this-inning", "play-card"),
)
"""Answers that say how the seat is asked from now on: a manager needs none of them."""


@dataclass(frozen=True)
class AskContext:
    """An ask of the game under way."""

    found: ClutchPosition
    judge: PositionJudge
    ask: ChooseView

    @property
    def state(self) -> State:
        """The position."""
        return self.found.s

    @property
    def side(self) -> Seat:
        """The side that is asked."""
        return self.found.side

    @cached_property
    def answer_codes(self) -> tuple[str, ...]:
        """The codes that may be answered."""
        return tuple(one.value for one in self.ask.options)

    @cached_property
    def baseline_probability(self) -> float:
        """The chance to win as things stand."""
        return self.judge.win_probability(self.state)

    def mentioned_names(self, names: Iterable[str]) -> list[str]:
        """Return which of these names the ask mentions, the longest first."""
        return sorted((name for name in names if name in self.ask.sentence), key=len, reverse=True)


BAD_ANSWER_PENALTY = 0.2
"""What an answer is worth less that nobody would give who has thought about it."""


def prefer_first(options: Iterable[str], win: float, reason: str = "") -> RatedAnswers:
    """Return answers of which the first is clearly best."""
    return {option: (max(0.0, win - BAD_ANSWER_PENALTY * (at > 0)), reason) for at, option in enumerate(options)}


def rate_equally(options: Iterable[str], win: float, reason: str = "") -> RatedAnswers:
    """Return answers of which the first is as good as any."""
    return {option: (win - at * 1e-6, reason) for at, option in enumerate(options)}
