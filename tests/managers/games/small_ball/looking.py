"""Looks ahead through the rules themselves: every answer and every face, play by play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import Phase
from hypothesis import strategies as st

from engine.asks import Choose, Roll
from engine.cards import Deck, parse_deck
from engine.game import HouseRule
from engine.games.small_ball import GAME
from engine.games.small_ball.cards import CARD_SHAPES, EXTRA_CODES, PRINTED_CODES
from engine.games.small_ball.rules import next_play
from engine.games.small_ball.state import State
from engine.seats import Seat
from managers.games.small_ball.half import ValueLayer
from managers.games.small_ball.transitions import state_index
from managers.games.small_ball.win_table import WinTable

FOUND = (Phase.explicit, Phase.reuse, Phase.generate)
"""Examples are not made smaller: each takes a second, and what is found says enough."""

Worth = Callable[[State], float]
"""What a state between two plays is worth to the seat that is asked."""


def run(state: State, answers: Sequence[Any]) -> tuple[Any, State]:
    """Return the ask that is open after these answers from a state between two plays, None after the play; and the
    state then.
    """
    now = state.copy()
    now.news = ()
    play = next_play(now)(now)
    try:
        ask = next(play)
        for answer in answers:
            ask = play.send(answer)
    except StopIteration:
        return None, now
    return ask, now


def look(state: State, answers: Sequence[Any], worth: Worth) -> float:
    """Return what it is worth to have given these answers, if all others are the best and the die is fair.

    To go on after all, asked whether to bank nothing, changes nothing: it is left out.
    """
    ask, now = run(state, answers)
    match ask:
        case None:
            return worth(now)
        case Roll():
            return sum(look(state, [*answers, (face,)], worth) for face in range(1, 7)) / 6
        case Choose(options=options):
            return max(look(state, [*answers, option], worth) for option in options if option != "bat-on")
    raise AssertionError(ask)


def used_set(state: State, side: int) -> int:
    """Return the used pinch hitters of a side: 1 for the first plus 2 for the second."""
    return sum(1 << i for i in state.used[side])


class BruteForce:
    """The worth of every state of one half-inning, by trying everything. `end` is the worth once it is over."""

    def __init__(self, end: Worth) -> None:
        self._end = end
        self._known: dict[Any, float] = {}

    def worth(self, state: State) -> float:
        """Return the worth of a state between two plays. Which players are where does not matter: each has batted."""
        occupied = tuple(runner is not None for runner in state.bases)
        place = (state.batted, state.outs, occupied, len(state.scored), state.stolen, state.due, state.used)
        if place not in self._known:
            clock = state.clock

            def after(now: State) -> float:
                return self._end(now) if now.outcome or now.clock != clock else self.worth(now)

            self._known[place] = look(state, (), after)
        return self._known[place]


def houses(**fixed: str) -> st.SearchStrategy[dict[str, str]]:
    """Return house rules of every kind; some may be fixed."""

    def values(rule: HouseRule) -> st.SearchStrategy[str]:
        return st.just(fixed[rule.key]) if rule.key in fixed else st.sampled_from(rule.values)

    return st.fixed_dictionaries({rule.key: values(rule) for rule in GAME.house_rules})


@st.composite
def decks(draw: st.DrawFn, house: Mapping[str, str]) -> Deck:
    """Return a deck of any legal cards, with doubled names."""
    codes = PRINTED_CODES if house["extraCodes"] == "false" else PRINTED_CODES + EXTRA_CODES
    lines = ['[deck]\ngame = "small-ball"\ntitle = "Any"\n']
    for colour in ("red", "blue"):
        for number in range(1, 10):
            results = draw(st.lists(st.sampled_from(codes), min_size=6, max_size=6))
            lines.append(f'[[player]]\nteam = "{colour}"\nnumber = {number}\nname = "Same"\nresults = {results}\n')
        for kind in ("POWER", "ON-BASE"):
            turns = draw(st.none() | st.dictionaries(*[st.sampled_from(PRINTED_CODES + EXTRA_CODES)] * 2, min_size=1))
            own = "" if turns is None else "turns = {" + ", ".join(f'"{a}" = "{b}"' for a, b in turns.items()) + "}\n"
            lines.append(f'[[pinch]]\nteam = "{colour}"\nname = "Same"\nkind = "{kind}"\n{own}')
    return parse_deck("".join(lines), "any.toml", "small-ball", CARD_SHAPES)


class Successors:
    """The chance to win after a play: of a half under way by its layers, between two halves by the table."""

    def __init__(self, table: WinTable) -> None:
        self._table = table
        self._layers = lru_cache(maxsize=64)(self._solve)

    def of(self, seat: Seat) -> Worth:
        """Return the worth of a state between two plays to this seat."""
        return lambda state: self.away(state) if seat == "away" else 1 - self.away(state)

    def away(self, state: State) -> float:
        """Return away's chance to win."""
        if state.outcome:
            return float(state.outcome.winner == "away")
        if state.reactivating:
            return self._reactivate(state)
        side, inning = state.side_index, state.clock.inning
        lead = state.score[side] - state.score[1 - side]
        mine, its = ((state.due[one] - 1, used_set(state, one)) for one in (side, 1 - side))
        if not state.batted and not state.stolen and not state.outs:
            chances = self._table.half_start_probabilities(inning, side).probabilities_for_lead(lead)
            found = chances if isinstance(chances, float) else float(chances[(*mine, *its)])
        else:
            layers = self._layers(inning, side, lead, (mine[0] - state.batted) % 9, its)
            layer = layers[state.batted].stolen if state.stolen else layers[state.batted].fresh
            found = float(layer[0, mine[1], state_index(state.outs, state.bases), 0])
        return 1 - found if side else found

    def _reactivate(self, state: State) -> float:
        ask, _ = run(state, ())
        after = [self.away(run(state, (option,))[1]) for option in ask.options]
        return max(after) if ask.seat == "away" else min(after)

    def _solve(self, inning: int, side: int, lead: int, lead_off: int, its: tuple[int, int]) -> list[ValueLayer]:
        ends = self._table.end_values_by_runs(inning, side, lead, its)
        return [*self._table.halves[side].solve_layers(ends, np.array([lead_off]))][::-1]
