"""Context of one ask: state, judge and answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from engine.ask_views import ChooseView
from engine.games.clutch.state import State
from engine.seats import Seat
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.position import ClutchPosition

RatedAnswers = dict[str, tuple[float, str]]  # Candidate answers, each with its win probability and a reason.

ASK_PREFERENCE_ANSWERS: tuple[str, ...] = (
    *("pitch-now", "swing-now", "pitch-on", "swing-on", "no-change-on", "back-on", "ask-again", "never-mind"),
    *("not-here", "not-this-inning", "play-card"),
)
"""Answers that set how the seat is asked later. A manager needs none of them."""


@dataclass(frozen=True)
class AskContext:
    """An ask of the current game."""

    position: ClutchPosition
    judge: PositionJudge
    ask: ChooseView

    @property
    def state(self) -> State:
        return self.position.state

    @property
    def side(self) -> Seat:
        return self.position.side

    @cached_property
    def answer_codes(self) -> tuple[str, ...]:
        return tuple(one.value for one in self.ask.options)

    @cached_property
    def baseline_probability(self) -> float:
        """Win probability of the position without any action."""
        return self.judge.win_probability(self.state)

    def mentioned_names(self, names: Iterable[str]) -> list[str]:
        """Return the names that the ask mentions, longest first."""
        return sorted((name for name in names if name in self.ask.sentence), key=len, reverse=True)


BAD_ANSWER_PENALTY = 0.2  # Rating difference of a clearly bad answer, in win probability.


def prefer_first(options: Iterable[str], win: float, reason: str = "") -> RatedAnswers:
    """Rate the first option clearly best."""
    return {option: (max(0.0, win - BAD_ANSWER_PENALTY * (at > 0)), reason) for at, option in enumerate(options)}


def rate_equally(options: Iterable[str], win: float, reason: str = "") -> RatedAnswers:
    """Rate all options equal, with the first one ahead by a tiny margin."""
    return {option: (win - at * 1e-6, reason) for at, option in enumerate(options)}
