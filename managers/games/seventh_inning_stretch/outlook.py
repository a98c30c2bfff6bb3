"""What a position is worth: the two sides' halves, and the chance to win from the end of the half under way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.clock import Clock
from engine.games.seventh_inning_stretch.cards import Batter, Pitcher, Team
from engine.games.seventh_inning_stretch.dice.abilities import uses
from engine.games.seventh_inning_stretch.dice.conditions import At
from engine.games.seventh_inning_stretch.state import DICE, REGULATION
from engine.seats import SEATS, Seat
from managers.games.seventh_inning_stretch.game import RUNS, Game, looked_at, spread, team_runs
from managers.games.seventh_inning_stretch.half import Ends, Half, Rules, half
from managers.games.seventh_inning_stretch.hands import Floats, chances, hands, place
from managers.games.seventh_inning_stretch.lines import UNREAD
from managers.games.seventh_inning_stretch.position import Position, Squad

LATE = 9
"""The first inning in which a run is not worth as much as another."""

SHOWN, MOST, ALL = 8, 14, 40
"""The largest lead that matters, the most numbers of runs in an exact half, and more runs than any half has."""

TRIED = 9
"""The most dice of a team for which uses of an ability are tried on all hands."""

PITCHED = 0.92
"""What a duel's pitchers leave of the runs that dice would bring."""


@lru_cache(maxsize=256)
def mean_runs(order: tuple[Batter, ...], bench: int, rules: Rules, start: tuple[int, int, int]) -> float:
    """Return the runs of a line-up in a half, on average over all leadoff batters."""
    turns = half(order, bench, rules, Ends(REGULATION)).turns
    dice, rerolls, nudges = start
    return float(np.mean([turn.up[0, dice, rerolls, nudges] for turn in turns]))


@lru_cache(maxsize=512)
def stopped(team: Team, pitcher: Pitcher, count: int, least: int, more: int, inning: int, lead: int) -> Floats:
    """Return how often a team scores 0 runs, 1 and so on if the pitcher uses his ability once where it helps."""
    ability = pitcher.ability
    if team.runs is None or ability is None or count > TRIED:
        return team_runs(team, count, more, inning, lead)
    at = At(inning=inning, lead=lead)
    if ability.before:
        return team_runs(team, max(count - ability.number, min(least, count)), more, inning, lead)
    found = np.zeros(RUNS)
    runs = np.array([team.runs(hand, at) for hand in hands(count)])
    for number, (hand, chance) in enumerate(zip(hands(count), chances(count), strict=True)):
        now = int(runs[number])
        spot = {now: 1.0}
        for use in uses(ability, hand, 0, least):
            if use.again:
                high = max(use.again, key=lambda at: hand[at])
                some = [tuple(sorted((*hand[:high], face, *hand[high + 1 :]))) for face in range(1, 7)]
                then = [int(runs[place(one)]) for one in some]
                if sum(then) / 6 < sum(score * odds for score, odds in spot.items()):
                    spot = {score: then.count(score) / 6 for score in then}
                continue
            score = max(0, now - use.less) if use.cap is None else min(now, use.cap)
            if use.faces is not None:
                score = team.runs(use.faces, at)
            if score < sum(one * odds for one, odds in spot.items()):
                spot = {score: 1.0}
        for score, odds in spot.items():
            found[min(RUNS - 1, score + more)] += chance * odds
    return found


@dataclass(frozen=True, slots=True)
class Faced:
    """A season's opponent, and who pitches to it: `often` is how often he uses his ability in a half."""

    team: Team | None
    count: int
    least: int
    more: int
    pitcher: Pitcher | None
    often: float

    def runs(self, inning: int, lead: int) -> Floats:
        """Return how often it scores 0 runs, 1 and so on in a half."""
        if self.team is None:
            return spread(1.2)
        inning, lead = looked_at(self.team, inning, lead)
        plain = team_runs(self.team, self.count, self.more, inning, lead)
        if self.pitcher is None or not self.often:
            return plain
        less = stopped(self.team, self.pitcher, self.count, self.least, self.more, inning, lead)
        return self.often * less + (1 - self.often) * plain


