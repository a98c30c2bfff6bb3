"""Which choices are moot: the option that everybody would take, found by trying what each other could lead to.

Only what everybody knows is looked at. Every function returns None if the choice matters, or if it is not known: a
blank card's text, or more dice than can be tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

from engine.asks import Choose
from engine.games.seventh_inning_stretch.dice.abilities import Use, uses
from engine.games.seventh_inning_stretch.dice.conditions import possible
from engine.games.seventh_inning_stretch.dice.goals import Aim, Brings, Goal
from engine.games.seventh_inning_stretch.dice.odds import FACES, MOST
from engine.games.seventh_inning_stretch.innings.outcomes import After, after
from engine.games.seventh_inning_stretch.state import REGULATION, TOKENS, State, Step
from engine.seats import SEATS, Seat, put

TRIES = 2000
"""The most different rolls that are looked at before a choice counts as one that matters."""


@dataclass(frozen=True, slots=True)
class Pitched:
    """What abilities did to a team's roll: dice `fewer`, runs `less`, and at most `cap` runs (None: any)."""

    fewer: int = 0
    less: int = 0
    cap: int | None = None

    def after(self, use: Use) -> Pitched:
        """Add one use."""
        caps = [cap for cap in (self.cap, use.cap) if cap is not None]
        return Pitched(self.fewer + use.fewer, self.less + use.less, min(caps, default=None))

    def runs(self, rolled: int, more: int) -> int:
        """Return the opponent's runs for dice worth `rolled`, plus `more` runs of a playoff card (SI-171)."""
        left = max(0, rolled - self.less)
        return more + (left if self.cap is None else min(left, self.cap))


def weigh(seat: Seat, why: str, options: tuple[str, ...], moot: str | None, **facts: Any) -> Step[str]:
    """Ask for one of `options`, of which one may be moot, and return its code."""
    return str((yield Choose(seat, why, options, facts, moot)))


# At bat ------------------------------------------------------------------------------------------------------------


def dice(s: State, goal: Goal, options: tuple[str, ...]) -> str | None:
    """Return "0" if no number of dice can meet the batter's card, "hold" if there are none for an extra base."""
    if options == ("hold", "0"):
        return "hold"
    if goal.blank or "0" not in options or not all(one.isdigit() for one in options):
        return None
    return None if any(possible(goal.lines, (1,) * int(one), True, 0, s.at) for one in options) else "0"


def tokens(s: State, aim: Aim) -> str | None:
    """Return "keep" if no token can make the dice better."""
    usable = s.usable
    if isinstance(aim, Brings):
        near = {s.dice[0]}
        for _ in range(usable.nudges):
            near |= {face + by for face in near for by in (-1, 1) if face + by in FACES}
        faces = FACES if usable.rerolls else tuple(near)
        now, best = (min(s.supply.dice, max(aim.dice.count(s.at, one) for one in some)) for some in (s.dice, faces))
        return "keep" if best <= now else None
    if aim.blank or (s.duel and s.threw == "swing" and answers(s)):
        # The defense may answer a hit with the ability, and then a better roll may hold.
        return None
    met = aim.met(s.dice, s.at)
    reach = possible(aim.lines, s.dice, usable.rerolls > 0, usable.nudges, s.at)
    if s.threw != "swing":
        return "keep" if met or not reach else None
    return "keep" if all(any(better(s, ours, one) for ours in (*met, "")) for one in reach) else None


def answers(s: State) -> bool:
    """True if a duel's pitcher can still use his ability on this roll."""
    works = s.pitcher.blank or s.pitcher.ability is None or s.pitcher.ability.duel
    return works and fresh(s, s.pitcher.name) and s.allowed("abilities")


def better(s: State, one: str, other: str) -> bool:
    """True if everybody would take the outcome `one` rather than `other`, or the same one."""
    ours, theirs = (after(s.bases, s.outs, s.hitter.name, outcome) for outcome in (one, other))
    return one == other or (ours.no_worse(theirs) and not watched(s, ours, 1))


def watched(s: State, then: After, ahead: int) -> bool:
    """True if the batter who comes up next looks at the bases, so that fewer runners could help.

    `ahead` is 1 if the next batter is the one after the current batter, 0 if it is himself.
    """
    if then.outs >= 3 or won(s, len(then.home)):
        return False
    squad = s.squad(s.offence)
    card = s.box.batters[squad.lineup[(squad.slot + ahead) % len(squad.lineup)]]
    guards = [*card.dice.when, *(when for line in card.lines for when in line.when)]
    return card.blank or card.dice.per == "runner" or any(when.what in ("bases", "runners") for when in guards)


def outcome(s: State, options: tuple[str, ...]) -> str | None:
    """Return the outcome that is at least as good as any other."""
    return next((one for one in options if all(better(s, one, other) for other in options)), None)


