"""A side's half-inning, worked out backwards over the batters to come: outs, runners, runs, dice and tokens.

For each batter, position and pool it holds what the side can make of the half. It looks at every number of dice, at
nudges and one reroll on each throw, at steals and at extra bases. Pools of more than DICE dice or TOKENS tokens of a
kind count as that many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.games.seventh_inning_stretch.cards import Batter
from engine.games.seventh_inning_stretch.dice.conditions import At, Line
from engine.games.seventh_inning_stretch.innings.outcomes import BASES, BEST
from managers.games.seventh_inning_stretch.hands import Places
from managers.games.seventh_inning_stretch.lines import Shares, open_lines, throw

DICE, TOKENS, MOST = 7, 2, 5
"""The largest pool in the tables, in dice and in tokens of a kind, and the most dice in one throw."""

RUNNING = 3
"""The most dice that are thrown for runners in halves to come."""

AHEAD, OVER = 7, 3
"""How many batters beyond the order are looked at one by one: of runs, and of chances to win."""

Worth = NDArray[np.float32]

BANK = (DICE + 1, TOKENS + 1, TOKENS + 1)
"""The shape of all pools: dice, rerolls, nudges."""

OUT = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for a side at bat: house rules, its coach, and a playoff card."""

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
class Ends:
    """What the end of a half is worth, by the runs scored in it, 0 and up; the last one stands for more, too.

    `lead` is the side's lead at its start; with `walk_off` a lead wins at once. If there are no `worths`, every run is
    worth 1, and the half is worth its runs.
    """

    inning: int
    lead: int = 0
    worths: tuple[float, ...] = ()
    walk_off: bool = False

    @property
    def runs(self) -> int:
        """How many numbers of runs the tables have, from 0."""
        return max(1, len(self.worths))


def moved(bases: int, by: int) -> tuple[int, int]:
    """Return the bases, as bits from first to third, and the runs once every runner has moved `by` bases."""
    return bases << by & 7, (bases << by >> 3).bit_count()


def result(outs: int, bases: int, outcome: str) -> tuple[int, int, int]:
    """Return outs, bases and runs after an outcome (see `engine` `outcomes.after`)."""
    if outcome == OUT:
        return outs + 1, bases, 0
    if outcome == "walk":
        if bases == 7:
            return outs, 7, 1
        return outs, bases | (bases + 1 & ~bases), 0
    if outcome == "sacrifice":
        return (outs + 1, *moved(bases, 1)) if outs < 2 else (3, bases, 0)
    by = BASES[outcome]
    on, runs = moved(bases, by)
    return (outs, on, runs + 1) if by == 4 else (outs, on | 1 << by - 1, runs)


def chance(outs: int, count: int, steal: int = 0) -> float:
    """Return the chance that runners are safe with `count` dice; `steal` is the base they steal, 0 for an extra one."""
    needs = {0: 5 if outs == 2 else 6, 2: 5, 3: 6}[steal]
    return 1.0 - float((needs - 1) / 6) ** count


class Cells:
    """Rows for outs (3 is the end), bases, and runs so far, and how outcomes lead from one to another."""

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.count = 4 * 8 * runs
        self.outs, self.bases, self.scored = np.unravel_index(np.arange(self.count), (4, 8, runs))
        self.to = {outcome: self._to(outcome) for outcome in (OUT, *BEST)}

    def row(self, outs: int, bases: int, runs: int) -> int:
        """Return the row of a position; runs beyond the table count as its most."""
        return (min(outs, 3) * 8 + bases) * self.runs + min(runs, self.runs - 1)

    def rows(self, found: Sequence[tuple[int, int, int]]) -> tuple[Places, Shares]:
        """Return the row for each of outs, bases and runs more, one for each cell, and those runs."""
        to = [
            self.row(outs, bases, int(so_far) + more)
            for (outs, bases, more), so_far in zip(found, self.scored, strict=True)
        ]
        return np.array(to, dtype=np.intp), np.array([more for _, _, more in found], dtype=np.float32)

    def _to(self, outcome: str) -> tuple[Places, Shares]:
        return self.rows(
            [
                (3, int(bases), 0) if outs == 3 else result(int(outs), int(bases), outcome)
                for outs, bases in zip(self.outs, self.bases, strict=True)
            ]
        )


