"""Decisions of the side at bat: dice, tokens, steals, extra bases, outcomes, and pinch hitters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.ask_views import AnyAskView, ChooseView, RerollView
from engine.games.seventh_inning_stretch.dice.goals import nudged
from engine.games.seventh_inning_stretch.innings.outcomes import BASES, BEST
from engine.games.seventh_inning_stretch.innings.pool import PURPOSES
from managers.games.seventh_inning_stretch.half import DICE, OUT, TOKENS, Worth, chance, moved, result
from managers.games.seventh_inning_stretch.hands import (
    Floats,
    chances,
    hands,
    place,
    played,
    rerolled,
    to_throw_again,
)
from managers.games.seventh_inning_stretch.lines import met, open_lines
from managers.games.seventh_inning_stretch.outlook import ALL, Outlook
from managers.games.seventh_inning_stretch.position import Position, capped

STEALS = {"steal-second": 2, "steal-third": 3}
"""The base that each steal is for."""

VETERAN = 0.015
"""The chance to win that a call for the veteran's die should bring; he has six or five in a season."""

WEIGHED = 8
"""The most dice that are weighed for an at-bat; more hardly ever bring more."""

Keep = Callable[[int, int], Floats]
Worths = list[tuple[str, float]]

Left = Callable[[Sequence[int]], float]
"""Returns a worth by what is left of the pool."""

Ends = tuple[Left, Left]
"""The worths of a success and of a failure."""


