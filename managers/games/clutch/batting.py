"""Decisions of the side at bat: swing, steal, bunt, and how far runners go."""

from __future__ import annotations

from engine.diamond import place
from engine.dice import FACES
from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.numbers.bunt_numbers import down
from engine.games.clutch.running.stealing import STEALS
from engine.games.clutch.state import State
from managers.games.clutch.fielding import ran, thrown
from managers.games.clutch.odds import PLACE
from managers.games.clutch.plays import (
    drawn_in,
    home_throws,
    mask,
    throw_ends,
    unforced_throws,
    worth,
)
from managers.games.clutch.turn import Rated, Turn

MARGIN = 0.002
"""What a play away from the usual must gain at least."""


def steals(turn: Turn) -> Rated:
    """Rate the steals that are open. The defense throws where it hurts most, or at nobody."""
    s, judge, rated = turn.s, turn.judge, Rated()
    for code in turn.options:
        if code not in STEALS:
            continue
        way = STEALS[code]
        safe = judge.win(ran(s, way, 0))
        replies = [safe]
        for base in way:
            chance = judge.chance(s, thrown(s, "steal", base))
            replies.append(chance * judge.win(ran(s, way, base)) + (1 - chance) * safe)
        rated[code] = (min(replies) - MARGIN, steal_reason(s))
    return rated


def steal_reason(s: State) -> str:
    """Return why a runner goes."""
    away, home = s.score
    behind = home - away if s.offence == "away" else away - home
    if behind == 1:
        return "He is the tying run, so he goes."
    if behind == 0:
        return "One run puts us ahead, so the runner goes."
    return "He should beat the throw."


def bunt(turn: Turn, misses: int = 0) -> float:
    """Return what a sacrifice bunt is worth, after this many misses."""
    s, judge = turn.s, turn.judge
    good, kind = down(s)
    chance = len(good) / len(FACES[kind])
    value = judge.next_batter(s)
    laid = judge.of_offence(s, value(s.outs + 1, sacrificed(s), 0) if s.outs < 2 else value(3, 0, 0))
    strikeout = judge.mine(float(judge.results(s)[PLACE["SO"]]))
    third = chance * laid + (1 - chance) * strikeout
    if misses < 2:
        swing = s.copy()
        swing.at = s.at._replace(pitch_bonus=2)
        third = max(third, judge.win(swing))
        for _ in range(2 - misses):
            third = chance * laid + (1 - chance) * third
    return third


def sacrificed(s: State) -> int:
    """Return the bases after a bunt that is down: runners move up, but not home (CL-330 to CL-333)."""
    bases = s.bases
    for base in (3, 2):
        runner = bases[base - 2]
        if runner is not None and bases[base - 1] is None:
            bases = place(place(bases, None, base - 1), runner, base)
    return mask(None if one is None else 1 for one in bases)


def bunt_again(turn: Turn) -> Rated:
    """Rate a third bunt against a swing at a pitch with two more."""
    swing = turn.s.copy()
    swing.at = turn.s.at._replace(pitch_bonus=2)
    return {
        "bunt-again": (bunt(turn, 2), "The runner has to move up."),
        "swing": (turn.judge.win(swing), "A third miss would be a strikeout."),
    }


# Extra bases ---------------------------------------------------------------------------------------------------------


def ways(options: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Return the bases of each option such as "to-third-home"."""
    found = {}
    for code in options:
        if code.startswith("to-"):
            found[code] = tuple(BASE_NAMES.index(base) + 1 for base in code[3:].split("-"))
    return found


def run(turn: Turn) -> Rated:
    """Rate the ways in which runners may try for bases after a hit, a fly ball or a ground ball."""
    s, judge = turn.s, turn.judge
    value, field = judge.next_batter(s), judge.field(s)
    speeds, batter, outs = judge.speeds(s), s.batter.baserunning, s.outs
    rated: Rated = {}
    why = turn.ask.why
    if why in ("ground", "send-home"):
        rated["stay"] = (_held_ground(turn), "Too risky with one away." if outs == 1 else "Too risky.")
        for code, way in ways(turn.options).items():
            if why == "ground":
                found = unforced_throws(outs, speeds, batter, field.infield)
            else:
                found = home_throws(outs, speeds, batter, field, follows=3 in way)
            reply = min(worth(end, value) for end in found.values())
            rated[code] = (judge.of_offence(s, reply), run_reason(s, way))
        return rated
    kind = "tag" if why == "tag-up" else "hit"
    rated["stay"] = (judge.of_offence(s, value(outs, mask(speeds), 0)), "The throw would be too close.")
    for code, way in ways(turn.options).items():
        found = throw_ends(speeds, outs, 0, way, lambda base, _: judge.chance(s, thrown(s, kind, base)), field)
        reply = min(worth(end, value) for end in found.values())
        rated[code] = (judge.of_offence(s, reply), run_reason(s, way))
    return rated


def _held_ground(turn: Turn) -> float:
    """Return what it is worth if nobody tries on a ground ball."""
    s, judge = turn.s, turn.judge
    value, field = judge.next_batter(s), judge.field(s)
    first, second, third = judge.speeds(s)
    if turn.ask.why == "send-home":
        still = type(field)(field.battery, field.infield, field.outfield, drawn_in=True, tries=False)
        end = drawn_in(s.outs, (first, second, third), s.batter.baserunning, still, value)
        return judge.of_offence(s, worth(end, value))
    return judge.of_offence(s, value(s.outs + 1, 2, int(third is not None)))


def run_reason(s: State, way: tuple[int, ...]) -> str:
    """Return why runners go."""
    if 4 in way:
        away, home = s.score
        behind = home - away if s.offence == "away" else away - home
        if behind == 1:
            return "One run ties it, so the runner goes."
        if behind == 0:
            return "One run puts us ahead, so the runner goes."
        return "He can score on this one."
    return "He can take the extra base."