@cache
def cells(runs: int) -> Cells:
    """Return the rows of a table with this many numbers of runs."""
    return Cells(runs)


@dataclass(frozen=True, slots=True)
class Run:
    """Rows from which runners may go, where they are if they are safe, and where a failure leads, best choice first."""

    rows: Places
    safe: Places
    runs: Shares
    fails: Places


@cache
def extra(runs: int, base: int, any_runner: bool) -> Run:
    """Return the attempts at an extra base after a hit that took the batter to `base`."""
    of, rows, safe, more, fails = cells(runs), [], [], [], []
    for at, (outs, bases, scored) in enumerate(zip(of.outs, of.bases, of.scored, strict=True)):
        mine = 1 << base - 1
        earlier = int(bases) & ~mine
        if outs == 3 or not bases & mine or not earlier:
            continue
        on, home = moved(earlier, 1)
        among = [bit for bit in (1, 2, 4) if (int(bases) if any_runner else earlier) & bit]
        lost = [of.row(int(outs) + 1, int(bases) & ~bit, int(scored)) for bit in among]
        rows.append(at)
        safe.append(of.row(int(outs), on | mine, int(scored) + home))
        more.append(home)
        fails.append([*lost, *lost[:1] * 3][:3])
    return _run(rows, safe, more, fails)


@cache
def steal(runs: int, base: int) -> Run:
    """Return the attempts to steal second or third (`base`)."""
    of, rows, safe, fails = cells(runs), [], [], []
    for at, (outs, bases, scored) in enumerate(zip(of.outs, of.bases, of.scored, strict=True)):
        start, goal = 1 << base - 2, 1 << base - 1
        if outs == 3 or not bases & start or bases & goal:
            continue
        on = (int(bases) & ~start | goal) if base == 2 else moved(int(bases), 1)[0]
        among = [start] if base == 2 else [bit for bit in (1, 2, 4) if int(bases) & bit]
        lost = [of.row(int(outs) + 1, int(bases) & ~bit, int(scored)) for bit in among]
        rows.append(at)
        safe.append(of.row(int(outs), on, int(scored)))
        fails.append([*lost, *lost[:1] * 3][:3])
    return _run(rows, safe, [0] * len(rows), fails)


