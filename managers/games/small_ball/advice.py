"""The managers of Small Ball: what they choose, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from engine.ask_views import AnyAskView, ChooseView
from engine.cards import cards_of
from engine.games.small_ball.cards import COLOURS, teams
from engine.games.small_ball.state import PINCH
from engine.seats import SEATS
from engine.views import TableView
from managers.games.small_ball import beginner
from managers.games.small_ball.half import Half
from managers.games.small_ball.judges import Judge, Perfect, Runs
from managers.games.small_ball.options import Outlook
from managers.games.small_ball.position import Position, position
from managers.games.small_ball.reasons import reason
from managers.manager import Manager, Setup, Strength, Weighed, best, blurred

Shared = Callable[[Position | None, Sequence[Weighed]], list[Weighed]]
"""Sets the shares of answers with known chances, in a position, which is None before the game."""
BLUR = 0.005
"""A regular chooses an answer whose chance is lower by this `e` times less often."""
WITHIN_A_HALF = ("decision", "swing", "pinch-after", "bank-nothing")


def make(setup: Setup, strength: Strength) -> Manager:
    """Return a manager of this strength. The all-star studies the cards first, for some seconds."""
    if strength == "all-star":
        perfect = Perfect(setup)
        perfect.study()
        return SmallBall(setup, perfect)
    return SmallBall(setup, Runs(), beginner.shared if strength == "rookie" else sensible)


def sensible(now: Position | None, weighed: Sequence[Weighed]) -> list[Weighed]:
    """Return the answers with the shares of somebody who sees what they are worth, but not to the last bit."""
    return blurred(weighed, BLUR)


def chosen(now: Position | None, weighed: Sequence[Weighed]) -> list[Weighed]:
    """Return the answers with all of the share on the best."""
    return best(weighed)


class SmallBall:
    """Looks through all that can happen in a half-inning, to what its judge makes of its end. `shared` chooses."""

    def __init__(self, setup: Setup, judge: Judge, shared: Shared = chosen) -> None:
        self._judge, self._shared = judge, shared
        self._teams = teams(cards_of(setup.decks), setup.house)
        self._halves = {colour: Half(self._teams[colour], setup.house) for colour in COLOURS}
        self._outlook = lru_cache(maxsize=32)(self._solve)

    def weigh(self, view: TableView, ask: AnyAskView) -> Sequence[Weighed]:
        """Return every option with its chance to win."""
        assert isinstance(ask, ChooseView)
        options = [option.value for option in ask.options]
        if ask.why == "away-team":
            return self._shared(None, [Weighed(one, self._away(one)) for one in options])
        if ask.why not in (*WITHIN_A_HALF, "reactivate"):
            return best([Weighed(one, 0.5) for one in options])
        away, now = view.scoreboard.sides["away"].colour, position(view.scoreboard)
        if ask.why == "reactivate":
            weighed = [self._back(away, now, SEATS.index(ask.seat), one) for one in options]
        else:
            # Asked again whether to stop with nothing, a manager must not waver: of equal answers it takes the last.
            ordered = options[::-1] if ask.why == "bank-nothing" else options
            weighed = self._within(away, now, ask.why, ordered)
        return self._shared(now, weighed)

    def _away(self, option: str) -> float:
        """Return the chance of away before the game, if it plays this color or leaves that to the die (A17)."""
        if option == "coin-flip":
            return sum(self._judge.before(colour) for colour in COLOURS) / len(COLOURS)
        return self._judge.before(option)

    def _back(self, away: str, now: Position, side: int, option: str) -> Weighed:
        """Return the chance of a side that takes this pinch hitter back, or none."""
        used = now.used[side] & ~(1 << PINCH.index(option) if option in PINCH else 0)
        return Weighed(option, self._judge.back(away, now, side, used), reason=reason(now, "reactivate", option))

    def _within(self, away: str, now: Position, why: str, options: list[str]) -> list[Weighed]:
        """Return the options of the side at bat with their chances."""
        outlook = self._outlook(away, now.opening)
        chances = {one: self._judge.chance(now, outlook.worth(now, why, one)) for one in options}
        return [Weighed(one, chance, reason=reason(now, why, one)) for one, chance in chances.items()]

    def _solve(self, away: str, now: Position) -> Outlook:
        """Return the half that begins at `now`, solved."""
        colour = away if now.side == 0 else next(one for one in COLOURS if one != away)
        half, ends = self._halves[colour], self._judge.ends(away, now)
        layers = tuple(half.solve(ends, np.array([now.first])))[::-1]
        return Outlook(half, self._teams[colour], ends, layers)
