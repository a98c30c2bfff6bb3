"""The decisions and the luck of a finished game, as chess players review theirs. Without threads.

A review must give nothing away that the rules never open. So each decision is rated from what its seat saw only if
everything that had been answered by then is open at the end of the game. Otherwise it is rated from what everybody saw,
and a secret one is left out. The same goes for the ways in which dice could have fallen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from device.shapes import AbortCheck, ReviewedDecision, SeatReview
from device.table.answer_text import answer_text
from engine.announcer.situation import scoreboard_situation, situation_summary
from engine.ask_views import AnyAskView
from engine.asks import Ask, Reroll, Roll
from engine.chances import MAX_WAYS
from engine.dice import die_sides
from engine.seats import SEATS, Seat
from engine.table import CurrentAnswer, Table
from engine.views import TableView
from managers.evaluation import Evaluator, home_win_probability
from managers.manager import MIN_GAIN, Manager, WeighedAnswer, is_manager_ask

MAX_WORST_DECISIONS = 3
"""Decisions of a seat that are shown."""


@dataclass(slots=True)
class SeatTally:
    """What has been counted of one seat. `stake` and `lost` are of its decisions that mattered."""

    decisions: int = 0
    best: int = 0
    stake: float = 0.0
    lost: float = 0.0
    cost: float = 0.0
    luck: float = 0.0
    worst: list[ReviewedDecision] = field(default_factory=list)

    def review(self, name: str) -> SeatReview:
        accuracy = 1 - self.lost / self.stake if self.stake else 1.0
        return SeatReview(name, self.decisions, self.best, accuracy, self.cost, self.worst, self.luck)


def review_game(table: Table, coach: Manager, evaluator: Evaluator, wanted: AbortCheck) -> Mapping[Seat, SeatReview]:
    """Return the review of each seat that plays, people's and computers'. {} before the end of the game.

    coach: rates the answers. It and the evaluator must have studied the cards.
    wanted: called before each position that is rated.

    Only positions with a win probability count. Answers that were undone or corrected, and those that the coach does
    not rate, do not appear. Calls, draws and races are neither decisions nor luck.
    """
    if not table.outcome:
        return {}
    found = {seat: SeatTally() for seat in SEATS}
    hidden, is_open = table.hidden_numbers(), True
    steps = table.replay_from(0)
    now = next(steps)
    wanted()
    view = now.view_for(None)
    win = home_win_probability(evaluator, view)
    for one in table.answers:
        is_open = is_open and one.n not in hidden
        plays, expected = view.scoreboard.plays, None
        if win is not None:
            _review_decision(found[one.ask.seat], now, one, view, is_open, coach)
            expected = _mean_after_roll(now, one, evaluator, wanted, win) if is_open else win
        next(steps, None)
        wanted()
        view = now.view_for(None)
        win = home_win_probability(evaluator, view)
        if expected is not None and win is not None and isinstance(one.ask, Roll | Reroll):
            for seat, side in plays.items():
                found[seat].luck += win - expected if side == "home" else expected - win
    sides, plays = view.scoreboard.sides, view.scoreboard.plays
    return {seat: found[seat].review(sides[plays[seat]].name) for seat in SEATS if seat in plays}


def _review_decision(
    tally: SeatTally, now: Table, one: CurrentAnswer, public: TableView, is_open: bool, coach: Manager
) -> None:
    """Compare an answer with the best one, if a manager would decide it.

    public: what spectators saw. They do not see the options of a secret ask, so it is left out if that is used.
    """
    seat = one.ask.seat
    view = now.view_for(seat) if is_open else replace(public, seat=seat)
    ask = next(ask for ask in view.asks if ask.n == one.n)
    if not is_manager_ask(ask):
        return
    weighed, value = coach.weigh_answers(view, ask), _answer_value(one)
    given = next((each for each in weighed if each.value == value), None)
    if given is None:
        return
    best = max(weighed, key=lambda each: each.win)
    stake, cost = best.win - min(each.win for each in weighed), best.win - given.win
    tally.cost += cost
    if stake < MIN_GAIN:
        return
    tally.decisions += 1
    tally.stake += stake
    if cost < MIN_GAIN:
        tally.best += 1
        return
    tally.lost += cost
    tally.worst = sorted(
        [*tally.worst, _reviewed_decision(view, ask, given, best)], key=lambda decision: -decision.cost
    )[:MAX_WORST_DECISIONS]


def _answer_value(one: CurrentAnswer) -> Any:
    """The answer as managers give it: of a reroll, the indexes of the dice."""
    if isinstance(one.ask, Reroll):
        return [place for place, face in enumerate(one.value) if face is not None]
    return one.value


def _reviewed_decision(view: TableView, ask: AnyAskView, given: WeighedAnswer, best: WeighedAnswer) -> ReviewedDecision:
    board = view.scoreboard
    return ReviewedDecision(
        ask.n,
        board.inning,
        board.half,
        situation_summary(scoreboard_situation(board), ask.n),
        ask.sentence,
        answer_text(ask, given.value),
        answer_text(ask, best.value),
        best.win - given.win,
        best.reason,
    )


def _mean_after_roll(now: Table, one: CurrentAnswer, evaluator: Evaluator, wanted: AbortCheck, win: float) -> float:
    """Home's win probability after the dice, averaged over all ways in which they can fall.

    It is `win`, the one before, if there are too many ways, or one of them has no win probability.
    """
    total, ways = 0.0, 0
    for value in _ways_to_fall(one.ask, one.value, now.house):
        wanted()
        twin = now.clone()
        twin.answer_ask(one.ask.seat, one.n, value)
        after = home_win_probability(evaluator, twin.view_for(None))
        if after is None:
            return win
        total, ways = total + after, ways + 1
    return total / ways if ways else win


def _ways_to_fall(ask: Ask, value: Any, house: Mapping[str, str]) -> Iterator[Sequence[Any]]:
    """Yield each answer to a roll, or to a reroll of the same dice as `value`. None if there are too many."""
    match ask:
        case Roll(dice=dice):
            sides: list[tuple[Any, ...]] = [die_sides(die.kind, house) for die in dice]
        case Reroll(dice=dice):
            sides = [
                (None,) if face is None else die_sides(die.kind, house) for die, face in zip(dice, value, strict=True)
            ]
        case _:
            return
    if prod(map(len, sides)) <= MAX_WAYS:
        yield from map(list, product(*sides))
