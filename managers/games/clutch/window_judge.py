"""Win probability in the window of a card, for example during a throw, a check or a steal, or between at-bats."""

from __future__ import annotations

from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.state import ClutchAtBat, State, ThrowOrCheck
from managers.games.clutch.baserunning import expected_value, throw_ends
from managers.games.clutch.fielding import build_throw, state_after_tries
from managers.games.clutch.judge import PositionJudge


class WindowJudge:
    """Evaluates positions in one window, a key of `effects.WINDOW_TAGS`."""

    def __init__(self, judge: PositionJudge, window: str) -> None:
        self.judge, self.window = judge, window
        self.side = judge.side

    def win_probability(self, s: State) -> float:
        """Return the win probability, including a pending throw."""
        if self.window in ("after", "end", "half", "game", "enter") and (s.at.outcome or self.window != "after"):
            return self.between_at_bats_value(s)
        if s.throw and s.throw.kind == "check":
            return self.check_value(s)
        if s.throw:
            return self.throw_value(s, s.throw)
        if self.window == "steal":
            return self.steal_value(s)
        if self.window == "try":
            return self.advance_value(s)
        return self.judge.win_probability(s)

    def between_at_bats_value(self, s: State) -> float:
        if s.outs >= 3:
            return self.judge.win_probability(s)
        if self.window == "after":
            bases = sum(1 << at for at, one in enumerate(s.bases) if one)
            return self.judge.chance_from_offense(s, self.judge.next_batter_value_function(s)(s.outs, bases, 0))
        bare = s.copy()
        bare.at = ClutchAtBat()
        return self.judge.win_probability(bare)

    def out_chance(self, s: State, throw: ThrowOrCheck) -> float:
        if throw.made is not None:
            return float(throw.made)
        if throw.natural is not None:
            twin = s.copy()
            twin.throw = throw
            throw_numbers.judge_throw(twin)
            return float(bool(twin.throw and twin.throw.made))
        return self.judge.out_chance(s, throw)

    def throw_value(self, s: State, throw: ThrowOrCheck) -> float:
        """Return the win probability during a throw. Of the other runners, only those in the way try for a base."""
        chance = self.out_chance(s, throw)
        out, safe = self.out_and_safe_values(s, throw)
        return chance * out + (1 - chance) * safe

    def out_and_safe_values(self, s: State, throw: ThrowOrCheck) -> tuple[float, float]:
        bare = s.copy()
        bare.throw = None
        judge = self.judge
        if throw.kind == "steal":
            way = _tried_bases(s, throw.base)
            return judge.win_probability(state_after_tries(bare, way, throw.base)), judge.win_probability(
                state_after_tries(bare, way, 0)
            )
        value = judge.next_batter_value_function(bare)
        if throw.kind in ("hit", "tag"):
            way, speeds = _tried_bases(s, throw.base), judge.runner_speeds(s)
            ends = throw_ends(speeds, s.outs, 0, way, lambda *_: 1.0, judge.current_field(bare))
            out, safe = (expected_value(ends[base], value) for base in (throw.base, 0))
            return judge.chance_from_offense(s, out), judge.chance_from_offense(s, safe)
        on = [one is not None for one in s.bases]
        bases = sum(1 << at for at, one in enumerate(on) if one)
        if throw.kind == "double-play":
            safe = value(s.outs, bases | 1, 0)
            return judge.chance_from_offense(s, value(s.outs + 1, bases, 0)), judge.chance_from_offense(s, safe)
        left = bases & ~(1 << max(0, throw.base - 2)) if throw.base > 1 else bases
        ground = throw.kind in ("ground", "infield-in")
        out = value(s.outs + 1, left | ground, 0)
        reached = left | (1 << (throw.base - 1) if throw.base < 4 else 0) | ground
        return judge.chance_from_offense(s, out), judge.chance_from_offense(
            s, value(s.outs, reached, int(throw.base == 4))
        )

    def check_value(self, s: State) -> float:
        assert s.throw is not None
        made = self.check_chance(s, s.throw)
        for one in reversed(s.at.played):
            for effect in s.box.playable_card(one.kind, one.name).play.do:
                if effect.verb == "try" and effect.trial and effect.trial.call == "check":
                    changed = s.copy()
                    changed.throw, changed.at = None, s.at._replace(result=effect.to)
                    same = s.copy()
                    same.throw = None
                    share = 1 - made if effect.of == "failed" else made
                    return share * self.judge.win_probability(changed) + (1 - share) * self.judge.win_probability(same)
        return self.judge.win_probability(s)

    def check_chance(self, s: State, throw: ThrowOrCheck) -> float:
        if throw.made is not None:
            return float(throw.made)
        twin = s.copy()
        twin.throw = throw
        rating, target = throw_numbers.rating_with_roll(twin), throw_numbers.required_number(twin)
        if throw.natural is not None:
            return float(rating + throw.natural >= target)
        return min(20, max(0, 21 - (target - rating))) / 20

    def steal_value(self, s: State) -> float:
        """Return the win probability after a steal is declared. The lead runner who can go is assumed to."""
        bases = s.bases
        base = 3 if bases[1] and not bases[2] else 2 if bases[0] and not bases[1] else 0
        if not base:
            return self.judge.win_probability(s)
        chance = self.judge.out_chance(s, build_throw(s, "steal", base))
        return chance * self.judge.win_probability(state_after_tries(s, (base,), base)) + (
            1 - chance
        ) * self.judge.win_probability(state_after_tries(s, (base,), 0))

    def advance_value(self, s: State) -> float:
        """Return the win probability while runners try for a base. Only the lead runner is assumed to."""
        base = 4 if s.bases[2] else 3 if s.bases[1] else 2 if s.bases[0] else 0
        if not base:
            return self.between_at_bats_value(s)
        kind = {"FB": "tag", "GB": "ground"}.get(s.at.outcome, "hit")
        return self.throw_value(s, build_throw(s, kind, base))


def _tried_bases(s: State, base: int) -> tuple[int, ...]:
    """Return the base that a runner tries for, and those of the runners ahead of him who must make room."""
    way = [base]
    while way[-1] < 4 and s.bases[way[-1] - 1] is not None:
        way.append(way[-1] + 1)
    return tuple(way)
