"""Win probability of a position, from the current half and a table of later halves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.games.seventh_inning_stretch.cards import OpponentTeam, StretchBatter, StretchPitcher
from engine.games.seventh_inning_stretch.dice.abilities import ability_uses
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts
from engine.games.seventh_inning_stretch.state import DICE_COUNT, REGULATION_INNINGS
from engine.innings import InningClock
from engine.seats import SEATS, Seat
from managers.games.seventh_inning_stretch.game import (
    RUN_DISTRIBUTION_SIZE,
    GameWinTable,
    relevant_inning_and_lead,
    run_distribution,
    team_run_distribution,
)
from managers.games.seventh_inning_stretch.half import BattingRules, HalfEndValues, HalfInningValues, half_inning_values
from managers.games.seventh_inning_stretch.hands import FloatArray, all_hands, hand_chances, hand_row
from managers.games.seventh_inning_stretch.lines import BLANK_CARD_BATTER
from managers.games.seventh_inning_stretch.position import StretchPosition, VisibleSquad

FIRST_LATE_INNING = 9  # First inning in which win probabilities, not runs, are maximized.
MAX_RELEVANT_LEAD = 8  # Largest lead in runs that matters.
MAX_EXACT_RUN_TOTALS = 14  # Maximum number of run totals in a half solved for win probabilities.
MAX_HALF_RUNS = 40  # More than the runs of any half.

MAX_TRIED_TEAM_DICE = 9
"""Maximum number of a team's dice for which all uses of an ability are tried on all hands."""

DUEL_PITCHING_FACTOR = 0.92  # Share of the runs that a duel's pitchers allow, compared with unopposed dice.


@lru_cache(maxsize=256)
def mean_runs(order: tuple[StretchBatter, ...], bench: int, rules: BattingRules, start: tuple[int, int, int]) -> float:
    """Return the mean runs of a lineup in a half, averaged over all leadoff batters."""
    turns = half_inning_values(order, bench, rules, HalfEndValues(REGULATION_INNINGS)).turns
    dice, rerolls, nudges = start
    return float(np.mean([turn.before_gathering[0, dice, rerolls, nudges] for turn in turns]))


@lru_cache(maxsize=512)
def limited_run_distribution(
    team: OpponentTeam, pitcher: StretchPitcher, count: int, least: int, more: int, inning: int, lead: int
) -> FloatArray:
    """Return a team's run distribution if the pitcher uses his ability once where it helps."""
    ability = pitcher.ability
    if team.runs is None or ability is None or count > MAX_TRIED_TEAM_DICE:
        return team_run_distribution(team, count, more, inning, lead)
    at = GuardFacts(inning=inning, lead=lead)
    if ability.before:
        return team_run_distribution(team, max(count - ability.number, min(least, count)), more, inning, lead)
    found = np.zeros(RUN_DISTRIBUTION_SIZE)
    runs = np.array([team.runs(hand, at) for hand in all_hands(count)])
    for number, (hand, chance) in enumerate(zip(all_hands(count), hand_chances(count), strict=True)):
        now = int(runs[number])
        spot = {now: 1.0}
        for use in ability_uses(ability, hand, 0, least):
            if use.again:
                high = max(use.again, key=lambda at: hand[at])
                some = [tuple(sorted((*hand[:high], face, *hand[high + 1 :]))) for face in range(1, 7)]
                then = [int(runs[hand_row(one)]) for one in some]
                if sum(then) / 6 < sum(score * odds for score, odds in spot.items()):
                    spot = {score: then.count(score) / 6 for score in then}
                continue
            score = max(0, now - use.less) if use.cap is None else min(now, use.cap)
            if use.faces is not None:
                score = team.runs(use.faces, at)
            if score < sum(one * odds for one, odds in spot.items()):
                spot = {score: 1.0}
        for score, odds in spot.items():
            found[min(RUN_DISTRIBUTION_SIZE - 1, score + more)] += chance * odds
    return found


@dataclass(frozen=True, slots=True)
class SeasonOpponent:
    """A season's opponent and the pitcher against it. `ability_chance` is the chance that he uses his ability in a
    half."""

    team: OpponentTeam | None
    count: int
    least: int
    more: int
    pitcher: StretchPitcher | None
    ability_chance: float

    def run_distribution(self, inning: int, lead: int) -> FloatArray:
        if self.team is None:
            return run_distribution(1.2)
        inning, lead = relevant_inning_and_lead(self.team, inning, lead)
        plain = team_run_distribution(self.team, self.count, self.more, inning, lead)
        if self.pitcher is None or not self.ability_chance:
            return plain
        less = limited_run_distribution(self.team, self.pitcher, self.count, self.least, self.more, inning, lead)
        return self.ability_chance * less + (1 - self.ability_chance) * plain


