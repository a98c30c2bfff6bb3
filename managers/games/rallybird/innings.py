"""Win probability at any point of the game, including the RallyBird.

Leads and probabilities are those of the side at bat. `RallybirdHolders` says whether it still has the RallyBird, and
whether the other side has.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.games.rallybird.state import REGULATION_INNINGS
from engine.innings import Half as Side
from managers.games.rallybird.gloves import FEATURE_COUNT, GloveKit, GloveStates
from managers.games.rallybird.half_inning import HalfInningSolution
from managers.games.rallybird.matchup import LaterValues, RallybirdOption
from managers.games.rallybird.outcomes import MAX_AT_BAT_RUNS, CardOutcomes, FloatArray

RallybirdHolders = tuple[bool, bool]

MAX_LEAD = 15  # Largest lead, in runs. Greater ones are clipped.
MAX_RALLY_DEFICIT_RUNS = 8  # Largest deficit at which the RallyBird has a value, in runs.
LEAD_VALUES = np.arange(-MAX_LEAD, MAX_LEAD + 1)  # All leads, in index order.


class InningProbabilities:
    """Win probabilities of one setup, computed on demand and cached."""

    def __init__(self, cards: CardOutcomes, kit: GloveKit, half: HalfInningSolution, house: Mapping[str, str]) -> None:
        self._cards, self._kit, self._half, self._house = cards, kit, half, house
        self._fresh = np.array([kit.feature_vector(kit.fresh_gloves(icon)) for icon in kit.icons])
        self._values: dict[tuple[int, Side, RallybirdHolders], FloatArray] = {}
        self._ties: dict[RallybirdHolders, float] = {}

    def may_rally(self, inning: int, lead: int, birds: RallybirdHolders) -> bool:
        """True if the side at bat may use the RallyBird (RB-089 to RB-096, A13, A17)."""
        late = inning == REGULATION_INNINGS or (
            inning > REGULATION_INNINGS and self._house["rallyExtraInnings"] == "true"
        )
        return late and birds[0] and lead < 0 and self._house["rallyBird"] == "on"

    def later_values(
        self, inning: int, side: Side, lead: int, birds: RallybirdHolders, gloves: GloveStates
    ) -> LaterValues:
        """Return the win probabilities after an at-bat, by position, changed Glove and runs of this at-bat."""
        inning, values = min(inning, REGULATION_INNINGS + 1), self.half_coefficients(inning, side, birds)
        leads = np.clip(lead + np.arange(MAX_AT_BAT_RUNS + 1), -MAX_LEAD, MAX_LEAD)
        playing = np.einsum("rpf,cf->pcr", values[leads + MAX_LEAD], self._kit.features_after_changes(gloves))
        over: FloatArray = np.broadcast_to(
            self.half_end_probabilities(inning, side, birds)[leads + MAX_LEAD], (1, *playing.shape[1:])
        )
        found: FloatArray = np.clip(np.concatenate([playing, over]), 0, 1)
        if side == "bottom" and inning >= REGULATION_INNINGS:
            found[:, :, leads > 0] = 1
        return found

    def usable_rallybird(
        self, inning: int, side: Side, lead: int, birds: RallybirdHolders, gloves: GloveStates
    ) -> RallybirdOption | None:
        if not self.may_rally(inning, lead, birds):
            return None
        lost = self.later_values(inning, side, lead, (False, birds[1]), gloves)
        return RallybirdOption(lost, self._house["rallyOn"] == "failedOnly", self._house["rallyHomeRun"] == "bothRolls")

    def win_probability(
        self, inning: int, side: Side, lead: int, birds: RallybirdHolders, gloves: GloveStates, position: int
    ) -> float:
        lead = min(MAX_LEAD, max(-MAX_LEAD, lead))
        if side == "bottom" and inning >= REGULATION_INNINGS and lead > 0:
            return 1.0
        value = float(
            self.half_coefficients(inning, side, birds)[lead + MAX_LEAD, position] @ self._kit.feature_vector(gloves)
        )
        return min(1.0, max(0.0, value))

    def half_start_probabilities(self, inning: int, side: Side, birds: RallybirdHolders) -> FloatArray:
        """Return the win probabilities of the side at bat before a half-inning, by its lead. The defense leaves out
        whichever Glove gives it the better chances.
        """
        values = self.half_coefficients(inning, side, birds)[:, 0] @ self._fresh.T
        found: FloatArray = np.clip(values.min(1), 0, 1)
        return found

    def half_end_probabilities(self, inning: int, side: Side, birds: RallybirdHolders) -> FloatArray:
        """Return the win probabilities at the end of a half-inning, by lead (RB-077 to RB-082, A1)."""
        turned = (birds[1], birds[0])
        if side == "top":
            found: FloatArray = 1 - self.half_start_probabilities(inning, "bottom", turned)[::-1]
            if inning >= REGULATION_INNINGS:
                found = np.where(LEAD_VALUES < 0, 0, found)
            if inning == REGULATION_INNINGS and self._house["bottomNinth"] == "anyLead":
                found = np.where(LEAD_VALUES > 0, 1, found)
            return found
        if inning < REGULATION_INNINGS:
            found = 1 - self.half_start_probabilities(inning + 1, "top", turned)[::-1]
        else:
            found = np.where(LEAD_VALUES == 0, 1 - self._tie_probability(turned), (LEAD_VALUES > 0).astype(float))
        return found

    def half_coefficients(self, inning: int, side: Side, birds: RallybirdHolders) -> FloatArray:
        """Return win probabilities within a half-inning, as feature coefficients by lead and position."""
        inning = min(inning, REGULATION_INNINGS + 1)
        key = (inning, side, birds)
        if key not in self._values:
            self._values[key] = self._compute_coefficients(inning, side, birds)
        return self._values[key]

    def _tie_probability(self, birds: RallybirdHolders) -> float:
        """Return the visitors' win probability in a tie before an extra inning. All extra innings are equal."""
        if birds not in self._ties:
            self._ties[birds] = 0.5
            for _ in range(3 if self._house["rallyExtraInnings"] == "true" and birds[1] else 0):
                for key in [key for key in self._values if key[0] > REGULATION_INNINGS]:
                    del self._values[key]
                self._ties[birds] = float(self.half_start_probabilities(REGULATION_INNINGS + 1, "top", birds)[MAX_LEAD])
        return self._ties[birds]

    def _compute_coefficients(self, inning: int, side: Side, birds: RallybirdHolders) -> FloatArray:
        end, tails = self.half_end_probabilities(inning, side, birds), self._half.run_coefficients
        ends = end[np.clip(LEAD_VALUES[:, None] + np.arange(tails.shape[-1]), -MAX_LEAD, MAX_LEAD) + MAX_LEAD]
        found: FloatArray = np.einsum("pfr,lr->lpf", tails, ends)
        if not self.may_rally(inning, -1, birds):
            return found
        lost = self.half_coefficients(inning, side, (False, birds[1]))
        for lead in range(-1, -MAX_RALLY_DEFICIT_RUNS - 1, -1):
            found[lead + MAX_LEAD] = self._rallybird_coefficients(lead, found, lost, end)
        return found

    def _rallybird_coefficients(self, lead: int, kept: FloatArray, lost: FloatArray, end: FloatArray) -> FloatArray:
        """Return the coefficients of one lead with the RallyBird, if both sides keep their strategies for runs.

        `kept` must be final for better leads. For this lead it is the initial guess.
        """
        cards, half = self._cards, self._half
        played = half.card_strategies.max((0, 1)) > 0.002
        steps, mix = half.transition_weights[:, :, played], half.card_strategies[:, :, played]
        after, good = cards.after[:, played], cards.success[:, played]
        leads = np.clip(lead + cards.runs[:, played], -MAX_LEAD, MAX_LEAD) + MAX_LEAD
        may = ~good | (self._house["rallyOn"] == "any")
        chances = np.maximum(steps[..., 0], 1e-12)
        ends = np.zeros((2 * MAX_LEAD + 1, 1, FEATURE_COUNT))
        ends[:, 0, 0] = end

        def joint_values(values: FloatArray) -> FloatArray:
            follow = np.concatenate([values, ends], 1)[leads, after]
            joint: FloatArray = np.clip(np.einsum("gpcjf,pcjf->gpcj", steps, follow, optimize=True), 0, chances)
            return joint

        without, found = joint_values(lost), kept.copy()
        before = np.zeros(steps.shape[:2])
        for _ in range(15):
            keep = joint_values(found)
            again = np.where(good, keep, without).sum(-1, keepdims=True)
            value = np.where(may, np.maximum(keep, chances * again), keep).sum(-1)
            seen = np.clip((value * mix).sum(-1), 0, 1)
            found[lead + MAX_LEAD] = np.einsum("fg,gp->pf", half.fit_matrix, seen)
            if np.abs(seen - before).max() < 1e-3:
                break
            before = seen
        best: FloatArray = found[lead + MAX_LEAD]
        return best
