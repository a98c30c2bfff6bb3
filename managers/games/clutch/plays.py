"""What comes of each result on the bases, if both managers run and throw as well as they can.

Runners are their baserunning speeds. A play ends in (outs, bases, runs), with the bases as a number: 1 for a runner on
first, 2 on second, 4 on third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

Speeds = tuple[int | None, int | None, int | None]
End = tuple[int, int, int]
"""Outs, bases and runs after a play."""

Ends = dict[End, float]
"""The ways in which a play may end, with their chances."""

Value = Callable[[int, int, int], float]
"""What outs, bases and runs are worth to the side at bat."""

HITS = {"1B": 1, "2B": 2, "3B": 3, "HR": 4}

EXPECTED = (
    (0.50, 0.88, 1.12, 1.45, 1.35, 1.75, 1.95, 2.25),
    (0.27, 0.53, 0.69, 0.92, 0.96, 1.17, 1.37, 1.57),
    (0.10, 0.23, 0.33, 0.45, 0.37, 0.50, 0.58, 0.77),
)
"""Runs that a side may expect in the rest of a half-inning, by outs and bases, as in baseball at large."""


def expected(outs: int, bases: int, runs: int) -> float:
    """Return the runs of a play, and those that may follow it."""
    return runs + (EXPECTED[outs][bases] if outs < 3 else 0.0)


@dataclass(frozen=True, slots=True)
class Field:
    """What decides about runners: ratings of the units with cards, and the rules in force."""

    battery: int
    infield: int
    outfield: int
    drawn_in: bool = False
    double_plays: bool = True
    tries: bool = True
    tags: bool = True
    third_out_runs: bool = True
    """True if runs count where another runner is the third out (the house rule thirdOutRuns)."""
    ground_runs: bool = False
    """True if runs count on a ground ball that ends the inning (gbThirdOutScores)."""
    home_bonus: int = 3
    concede_safe: bool = False


def out_chance(rating: int, speed: int) -> float:
    """Return the chance that a throw beats a runner (CL-236 to CL-238)."""
    return (20 - min(20, max(0, speed - rating))) / 20


def mask(bases: Iterable[int | None]) -> int:
    """Return the bases as a number."""
    return sum(1 << at for at, one in enumerate(bases) if one is not None)


def ends(code: str, outs: int, bases: Speeds, batter: int, field: Field, value: Value = expected) -> Ends:
    """Return how a plate appearance with this result may end. `value` is what both managers play for."""
    if code in HITS:
        return _hit(HITS[code], outs, bases, batter, field, value)
    if code == "GB":
        return _ground(outs, bases, batter, field, value)
    if code == "FB":
        return _fly(outs, bases, field, value)
    if code in ("SO", "LD"):
        return {(outs + 1, mask(bases) if outs < 2 else 0, 0): 1.0}
    on, runs = forced(bases, batter)
    return {(outs, mask(on), runs): 1.0}


def forced(bases: Speeds, batter: int) -> tuple[Speeds, int]:
    """Return the bases after a walk, and the runs."""
    first, second, third = bases
    if first is None:
        return (batter, second, third), 0
    if second is None:
        return (batter, first, third), 0
    return (batter, first, second), int(third is not None)


def _hit(base: int, outs: int, bases: Speeds, batter: int, field: Field, value: Value) -> Ends:
    moved = [None] * base + list(bases)
    runs = sum(one is not None for one in moved[3:]) + (base == 4)
    on = moved[:3]
    if base < 4:
        on[base - 1] = batter
    among = range(base + 2, 5) if field.tries else range(0)
    late = 3 * (outs == 2)

    def out(to: int, speed: int) -> float:
        return out_chance(field.outfield, speed + 3 * (to == 4) + late)

    return _tries((on[0], on[1], on[2]), outs, runs, among, out, field, value)


def _fly(outs: int, bases: Speeds, field: Field, value: Value) -> Ends:
    outs += 1
    if outs == 3:
        return {(3, 0, 0): 1.0}
    among = range(2, 5) if field.tags else range(0)

    def out(to: int, speed: int) -> float:
        return out_chance(field.outfield + 3 * (to == 2), speed + 3 * (to == 4))

    return _tries(bases, outs, 0, among, out, field, value)


def legal(bases: Speeds, among: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the ways in which runners can try for bases `among` these (CL-261)."""
    able = [base for base in among if bases[base - 2] is not None]
    ways = [way for count in range(1, len(able) + 1) for way in combinations(able, count)]
    return [way for way in ways if all(to == 4 or bases[to - 1] is None or to + 1 in way for to in way)]


def _tries(
    bases: Speeds,
    outs: int,
    runs: int,
    among: Iterable[int],
    out: Callable[[int, int], float],
    field: Field,
    value: Value,
) -> Ends:
    """Return the ends if runners try for bases in the best way, and the defense throws where it is best."""
    best: Ends = {(outs, mask(bases), runs): 1.0}
    most = worth(best, value)
    for way in legal(bases, among):
        thrown = throw_ends(bases, outs, runs, way, out, field)
        reply = min(thrown.values(), key=lambda found: worth(found, value))
        if worth(reply, value) > most:
            best, most = reply, worth(reply, value)
    return best


