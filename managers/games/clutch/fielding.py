"""Decisions of the side in the field: pitch or walk, infield in, at whom to throw."""

from __future__ import annotations

from dataclasses import replace

from engine.diamond import force
from engine.games.clutch.at_bat.outcomes import owed
from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import AtBat, State, Throw
from managers.games.clutch.plays import HITS, ends, home_throws, throw_ends, unforced_throws, worth
from managers.games.clutch.turn import Rated, Turn

WALK_MARGIN = 0.004
"""What an intentional walk must gain at least: a run of them costs more than one at-bat shows."""


def walked(s: State) -> State:
    """Return the position after an intentional walk, with the next batter up."""
    twin = s.copy()
    bases, home = force(s.bases, Runner(s.batter.name, s.pitcher.name))
    twin.bases = bases
    away, ours = s.score
    runs = len(home)
    twin.score = (away + runs, ours) if s.offence == "away" else (away, ours + runs)
    twin.walked = s.walked + 1
    squad = s.squad(s.offence)
    twin.change(s.offence, slot=(squad.slot + 1) % len(squad.order))
    on_base, swing = owed(twin)
    twin.at = AtBat(on_base_bonus=on_base, swing_bonus=swing)
    return twin


def walk(turn: Turn) -> float:
    """Return what an intentional walk is worth."""
    after = walked(turn.s)
    if turn.s.offence == "home" and after.over:
        return 0.0
    return turn.judge.win(after) - WALK_MARGIN


def pitch_or_walk(turn: Turn) -> Rated:
    """Rate the walk alone, once it is known who bats."""
    rated: Rated = {"pitch": (turn.base, "")}
    if "walk" in turn.options:
        rated["walk"] = (walk(turn), walk_reason(turn.s))
    return rated


def walk_reason(s: State) -> str:
    """Return why the batter is walked."""
    if s.bases[0] is None and (s.bases[1] or s.bases[2]):
        return "First base is open, and the next batter is easier."
    return "We would rather pitch to the next batter."


def infield(turn: Turn) -> Rated:
    """Rate the infield in and back."""
    drawn = turn.s.copy()
    drawn.at = turn.s.at._replace(infield_in=True)
    behind = _behind(turn)
    in_why = "That run must not score." if behind <= 0 else "Infield in: the run on third matters."
    if behind == 1:
        in_why = "Infield in: the tying run is on third."
    if behind == 0:
        in_why = "Infield in: the go-ahead run is on third."
    return {"back": (turn.base, "We play for the out."), "in": (turn.judge.win(drawn), in_why)}


def _behind(turn: Turn) -> int:
    """Return how many runs the side at bat is behind."""
    away, home = turn.s.score
    return home - away if turn.s.offence == "away" else away - home


# Throws --------------------------------------------------------------------------------------------------------------


def tried(options: tuple[str, ...]) -> tuple[int, ...]:
    """Return the bases that runners try for, from the options of a throw."""
    return tuple(sorted(BASE_NAMES.index(one[3:]) + 1 for one in options if one.startswith("at-")))


def throw_at(turn: Turn) -> Rated:
    """Rate the throws at runners who try for a base, and not to throw."""
    s, judge = turn.s, turn.judge
    way = tried(turn.options)
    if s.at.pitch_natural is None and s.at.outcome not in (*HITS, "GB", "FB"):
        return _named(steal_throws(turn, way), "Throw where the out is likeliest and matters most.")
    value, field = judge.next_batter(s), judge.field(s)
    speeds, batter = judge.speeds(s), s.batter.baserunning
    if s.at.outcome == "GB":
        if way == (4,):
            found = home_throws(s.outs, speeds, batter, field)
        else:
            found = unforced_throws(s.outs, speeds, batter, field.infield)
    else:
        kind = "tag" if s.at.outcome == "FB" else "hit"
        found = throw_ends(speeds, s.outs, 0, way, lambda base, _: judge.chance(s, thrown(s, kind, base)), field)
    rated = {base: judge.of_offence(s, worth(end, value)) for base, end in found.items()}
    return _named(rated, "Throw where the out is likeliest and matters most.")


def _named(rated: dict[int, float], why: str) -> Rated:
    named: Rated = {}
    for base, win in rated.items():
        if base:
            named[f"at-{BASE_NAMES[base - 1]}"] = (win, why)
        else:
            named["no-throw"] = (win - 1e-6, "No throw gets him.")
            named["take-batter"] = (win, "Take the sure out at first.")
    return named


def thrown(s: State, kind: str, base: int) -> Throw:
    """Return the throw at the runner who tries for a base, as the rules have it."""
    runner = s.bases[base - 2]
    name = runner.name if runner else ""
    match kind:
        case "steal":
            return Throw("steal", "battery", name, base, speed="st", help=3 * (base == 3))
        case "tag":
            return Throw("tag", "outfield", name, base, bonus=3 * (base == 4), help=3 * (base == 2))
        case "hit":
            return Throw("hit", "outfield", name, base, bonus=3 * (base == 4) + 3 * (s.outs == 2))
    return Throw(kind, "infield", name, base)


def steal_throws(turn: Turn, way: tuple[int, ...]) -> dict[int, float]:
    """Return what each throw at runners who steal is worth to the seat; 0 means that nobody throws."""
    s, judge = turn.s, turn.judge
    rated = {0: judge.win(ran(s, way, 0))}
    for base in way:
        chance = judge.chance(s, thrown(s, "steal", base))
        rated[base] = chance * judge.win(ran(s, way, base)) + (1 - chance) * rated[0]
    return rated


def ran(s: State, way: tuple[int, ...], out: int) -> State:
    """Return the position after runners went for bases; the one who tried for `out` is out there (0: nobody)."""
    twin = s.copy()
    bases = list(s.bases)
    for base in sorted(way, reverse=True):
        runner, bases[base - 2] = bases[base - 2], None
        if base != out and base < 4:
            bases[base - 1] = runner
    twin.bases = (bases[0], bases[1], bases[2])
    twin.outs = s.outs + bool(out)
    return twin


def double_play(turn: Turn) -> Rated:
    """Rate the double play against one sure out."""
    s, judge = turn.s, turn.judge
    value, field = judge.next_batter(s), judge.field(s)
    two = ends("GB", s.outs, judge.speeds(s), s.batter.baserunning, replace(field, drawn_in=False), value)
    one = ends(
        "GB", s.outs, judge.speeds(s), s.batter.baserunning, replace(field, double_plays=False, drawn_in=False), value
    )
    return {
        "double-play": (judge.of_offence(s, worth(two, value)), "We can get two outs."),
        "one-out": (judge.of_offence(s, worth(one, value)), "Take the sure out."),
    }
