"""Win probability of a position, from the current at-bat to the end of the game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.dice import FACES_BY_KIND
from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.numbers.modifiers import die_with_cards, is_allowed
from engine.games.clutch.numbers.rolls import sufficient_faces
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from engine.games.clutch.pitching.rest import FULLY_RESTED
from engine.games.clutch.state import State, ThrowOrCheck
from engine.seats import SEATS, Seat
from managers.games.clutch.baserunning import (
    FieldRatings,
    RunnerSpeeds,
    ValueFunction,
    end_distribution,
    expected_value,
)
from managers.games.clutch.expectancy import (
    LEAD_COUNT,
    MAX_LEAD,
    FloatArray,
    PitchingStint,
    SidePlan,
    WinExpectancyModel,
    store_in_cache,
)
from managers.games.clutch.odds import OUTCOME_CODES, current_distribution


class PositionJudge:
    """Evaluates positions of one game for `side`."""

    def __init__(self, study: WinExpectancyModel, side: Seat) -> None:
        self.model, self.side = study, side
        self.house = study.house
        self._known: dict[tuple[object, ...], tuple[object, FloatArray]] = {}
        """Cached tables, each with the objects in its key, so that no `id` is reused."""

    def win_probability(self, s: State) -> float:
        """Return the side's chance to win, with the current at-bat still open."""
        if s.outs >= 3:
            return self.chance_from_home(float(self.win_probabilities_after_half(s)[_lead_index(s)]))
        return self.chance_from_home(float(current_distribution(s) @ self.result_win_probabilities(s)))

    def chance_from_offense(self, s: State, win: float) -> float:
        """Convert the chance of the side at bat to the judge's side."""
        return win if self.side == s.offense else 1 - win

    def chance_from_home(self, home: float) -> float:
        return home if self.side == "home" else 1 - home

    # The current half-inning -----------------------------------------------------------------------------------------

    def result_win_probabilities(self, s: State) -> FloatArray:
        """Return home's win probability after each of `OUTCOME_CODES` as the result of this at-bat."""
        kept = (s.squads, s.arms, s.bases, s.standing)
        key = ("results", *map(id, kept), s.outs, s.score, s.clock, s.at.infield_in)
        if key not in self._known:
            self._known[key] = (kept, self._compute_result_probabilities(s))
        return self._known[key][1]

    def _compute_result_probabilities(self, s: State) -> FloatArray:
        field, speeds, batter = self.current_field(s), self.runner_speeds(s), s.batter_card.baserunning
        squad = s.squad(s.offense)
        key: tuple[object, ...] = (
            squad.order,
            squad.slot,
            self.current_stint(s, s.current_record),
            self.win_probabilities_after_half(s).tobytes(),
        )
        key = (*key, s.clock, s.outs, s.score, field, speeds, batter)
        found = self.model.result_probabilities.get(key)
        if found is None:
            value = self.next_batter_value_function(s)
            found = np.array(
                [
                    expected_value(end_distribution(code, s.outs, speeds, batter, field, value), value)
                    for code in OUTCOME_CODES
                ]
            )
            found = found if s.offense == "home" else 1 - found
            store_in_cache(self.model.result_probabilities, key, found, 300)
        return found

    def next_batter_value_function(self, s: State) -> ValueFunction:
        """Return the win probability of the side at bat for the next batter, as a function of outs, bases and runs."""
        table, after = self.half_win_probabilities(s), self.win_probabilities_after_half(s)
        slot = (s.squad(s.offense).slot + 1) % len(s.squad(s.offense).order)
        sign = 1 if s.offense == "home" else -1
        lead, mine = s.score[1] - s.score[0], table[slot]

        def state_value(outs: int, bases: int, runs: int) -> float:
            at = min(LEAD_COUNT - 1, max(0, lead + sign * runs + MAX_LEAD))
            won = float(after[at] if outs >= 3 else mine[outs * 8 + bases, at])
            return won if sign == 1 else 1 - won

        return state_value

    def half_win_probabilities(self, s: State) -> FloatArray:
        """Return home's win probability by batter, state and lead in this half-inning."""
        kept = (s.squads, s.arms)
        key = ("table", *map(id, kept), s.outs, s.clock)
        if key not in self._known:
            self._known[key] = (kept, self._compute_half_probabilities(s))
        return self._known[key][1]

    def _compute_half_probabilities(self, s: State) -> FloatArray:
        squad = s.squad(s.offense)
        late = s.offense == "home" and s.clock.inning >= 9
        field = self.model.printed_field(s.squad(s.defense))
        staff = self.current_stint(s, s.current_record)
        return self.model.half_win_probabilities(
            squad.order, staff, field, s.offense, self.win_probabilities_after_half(s), late
        )

    def win_probabilities_after_half(self, s: State) -> FloatArray:
        """Return home's win probability by lead after this half-inning."""
        kept = (s.squads, s.arms)
        key = ("after", *map(id, kept), s.outs, s.clock)
        if key not in self._known:
            self._known[key] = (kept, self._compute_probabilities_after_half(s))
        return self._known[key][1]

    def _compute_probabilities_after_half(self, s: State) -> FloatArray:
        coming = s.clock.next_half()
        away, home = (self.side_plan(s, side) for side in SEATS)
        return self.model.later_win_probabilities(away, home, coming.inning, coming.half)

    def current_field(self, s: State) -> FieldRatings:
        """Return the current fielding ratings and permissions, with the cards in force."""
        twin = s.copy()
        ratings = []
        for unit in ("battery", "infield", "outfield"):
            twin.throw = ThrowOrCheck("check", unit)
            ratings.append(throw_numbers.unit_rating(twin, unit))
        ruled = self.model.field_with_house_rules(*ratings)
        tries = is_allowed(s, "extra-base")
        return replace(
            ruled,
            drawn_in=s.at.infield_in,
            double_plays=is_allowed(s, "double-play"),
            tries=tries,
            tags=is_allowed(s, "tag"),
        )

    def batter_gain(self, s: State, batter: str) -> float:
        """Return the gain in win probability of another batter in this at-bat, without cards."""
        arm = s.current_record
        penalty, tired = pitcher_record.tired_penalty(arm, self.house), pitcher_record.is_tired(arm, self.house)
        ours, theirs = (
            self.model.matchup_distribution(name, arm.name, penalty, tired) for name in (batter, s.batter_card.name)
        )
        more = float((ours - theirs) @ self.result_win_probabilities(s))
        return more if s.offense == "home" else -more

    def runner_speeds(self, s: State) -> RunnerSpeeds:
        first, second, third = (self.model.box.batters[one.name].baserunning if one else None for one in s.bases)
        return first, second, third

    def current_stint(self, s: State, arm: PitcherRecord) -> PitchingStint:
        """Return the pitcher on the mound with his fatigue at each number of outs in this half-inning."""
        found = []
        for outs in range(3):
            later = replace(arm, outs=max(0, arm.outs + outs - s.outs))
            found.append((pitcher_record.tired_penalty(later, self.house), pitcher_record.is_tired(later, self.house)))
        return PitchingStint(arm.name, (found[0], found[1], found[2]))

    # Later half-innings ----------------------------------------------------------------------------------------------

    def side_plan(self, s: State, side: Seat) -> SidePlan:
        squad = s.squad(side)
        return SidePlan(squad.order, self.model.printed_field(squad), self.pitching_plan(s, side))

    def pitching_plan(self, s: State, side: Seat) -> tuple[tuple[int, PitchingStint], ...]:
        """Return the pitchers of later innings: the current one until he is tired, then the bullpen, best last."""
        squad, arm = s.squad(side), s.arms[SEATS.index(side)][s.squad(side).pitcher]
        rests = s.rests[SEATS.index(s.chair(side))]
        order = s.squads[1 - SEATS.index(side)].order
        weary = tuple(name for name in squad.bullpen if rests.get(name, FULLY_RESTED).is_tired)
        key = (arm, squad.bullpen, weary, order, s.clock, s.outs if side == s.defense else 0)
        if key not in self.model.pitching_plans:
            store_in_cache(self.model.pitching_plans, key, self._compute_pitching_plan(s, side), 500)
        return self.model.pitching_plans[key]

    def _compute_pitching_plan(self, s: State, side: Seat) -> tuple[tuple[int, PitchingStint], ...]:
        squad, arm = s.squad(side), s.arms[SEATS.index(side)][s.squad(side).pitcher]
        fields = side == s.defense
        first = _next_fielding_inning(s, side)
        left = pitcher_record.outs_left(arm, self.house) - (3 - s.outs if fields else 0)
        stays = 0 if arm.owes else max(0, left) // 3
        rows: list[tuple[int, PitchingStint]] = []
        inning = first
        if stays:
            rows.append((inning, PitchingStint(arm.name)))
            inning += stays
        wanted = max(0, 10 - inning)
        pen = self.available_relievers(s, side)
        chosen: list[tuple[str, int, bool]] = []
        for name, innings, tired in pen:
            if sum(one[1] for one in chosen) >= max(1, wanted):
                break
            chosen.append((name, innings, tired))
        for name, innings, tired in reversed(chosen):
            if wanted or not rows:
                rows.append((inning, PitchingStint(name, ((int(tired), tired),) * 3)))
                inning += innings
        covered = inning >= 10 or bool(chosen)
        if not rows or not covered:
            over = max(1, pitcher_record.tired_penalty(replace(arm, outs=arm.outs + 3), self.house))
            rows.append((inning, PitchingStint(squad.pitcher, ((over, True),) * 3)))
        return tuple(rows)

    def available_relievers(self, s: State, side: Seat) -> list[tuple[str, int, bool]]:
        """Return name, innings and tiredness of each available reliever, best first."""
        squad, rests = s.squad(side), s.rests[SEATS.index(s.chair(side))]
        order = s.squads[1 - SEATS.index(side)].order
        rows = []
        for name in squad.bullpen:
            innings = self.model.box.pitchers[name].innings
            long = innings.get("RP") or innings.get("OP") or innings.get("BP") or 1
            tired = rests.get(name, FULLY_RESTED).is_tired
            rows.append((self.model.pitcher_quality(name, order, tired), name, long, tired))
        return [(name, long, tired) for _, name, long, tired in sorted(rows)]

    # Throws ----------------------------------------------------------------------------------------------------------

    def out_chance(self, s: State, throw: ThrowOrCheck) -> float:
        """Return the chance that a throw gets the runner out, with the cards in force."""
        twin = s.copy()
        twin.throw = throw
        kind = die_with_cards(twin, "throw")
        good = sufficient_faces(
            twin, "throw", kind, throw_numbers.fielding_rating(twin), throw_numbers.runner_speed(twin) + 1
        )
        return len(good) / len(FACES_BY_KIND[kind])


def _next_fielding_inning(s: State, side: Seat) -> int:
    """Return the inning in which a side fields next, after the current half-inning."""
    return s.clock.inning + (side == "home" or s.clock.half == "bottom")


def _lead_index(s: State) -> int:
    return min(LEAD_COUNT - 1, max(0, s.score[1] - s.score[0] + MAX_LEAD))
