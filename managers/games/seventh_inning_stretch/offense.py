"""Decisions of the side at bat: dice, tokens, steals, extra bases, outcomes and pinch hitters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.ask_views import AnyAskView, ChooseView, RerollView
from engine.games.seventh_inning_stretch.dice.goals import dice_after_nudge
from engine.games.seventh_inning_stretch.innings.outcomes import HIT_BASES, OUTCOMES_BEST_FIRST
from engine.games.seventh_inning_stretch.innings.pool import ROLL_PURPOSES
from managers.games.seventh_inning_stretch.half import (
    MAX_POOL_DICE,
    MAX_POOL_TOKENS,
    OUT_OUTCOME,
    ValueTable,
    bases_after_advance,
    runners_safe_chance,
    state_after_outcome,
)
from managers.games.seventh_inning_stretch.hands import (
    FloatArray,
    all_hands,
    hand_chances,
    hand_row,
    reroll_options,
    values_after_reroll,
    values_with_tokens,
)
from managers.games.seventh_inning_stretch.lines import met_outcome_bits, open_lines
from managers.games.seventh_inning_stretch.outlook import MAX_HALF_RUNS, StretchOutlook
from managers.games.seventh_inning_stretch.position import StretchPosition, capped_pool

BASES_BY_STEAL = {"steal-second": 2, "steal-third": 3}

MIN_VETERAN_GAIN = 0.015
"""Minimum gain in win probability for a call for the veteran's die, which has five or six uses in a season."""

MAX_WEIGHED_DICE = 8  # Maximum number of dice weighed for an at-bat. More are rarely better.

HandValueFunction = Callable[[int, int], FloatArray]
"""Win probabilities of all hands, given the spent rerolls and nudges."""
OptionValues = list[tuple[str, float]]

PoolValueFunction = Callable[[Sequence[int]], float]  # Win probability, given the rest of the pool.

AttemptValues = tuple[PoolValueFunction, PoolValueFunction]  # Values of a success and of a failure.