def throw_ends(
    bases: Speeds, outs: int, runs: int, way: tuple[int, ...], out: Callable[[int, int], float], field: Field
) -> dict[int, Ends]:
    """Return for each throw that the defense can make at runners who try for bases how the play may end; 0 is none."""
    on = list(bases)
    for to in sorted(way, reverse=True):
        speed, on[to - 2] = on[to - 2], None
        if to < 4:
            on[to - 1] = speed
    home = runs + (4 in way)
    all_safe = (outs, mask(on), home)
    found: dict[int, Ends] = {0: {all_safe: 1.0}}
    for to in way:
        speed = bases[to - 2] or 0
        chance = out(to, speed)
        left = [None if at == to - 1 else one for at, one in enumerate(on)]
        scored = home - (to == 4)
        third = (3, 0, scored if field.third_out_runs else 0)
        caught = third if outs == 2 else (outs + 1, mask(left), scored)
        found[to] = mixed((chance, {caught: 1.0}), (1 - chance, {all_safe: 1.0}))
    return found


def worth(found: Ends, value: Value) -> float:
    """Return what these ends are worth to the side at bat."""
    return sum(chance * value(*end) for end, chance in found.items())


def mixed(*parts: tuple[float, Ends]) -> Ends:
    """Return the ends of several cases, each with its chance."""
    found: Ends = {}
    for chance, part in parts:
        for end, share in part.items():
            if chance * share > 0:
                found[end] = found.get(end, 0.0) + chance * share
    return found


# Ground balls --------------------------------------------------------------------------------------------------------


def _ground(outs: int, bases: Speeds, batter: int, field: Field, value: Value) -> Ends:
    first, second, third = bases
    if outs == 2:
        return {(3, 0, int(third is not None) if field.ground_runs else 0): 1.0}
    if field.drawn_in and third is not None:
        return drawn_in(outs, bases, batter, field, value)
    if first is not None:
        return _double_play(outs, bases, batter, field) if field.double_plays else _at_first(outs, bases)
    if second is not None:
        return _unforced(outs, bases, batter, field, value)
    return {(outs + 1, 0, int(third is not None)): 1.0}


def _at_first(outs: int, bases: Speeds) -> Ends:
    """Everybody moves up, and the batter is out."""
    return {(outs + 1, mask((None, bases[0], bases[1])), int(bases[2] is not None)): 1.0}


def _double_play(outs: int, bases: Speeds, batter: int, field: Field) -> Ends:
    _, second, third = bases
    chance = out_chance(field.infield, batter + 3)
    runs = int(third is not None)
    two = (3, 0, runs if field.ground_runs else 0) if outs == 1 else (outs + 2, mask((None, None, second)), runs)
    return mixed((chance, {two: 1.0}), (1 - chance, {(outs + 1, mask((batter, None, second)), runs): 1.0}))


def _unforced(outs: int, bases: Speeds, batter: int, field: Field, value: Value) -> Ends:
    """The runner on second is not forced: he may try for third (CL-271 to CL-275)."""
    _, second, third = bases
    stay: Ends = {(outs + 1, 2, int(third is not None)): 1.0}
    if not field.tries or second is None:
        return stay
    reply = min(unforced_throws(outs, bases, batter, field.infield).values(), key=lambda found: worth(found, value))
    return reply if worth(reply, value) > worth(stay, value) else stay


def unforced_throws(outs: int, bases: Speeds, batter: int, infield: int) -> dict[int, Ends]:
    """Return the ends of the throw at the runner who tries for third (3), and of taking the batter (0)."""
    _, second, third = bases
    runs = int(third is not None)
    chance = out_chance(infield, second or 0)
    thrown = mixed(
        (chance, {(outs + 1, 1, runs): 1.0}), (1 - chance, {(outs, mask((batter, None, second)), runs): 1.0})
    )
    return {3: thrown, 0: {(outs + 1, 4, runs): 1.0}}


def drawn_in(outs: int, bases: Speeds, batter: int, field: Field, value: Value) -> Ends:
    """Return the ends of a ground ball on the pitcher's chart with the infield in (CL-336 to CL-345)."""
    first, second, third = bases
    if first is not None and second is not None:
        return {(outs + 1, 7, 0): 1.0}
    stay: Ends = {(outs + 1, mask((None, first if second is None else second, third)), 0): 1.0}
    if not field.tries:
        return stay
    reply = min(home_throws(outs, bases, batter, field).values(), key=lambda found: worth(found, value))
    return reply if worth(reply, value) > worth(stay, value) else stay


def home_throws(outs: int, bases: Speeds, batter: int, field: Field, follows: bool = False) -> dict[int, Ends]:
    """Return the ends of the throw at the runner sent home (4), and of letting him score (0). The runner on second may
    follow him (AM-76).
    """
    first, second, third = bases
    chance = out_chance(field.infield, (third or 0) + field.home_bonus)
    left: Speeds = (first, None, second) if follows else (first, second, None)
    on, _ = forced(left, batter)
    out: Ends = {(outs + 1, mask(on), 0): 1.0}
    safe: Ends = {(outs, mask(on), 1): 1.0}
    moved: Speeds = (None, first, left[2]) if first is not None and left[1] is None else left
    let: Ends = safe if field.concede_safe else {(outs + 1, mask(moved), 1): 1.0}
    return {4: mixed((chance, out), (1 - chance, safe)), 0: let}