def _run(rows: list[int], safe: list[int], runs: list[int], fails: list[list[int]]) -> Run:
    places = np.array(fails, dtype=np.intp).reshape(-1, 3)
    return Run(np.array(rows, np.intp), np.array(safe, np.intp), np.array(runs, np.float32), places)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a batter's turn is worth, by row, dice, rerolls and nudges: `up` as he comes up, before he gathers; `ready`
    once he has, with steals to try; `bats` without; `then`, after his turn, and after a `hit` that
    took him to a base, where runners may go on.
    """

    up: Worth
    ready: Worth
    bats: Worth
    then: Worth
    hit: Mapping[int, Worth]


class Half:
    """The halves of one side with an end that is the same for all of them."""

    def __init__(self, order: Sequence[Batter], bench: int, rules: Rules, ends: Ends) -> None:
        self.rules, self.ends, self.bench = rules, ends, bench
        self.order = tuple(order)
        self.cells = cells(ends.runs)
        self.linear = not ends.worths
        then = self._later()
        turns: list[Turn] = []
        more = min(len(self.order), AHEAD) if self.linear else OVER
        for card in reversed((*self.order, *self.order[:more])):
            turns.append(self.turn(card, then))
            then = turns[-1].up
        self.turns = turns[::-1][: len(self.order)]

    def _later(self) -> Worth:
        """Return about what the half is worth as the batter after the last one comes up: what it is worth at its end,
        with the runs that the side still scores on average.
        """
        of = self.cells
        found = np.zeros((of.count, *BANK), dtype=np.float32)
        if self.linear:
            return found
        plain = half(self.order, self.bench, self.rules, Ends(self.ends.inning)).turns[OVER % len(self.order)].up
        first = cells(1)
        here = plain[[first.row(int(outs), int(bases), 0) for outs, bases in zip(of.outs, of.bases, strict=True)]]
        here[of.outs == 3] = 0.0
        total = here + of.scored[:, None, None, None]
        found[:] = np.interp(total, np.arange(of.runs), self.ends.worths)
        self._walked_off(found)
        return found

    def turn(self, card: Batter, then: Worth) -> Turn:
        """Return the turn of a batter before the worths `then`."""
        hit = {base: self._sent(then, base) for base in (1, 2, 3)}
        worth = {OUT: self._move(then, OUT), "home-run": self._move(then, "home-run")}
        for outcome in {one.outcome for one in card.lines} - {"home-run"}:
            after = hit[BASES[outcome]] if outcome in BASES else then
            worth[outcome] = self._move(after, outcome)
        bats = worth[OUT].copy()
        for lines, rows in self._signatures(card):
            here = {outcome: values[rows] for outcome, values in worth.items()}
            best = bats[rows]
            for count in range(1, min(MOST, self.rules.limit) + 1):
                self._swing(lines, count, here, best)
            bats[rows] = best
        ready = bats.copy()
        if self.rules.steals:
            for base in (2, 3):
                self._try(ready, bats, steal(self.cells.runs, base), base)
        return Turn(self._gathered(card, ready), ready, bats, then, hit)

    def instead(self, card: Batter, turn: Turn, row: int, pool: tuple[int, int, int]) -> float:
        """Return what `Turn.up` would be in one row if this batter came up instead; he tries no steal."""
        lines = open_lines(card, self.at(row))
        rows = np.array([row])
        sources = {OUT: turn.then} | {one.outcome: turn.hit.get(BASES.get(one.outcome, 0), turn.then) for one in lines}
        worth = {outcome: self._move(values, outcome, rows) for outcome, values in sources.items()}
        best = worth[OUT].copy()
        for count in range(1, min(MOST, self.rules.limit) + 1):
            self._swing(lines, count, worth, best)
        faces = range(1, 7) if card.dice.rolled else (None,)
        again, turns = min(pool[1] + card.rerolls, TOKENS), min(pool[2] + card.nudges, TOKENS)
        at = self.at(row)
        some = [float(best[0, min(pool[0] + card.dice.count(at, face), DICE), again, turns]) for face in faces]
        return sum(some) / len(some)

    def _move(self, values: Worth, outcome: str, rows: Places | slice = slice(None)) -> Worth:
        to, runs = (one[rows] for one in self.cells.to[outcome])
        moved = values[to]
        if self.linear:
            moved += runs[:, None, None, None]
        return moved

    def _signatures(self, card: Batter) -> list[tuple[tuple[Line, ...], Places]]:
        """Return the lines that can count, and the rows where they do."""
        of = self.cells
        playing = np.nonzero(of.outs < 3)[0]
        if not any(one.when for one in card.lines):
            return [(card.lines, playing)]
        found: dict[tuple[Line, ...], list[int]] = {}
        for row in playing.tolist():
            found.setdefault(open_lines(card, self.at(row)), []).append(row)
        return [(lines, np.array(rows, dtype=np.intp)) for lines, rows in found.items()]

    def at(self, row: int) -> At:
        """Return the facts for guards in a row."""
        of = self.cells
        bases = int(of.bases[row])
        on = (bool(bases & 1), bool(bases & 2), bool(bases & 4))
        return At(int(of.outs[row]), on, self.ends.inning, self.ends.lead + int(of.scored[row]), self.bench)

    def _swing(self, lines: tuple[Line, ...], count: int, worth: dict[str, Worth], best: Worth) -> None:
        """Improve `best` where a throw of `count` dice is better."""
        cost = count - self.rules.coach
        of = throw(lines, count, self.rules.best)
        left = DICE + 1 - cost
        values = np.stack([_of(bits, worth, left) for bits in of.bits])
        kinds: Worth = values[of.rows[0]]
        if self.rules.nudges:
            for spent in (1, 2):
                turned = values[..., : TOKENS + 1 - spent][of.rows[spent]]
                np.maximum(kinds[..., spent:], turned, out=kinds[..., spent:])
        flat = kinds.reshape(len(of.sets), -1)
        total = (of.chances @ flat).reshape(kinds.shape[1:])
        if self.rules.rerolls and count:
            for nudges in range(TOKENS + 1):
                here = kinds[..., 1:, nudges].reshape(len(of.sets), -1)
                paid = kinds[..., :-1, nudges].reshape(len(of.sets), -1)
                mix = np.maximum(here[of.kinds], of.after[nudges] @ paid)
                total[..., 1:, nudges] = (of.weights @ mix).reshape(total[..., 1:, nudges].shape)
        np.maximum(best[:, cost:], total, out=best[:, cost:])

    def _sent(self, then: Worth, base: int) -> Worth:
        """Return the worths after a hit, with the best attempt at an extra base."""
        found = then.copy()
        if self.rules.extra_bases:
            self._try(found, then, extra(self.cells.runs, base, self.rules.any_runner), 0)
        return found

    def _try(self, best: Worth, then: Worth, run: Run, base: int) -> None:
        """Improve `best` where runners should go."""
        if not len(run.rows):
            return
        safe = then[run.safe]
        if self.linear:
            safe = safe + run.runs[:, None, None, None]
        fail = then[run.fails[:, 0]]
        for at in (1, 2):
            fail = np.maximum(fail, then[run.fails[:, at]])
        last = self.cells.outs[run.rows] == 2
        found = best[run.rows]
        for count in range(1, RUNNING + 1):
            cost = count - self.rules.coach_runs
            odds = np.where(last, chance(2, count, base), chance(0, count, base)).astype(np.float32)[
                :, None, None, None
            ]
            left = DICE + 1 - cost
            value = odds * safe[:, :left] + (1 - odds) * fail[:, :left]
            np.maximum(found[:, cost:], value, out=found[:, cost:])
        best[run.rows] = found

    def _gathered(self, card: Batter, ready: Worth) -> Worth:
        """Return the worths before the batter's dice and tokens join the pool."""
        dice, again, turns = (np.arange(size) for size in BANK)
        again = np.minimum(again + card.rerolls, TOKENS)
        turns = np.minimum(turns + card.nudges, TOKENS)
        rows = np.arange(self.cells.count)
        faces = range(1, 7) if card.dice.rolled else (None,)
        total: Worth = np.zeros_like(ready)
        for face in faces:
            if card.dice.when or card.dice.per:
                more = np.array([card.dice.count(self.at(row), face) for row in rows.tolist()], dtype=np.intp)
            else:
                more = np.full(len(rows), card.dice.count(At(), face), dtype=np.intp)
            joined = np.minimum(dice[None, :] + more[:, None], DICE)
            total += ready[rows[:, None, None, None], joined[:, :, None, None], again[:, None], turns]
        up: Worth = total / np.float32(len(faces))
        self._walked_off(up)
        return up

    def _walked_off(self, values: Worth) -> None:
        if self.ends.walk_off:
            values[self.cells.scored + self.ends.lead > 0] = 1.0


