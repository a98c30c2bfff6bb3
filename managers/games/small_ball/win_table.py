"""Win probability before every half-inning of a game, by backward induction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.games.small_ball.cards import SmallBallTeam
from managers.games.small_ball.half import TeamHalfInning, ValueArray
from managers.games.small_ball.transitions import MAX_AT_BATS

USED_SET_COUNT = 4  # Number of sets of used pinch hitters, with bit 1 for the first and bit 2 for the second.
CERTAINTY_TOLERANCE = 1e-5
"""A chance this close to 0 or 1 is rounded for all greater leads. It is the maximum error per half-inning."""
MAX_BATCH_LEADS = 9  # Number of leads solved at a time. More take more memory, fewer take more time.
EXTRA_INNING_TOLERANCE = 5e-7  # Extra innings are iterated until no chance changes by more.
MAX_EXTRA_INNINGS = 60  # Maximum number of extra innings iterated, for teams that hardly ever score.


class LeadProbabilities:
    """Win probability of the side at bat before a half-inning, by lead from `low`.

    `chances` is by lead, then next batter (0 to 8) and used set of the side at bat, then those of the other side. A
    smaller lead loses, a greater one wins.
    """

    def __init__(self, low: int, chances: ValueArray) -> None:
        self.low, self.chances = low, chances

    def probabilities_for_lead(self, lead: int) -> ValueArray | float:
        if lead < self.low:
            return 0.0
        return 1.0 if lead >= self.low + len(self.chances) else self.chances[lead - self.low]

    @property
    def highest_lead(self) -> int:
        return self.low + len(self.chances) - 1


class WinTable:
    """Win probabilities before every half-inning under optimal play. `teams` are away and home.

    Half-innings are solved on demand, with all later ones. A complete game takes a few seconds.
    """

    def __init__(self, teams: Sequence[SmallBallTeam], house: Mapping[str, str]) -> None:
        self.halves = tuple(TeamHalfInning(team, house) for team in teams)
        self._regulation = int(house["innings"])
        self._every = house["reactivation"] == "everyExtraInning"
        self._leads: dict[tuple[int, int], LeadProbabilities] = {}
        self._tied = self._extra_inning_probabilities()

    # Transitions between halves ----------------------------------------------------------------------------------

    def half_start_probabilities(self, inning: int, side: int) -> LeadProbabilities:
        """Return the probabilities before a half of inning 1 or later. `side` is 0 for the top, 1 for the bottom.

        At the top of an extra inning pinch hitters are already back, and the lead must be 0.
        """
        half = (min(inning, self._regulation + 1), side)
        if half not in self._leads:
            self._leads[half] = self._solve_half(*half)
        return self._leads[half]

    def tie_probabilities(self, inning: int) -> ValueArray:
        """Return away's win probability after the last bottom half, or a later one, that ended in a tie."""
        back = inning == self._regulation or self._every
        return self.probabilities_before_reactivation(self._tied) if back else self._tied

    @staticmethod
    def probabilities_before_reactivation(tied: ValueArray, seats: Sequence[int] = (0, 1)) -> ValueArray:
        """Return away's win probability before pinch hitters are reactivated. Away chooses first (SB-098, SB-099).

        `tied` is that after it, by next batter and used set of away, then of home. Only `seats` may still choose.
        """
        found = tied
        if 1 in seats:
            found = np.stack(
                [
                    np.min([found[..., to] for to in reactivation_choices(used)], axis=0)
                    for used in range(USED_SET_COUNT)
                ],
                axis=3,
            )
        if 0 in seats:
            found = np.stack(
                [np.max([found[:, to] for to in reactivation_choices(used)], axis=0) for used in range(USED_SET_COUNT)],
                axis=1,
            )
        return found

    def half_end_probabilities(self, inning: int, side: int, lead: int) -> ValueArray | float:
        """Return the win probability of the side at bat after its half ended with this lead.

        Axes are its next batter and used set, then those of the other side.
        """
        if side == 1 and inning >= self._regulation:
            if lead:
                return float(lead > 0)
            return 1 - self.tie_probabilities(inning).transpose(2, 3, 0, 1)
        then = self.half_start_probabilities(inning + side, 1 - side).probabilities_for_lead(-lead)
        return 1 - then if isinstance(then, float) else 1 - then.transpose(2, 3, 0, 1)

    # Backward induction ------------------------------------------------------------------------------------------

    def _solve_half(self, inning: int, side: int) -> LeadProbabilities:
        """Solve a half for every lead that can occur and is not decided."""
        played = 9 * (inning - 1)
        lowest, highest = -played - 9 * side, played
        then = (
            None if (inning, side) == (self._regulation, 1) else self.half_start_probabilities(inning + side, 1 - side)
        )
        low, high = (-then.highest_lead, -then.low) if then else (-1, 0)
        low, high = max(lowest, min(low, 0)), min(highest, max(high, 0))
        parts = [self._probabilities_for_leads(inning, side, low, high)]
        while low > lowest and parts[0][0].max() > CERTAINTY_TOLERANCE:
            further = max(lowest, low - 3)
            parts.insert(0, self._probabilities_for_leads(inning, side, further, low - 1))
            low = further
        while high < highest and parts[-1][-1].min() < 1 - CERTAINTY_TOLERANCE:
            further = min(highest, high + 3)
            parts.append(self._probabilities_for_leads(inning, side, high + 1, further))
            high = further
        chances = np.concatenate(parts)
        axes = (1, 2, 3, 4)
        open_ = np.flatnonzero(
            (chances.max(axes) > CERTAINTY_TOLERANCE) & (chances.min(axes) < 1 - CERTAINTY_TOLERANCE)
        )
        first, last = (open_[0], open_[-1]) if len(open_) else (0, 0)
        return LeadProbabilities(low + int(first), chances[first : last + 1].copy())

    def _probabilities_for_leads(self, inning: int, side: int, low: int, high: int) -> ValueArray:
        """Return the probabilities before a half with each lead from `low` to `high`."""
        parts = []
        for first in range(low, high + 1, MAX_BATCH_LEADS):
            leads = range(first, min(first + MAX_BATCH_LEADS, high + 1))
            ends = self._half_end_values(inning, side, range(leads[0], leads[-1] + MAX_AT_BATS + 1))
            columns = [ends[:, :, runs : runs + len(leads)] for runs in range(MAX_AT_BATS + 1)]
            shaped = [one.reshape(9, USED_SET_COUNT, -1) for one in columns]
            for layer in self.halves[side].solve_layers(shaped, np.arange(9)):
                last = layer
            start = last.fresh[:, :, 0].reshape(9, USED_SET_COUNT, len(leads), 9, USED_SET_COUNT)
            parts.append(np.ascontiguousarray(start.transpose(2, 0, 1, 3, 4)))
        return np.concatenate(parts)

    def _half_end_values(self, inning: int, side: int, leads: Sequence[int]) -> ValueArray:
        """Return the values of a half's ends with these leads, by next batter, used set, lead, and the other side."""
        ends = np.empty((9, USED_SET_COUNT, len(leads), 9, USED_SET_COUNT), np.float32)
        for place, lead in enumerate(leads):
            ends[:, :, place] = self.half_end_probabilities(inning, side, lead)
        return ends

    def _extra_inning_probabilities(self) -> ValueArray:
        """Return away's win probability before an extra inning, after reactivation of pinch hitters.

        It is a fixed point: each iteration reduces the error by the chance of a tied inning. Anderson's method combines
        the last iterations, which helps if teams hardly ever score.
        """
        inning, tied = self._regulation + 1, np.full((9, USED_SET_COUNT, 9, USED_SET_COUNT), 0.5, np.float32)
        found: list[ValueArray] = []
        steps: list[ValueArray] = []
        for _ in range(MAX_EXTRA_INNINGS):
            self._tied = tied
            self._leads[inning, 1] = LeadProbabilities(-9, self._probabilities_for_leads(inning, 1, -9, 0))
            self._leads[inning, 0] = LeadProbabilities(0, self._probabilities_for_leads(inning, 0, 0, 0))
            found = [*found[-3:], self._leads[inning, 0].chances[0]]
            steps = [*steps[-3:], found[-1] - tied]
            if np.abs(steps[-1]).max() < EXTRA_INNING_TOLERANCE:
                break
            tied = found[-1]
            if len(steps) > 1:
                turns = np.stack([(steps[-1] - one).ravel() for one in steps[:-1]], axis=1).astype(float)
                mixed = np.linalg.lstsq(turns, steps[-1].ravel().astype(float))[0]
                back = sum(share * (tied - one) for share, one in zip(mixed, found[:-1], strict=True))
                tied = np.clip(tied - back, 0, 1).astype(np.float32)
        return found[-1]

    # Within a half -----------------------------------------------------------------------------------------------

    def end_values_by_runs(self, inning: int, side: int, lead: int, other: tuple[int, int]) -> list[ValueArray]:
        """Return the values of a half's end with 0 to 9 runs, by next batter, used set and one column.

        `lead` is that of the side at bat before the half, `other` the other side's next batter and used set.
        """
        ends = [self.half_end_probabilities(inning, side, lead + runs) for runs in range(MAX_AT_BATS + 1)]
        return [
            np.full((9, USED_SET_COUNT, 1), one)
            if isinstance(one, float)
            else one[:, :, other[0], other[1], None].astype(float)
            for one in ends
        ]


def reactivation_choices(used: int) -> list[int]:
    """Return the used sets that a seat may have after it takes back one pinch hitter or none."""
    return [used, *(used & ~bit for bit in (1, 2) if used & bit)]