@lru_cache(maxsize=64)
def game_win_table(away: float | SeasonOpponent, home: float | SeasonOpponent, both: bool) -> GameWinTable:
    """Return the win table of two sides. A side that bats is given by its mean runs in a half."""
    sides: dict[Seat, float | SeasonOpponent] = {"away": away, "home": home}
    spreads = {seat: run_distribution(side) for seat, side in sides.items() if isinstance(side, float)}

    def side_run_distribution(seat: Seat, inning: int, lead: int) -> FloatArray:
        side = sides[seat]
        return spreads[seat] if isinstance(side, float) else side.run_distribution(inning, lead)

    return GameWinTable(side_run_distribution, both)


class StretchOutlook:
    """Win probabilities in one position, for the side `mine`."""

    def __init__(self, position: StretchPosition, exact: bool = True) -> None:
        self.position, self.exact = position, exact
        self.rules = position.batting_rules()
        self.both = position.duel and position.house["duelEnd"] == "bothBat"
        away, home = (self._side_scoring(side) for side in SEATS)
        self.game = game_win_table(away, home, self.both)

    def _side_scoring(self, side: Seat) -> float | SeasonOpponent:
        position = self.position
        if position.duel:
            return round(self.squad_mean_runs(position.squads[side]) * DUEL_PITCHING_FACTOR, 3)
        return (
            round(self.squad_mean_runs(position.squads[position.seat]), 3)
            if side == position.mine
            else self.season_opponent()
        )

    def squad_mean_runs(self, squad: VisibleSquad) -> float:
        position = self.position
        order = position.batting_order_cards(squad) or (BLANK_CARD_BATTER,)
        return mean_runs(order, len(squad.bench), self.rules, position.starting_pool())

    def team_dice(self) -> tuple[int, int]:
        """Return the number of dice that the opponent rolls, and its minimum (A9)."""
        team, force = self.position.team, self.position.condition
        assert team is not None
        count = team.dice if force.dice is None else force.dice
        return min(DICE_COUNT, count + force.more_dice), team.least if force.least is None else force.least

    def season_opponent(self) -> SeasonOpponent:
        position = self.position
        if position.team is None:
            return SeasonOpponent(None, 0, 0, 0, None, 0.0)
        count, least = self.team_dice()
        squad = position.squads[position.seat]
        banned = not squad.pitcher or "abilities" in position.condition.ban
        pitcher = None if banned else position.pitcher_card(squad.pitcher)
        often = 0.0 if banned else min(1.0, position.uses_left[squad.pitcher] / 4)
        return SeasonOpponent(position.team, count, least, position.condition.more_runs, pitcher, often)

    def win_probability_after_half(self, side: Seat, clock: InningClock, lead: int) -> float:
        """Return the win probability of a side that leads by `lead` after this half."""
        home = self.game.after_half_probability(clock, lead if side == "home" else -lead)
        return home if side == "home" else 1 - home

    def win_probabilities_by_runs(self, count: int) -> tuple[float, ...]:
        """Return the win probability of the side at bat after this half, by its runs from 0 to `count` - 1."""
        position, side = self.position, self.position.batting_seat
        lead = position.side_lead(side) - position.scored
        return tuple(
            round(self.win_probability_after_half(side, position.clock, lead + runs), 9) for runs in range(count)
        )

    def half_end_values(self) -> HalfEndValues | None:
        """Return the end values of the current half for the side at bat, or None if too many run totals matter."""
        position, clock = self.position, self.position.clock
        lead = position.side_lead(position.batting_seat) - position.scored
        late = clock.inning > REGULATION_INNINGS and position.house["extraInningWalkoff"] == "false"
        walk_off = clock.half == "bottom" and clock.inning >= REGULATION_INNINGS and not self.both and not late
        count = max(position.scored + 1, 2 - lead) if walk_off else max(2, MAX_RELEVANT_LEAD - lead)
        return (
            HalfEndValues(clock.inning, lead, self.win_probabilities_by_runs(count), walk_off)
            if count <= MAX_EXACT_RUN_TOTALS
            else None
        )

    def current_half_values(self) -> HalfInningValues:
        """Return the solved current half. It maximizes win probability if late and `exact`, else runs."""
        position = self.position
        squad, inning = position.batting_squad, position.clock.inning
        ends = self.half_end_values() if self.exact and inning >= FIRST_LATE_INNING else None
        lead = position.side_lead(position.batting_seat)
        plain = HalfEndValues(min(inning, REGULATION_INNINGS), (lead > 0) - (lead < 0))
        return half_inning_values(position.batting_order_cards(squad), len(squad.bench), self.rules, ends or plain)

    def run_value(self) -> float:
        """Return the effect of one run on the win probability, as the mean of one more and one less."""
        position, side = self.position, self.position.mine
        more, less = (self.win_probability_after_half(side, position.clock, position.lead + one) for one in (1, -1))
        return max(0.0, (more - less) / 2)
