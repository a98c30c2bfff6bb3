"""A defensive half of a season, in which the opponent's card rolls and scores (SI-120 to SI-132)."""

from __future__ import annotations

from engine.asks import Play, rolls
from engine.dice import D6
from engine.games.seventh_inning_stretch import blank_cards
from engine.games.seventh_inning_stretch.innings.one_game import end_half, score
from engine.games.seventh_inning_stretch.innings.pitching import Pitched, after, before, relieve
from engine.games.seventh_inning_stretch.state import DICE, State
from engine.games.seventh_inning_stretch.words import scores


def team_half(s: State) -> Play:
    """Play the opponent's half: pitcher, roll, ability, runs; once, without outs (SI-128)."""
    yield from relieve(s)
    pitched = yield from before(s, Pitched())
    count, least = dice(s)
    # A team never rolls fewer dice than its minimum (SI-028).
    count = max(count - pitched.fewer, min(least, count))
    s.threw = "team"
    s.dice = yield from rolls(s.defence, "team", (D6,) * count, count=count, team=s.team.name, rule=scores(s.team))
    s.tell("team-rolled", seat=s.clock.batting, team=s.team.name, faces=list(s.dice))
    pitched = yield from after(s, pitched)
    if s.team.runs is None:
        runs = yield from blank_cards.runs(s)
    else:
        runs = s.team.runs(s.dice, s.at)
    score(s, pitched.runs(runs, s.force.more_runs))
    end_half(s)


def dice(s: State) -> tuple[int, int]:
    """Return how many dice the team rolls, and its minimum, as a playoff card may change them (SI-123, SI-170, A9).

    There are never more than twelve dice (SI-003).
    """
    force, team = s.force, s.team
    count = team.dice if force.dice is None else force.dice
    return min(DICE, count + force.more_dice), team.least if force.least is None else force.least
