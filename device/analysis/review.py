"""The decisions and the luck of a finished game, as chess players review theirs. Without threads.

A review must give nothing away that the rules never open. So each decision is rated from what its seat saw only if
everything that had been answered by then is open at the end of the game. Otherwise it is rated from what everybody saw,
and a secret one is left out. The same goes for the ways in which dice could have fallen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from math import prod
from typing import Any

from device.shapes import AbortCheck, ReviewedDecision, SeatReview
from device.table.answer_text import answer_text
from device.table.managed_seats import MANAGER_LOCK
from engine.announcer.situation import scoreboard_situation, situation_summary
from engine.asks import Ask, Reroll, Roll
from engine.chances import MAX_WAYS
from engine.dice import die_sides
from engine.seats import SEATS, Seat
from engine.table import CurrentAnswer, Table
from engine.views import TableView
from managers.evaluation import Evaluator, home_win_probability
from managers.manager import MIN_GAIN, Manager, is_manager_ask

MAX_WORST_DECISIONS = 3
"""Decisions of a seat that are shown."""


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answer that the coach has rated, at an index of the table's answers.

    best, worst: the seat's chance to win with the best and the worst answer. `shown.cost` is what was given away, as
    far as this question shows it.
    mistake: equal if the same better answer is missed again, such as a reliever while the same pitcher goes on.
    """

    place: int
    seat: Seat
    best: float
    worst: float
    shown: ReviewedDecision
    mistake: tuple[object, ...]


def review_game(table: Table, coach: Manager, evaluator: Evaluator, wanted: AbortCheck) -> Mapping[Seat, SeatReview]:
    """Return the review of each seat that plays, people's and computers'. {} before the end of the game.

    coach: rates the answers. It and the evaluator must have studied the cards.
    wanted: called before each decision and each position that is rated.

    Only positions with a win probability count. Answers that were undone or corrected, and those that the coach does
    not rate, do not appear. Calls, draws and races are neither decisions nor luck.
    """
    if not table.outcome:
        return {}
    rated, luck = list[RatedAnswer](), dict.fromkeys(SEATS, 0.0)
    hidden, is_open = table.hidden_numbers(), True
    several = _game_number(table) > 1
    steps = table.replay_from(0)
    now = next(steps)
    wanted()
    view = now.view_for(None)
    win = home_win_probability(evaluator, view)
    for place, one in enumerate(table.answers):
        is_open = is_open and one.n not in hidden
        plays, expected = view.scoreboard.plays, None
        if win is not None:
            seat = one.ask.seat
            seen = now.view_for(seat) if is_open else replace(view, seat=seat)
            wanted()
            rated += _rated_answers(place, one, seen, coach, _game_number(now) if several else None)
            expected = _mean_after_roll(now, one, evaluator, wanted, win) if is_open else win
        next(steps, None)
        wanted()
        view = now.view_for(None)
        win = home_win_probability(evaluator, view)
        if expected is not None and win is not None and isinstance(one.ask, Roll | Reroll):
            for seat, side in plays.items():
                luck[seat] += win - expected if side == "home" else expected - win
    sides, plays = view.scoreboard.sides, view.scoreboard.plays
    decisions = list(_with_second_thoughts(rated))
    return {
        seat: _seat_review(sides[plays[seat]].name, [one for one in decisions if one.seat == seat], luck[seat])
        for seat in SEATS
        if seat in plays
    }


def _game_number(table: Table) -> int:
    """The number of the last game that has begun in a season or series, from 1."""
    lines = table.play_log_lines()
    return lines[-1].game if lines else 1


def _rated_answers(
    place: int, one: CurrentAnswer, view: TableView, coach: Manager, game: int | None
) -> Iterator[RatedAnswer]:
    """Rate an answer if a manager would decide it.

    view: what the seat saw, or what spectators saw, who do not see the options of a secret ask.
    game: the number of the game in a season or series, None if there is only one.
    """
    ask = next(ask for ask in view.asks if ask.n == one.n)
    if not is_manager_ask(ask):
        return
    with MANAGER_LOCK:
        weighed = coach.weigh_answers(view, ask)
    value, board = _answer_value(one), view.scoreboard
    best, worst = max(weighed, key=lambda each: each.win), min(each.win for each in weighed)
    is_fielding = board.plays.get(one.ask.seat) != board.batting
    when = board.pitcher if board.pitcher and is_fielding else (board.inning, board.half)
    for given in weighed:
        if given.value == value:
            yield RatedAnswer(
                place,
                one.ask.seat,
                best.win,
                worst,
                ReviewedDecision(
                    one.n,
                    board.inning,
                    board.half,
                    situation_summary(scoreboard_situation(board), one.n),
                    ask.sentence,
                    answer_text(ask, value),
                    answer_text(ask, best.value),
                    best.win - given.win,
                    best.reason,
                    game,
                ),
                (game, when, one.ask.why, repr(value), repr(best.value)),
            )


def _with_second_thoughts(rated: Sequence[RatedAnswer]) -> Iterator[RatedAnswer]:
    """Yield the answers with what they cost in the end.

    After an answer that is at once followed by another question to the same seat, such as whether it really banks no
    run, all is still open that this question offers. So no loss is counted twice.
    """
    for one, then in zip_longest(rated, rated[1:]):
        cost = one.shown.cost
        if then is not None and then.place == one.place + 1 and then.seat == one.seat:
            cost = max(0.0, min(cost, one.best - then.best))
        yield replace(one, shown=replace(one.shown, cost=cost))


def _seat_review(name: str, rated: Sequence[RatedAnswer], luck: float) -> SeatReview:
    mattered = [one for one in rated if one.best - one.worst >= MIN_GAIN]
    lost = sorted((one for one in mattered if one.shown.cost >= MIN_GAIN), key=lambda one: one.shown.cost)
    different = {one.mistake: one.shown for one in lost}  # the most expensive of each kind comes last and stays
    stake = sum(one.best - one.worst for one in mattered)
    return SeatReview(
        name,
        len(mattered),
        len(mattered) - len(lost),
        1 - sum(one.shown.cost for one in lost) / stake if lost else 1.0,
        sum(one.shown.cost for one in rated),
        sorted(different.values(), key=lambda shown: -shown.cost)[:MAX_WORST_DECISIONS],
        luck,
    )


def _answer_value(one: CurrentAnswer) -> Any:
    """The answer as managers give it: of a reroll, the indexes of the dice."""
    if isinstance(one.ask, Reroll):
        return [place for place, face in enumerate(one.value) if face is not None]
    return one.value


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
