"""Backward induction over a half-inning's batters, outs, runners, runs, dice and tokens.

For each batter, position and pool it has the value of the half under optimal play. That includes every number of dice,
nudges and one reroll of each throw, steals and extra bases. Greater pools count as `MAX_POOL_DICE` dice and
`MAX_POOL_TOKENS` tokens of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.seventh_inning_stretch.cards import StretchBatter
from engine.games.seventh_inning_stretch.dice.conditions import CardLine, GuardFacts
from engine.games.seventh_inning_stretch.innings.outcomes import HIT_BASES, OUTCOMES_BEST_FIRST
from managers.games.seventh_inning_stretch.hands import IndexArray
from managers.games.seventh_inning_stretch.lines import ChanceArray, open_lines, throw_distribution

MAX_POOL_DICE = 7  # Maximum of dice of a pool in the tables.
MAX_POOL_TOKENS = 2  # Maximum of tokens of a kind in the tables.
MAX_THROWN_DICE = 5  # Maximum of dice in one throw.
MAX_RUNNER_DICE = 3  # Maximum of dice thrown for runners in later halves.
RUN_HORIZON_BATTERS = 7  # Number of batters beyond the order that are solved exactly for runs.
WIN_HORIZON_BATTERS = 3  # Number of batters beyond the order that are solved exactly for win probabilities.

ValueTable = NDArray[np.float32]

POOL_SHAPE = (MAX_POOL_DICE + 1, MAX_POOL_TOKENS + 1, MAX_POOL_TOKENS + 1)
"""Shape of the pools, by dice, rerolls and nudges."""

OUT_OUTCOME = ""


@dataclass(frozen=True, slots=True)
class BattingRules:
    """House rules, coach and playoff card of a side at bat."""

    any_runner: bool = True
    best: bool = False
    coach: bool = False
    coach_runs: bool = False
    rerolls: bool = True
    nudges: bool = True
    steals: bool = True
    extra_bases: bool = True
    limit: int = 12


@dataclass(frozen=True, slots=True)
class HalfEndValues:
    """Values of the end of a half.

    lead: of the side before the half.
    worths: values by the half's runs from 0; the last one includes more. If empty, the value is the number of runs.
    walk_off: True if a lead wins at once.
    """

    inning: int
    lead: int = 0
    values_by_runs: tuple[float, ...] = ()
    walk_off: bool = False

    @property
    def run_total_count(self) -> int:
        return max(1, len(self.values_by_runs))


def bases_after_advance(bases: int, by: int) -> tuple[int, int]:
    """Return the bases, as bits from first to third, and the runs after all runners advance `by` bases."""
    return bases << by & 7, (bases << by >> 3).bit_count()


def state_after_outcome(outs: int, bases: int, outcome: str) -> tuple[int, int, int]:
    """Return outs, bases and runs after an outcome (see `engine` `outcomes.outcome_effect`)."""
    if outcome == OUT_OUTCOME:
        return outs + 1, bases, 0
    if outcome == "walk":
        if bases == 7:
            return outs, 7, 1
        return outs, bases | (bases + 1 & ~bases), 0
    if outcome == "sacrifice":
        return (outs + 1, *bases_after_advance(bases, 1)) if outs < 2 else (3, bases, 0)
    by = HIT_BASES[outcome]
    on, runs = bases_after_advance(bases, by)
    return (outs, on, runs + 1) if by == 4 else (outs, on | 1 << by - 1, runs)


def runners_safe_chance(outs: int, count: int, steal: int = 0) -> float:
    """Return the chance that runners are safe with `count` dice. `steal` is the stolen base, 0 for an extra base."""
    needs = {0: 5 if outs == 2 else 6, 2: 5, 3: 6}[steal]
    return 1.0 - float((needs - 1) / 6) ** count


class HalfStateRows:
    """Rows for outs (3 is the end), bases and runs so far, and the transitions of outcomes between them."""

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.count = 4 * 8 * runs
        self.outs, self.bases, self.scored = np.unravel_index(np.arange(self.count), (4, 8, runs))
        self.to = {outcome: self._outcome_rows(outcome) for outcome in (OUT_OUTCOME, *OUTCOMES_BEST_FIRST)}

    def state_row(self, outs: int, bases: int, runs: int) -> int:
        """Return the row of a position. Runs beyond the table are clipped."""
        return (min(outs, 3) * 8 + bases) * self.runs + min(runs, self.runs - 1)

    def target_rows(self, found: Sequence[tuple[int, int, int]]) -> tuple[IndexArray, ChanceArray]:
        """Return the target row and the runs of each transition. `found` has outs, bases and runs for each row."""
        to = [
            self.state_row(outs, bases, int(so_far) + more)
            for (outs, bases, more), so_far in zip(found, self.scored, strict=True)
        ]
        return np.array(to, dtype=np.intp), np.array([more for _, _, more in found], dtype=np.float32)

    def _outcome_rows(self, outcome: str) -> tuple[IndexArray, ChanceArray]:
        return self.target_rows(
            [
                (3, int(bases), 0) if outs == 3 else state_after_outcome(int(outs), int(bases), outcome)
                for outs, bases in zip(self.outs, self.bases, strict=True)
            ]
        )


@cache
def half_state_rows(runs: int) -> HalfStateRows:
    return HalfStateRows(runs)


@dataclass(frozen=True, slots=True)
class RunnerAttempts:
    """Rows from which runners may go, rows and runs after success, and rows after failure, best choice first."""

    rows: IndexArray
    safe: IndexArray
    runs: ChanceArray
    fails: IndexArray


@cache
def extra_base_attempts(runs: int, base: int, any_runner: bool) -> RunnerAttempts:
    """Return the attempts at an extra base after a hit that took the batter to `base`."""
    of, rows, safe, more, fails = half_state_rows(runs), [], [], [], []
    for at, (outs, bases, scored) in enumerate(zip(of.outs, of.bases, of.scored, strict=True)):
        mine = 1 << base - 1
        earlier = int(bases) & ~mine
        if outs == 3 or not bases & mine or not earlier:
            continue
        on, home = bases_after_advance(earlier, 1)
        among = [bit for bit in (1, 2, 4) if (int(bases) if any_runner else earlier) & bit]
        lost = [of.state_row(int(outs) + 1, int(bases) & ~bit, int(scored)) for bit in among]
        rows.append(at)
        safe.append(of.state_row(int(outs), on | mine, int(scored) + home))
        more.append(home)
        fails.append([*lost, *lost[:1] * 3][:3])
    return _build_attempts(rows, safe, more, fails)


@cache
def steal_attempts(runs: int, base: int) -> RunnerAttempts:
    of, rows, safe, fails = half_state_rows(runs), [], [], []
    for at, (outs, bases, scored) in enumerate(zip(of.outs, of.bases, of.scored, strict=True)):
        start, goal = 1 << base - 2, 1 << base - 1
        if outs == 3 or not bases & start or bases & goal:
            continue
        on = (int(bases) & ~start | goal) if base == 2 else bases_after_advance(int(bases), 1)[0]
        among = [start] if base == 2 else [bit for bit in (1, 2, 4) if int(bases) & bit]
        lost = [of.state_row(int(outs) + 1, int(bases) & ~bit, int(scored)) for bit in among]
        rows.append(at)
        safe.append(of.state_row(int(outs), on, int(scored)))
        fails.append([*lost, *lost[:1] * 3][:3])
    return _build_attempts(rows, safe, [0] * len(rows), fails)


def _build_attempts(rows: list[int], safe: list[int], runs: list[int], fails: list[list[int]]) -> RunnerAttempts:
    places = np.array(fails, dtype=np.intp).reshape(-1, 3)
    return RunnerAttempts(np.array(rows, np.intp), np.array(safe, np.intp), np.array(runs, np.float32), places)


@dataclass(frozen=True, slots=True)
class BatterTurnValues:
    """Values of a batter's turn, by row, dice, rerolls and nudges.

    up: before he gathers dice and tokens.
    ready: after that, with steals possible.
    bats: after that, without steals.
    then: after his turn.
    hit: by base that a hit took him to, before runners may go on.
    """

    before_gathering: ValueTable
    ready: ValueTable
    without_steal: ValueTable
    after: ValueTable
    hit: Mapping[int, ValueTable]


class HalfInningValues:
    """Solved halves of one lineup for one set of end values."""

    def __init__(self, order: Sequence[StretchBatter], bench: int, rules: BattingRules, ends: HalfEndValues) -> None:
        self.rules, self.ends, self.bench = rules, ends, bench
        self.order = tuple(order)
        self.state_rows = half_state_rows(ends.run_total_count)
        self.linear = not ends.values_by_runs
        then = self._horizon_values()
        turns: list[BatterTurnValues] = []
        more = min(len(self.order), RUN_HORIZON_BATTERS) if self.linear else WIN_HORIZON_BATTERS
        for card in reversed((*self.order, *self.order[:more])):
            turns.append(self.batter_turn_values(card, then))
            then = turns[-1].before_gathering
        self.turns = turns[::-1][: len(self.order)]

    def _horizon_values(self) -> ValueTable:
        """Return approximate values for the batter after the last one, from end values and expected runs."""
        of = self.state_rows
        found = np.zeros((of.count, *POOL_SHAPE), dtype=np.float32)
        if self.linear:
            return found
        plain = (
            half_inning_values(self.order, self.bench, self.rules, HalfEndValues(self.ends.inning))
            .turns[WIN_HORIZON_BATTERS % len(self.order)]
            .before_gathering
        )
        first = half_state_rows(1)
        here = plain[[first.state_row(int(outs), int(bases), 0) for outs, bases in zip(of.outs, of.bases, strict=True)]]
        here[of.outs == 3] = 0.0
        total = here + of.scored[:, None, None, None]
        found[:] = np.interp(total, np.arange(of.runs), self.ends.values_by_runs)
        self._apply_walk_off(found)
        return found

    def batter_turn_values(self, card: StretchBatter, then: ValueTable) -> BatterTurnValues:
        hit = {base: self._values_with_extra_base(then, base) for base in (1, 2, 3)}
        worth = {
            OUT_OUTCOME: self._values_after_outcome(then, OUT_OUTCOME),
            "home-run": self._values_after_outcome(then, "home-run"),
        }
        for outcome in {one.outcome for one in card.lines} - {"home-run"}:
            after = hit[HIT_BASES[outcome]] if outcome in HIT_BASES else then
            worth[outcome] = self._values_after_outcome(after, outcome)
        bats = worth[OUT_OUTCOME].copy()
        for lines, rows in self._lines_with_rows(card):
            here = {outcome: values[rows] for outcome, values in worth.items()}
            best = bats[rows]
            for count in range(1, min(MAX_THROWN_DICE, self.rules.limit) + 1):
                self._improve_by_swing(lines, count, here, best)
            bats[rows] = best
        ready = bats.copy()
        if self.rules.steals:
            for base in (2, 3):
                self._improve_by_running(ready, bats, steal_attempts(self.state_rows.runs, base), base)
        return BatterTurnValues(self._values_before_gathering(card, ready), ready, bats, then, hit)

    def substitute_value(
        self, card: StretchBatter, turn: BatterTurnValues, row: int, pool: tuple[int, int, int]
    ) -> float:
        """Return `BatterTurnValues.before_gathering` in one row if this batter came up instead. He tries no steal."""
        lines = open_lines(card, self.guard_facts(row))
        rows = np.array([row])
        sources = {OUT_OUTCOME: turn.after} | {
            one.outcome: turn.hit.get(HIT_BASES.get(one.outcome, 0), turn.after) for one in lines
        }
        worth = {outcome: self._values_after_outcome(values, outcome, rows) for outcome, values in sources.items()}
        best = worth[OUT_OUTCOME].copy()
        for count in range(1, min(MAX_THROWN_DICE, self.rules.limit) + 1):
            self._improve_by_swing(lines, count, worth, best)
        faces = range(1, 7) if card.dice.needs_die_roll else (None,)
        again, turns = min(pool[1] + card.rerolls, MAX_POOL_TOKENS), min(pool[2] + card.nudges, MAX_POOL_TOKENS)
        at = self.guard_facts(row)
        some = [
            float(best[0, min(pool[0] + card.dice.dice_count(at, face), MAX_POOL_DICE), again, turns]) for face in faces
        ]
        return sum(some) / len(some)

    def _values_after_outcome(
        self, values: ValueTable, outcome: str, rows: IndexArray | slice = slice(None)
    ) -> ValueTable:
        to, runs = (one[rows] for one in self.state_rows.to[outcome])
        moved = values[to]
        if self.linear:
            moved += runs[:, None, None, None]
        return moved

    def _lines_with_rows(self, card: StretchBatter) -> list[tuple[tuple[CardLine, ...], IndexArray]]:
        """Return the lines that can count, with the rows where they do."""
        of = self.state_rows
        playing = np.nonzero(of.outs < 3)[0]
        if not any(one.when for one in card.lines):
            return [(card.lines, playing)]
        found: dict[tuple[CardLine, ...], list[int]] = {}
        for row in playing.tolist():
            found.setdefault(open_lines(card, self.guard_facts(row)), []).append(row)
        return [(lines, np.array(rows, dtype=np.intp)) for lines, rows in found.items()]

    def guard_facts(self, row: int) -> GuardFacts:
        of = self.state_rows
        bases = int(of.bases[row])
        on = (bool(bases & 1), bool(bases & 2), bool(bases & 4))
        return GuardFacts(int(of.outs[row]), on, self.ends.inning, self.ends.lead + int(of.scored[row]), self.bench)

    def _improve_by_swing(
        self, lines: tuple[CardLine, ...], count: int, worth: dict[str, ValueTable], best: ValueTable
    ) -> None:
        """Raise `best` where a throw of `count` dice is better."""
        cost = count - self.rules.coach
        of = throw_distribution(lines, count, self.rules.best)
        left = MAX_POOL_DICE + 1 - cost
        values = np.stack([_best_outcome_values(bits, worth, left) for bits in of.bits])
        kinds: ValueTable = values[of.rows[0]]
        if self.rules.nudges:
            for spent in (1, 2):
                turned = values[..., : MAX_POOL_TOKENS + 1 - spent][of.rows[spent]]
                np.maximum(kinds[..., spent:], turned, out=kinds[..., spent:])
        flat = kinds.reshape(len(of.sets), -1)
        total = (of.chances @ flat).reshape(kinds.shape[1:])
        if self.rules.rerolls and count:
            for nudges in range(MAX_POOL_TOKENS + 1):
                here = kinds[..., 1:, nudges].reshape(len(of.sets), -1)
                paid = kinds[..., :-1, nudges].reshape(len(of.sets), -1)
                mix = np.maximum(here[of.kinds], of.after[nudges] @ paid)
                total[..., 1:, nudges] = (of.weights @ mix).reshape(total[..., 1:, nudges].shape)
        np.maximum(best[:, cost:], total, out=best[:, cost:])

    def _values_with_extra_base(self, then: ValueTable, base: int) -> ValueTable:
        found = then.copy()
        if self.rules.extra_bases:
            self._improve_by_running(
                found, then, extra_base_attempts(self.state_rows.runs, base, self.rules.any_runner), 0
            )
        return found

    def _improve_by_running(self, best: ValueTable, then: ValueTable, run: RunnerAttempts, base: int) -> None:
        """Raise `best` where runners should go."""
        if not len(run.rows):
            return
        safe = then[run.safe]
        if self.linear:
            safe = safe + run.runs[:, None, None, None]
        fail = then[run.fails[:, 0]]
        for at in (1, 2):
            fail = np.maximum(fail, then[run.fails[:, at]])
        last = self.state_rows.outs[run.rows] == 2
        found = best[run.rows]
        for count in range(1, MAX_RUNNER_DICE + 1):
            cost = count - self.rules.coach_runs
            odds = np.where(last, runners_safe_chance(2, count, base), runners_safe_chance(0, count, base)).astype(
                np.float32
            )[:, None, None, None]
            left = MAX_POOL_DICE + 1 - cost
            value = odds * safe[:, :left] + (1 - odds) * fail[:, :left]
            np.maximum(found[:, cost:], value, out=found[:, cost:])
        best[run.rows] = found

    def _values_before_gathering(self, card: StretchBatter, ready: ValueTable) -> ValueTable:
        """Return the values before the batter's dice and tokens join the pool."""
        dice, again, turns = (np.arange(size) for size in POOL_SHAPE)
        again = np.minimum(again + card.rerolls, MAX_POOL_TOKENS)
        turns = np.minimum(turns + card.nudges, MAX_POOL_TOKENS)
        rows = np.arange(self.state_rows.count)
        faces = range(1, 7) if card.dice.needs_die_roll else (None,)
        total: ValueTable = np.zeros_like(ready)
        for face in faces:
            if card.dice.when or card.dice.per:
                more = np.array(
                    [card.dice.dice_count(self.guard_facts(row), face) for row in rows.tolist()], dtype=np.intp
                )
            else:
                more = np.full(len(rows), card.dice.dice_count(GuardFacts(), face), dtype=np.intp)
            joined = np.minimum(dice[None, :] + more[:, None], MAX_POOL_DICE)
            total += ready[rows[:, None, None, None], joined[:, :, None, None], again[:, None], turns]
        up: ValueTable = total / np.float32(len(faces))
        self._apply_walk_off(up)
        return up

    def _apply_walk_off(self, values: ValueTable) -> None:
        if self.ends.walk_off:
            values[self.state_rows.scored + self.ends.lead > 0] = 1.0