def runner_out(s: State, among: tuple[str, ...]) -> str | None:
    """Return the runner who is missed least: the one who has come least far."""
    ahead = int(s.threw == "extra-base-roll")
    return None if watched(s, After(s.outs + 1, s.bases), ahead) else among[0]


# In the field --------------------------------------------------------------------------------------------------------


def fresh(s: State, name: str) -> bool:
    """True if this pitcher has stamina left, and there are exhaustion tokens (SI-126, A6)."""
    enough = sum(s.tired.values()) < TOKENS or s.house["supplyLimit"] == "unlimited"
    return enough and s.tired.get(name, 0) < s.box.pitchers[name].stamina


def starter(s: State, names: tuple[str, ...]) -> str | None:
    """Return the only pitcher who has stamina left."""
    able = [name for name in names if fresh(s, name)]
    return able[0] if len(able) == 1 else None


def relief(s: State, names: tuple[str, ...], least: int, count: int) -> str | None:
    """Return "stays" if nobody on the bench could use an ability, or if the team's roll of `least` to `count` dice
    decides nothing; a duel has no such roll.
    """

    def helps(name: str) -> bool:
        ability = s.box.pitchers[name].ability
        return fresh(s, name) and s.allowed("abilities") and (not s.duel or ability is None or ability.duel)

    if not any(map(helps, names)):
        return "stays"
    return "stays" if not s.duel and decides_nothing(s, Pitched(), least, count) else None


def before(s: State, done: Pitched, count: int, least: int) -> str | None:
    """Return "enough" if the half comes to the same with `least` to `count` dice, whatever they show."""
    return "enough" if decides_nothing(s, done, least, count) else None


def decides_nothing(s: State, done: Pitched, least: int, count: int) -> bool:
    """True if every roll of `least` to `count` dice costs the same, as with a lead that no roll can take away, and no
    ability could do better by taking its runs off.
    """
    runs = s.team.runs
    if s.clock.inning < REGULATION or runs is None or count > MOST:
        return False
    some = range(min(least, count), count + 1)
    shown = (faces for number in some for faces in combinations_with_replacement(FACES, number))
    costs = {cost(s, done.runs(runs(faces, s.at), s.force.more_runs)) for faces in shown}
    return len(costs | {cost(s, s.force.more_runs)}) == 1


def cost(s: State, runs: int) -> int:
    """Return what these runs cost: -1 if the half ends the game as a win, 999 as a loss, else their number."""
    side = s.clock.batting
    score = put(s.score, side, s.score[SEATS.index(side)] + runs)
    if not s.clock.decided(*score, REGULATION):
        return runs
    return -1 if score[SEATS.index(s.side)] == max(score) else 999


def won(s: State, runs: int) -> bool:
    """True if these runs of the side at bat would end the game (SI-119)."""
    side: Seat = s.clock.batting
    score = put(s.score, side, s.score[SEATS.index(side)] + runs)
    late = s.clock.inning > REGULATION and s.house["extraInningWalkoff"] == "false"
    both = s.duel and s.house["duelEnd"] == "bothBat"
    return not late and not both and s.clock.walked_off(*score, REGULATION)


def ability(s: State, done: Pitched, used: int, least: int, goal: Goal | None) -> str | None:
    """Return "enough" if no row of uses, whatever is rolled again, takes anything from the side at bat."""
    card, team = s.pitcher.ability, s.team.runs if goal is None else None
    if card is None or s.pitcher.blank or len(s.dice) > MOST or (goal.blank if goal else team is None):
        return None

    def takes(faces: tuple[int, ...], pitched: Pitched) -> bool:
        """True if the side at bat has less with these dice than now: an outcome less to choose from, or less runs."""
        if goal is not None:
            return not set(goal.met(s.dice, s.at)) <= set(goal.met(faces, s.at))
        assert team is not None
        now, then = (
            cost(s, by.runs(team(shown, s.at), s.force.more_runs)) for shown, by in ((s.dice, done), (faces, pitched))
        )
        return then < now

    left = min(s.pitcher.stamina - s.tired.get(s.pitcher.name, 0), s.leaves("abilities", TOKENS))
    seen = edge = {(tuple(sorted(s.dice)), done)}
    for number in range(used, used + left):
        edge = {
            then for faces, by in edge for use in uses(card, faces, number, least) for then in tried(use, faces, by)
        } - seen
        if len(seen) + len(edge) > TRIES or any(takes(*then) for then in edge):
            return None
        seen = seen | edge
    return "enough"


def tried(use: Use, faces: tuple[int, ...], done: Pitched) -> Iterator[tuple[tuple[int, ...], Pitched]]:
    """Yield everything that a use can lead to: the dice in ascending order, and what abilities did so far."""
    if not use.again:
        yield tuple(sorted(faces if use.faces is None else use.faces)), done.after(use)
    for places in combinations(use.again, use.most):
        left = [face for place, face in enumerate(faces) if place not in places]
        for new in combinations_with_replacement(FACES, use.most):
            yield tuple(sorted((*left, *new))), done
