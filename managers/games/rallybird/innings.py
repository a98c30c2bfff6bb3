"""The chance to win from any point of the game: half-innings joined to the end of the game, with the RallyBird.

Leads and chances are those of the side at bat. `Birds` says who still has the RallyBird: the side at bat, the other.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.clock import Half as Side
from engine.games.rallybird.state import REGULATION
from managers.games.rallybird.fielding import FEATURES, Gloves, Kit
from managers.games.rallybird.half_inning import Half
from managers.games.rallybird.matchup import Bird, Later
from managers.games.rallybird.outcomes import MOST_RUNS, Floats, Outcomes

Birds = tuple[bool, bool]

LEAD = 15
"""The largest lead; a larger one counts as this number of runs."""

CLOSE = 8
"""The RallyBird is worth something down to this many runs behind."""

LEADS = np.arange(-LEAD, LEAD + 1)


class Innings:
    """The chances to win of one setup; worked out when they are first wanted, and then kept."""

    def __init__(self, cards: Outcomes, kit: Kit, half: Half, house: Mapping[str, str]) -> None:
        self._cards, self._kit, self._half, self._house = cards, kit, half, house
        self._fresh = np.array([kit.describe(kit.fresh(icon)) for icon in kit.icons])
        self._values: dict[tuple[int, Side, Birds], Floats] = {}
        self._ties: dict[Birds, float] = {}

    def may_rally(self, inning: int, lead: int, birds: Birds) -> bool:
        """True if the side at bat may use the RallyBird (RB-089 to RB-096, A13, A17)."""
        late = inning == REGULATION or (inning > REGULATION and self._house["rallyExtraInnings"] == "true")
        return late and birds[0] and lead < 0 and self._house["rallyBird"] == "on"

    def later(self, inning: int, side: Side, lead: int, birds: Birds, gloves: Gloves) -> Later:
        """Return the chances after an at-bat: by position, changed Glove, and runs of this at-bat."""
        inning, values = min(inning, REGULATION + 1), self.values(inning, side, birds)
        leads = np.clip(lead + np.arange(MOST_RUNS + 1), -LEAD, LEAD)
        playing = np.einsum("rpf,cf->pcr", values[leads + LEAD], self._kit.changes(gloves))
        over: Floats = np.broadcast_to(self.end(inning, side, birds)[leads + LEAD], (1, *playing.shape[1:]))
        found: Floats = np.clip(np.concatenate([playing, over]), 0, 1)
        if side == "bottom" and inning >= REGULATION:
            found[:, :, leads > 0] = 1
        return found

    def bird(self, inning: int, side: Side, lead: int, birds: Birds, gloves: Gloves) -> Bird | None:
        """Return the RallyBird if the side at bat may use it, else None."""
        if not self.may_rally(inning, lead, birds):
            return None
        lost = self.later(inning, side, lead, (False, birds[1]), gloves)
        return Bird(lost, self._house["rallyOn"] == "failedOnly", self._house["rallyHomeRun"] == "bothRolls")

    def here(self, inning: int, side: Side, lead: int, birds: Birds, gloves: Gloves, position: int) -> float:
        """Return the chance of the side at bat as an at-bat begins."""
        lead = min(LEAD, max(-LEAD, lead))
        if side == "bottom" and inning >= REGULATION and lead > 0:
            return 1.0
        value = float(self.values(inning, side, birds)[lead + LEAD, position] @ self._kit.describe(gloves))
        return min(1.0, max(0.0, value))

    def start(self, inning: int, side: Side, birds: Birds) -> Floats:
        """Return the chances as a half-inning begins, by lead; Defense leaves out the better Glove for it."""
        values = self.values(inning, side, birds)[:, 0] @ self._fresh.T
        found: Floats = np.clip(values.min(1), 0, 1)
        return found

    def end(self, inning: int, side: Side, birds: Birds) -> Floats:
        """Return the chances as a half-inning ends, by lead (RB-077 to RB-082, A1)."""
        turned = (birds[1], birds[0])
        if side == "top":
            found: Floats = 1 - self.start(inning, "bottom", turned)[::-1]
            if inning >= REGULATION:
                found = np.where(LEADS < 0, 0, found)
            if inning == REGULATION and self._house["bottomNinth"] == "anyLead":
                found = np.where(LEADS > 0, 1, found)
            return found
        if inning < REGULATION:
            found = 1 - self.start(inning + 1, "top", turned)[::-1]
        else:
            found = np.where(LEADS == 0, 1 - self._tie(turned), (LEADS > 0).astype(float))
        return found

    def values(self, inning: int, side: Side, birds: Birds) -> Floats:
        """Return the chances inside a half-inning, as coefficients of `Kit.describe` by lead and position."""
        inning = min(inning, REGULATION + 1)
        key = (inning, side, birds)
        if key not in self._values:
            self._values[key] = self._inside(inning, side, birds)
        return self._values[key]

    def _tie(self, birds: Birds) -> float:
        """Return the chance of the visitors as an extra inning begins even; the innings after it are the same."""
        if birds not in self._ties:
            self._ties[birds] = 0.5
            for _ in range(3 if self._house["rallyExtraInnings"] == "true" and birds[1] else 0):
                for key in [key for key in self._values if key[0] > REGULATION]:
                    del self._values[key]
                self._ties[birds] = float(self.start(REGULATION + 1, "top", birds)[LEAD])
        return self._ties[birds]

    def _inside(self, inning: int, side: Side, birds: Birds) -> Floats:
        end, tails = self.end(inning, side, birds), self._half.tails
        ends = end[np.clip(LEADS[:, None] + np.arange(tails.shape[-1]), -LEAD, LEAD) + LEAD]
        found: Floats = np.einsum("pfr,lr->lpf", tails, ends)
        if not self.may_rally(inning, -1, birds):
            return found
        lost = self.values(inning, side, (False, birds[1]))
        for lead in range(-1, -CLOSE - 1, -1):
            found[lead + LEAD] = self._rallying(lead, found, lost, end)
        return found

    def _rallying(self, lead: int, kept: Floats, lost: Floats, end: Floats) -> Floats:
        """Return the values of one lead with the RallyBird, if both sides go on with the mixes for runs.

        `kept` has the right values of better leads, and a first guess of this one.
        """
        cards, half = self._cards, self._half
        played = half.mix.max((0, 1)) > 0.002
        steps, mix = half.steps[:, :, played], half.mix[:, :, played]
        after, good = cards.after[:, played], cards.success[:, played]
        leads = np.clip(lead + cards.runs[:, played], -LEAD, LEAD) + LEAD
        may = ~good | (self._house["rallyOn"] == "any")
        chances = np.maximum(steps[..., 0], 1e-12)
        ends = np.zeros((2 * LEAD + 1, 1, FEATURES))
        ends[:, 0, 0] = end

        def meant(values: Floats) -> Floats:
            follow = np.concatenate([values, ends], 1)[leads, after]
            joint: Floats = np.clip(np.einsum("gpcjf,pcjf->gpcj", steps, follow, optimize=True), 0, chances)
            return joint

        without, found = meant(lost), kept.copy()
        before = np.zeros(steps.shape[:2])
        for _ in range(15):
            keep = meant(found)
            again = np.where(good, keep, without).sum(-1, keepdims=True)
            value = np.where(may, np.maximum(keep, chances * again), keep).sum(-1)
            seen = np.clip((value * mix).sum(-1), 0, 1)
            found[lead + LEAD] = np.einsum("fg,gp->pf", half.fit, seen)
            if np.abs(seen - before).max() < 1e-3:
                break
            before = seen
        best: Floats = found[lead + LEAD]
        return best