def _of(bits: int, worth: dict[str, Worth], left: int) -> Worth:
    """Return the worth of the best of these outcomes, an out if there are none, with the dice that are left."""
    some = [worth[outcome][:, :left] for at, outcome in enumerate(BEST) if bits >> at & 1] or [worth[OUT][:, :left]]
    best = some[0]
    for other in some[1:]:
        best = np.maximum(best, other)
    return best


@lru_cache(maxsize=24)
def _by_runs(order: tuple[Batter, ...], bench: int, rules: Rules, ends: Ends) -> Half:
    return Half(order, bench, rules, ends)


@lru_cache(maxsize=4)
def _by_chances(order: tuple[Batter, ...], bench: int, rules: Rules, ends: Ends) -> Half:
    """Return a half that takes up to 8 MiB."""
    return Half(order, bench, rules, ends)


def half(order: tuple[Batter, ...], bench: int, rules: Rules, ends: Ends) -> Half:
    """Return the half of a line-up; `order` are its batters from place 1.

    What no card of it looks at is left out, so that the same work is not done twice.
    """
    guards = [when for card in order for when in (*card.dice.when, *(when for one in card.lines for when in one.when))]
    starts = [when.low for when in guards if when.what == "inning"]
    inning = max((low for low in starts if low <= ends.inning), default=1)
    ends = replace(ends, inning=inning)
    if not ends.worths and not any(when.what == "lead" for when in guards):
        ends = replace(ends, lead=0)
    if not any(card.dice.per == "batter" for card in order):
        bench = 0
    return (_by_chances if ends.worths else _by_runs)(order, bench, rules, ends)
