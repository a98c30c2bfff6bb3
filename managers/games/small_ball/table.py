"""The chance to win before every half-inning of a game, worked out backwards from its last inning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.games.small_ball.cards import Team
from managers.games.small_ball.half import Half, Values
from managers.games.small_ball.moves import AT_BATS
from managers.games.small_ball.position import INNINGS

SETS = 4
"""The sets of used pinch hitters: 1 for the first plus 2 for the second."""
SURE = 1e-5
"""A chance this close to 0 or 1 counts as 0 or 1 for every larger lead. No chance is off by more than this for each
half-inning that is left, because a larger lead is never worse.
"""
WIDE = 9
"""How many scores are worked out at a time: more would need more memory, fewer more time."""
PRECISION = 5e-7
"""Extra innings are worked out until one more changes no chance by more than this."""
ROUNDS = 60
"""The most extra innings looked ahead, if hardly any run is ever scored."""


class Leads:
    """The chance of the side at bat to win before a half-inning, by its lead from `low` on.

    `chances` is by lead, then next batter of the side at bat (0 to 8), its used set, next batter and used set of the
    other side. A smaller lead than `low` loses, a larger one than there is wins.
    """

    def __init__(self, low: int, chances: Values) -> None:
        self.low, self.chances = low, chances

    def of(self, lead: int) -> Values | float:
        """Return the chances with this lead."""
        if lead < self.low:
            return 0.0
        return 1.0 if lead >= self.low + len(self.chances) else self.chances[lead - self.low]

    @property
    def high(self) -> int:
        """The largest lead that is not a sure win."""
        return self.low + len(self.chances) - 1


class WinTable:
    """The chance to win of both sides before every half-inning, with the best play of both.

    `teams` are away and home. Each half-inning is worked out once it is needed, with all that can follow it: the whole
    game takes a few seconds.
    """

    def __init__(self, teams: Sequence[Team], house: Mapping[str, str]) -> None:
        self.halves = tuple(Half(team, house) for team in teams)
        self._every = house["reactivation"] == "everyExtraInning"
        self._leads: dict[tuple[int, int], Leads] = {}
        self._tied = self._extra_innings()

    # What can follow a half --------------------------------------------------------------------------------------

    def before(self, inning: int, side: int) -> Leads:
        """Return the chances before a half of inning 1 or later; `side` is 0 for the top, 1 for the bottom.

        At the top of an extra inning pinch hitters have come back already, and only a lead of 0 is possible.
        """
        half = (min(inning, INNINGS + 1), side)
        if half not in self._leads:
            self._leads[half] = self._half(*half)
        return self._leads[half]

    def tied_after(self, inning: int) -> Values:
        """Return the chance of away when a bottom half, the ninth or later, has ended level."""
        back = inning == INNINGS or self._every
        return self.taken_back(self._tied) if back else self._tied

    @staticmethod
    def taken_back(tied: Values, seats: Sequence[int] = (0, 1)) -> Values:
        """Return the chance of away before pinch hitters come back; away chooses first (SB-098, SB-099).

        `tied` is the chance after it, by next batter and used set of away, then of home. `seats` may still choose.
        """
        found = tied
        if 1 in seats:
            found = np.stack([np.min([found[..., to] for to in choices(used)], axis=0) for used in range(SETS)], axis=3)
        if 0 in seats:
            found = np.stack([np.max([found[:, to] for to in choices(used)], axis=0) for used in range(SETS)], axis=1)
        return found

    def end(self, inning: int, side: int, lead: int) -> Values | float:
        """Return the chance of the side at bat once its half has ended with this lead.

        By its next batter and used set, then by those of the other side.
        """
        if side == 1 and inning >= INNINGS:
            if lead:
                return float(lead > 0)
            return 1 - self.tied_after(inning).transpose(2, 3, 0, 1)
        then = self.before(inning + side, 1 - side).of(-lead)
        return 1 - then if isinstance(then, float) else 1 - then.transpose(2, 3, 0, 1)

    # Half by half ------------------------------------------------------------------------------------------------

    def _half(self, inning: int, side: int) -> Leads:
        """Work out the chances before a half, for every lead that can occur and is not decided."""
        played = 9 * (inning - 1)
        lowest, highest = -played - 9 * side, played
        then = None if (inning, side) == (INNINGS, 1) else self.before(inning + side, 1 - side)
        low, high = (-then.high, -then.low) if then else (-1, 0)
        low, high = max(lowest, min(low, 0)), min(highest, max(high, 0))
        parts = [self._chances(inning, side, low, high)]
        while low > lowest and parts[0][0].max() > SURE:
            further = max(lowest, low - 3)
            parts.insert(0, self._chances(inning, side, further, low - 1))
            low = further
        while high < highest and parts[-1][-1].min() < 1 - SURE:
            further = min(highest, high + 3)
            parts.append(self._chances(inning, side, high + 1, further))
            high = further
        chances = np.concatenate(parts)
        axes = (1, 2, 3, 4)
        open_ = np.flatnonzero((chances.max(axes) > SURE) & (chances.min(axes) < 1 - SURE))
        first, last = (open_[0], open_[-1]) if len(open_) else (0, 0)
        return Leads(low + int(first), chances[first : last + 1].copy())

    def _chances(self, inning: int, side: int, low: int, high: int) -> Values:
        """Return the chances before a half with each lead from `low` to `high`."""
        parts = []
        for first in range(low, high + 1, WIDE):
            leads = range(first, min(first + WIDE, high + 1))
            ends = self._ends(inning, side, range(leads[0], leads[-1] + AT_BATS + 1))
            columns = [ends[:, :, runs : runs + len(leads)] for runs in range(AT_BATS + 1)]
            shaped = [one.reshape(9, SETS, -1) for one in columns]
            for layer in self.halves[side].solve(shaped, np.arange(9)):
                last = layer
            start = last.fresh[:, :, 0].reshape(9, SETS, len(leads), 9, SETS)
            parts.append(np.ascontiguousarray(start.transpose(2, 0, 1, 3, 4)))
        return np.concatenate(parts)

    def _ends(self, inning: int, side: int, leads: Sequence[int]) -> Values:
        """Return what the ends of a half with these leads are worth: by next batter, used set, lead, and the rest."""
        ends = np.empty((9, SETS, len(leads), 9, SETS), np.float32)
        for place, lead in enumerate(leads):
            ends[:, :, place] = self.end(inning, side, lead)
        return ends

    def _extra_innings(self) -> Values:
        """Return the chance of away before a tenth or later inning, once pinch hitters have come back.

        It stays the same if one more inning is looked ahead. Each look ahead brings it closer by the chance that an
        inning ends level; Anderson's method combines the last ones, which helps where hardly anybody scores.
        """
        inning, tied = INNINGS + 1, np.full((9, SETS, 9, SETS), 0.5, np.float32)
        found: list[Values] = []
        steps: list[Values] = []
        for _ in range(ROUNDS):
            self._tied = tied
            self._leads[inning, 1] = Leads(-9, self._chances(inning, 1, -9, 0))
            self._leads[inning, 0] = Leads(0, self._chances(inning, 0, 0, 0))
            found = [*found[-3:], self._leads[inning, 0].chances[0]]
            steps = [*steps[-3:], found[-1] - tied]
            if np.abs(steps[-1]).max() < PRECISION:
                break
            tied = found[-1]
            if len(steps) > 1:
                turns = np.stack([(steps[-1] - one).ravel() for one in steps[:-1]], axis=1).astype(float)
                mixed = np.linalg.lstsq(turns, steps[-1].ravel().astype(float))[0]
                back = sum(share * (tied - one) for share, one in zip(mixed, found[:-1], strict=True))
                tied = np.clip(tied - back, 0, 1).astype(np.float32)
        return found[-1]

    # Inside a half -----------------------------------------------------------------------------------------------

    def ends_of(self, inning: int, side: int, lead: int, other: tuple[int, int]) -> list[Values]:
        """Return what the end of a half with 0 to 9 runs is worth, by next batter's place, used set and one column.

        `lead` is that of the side at bat before the half, `other` the next batter's place and the used set of the other
        side.
        """
        ends = [self.end(inning, side, lead + runs) for runs in range(AT_BATS + 1)]
        return [
            np.full((9, SETS, 1), one) if isinstance(one, float) else one[:, :, other[0], other[1], None].astype(float)
            for one in ends
        ]


def choices(used: int) -> list[int]:
    """Return the sets of used pinch hitters that a seat may have after taking one back, or none."""
    return [used, *(used & ~bit for bit in (1, 2) if used & bit)]