@lru_cache(maxsize=64)
def game(away: float | Faced, home: float | Faced, both: bool) -> Game:
    """Return the game of two sides: a side that bats has its runs in a half on average."""
    sides: dict[Seat, float | Faced] = {"away": away, "home": home}
    spreads = {seat: spread(side) for seat, side in sides.items() if isinstance(side, float)}

    def scores(seat: Seat, inning: int, lead: int) -> Floats:
        side = sides[seat]
        return spreads[seat] if isinstance(side, float) else side.runs(inning, lead)

    return Game(scores, both)


class Outlook:
    """The chances to win in one position, from the side `mine`."""

    def __init__(self, position: Position, exact: bool = True) -> None:
        self.position, self.exact = position, exact
        self.rules = position.rules()
        self.both = position.duel and position.house["duelEnd"] == "bothBat"
        away, home = (self._side(side) for side in SEATS)
        self.game = game(away, home, self.both)

    def _side(self, side: Seat) -> float | Faced:
        position = self.position
        if position.duel:
            return round(self.mean(position.squads[side]) * PITCHED, 3)
        return round(self.mean(position.squads[position.seat]), 3) if side == position.mine else self.faced()

    def mean(self, squad: Squad) -> float:
        """Return the runs of a squad's half on average."""
        position = self.position
        order = position.order(squad) or (UNREAD,)
        return mean_runs(order, len(squad.bench), self.rules, position.start())

    def team_dice(self) -> tuple[int, int]:
        """Return how many dice the opponent rolls, and the least of them (A9)."""
        team, force = self.position.team, self.position.force
        assert team is not None
        count = team.dice if force.dice is None else force.dice
        return min(DICE, count + force.more_dice), team.least if force.least is None else force.least

    def faced(self) -> Faced:
        """Return the season's opponent."""
        position = self.position
        if position.team is None:
            return Faced(None, 0, 0, 0, None, 0.0)
        count, least = self.team_dice()
        squad = position.squads[position.seat]
        banned = not squad.pitcher or "abilities" in position.force.ban
        pitcher = None if banned else position.arm(squad.pitcher)
        often = 0.0 if banned else min(1.0, position.left[squad.pitcher] / 4)
        return Faced(position.team, count, least, position.force.more_runs, pitcher, often)

    def won(self, side: Seat, clock: Clock, lead: int) -> float:
        """Return the chance of a side that leads by `lead` once this half is over."""
        home = self.game.after(clock, lead if side == "home" else -lead)
        return home if side == "home" else 1 - home

    def worths(self, count: int) -> tuple[float, ...]:
        """Return the chance of the side at bat once this half is over, by its runs in it: 0 and up to `count`."""
        position, side = self.position, self.position.batting
        lead = position.lead_of(side) - position.scored
        return tuple(round(self.won(side, position.clock, lead + runs), 9) for runs in range(count))

    def ends(self) -> Ends | None:
        """Return what the half under way is worth at its end, for the side at bat, so that every run that may matter is
        told apart; None if there are too many.
        """
        position, clock = self.position, self.position.clock
        lead = position.lead_of(position.batting) - position.scored
        late = clock.inning > REGULATION and position.house["extraInningWalkoff"] == "false"
        walk_off = clock.half == "bottom" and clock.inning >= REGULATION and not self.both and not late
        count = max(position.scored + 1, 2 - lead) if walk_off else max(2, SHOWN - lead)
        return Ends(clock.inning, lead, self.worths(count), walk_off) if count <= MOST else None

    def half(self) -> Half:
        """Return the half under way, of the side at bat: by chances to win from the inning LATE on, if this outlook is
        `exact`; else by runs.
        """
        position = self.position
        squad, inning = position.at_bat, position.clock.inning
        ends = self.ends() if self.exact and inning >= LATE else None
        lead = position.lead_of(position.batting)
        plain = Ends(min(inning, REGULATION), (lead > 0) - (lead < 0))
        return half(position.order(squad), len(squad.bench), self.rules, ends or plain)

    def run(self) -> float:
        """Return what a run more or less changes about the chance to win, on average of the two."""
        position, side = self.position, self.position.mine
        more, less = (self.won(side, position.clock, position.lead + one) for one in (1, -1))
        return max(0.0, (more - less) / 2)