class OffenseOptions:
    """Options of a batter's turn, rated by the win probability of the side at bat."""

    def __init__(self, position: StretchPosition, outlook: StretchOutlook) -> None:
        self.position, self.half = position, outlook.current_half_values()
        self._ends = outlook.win_probabilities_by_runs(MAX_HALF_RUNS) if self.half.linear else ()
        squad = position.batting_squad
        self.turn = self.half.turns[squad.due]
        self.card = position.batter_card(squad.order[squad.due])
        self.bits = position.bases_mask()
        self.rules = self.half.rules
        self.at = position.guard_facts()

    # Values ------------------------------------------------------------------------------------------------------

    def _win_probability(self, values: ValueTable, outs: int, bases: int, pool: Sequence[int], more: int = 0) -> float:
        """Return the win probability with these outs, bases and pool, after `more` runs in this half."""
        runs = self.position.scored + more
        return self._value_as_chance(float(values[(self.half.state_rows.state_row(outs, bases, runs), *pool)]), more)

    def _value_as_chance(self, value: float, more: int = 0) -> float:
        """Convert a table value to a win probability. Expected runs count with those already in and `more`."""
        if not self.half.linear:
            return value
        return _interpolated_value(self._ends, self.position.scored + more + value)

    def _pool_after_spending(self, rerolls: int, nudges: int, dice: int = 0) -> tuple[int, int, int]:
        have = self.position.pool
        return capped_pool((have[0] - dice, have[1] - rerolls, have[2] - nudges), MAX_POOL_DICE)

    def outcome_value(self, outcome: str, pool: tuple[int, int, int]) -> float:
        """Return the win probability after an outcome. Runners may try for an extra base."""
        outs, bases, runs = state_after_outcome(self.position.outs, self.bits, outcome)
        held = self._win_probability(self.turn.after, outs, bases, pool, runs)
        by = HIT_BASES.get(outcome, 0)
        if by not in (1, 2, 3) or not self.rules.extra_bases:
            return held
        return max([held, *(worth for _, worth in self._extra_base_values(outs, bases, by, pool, runs))])

    def _extra_base_values(
        self, outs: int, bases: int, base: int, pool: tuple[int, int, int], more: int
    ) -> Iterator[tuple[int, float]]:
        """Yield the number of dice and the win probability of each attempt at an extra base after a hit."""
        if not bases & ~(1 << base - 1) or outs > 2:
            return
        safe, fail = self._extra_base_end_values(outs, bases, base, more)
        free = self.rules.coach_runs
        for count in range(1, min(pool[0] + free, self.rules.limit) + 1):
            left = (pool[0] - count + free, *pool[1:])
            odds = runners_safe_chance(outs, count)
            yield count, odds * safe(left) + (1 - odds) * fail(left)

    def _extra_base_end_values(self, outs: int, bases: int, base: int, more: int) -> AttemptValues:
        mine = 1 << base - 1
        earlier = bases & ~mine
        on, home = bases_after_advance(earlier, 1)
        among = bases if self.rules.any_runner else earlier
        then = self.turn.after
        bad = [bases & ~bit for bit in (1, 2, 4) if among & bit]
        return (
            lambda left: self._win_probability(then, outs, on | mine, left, more + home),
            lambda left: max(self._win_probability(then, outs + 1, one, left, more) for one in bad),
        )

    def _steal_end_values(self, base: int) -> AttemptValues:
        start, goal, outs = 1 << base - 2, 1 << base - 1, self.position.outs
        on = (self.bits & ~start | goal) if base == 2 else bases_after_advance(self.bits, 1)[0]
        among = [start] if base == 2 else [bit for bit in (1, 2, 4) if self.bits & bit]
        bats = self.turn.without_steal
        bad = [self.bits & ~bit for bit in among]
        return (
            lambda left: self._win_probability(bats, outs, on, left),
            lambda left: max(self._win_probability(bats, outs + 1, one, left) for one in bad),
        )

    # How many dice -----------------------------------------------------------------------------------------------

    def swing_value(self, count: int, bonus: int = 0) -> float:
        """Return the win probability of throwing this many dice, with `bonus` dice added to the pool."""
        if not count:
            return self.outcome_value(
                OUT_OUTCOME, capped_pool((self.position.pool[0] + bonus, *self.position.pool[1:]), MAX_POOL_DICE)
            )
        keep = self._at_bat_value_function(count, count - self.position.coach - bonus)
        again, turns = self._usable_tokens(None)
        best = values_with_tokens(keep, count, again, turns)[again, turns]
        return float(hand_chances(count) @ best)

    def _usable_tokens(self, ask: ChooseView | None) -> tuple[int, int]:
        """Return the number of rerolls and nudges that may be spent on a throw, or with an ask on the current dice."""
        _, rerolls, nudges = self.position.pool
        if ask is not None:
            rerolls = rerolls if any(one.value == "reroll" for one in ask.options) else 0
            nudges = nudges if any(one.value.endswith(("-up", "-down")) for one in ask.options) else 0
        else:
            rerolls, nudges = rerolls * self.rules.rerolls, nudges * self.rules.nudges
        most = 1 if self.position.house["tokensPerRoll"] == "oneEach" else 3
        return min(rerolls, most), min(nudges, most)

    def _at_bat_value_function(self, count: int, dice: int) -> HandValueFunction:
        """Return the values of the at-bat's hands. The throw costs `dice` of the pool."""
        lines = open_lines(self.card, self.at)
        bits = met_outcome_bits(lines, count, self.rules.best)

        def hand_values(rerolls: int, nudges: int) -> FloatArray:
            pool = self._pool_after_spending(rerolls, nudges, dice)
            worths = {
                outcome: self.outcome_value(outcome, pool) for outcome in (OUT_OUTCOME, *{one.outcome for one in lines})
            }
            return best_outcome_values(bits, worths)

        return hand_values

    def _runner_value_function(
        self,
        count: int,
        face: int,
        ends: AttemptValues,
        dice: int,
    ) -> HandValueFunction:
        safe = np.array([hand[-1] >= face for hand in all_hands(count)])

        def hand_values(rerolls: int, nudges: int) -> FloatArray:
            pool = self._pool_after_spending(rerolls, nudges, dice)
            return np.where(safe, ends[0](pool), ends[1](pool))

        return hand_values

    def runner_dice_value(self, count: int, face: int, ends: AttemptValues) -> float:
        if not count:
            return ends[1](self._pool_after_spending(0, 0))
        keep = self._runner_value_function(count, face, ends, count - self.position.coach)
        again, turns = self._usable_tokens(None)
        return float(hand_chances(count) @ values_with_tokens(keep, count, again, turns)[again, turns])

    # Asks --------------------------------------------------------------------------------------------------------

    def weigh_at_bat(self, ask: ChooseView) -> OptionValues:
        numbers = [int(one.value) for one in ask.options if one.value.isdigit() and int(one.value) <= MAX_WEIGHED_DICE]
        found = [(str(number), self.swing_value(number)) for number in numbers]
        for one in ask.options:
            if base := BASES_BY_STEAL.get(one.value):
                ends = self._steal_end_values(base)
                ready = self.position.pool[0] + self.position.coach
                some = range(1, min(ready, self.rules.limit, 5) + 1)
                tried = [self.runner_dice_value(count, 5 if base == 2 else 6, ends) for count in some]
                found.append((one.value, max(tried, default=ends[1](self._pool_after_spending(0, 0)))))
        if any(one.value == "veteran" for one in ask.options):
            most = max(numbers)
            more = min(most + 1, self.rules.limit)
            found.append(("veteran", max(self.swing_value(most, 1), self.swing_value(more, 1)) - MIN_VETERAN_GAIN))
        return found

    def weigh_steal(self, ask: ChooseView) -> OptionValues:
        base = BASES_BY_STEAL[ask.why.removesuffix("-dice")]
        ends = self._steal_end_values(base)
        return self._weigh_runner_dice(ask, 5 if base == 2 else 6, ends)

    def weigh_extra_base(self, ask: ChooseView) -> OptionValues:
        base = self._base_after_hit()
        outs = self.position.outs
        ends = self._extra_base_end_values(outs, self.bits, base, 0)
        held = self._win_probability(self.turn.after, outs, self.bits, self._pool_after_spending(0, 0))
        return [("hold", held), *self._weigh_runner_dice(ask, 5 if outs == 2 else 6, ends)]

    def _weigh_runner_dice(
        self,
        ask: ChooseView,
        face: int,
        ends: AttemptValues,
    ) -> OptionValues:
        codes = [one.value for one in ask.options]
        found = [(code, self.runner_dice_value(int(code), face, ends)) for code in codes if code.isdigit()]
        if "veteran" in codes:
            found.append(
                (
                    "veteran",
                    max([worth for _, worth in found], default=ends[1](self._pool_after_spending(0, 0)))
                    - MIN_VETERAN_GAIN,
                )
            )
        return found

    def _base_after_hit(self) -> int:
        return next((base for base, name in enumerate(self.position.bases, 1) if name == self.position.batter), 1)

    def weigh_outcomes(self, ask: ChooseView) -> OptionValues:
        return [(one.value, self.outcome_value(one.value, self._pool_after_spending(0, 0))) for one in ask.options]

    def weigh_runner_out(self, ask: ChooseView) -> OptionValues:
        """Weigh the runner who is out after a failure. After a steal the same batter continues, else the next one."""
        then = self.turn.after if self._throw_purpose(ask) == "extra-base-roll" else self.turn.without_steal
        pool = self._pool_after_spending(0, 0)
        found = []
        for one in ask.options:
            bit = next((1 << at for at, name in enumerate(self.position.bases) if name == one.value), 0)
            found.append((one.value, self._win_probability(then, self.position.outs + 1, self.bits & ~bit, pool)))
        return found

    def _throw_purpose(self, ask: AnyAskView) -> str:
        """Return the purpose of the current throw: a key of `ROLL_PURPOSES`, "resources" or "swing"."""
        for why, words in ROLL_PURPOSES.items():
            if ask.sentence.startswith((f"{words}: ", f"{words} failed")):
                return why
        card = self.position.box.batters[self.card.name] if self.card.name else None
        batter = self.position.batter
        on_plate = any(line["hope"] is not None for line in (self.position.panel["card"] or {"lines": ()})["lines"])
        rolled = card is not None and card.dice.needs_die_roll and len(self.position.dice) == 1 and not on_plate
        return "resources" if rolled and batter else "swing"

    def turn_value(self) -> float:
        """Return the win probability before the batter gathers dice and tokens."""
        return self._win_probability(
            self.turn.before_gathering, self.position.outs, self.bits, self._pool_after_spending(0, 0)
        )

    def thrown_dice_value(self, why: str, count: int) -> float:
        """Return the win probability of an open throw of `count` dice for this purpose."""
        again, turns = self._usable_tokens(None)
        values = values_with_tokens(self._hand_value_function(why, count), count, again, turns)[again, turns]
        return float(hand_chances(count) @ values)

    def _throw_value_function(self, ask: AnyAskView, count: int) -> HandValueFunction:
        """Return the values of the current throw's hands."""
        return self._hand_value_function(self._throw_purpose(ask), count)

    def _hand_value_function(self, why: str, count: int) -> HandValueFunction:
        """Return the values of the hands of a throw for this purpose. Its dice have already left the pool."""
        if why == "swing":
            return self._at_bat_value_function(count, 0)
        if why == "resources":
            return self._gathering_value_function()
        if why == "extra-base-roll":
            ends = self._extra_base_end_values(self.position.outs, self.bits, self._base_after_hit(), 0)
            return self._runner_value_function(count, 5 if self.position.outs == 2 else 6, ends, 0)
        base = BASES_BY_STEAL[why]
        return self._runner_value_function(count, 5 if base == 2 else 6, self._steal_end_values(base), 0)

    def _gathering_value_function(self) -> HandValueFunction:
        """Return the values of the die that determines a batter's dice."""

        def hand_values(rerolls: int, nudges: int) -> FloatArray:
            have = self.position.pool
            some = []
            for face in range(1, 7):
                dice = have[0] + self.card.dice.dice_count(self.at, face)
                tokens = have[1] - rerolls + self.card.rerolls, have[2] - nudges + self.card.nudges
                pool = capped_pool((dice, *tokens), MAX_POOL_DICE)
                some.append(self._win_probability(self.turn.ready, self.position.outs, self.bits, pool))
            return np.array(some)

        return hand_values

    def weigh_tokens(self, ask: ChooseView) -> OptionValues:
        faces = self.position.dice
        again, turns = self._usable_tokens(ask)
        found = values_with_tokens(self._throw_value_function(ask, len(faces)), len(faces), again, turns)
        here = hand_row(faces)
        worths = []
        for one in ask.options:
            match one.value:
                case "keep":
                    worths.append(("keep", float(self._throw_value_function(ask, len(faces))(0, 0)[here])))
                case "reroll":
                    value = values_after_reroll(found[again - 1, turns], len(faces))[here]
                    worths.append(("reroll", float(value)))
                case "veteran":
                    worths.append(("veteran", -1.0))
                case code:
                    worths.append((code, float(found[again, turns - 1][hand_row(dice_after_nudge(faces, code))])))
        kept = dict(worths)["keep"]
        return [(code, worth if code != "veteran" else kept - MIN_VETERAN_GAIN) for code, worth in worths]

    def weigh_reroll(self, ask: RerollView) -> list[tuple[list[int], float]]:
        """Weigh the dice to reroll, after the token is spent."""
        faces = tuple(int(face) for face in ask.faces)
        _, rerolls, nudges = self.position.pool
        one_each = self.position.house["tokensPerRoll"] == "oneEach"
        again = 0 if one_each or not self.rules.rerolls else min(rerolls, MAX_POOL_TOKENS)
        turns = min(nudges, 1 if one_each else 3) * self.rules.nudges
        values = values_with_tokens(self._throw_value_function(ask, len(faces)), len(faces), again, turns)[again, turns]
        return [(list(places), worth) for worth, places in reroll_options(values, faces)]

    def weigh_batters(self, ask: ChooseView) -> OptionValues:
        pool = self._pool_after_spending(0, 0)
        found = []
        for one in ask.options:
            if one.value == "bats":
                found.append(("bats", self.turn_value()))
            else:
                card = self.position.batter_card(one.value)
                row = self.half.state_rows.state_row(self.position.outs, self.bits, self.position.scored)
                found.append((one.value, self._value_as_chance(self.half.substitute_value(card, self.turn, row, pool))))
        return found


def _interpolated_value(values: Sequence[float], at: float) -> float:
    """Interpolate linearly between `values`, which are constant after the last one."""
    low = int(at)
    if low >= len(values) - 1:
        return values[-1]
    return values[low] + (values[low + 1] - values[low]) * (at - low)


def best_outcome_values(bits: NDArray[np.int64], worths: Mapping[str, float]) -> FloatArray:
    """Return, for each hand, the value of its best outcome, or of an out if it has none."""
    size = 1 << len(OUTCOMES_BEST_FIRST)
    table = np.full(size, worths[OUT_OUTCOME])
    for code in np.unique(bits):
        some = [worths[outcome] for at, outcome in enumerate(OUTCOMES_BEST_FIRST) if int(code) >> at & 1]
        if some:
            table[int(code)] = max(some)
    found: FloatArray = table[np.asarray(bits)]
    return found