class Offence:
    """The options of a batter's turn, by the chance that the side at bat wins the game."""

    def __init__(self, position: Position, outlook: Outlook) -> None:
        self.position, self.half = position, outlook.half()
        self._ends = outlook.worths(ALL) if self.half.linear else ()
        squad = position.at_bat
        self.turn = self.half.turns[squad.due]
        self.card = position.hitter(squad.order[squad.due])
        self.bits = position.bits()
        self.rules = self.half.rules
        self.at = position.at()

    # Worths ------------------------------------------------------------------------------------------------------

    def _worth(self, values: Worth, outs: int, bases: int, pool: Sequence[int], more: int = 0) -> float:
        """Return the chance to win with these outs, bases and pool, and `more` runs in this half than now."""
        runs = self.position.scored + more
        return self._as_chance(float(values[(self.half.cells.row(outs, bases, runs), *pool)]), more)

    def _as_chance(self, value: float, more: int = 0) -> float:
        """Return a worth as a chance to win: runs that the half still brings count with those in and `more`."""
        if not self.half.linear:
            return value
        return _between(self._ends, self.position.scored + more + value)

    def _spent(self, rerolls: int, nudges: int, dice: int = 0) -> tuple[int, int, int]:
        """Return what is left of the pool without these tokens and dice."""
        have = self.position.pool
        return capped((have[0] - dice, have[1] - rerolls, have[2] - nudges), DICE)

    def outcome(self, outcome: str, pool: tuple[int, int, int]) -> float:
        """Return the worth of an outcome with this pool left; runners may go for an extra base."""
        outs, bases, runs = result(self.position.outs, self.bits, outcome)
        held = self._worth(self.turn.then, outs, bases, pool, runs)
        by = BASES.get(outcome, 0)
        if by not in (1, 2, 3) or not self.rules.extra_bases:
            return held
        return max([held, *(worth for _, worth in self._extra(outs, bases, by, pool, runs))])

    def _extra(
        self, outs: int, bases: int, base: int, pool: tuple[int, int, int], more: int
    ) -> Iterator[tuple[int, float]]:
        """Yield the worth of an extra base after a hit, by the number of dice."""
        if not bases & ~(1 << base - 1) or outs > 2:
            return
        safe, fail = self._extra_ends(outs, bases, base, more)
        free = self.rules.coach_runs
        for count in range(1, min(pool[0] + free, self.rules.limit) + 1):
            left = (pool[0] - count + free, *pool[1:])
            odds = chance(outs, count)
            yield count, odds * safe(left) + (1 - odds) * fail(left)

    def _extra_ends(self, outs: int, bases: int, base: int, more: int) -> Ends:
        """Return the worths, by what is left of the pool, of an extra base that succeeds and of one that fails."""
        mine = 1 << base - 1
        earlier = bases & ~mine
        on, home = moved(earlier, 1)
        among = bases if self.rules.any_runner else earlier
        then = self.turn.then
        bad = [bases & ~bit for bit in (1, 2, 4) if among & bit]
        return (
            lambda left: self._worth(then, outs, on | mine, left, more + home),
            lambda left: max(self._worth(then, outs + 1, one, left, more) for one in bad),
        )

    def _steal_ends(self, base: int) -> Ends:
        """Return the worths, by what is left of the pool, of a steal that succeeds and of one that fails."""
        start, goal, outs = 1 << base - 2, 1 << base - 1, self.position.outs
        on = (self.bits & ~start | goal) if base == 2 else moved(self.bits, 1)[0]
        among = [start] if base == 2 else [bit for bit in (1, 2, 4) if self.bits & bit]
        bats = self.turn.bats
        bad = [self.bits & ~bit for bit in among]
        return (
            lambda left: self._worth(bats, outs, on, left),
            lambda left: max(self._worth(bats, outs + 1, one, left) for one in bad),
        )

    # How many dice -----------------------------------------------------------------------------------------------

    def swing(self, count: int, bonus: int = 0) -> float:
        """Return the worth of this many dice at bat, with `bonus` dice more in the pool than there are."""
        if not count:
            return self.outcome(OUT, capped((self.position.pool[0] + bonus, *self.position.pool[1:]), DICE))
        keep = self._at_bat(count, count - self.position.coach - bonus)
        again, turns = self._usable(None)
        best = played(keep, count, again, turns)[again, turns]
        return float(chances(count) @ best)

    def _usable(self, ask: ChooseView | None) -> tuple[int, int]:
        """Return the tokens that may be spent on a throw; with an ask, on the dice that lie there."""
        _, rerolls, nudges = self.position.pool
        if ask is not None:
            rerolls = rerolls if any(one.value == "reroll" for one in ask.options) else 0
            nudges = nudges if any(one.value.endswith(("-up", "-down")) for one in ask.options) else 0
        else:
            rerolls, nudges = rerolls * self.rules.rerolls, nudges * self.rules.nudges
        most = 1 if self.position.house["tokensPerRoll"] == "oneEach" else 3
        return min(rerolls, most), min(nudges, most)

    def _at_bat(self, count: int, dice: int) -> Keep:
        """Return what hands of the at-bat are worth, once that number of rerolls and nudges is spent; `dice` leave the
        pool.
        """
        lines = open_lines(self.card, self.at)
        bits = met(lines, count, self.rules.best)

        def keep(rerolls: int, nudges: int) -> Floats:
            pool = self._spent(rerolls, nudges, dice)
            worths = {outcome: self.outcome(outcome, pool) for outcome in (OUT, *{one.outcome for one in lines})}
            return by_bits(bits, worths)

        return keep

    def _for_runners(
        self,
        count: int,
        face: int,
        ends: Ends,
        dice: int,
    ) -> Keep:
        """Return what hands of a runner's throw are worth, once that number of rerolls and nudges is spent."""
        safe = np.array([hand[-1] >= face for hand in hands(count)])

        def keep(rerolls: int, nudges: int) -> Floats:
            pool = self._spent(rerolls, nudges, dice)
            return np.where(safe, ends[0](pool), ends[1](pool))

        return keep

    def running(self, count: int, face: int, ends: Ends) -> float:
        """Return the worth of this many dice for runners."""
        if not count:
            return ends[1](self._spent(0, 0))
        keep = self._for_runners(count, face, ends, count - self.position.coach)
        again, turns = self._usable(None)
        return float(chances(count) @ played(keep, count, again, turns)[again, turns])

    # Asks --------------------------------------------------------------------------------------------------------

    def at_bat(self, ask: ChooseView) -> Worths:
        """Weigh the numbers of dice, the steals, and the veteran's die."""
        numbers = [int(one.value) for one in ask.options if one.value.isdigit() and int(one.value) <= WEIGHED]
        found = [(str(number), self.swing(number)) for number in numbers]
        for one in ask.options:
            if base := STEALS.get(one.value):
                ends = self._steal_ends(base)
                ready = self.position.pool[0] + self.position.coach
                some = range(1, min(ready, self.rules.limit, 5) + 1)
                tried = [self.running(count, 5 if base == 2 else 6, ends) for count in some]
                found.append((one.value, max(tried, default=ends[1](self._spent(0, 0)))))
        if any(one.value == "veteran" for one in ask.options):
            most = max(numbers)
            more = min(most + 1, self.rules.limit)
            found.append(("veteran", max(self.swing(most, 1), self.swing(more, 1)) - VETERAN))
        return found

    def steal(self, ask: ChooseView) -> Worths:
        """Weigh the dice for a steal."""
        base = STEALS[ask.why.removesuffix("-dice")]
        ends = self._steal_ends(base)
        return self._run(ask, 5 if base == 2 else 6, ends)

    def extra_base(self, ask: ChooseView) -> Worths:
        """Weigh the dice for an extra base, or none."""
        base = self._batters_base()
        outs = self.position.outs
        ends = self._extra_ends(outs, self.bits, base, 0)
        held = self._worth(self.turn.then, outs, self.bits, self._spent(0, 0))
        return [("hold", held), *self._run(ask, 5 if outs == 2 else 6, ends)]

    def _run(
        self,
        ask: ChooseView,
        face: int,
        ends: Ends,
    ) -> Worths:
        codes = [one.value for one in ask.options]
        found = [(code, self.running(int(code), face, ends)) for code in codes if code.isdigit()]
        if "veteran" in codes:
            found.append(("veteran", max([worth for _, worth in found], default=ends[1](self._spent(0, 0))) - VETERAN))
        return found

    def _batters_base(self) -> int:
        """Return the base that the batter's hit took him to."""
        return next((base for base, name in enumerate(self.position.bases, 1) if name == self.position.batter), 1)

    def outcomes(self, ask: ChooseView) -> Worths:
        """Weigh the outcomes that the dice meet."""
        return [(one.value, self.outcome(one.value, self._spent(0, 0))) for one in ask.options]

    def runner_out(self, ask: ChooseView) -> Worths:
        """Weigh who is out after a failure: after a steal the same batter bats on, else the next one does."""
        then = self.turn.then if self._purpose(ask) == "extra-base-roll" else self.turn.bats
        pool = self._spent(0, 0)
        found = []
        for one in ask.options:
            bit = next((1 << at for at, name in enumerate(self.position.bases) if name == one.value), 0)
            found.append((one.value, self._worth(then, self.position.outs + 1, self.bits & ~bit, pool)))
        return found

    def _purpose(self, ask: AnyAskView) -> str:
        """Return what the throw under way is for: a key of PURPOSES, "resources" or "swing"."""
        for why, words in PURPOSES.items():
            if ask.sentence.startswith((f"{words}: ", f"{words} failed")):
                return why
        card = self.position.box.batters[self.card.name] if self.card.name else None
        batter = self.position.batter
        on_plate = any(line["hope"] is not None for line in (self.position.panel["card"] or {"lines": ()})["lines"])
        rolled = card is not None and card.dice.rolled and len(self.position.dice) == 1 and not on_plate
        return "resources" if rolled and batter else "swing"

    def _keep(self, ask: AnyAskView, count: int) -> Keep:
        """Return what hands of the throw under way are worth; its dice have left the pool already."""
        why = self._purpose(ask)
        if why == "swing":
            return self._at_bat(count, 0)
        if why == "resources":
            return self._brought()
        if why == "extra-base-roll":
            ends = self._extra_ends(self.position.outs, self.bits, self._batters_base(), 0)
            return self._for_runners(count, 5 if self.position.outs == 2 else 6, ends, 0)
        base = STEALS[why]
        return self._for_runners(count, 5 if base == 2 else 6, self._steal_ends(base), 0)

    def _brought(self) -> Keep:
        """Return what the die is worth that says how many dice a batter brings."""

        def keep(rerolls: int, nudges: int) -> Floats:
            have = self.position.pool
            some = []
            for face in range(1, 7):
                dice = have[0] + self.card.dice.count(self.at, face)
                tokens = have[1] - rerolls + self.card.rerolls, have[2] - nudges + self.card.nudges
                pool = capped((dice, *tokens), DICE)
                some.append(self._worth(self.turn.ready, self.position.outs, self.bits, pool))
            return np.array(some)

        return keep

    def tokens(self, ask: ChooseView) -> Worths:
        """Weigh what tokens can do to the dice on the table."""
        faces = self.position.dice
        again, turns = self._usable(ask)
        found = played(self._keep(ask, len(faces)), len(faces), again, turns)
        here = place(faces)
        worths = []
        for one in ask.options:
            match one.value:
                case "keep":
                    worths.append(("keep", float(self._keep(ask, len(faces))(0, 0)[here])))
                case "reroll":
                    value = rerolled(found[again - 1, turns], len(faces))[here]
                    worths.append(("reroll", float(value)))
                case "veteran":
                    worths.append(("veteran", -1.0))
                case code:
                    worths.append((code, float(found[again, turns - 1][place(nudged(faces, code))])))
        kept = dict(worths)["keep"]
        return [(code, worth if code != "veteran" else kept - VETERAN) for code, worth in worths]

    def reroll(self, ask: RerollView) -> list[tuple[list[int], float]]:
        """Weigh which dice to throw again; the token is spent already."""
        faces = tuple(int(face) for face in ask.faces)
        _, rerolls, nudges = self.position.pool
        one_each = self.position.house["tokensPerRoll"] == "oneEach"
        again = 0 if one_each or not self.rules.rerolls else min(rerolls, TOKENS)
        turns = min(nudges, 1 if one_each else 3) * self.rules.nudges
        values = played(self._keep(ask, len(faces)), len(faces), again, turns)[again, turns]
        return [(list(places), worth) for worth, places in to_throw_again(values, faces)]

    def batter(self, ask: ChooseView) -> Worths:
        """Weigh who bats: the same turn with the other cards."""
        pool = self._spent(0, 0)
        found = []
        for one in ask.options:
            if one.value == "bats":
                found.append(("bats", self._worth(self.turn.up, self.position.outs, self.bits, pool)))
            else:
                card = self.position.hitter(one.value)
                row = self.half.cells.row(self.position.outs, self.bits, self.position.scored)
                found.append((one.value, self._as_chance(self.half.instead(card, self.turn, row, pool))))
        return found


def _between(values: Sequence[float], at: float) -> float:
    """Return the value at a place between two of `values`; the last one holds beyond it."""
    low = int(at)
    if low >= len(values) - 1:
        return values[-1]
    return values[low] + (values[low + 1] - values[low]) * (at - low)


def by_bits(bits: NDArray[np.int64], worths: Mapping[str, float]) -> Floats:
    """Return for each hand the worth of the best outcome it can be taken for, an out if there is none."""
    size = 1 << len(BEST)
    table = np.full(size, worths[OUT])
    for code in np.unique(bits):
        some = [worths[outcome] for at, outcome in enumerate(BEST) if int(code) >> at & 1]
        if some:
            table[int(code)] = max(some)
    found: Floats = table[np.asarray(bits)]
    return found