def _best_outcome_values(bits: int, worth: dict[str, ValueTable], left: int) -> ValueTable:
    """Return the values of the best of these outcomes, or of an out if there are none, with the remaining dice."""
    some = [worth[outcome][:, :left] for at, outcome in enumerate(OUTCOMES_BEST_FIRST) if bits >> at & 1] or [
        worth[OUT_OUTCOME][:, :left]
    ]
    best = some[0]
    for other in some[1:]:
        best = np.maximum(best, other)
    return best


@lru_cache(maxsize=24)
def _solve_by_runs(
    order: tuple[StretchBatter, ...], bench: int, rules: BattingRules, ends: HalfEndValues
) -> HalfInningValues:
    return HalfInningValues(order, bench, rules, ends)


@lru_cache(maxsize=4)
def _solve_by_chances(
    order: tuple[StretchBatter, ...], bench: int, rules: BattingRules, ends: HalfEndValues
) -> HalfInningValues:
    """Solve a half with a small cache, because one takes up to 8 MiB."""
    return HalfInningValues(order, bench, rules, ends)


def half_inning_values(
    order: tuple[StretchBatter, ...], bench: int, rules: BattingRules, ends: HalfEndValues
) -> HalfInningValues:
    """Return the solved half of a lineup, batters from slot 1. Facts that no card depends on are normalized."""
    guards = [when for card in order for when in (*card.dice.when, *(when for one in card.lines for when in one.when))]
    starts = [when.low for when in guards if when.what == "inning"]
    inning = max((low for low in starts if low <= ends.inning), default=1)
    ends = replace(ends, inning=inning)
    if not ends.values_by_runs and not any(when.what == "lead" for when in guards):
        ends = replace(ends, lead=0)
    if not any(card.dice.per == "batter" for card in order):
        bench = 0
    return (_solve_by_chances if ends.values_by_runs else _solve_by_runs)(order, bench, rules, ends)
