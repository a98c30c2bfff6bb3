"""Baserunning outcomes of each result under optimal running and throwing.

A runner is his baserunning speed. A play ends in (outs, bases, runs), with bases as bits from first to third.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

RunnerSpeeds = tuple[int | None, int | None, int | None]
PlayEnd = tuple[int, int, int]

EndDistribution = dict[PlayEnd, float]  # Probability of each end of a play.

ValueFunction = Callable[[int, int, int], float]  # Value of outs, bases and runs to the side at bat.

HIT_BASES = {"1B": 1, "2B": 2, "3B": 3, "HR": 4}

RUN_EXPECTANCY = (
    (0.50, 0.88, 1.12, 1.45, 1.35, 1.75, 1.95, 2.25),
    (0.27, 0.53, 0.69, 0.92, 0.96, 1.17, 1.37, 1.57),
    (0.10, 0.23, 0.33, 0.45, 0.37, 0.50, 0.58, 0.77),
)
"""Expected runs in the rest of a half-inning by outs and bases, as in real baseball."""


def expected_runs(outs: int, bases: int, runs: int) -> float:
    """Return the runs of a play plus the run expectancy after it."""
    return runs + (RUN_EXPECTANCY[outs][bases] if outs < 3 else 0.0)


@dataclass(frozen=True, slots=True)
class FieldRatings:
    """Ratings of the units with cards, and the rules in force about runners."""

    battery: int
    infield: int
    outfield: int
    drawn_in: bool = False
    double_plays: bool = True
    tries: bool = True
    tags: bool = True
    third_out_runs: bool = True
    """True if runs count where another runner is the third out (house rule thirdOutRuns)."""
    ground_runs: bool = False
    """True if runs count on a ground ball that ends the inning (house rule gbThirdOutScores)."""
    home_bonus: int = 3
    concede_safe: bool = False


def out_chance(rating: int, speed: int) -> float:
    """Return the chance that a throw beats a runner (CL-236 to CL-238)."""
    return (20 - min(20, max(0, speed - rating))) / 20


def bases_mask(bases: Iterable[int | None]) -> int:
    return sum(1 << at for at, one in enumerate(bases) if one is not None)


def end_distribution(
    code: str, outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings, value: ValueFunction = expected_runs
) -> EndDistribution:
    """Return the distribution of ends of a plate appearance with this result. Both managers optimize `value`."""
    if code in HIT_BASES:
        return _hit_ends(HIT_BASES[code], outs, bases, batter, field, value)
    if code == "GB":
        return _ground_ball_ends(outs, bases, batter, field, value)
    if code == "FB":
        return _fly_ball_ends(outs, bases, field, value)
    if code in ("SO", "LD"):
        return {(outs + 1, bases_mask(bases) if outs < 2 else 0, 0): 1.0}
    on, runs = bases_after_walk(bases, batter)
    return {(outs, bases_mask(on), runs): 1.0}


def bases_after_walk(bases: RunnerSpeeds, batter: int) -> tuple[RunnerSpeeds, int]:
    first, second, third = bases
    if first is None:
        return (batter, second, third), 0
    if second is None:
        return (batter, first, third), 0
    return (batter, first, second), int(third is not None)


def _hit_ends(
    base: int, outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings, value: ValueFunction
) -> EndDistribution:
    moved = [None] * base + list(bases)
    runs = sum(one is not None for one in moved[3:]) + (base == 4)
    on = moved[:3]
    if base < 4:
        on[base - 1] = batter
    among = range(base + 2, 5) if field.tries else range(0)
    late = 3 * (outs == 2)

    def throw_out_chance(to: int, speed: int) -> float:
        return out_chance(field.outfield, speed + 3 * (to == 4) + late)

    return _best_try_ends((on[0], on[1], on[2]), outs, runs, among, throw_out_chance, field, value)


def _fly_ball_ends(outs: int, bases: RunnerSpeeds, field: FieldRatings, value: ValueFunction) -> EndDistribution:
    outs += 1
    if outs == 3:
        return {(3, 0, 0): 1.0}
    among = range(2, 5) if field.tags else range(0)

    def throw_out_chance(to: int, speed: int) -> float:
        return out_chance(field.outfield + 3 * (to == 2), speed + 3 * (to == 4))

    return _best_try_ends(bases, outs, 0, among, throw_out_chance, field, value)


def legal_tries(bases: RunnerSpeeds, among: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the sets of bases that runners can try for, out of `among` (CL-261)."""
    able = [base for base in among if bases[base - 2] is not None]
    ways = [way for count in range(1, len(able) + 1) for way in combinations(able, count)]
    return [way for way in ways if all(to == 4 or bases[to - 1] is None or to + 1 in way for to in way)]


def _best_try_ends(
    bases: RunnerSpeeds,
    outs: int,
    runs: int,
    among: Iterable[int],
    out: Callable[[int, int], float],
    field: FieldRatings,
    value: ValueFunction,
) -> EndDistribution:
    """Return the ends if runners try for bases optimally and the defense makes its best throw."""
    best: EndDistribution = {(outs, bases_mask(bases), runs): 1.0}
    most = expected_value(best, value)
    for way in legal_tries(bases, among):
        thrown = throw_ends(bases, outs, runs, way, out, field)
        reply = min(thrown.values(), key=lambda found: expected_value(found, value))
        if expected_value(reply, value) > most:
            best, most = reply, expected_value(reply, value)
    return best


def throw_ends(
    bases: RunnerSpeeds,
    outs: int,
    runs: int,
    way: tuple[int, ...],
    out: Callable[[int, int], float],
    field: FieldRatings,
) -> dict[int, EndDistribution]:
    """Return the ends for each base that the defense can throw to (0 for no throw)."""
    on = list(bases)
    for to in sorted(way, reverse=True):
        speed, on[to - 2] = on[to - 2], None
        if to < 4:
            on[to - 1] = speed
    home = runs + (4 in way)
    all_safe = (outs, bases_mask(on), home)
    found: dict[int, EndDistribution] = {0: {all_safe: 1.0}}
    for to in way:
        speed = bases[to - 2] or 0
        chance = out(to, speed)
        left = [None if at == to - 1 else one for at, one in enumerate(on)]
        scored = home - (to == 4)
        third = (3, 0, scored if field.third_out_runs else 0)
        caught = third if outs == 2 else (outs + 1, bases_mask(left), scored)
        found[to] = combined_distribution((chance, {caught: 1.0}), (1 - chance, {all_safe: 1.0}))
    return found


def expected_value(found: EndDistribution, value: ValueFunction) -> float:
    return sum(chance * value(*end) for end, chance in found.items())


def combined_distribution(*parts: tuple[float, EndDistribution]) -> EndDistribution:
    """Combine the ends of several cases by their probabilities."""
    found: EndDistribution = {}
    for chance, part in parts:
        for end, share in part.items():
            if chance * share > 0:
                found[end] = found.get(end, 0.0) + chance * share
    return found


# Ground balls --------------------------------------------------------------------------------------------------------


def _ground_ball_ends(
    outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings, value: ValueFunction
) -> EndDistribution:
    first, second, third = bases
    if outs == 2:
        return {(3, 0, int(third is not None) if field.ground_runs else 0): 1.0}
    if field.drawn_in and third is not None:
        return infield_in_ends(outs, bases, batter, field, value)
    if first is not None:
        return _double_play_ends(outs, bases, batter, field) if field.double_plays else _out_at_first_ends(outs, bases)
    if second is not None:
        return _unforced_runner_ends(outs, bases, batter, field, value)
    return {(outs + 1, 0, int(third is not None)): 1.0}


def _out_at_first_ends(outs: int, bases: RunnerSpeeds) -> EndDistribution:
    return {(outs + 1, bases_mask((None, bases[0], bases[1])), int(bases[2] is not None)): 1.0}


def _double_play_ends(outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings) -> EndDistribution:
    _, second, third = bases
    chance = out_chance(field.infield, batter + 3)
    runs = int(third is not None)
    two = (3, 0, runs if field.ground_runs else 0) if outs == 1 else (outs + 2, bases_mask((None, None, second)), runs)
    return combined_distribution(
        (chance, {two: 1.0}), (1 - chance, {(outs + 1, bases_mask((batter, None, second)), runs): 1.0})
    )


def _unforced_runner_ends(
    outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings, value: ValueFunction
) -> EndDistribution:
    """Let the unforced runner on second try for third if that is better (CL-271 to CL-275)."""
    _, second, third = bases
    stay: EndDistribution = {(outs + 1, 2, int(third is not None)): 1.0}
    if not field.tries or second is None:
        return stay
    reply = min(
        unforced_throws(outs, bases, batter, field.infield).values(), key=lambda found: expected_value(found, value)
    )
    return reply if expected_value(reply, value) > expected_value(stay, value) else stay


def unforced_throws(outs: int, bases: RunnerSpeeds, batter: int, infield: int) -> dict[int, EndDistribution]:
    """Return the ends of a throw at the runner who tries for third (3), and of taking the batter (0)."""
    _, second, third = bases
    runs = int(third is not None)
    chance = out_chance(infield, second or 0)
    thrown = combined_distribution(
        (chance, {(outs + 1, 1, runs): 1.0}), (1 - chance, {(outs, bases_mask((batter, None, second)), runs): 1.0})
    )
    return {3: thrown, 0: {(outs + 1, 4, runs): 1.0}}


def infield_in_ends(
    outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings, value: ValueFunction
) -> EndDistribution:
    """Return the ends of a ground ball on the pitcher's chart with the infield in (CL-336 to CL-345)."""
    first, second, third = bases
    if first is not None and second is not None:
        return {(outs + 1, 7, 0): 1.0}
    stay: EndDistribution = {(outs + 1, bases_mask((None, first if second is None else second, third)), 0): 1.0}
    if not field.tries:
        return stay
    reply = min(home_throws(outs, bases, batter, field).values(), key=lambda found: expected_value(found, value))
    return reply if expected_value(reply, value) > expected_value(stay, value) else stay


def home_throws(
    outs: int, bases: RunnerSpeeds, batter: int, field: FieldRatings, follows: bool = False
) -> dict[int, EndDistribution]:
    """Return the ends of a throw home (4) and of no throw (0). `follows` sends the runner on second too (AM-76)."""
    first, second, third = bases
    chance = out_chance(field.infield, (third or 0) + field.home_bonus)
    left: RunnerSpeeds = (first, None, second) if follows else (first, second, None)
    on, _ = bases_after_walk(left, batter)
    out: EndDistribution = {(outs + 1, bases_mask(on), 0): 1.0}
    safe: EndDistribution = {(outs, bases_mask(on), 1): 1.0}
    moved: RunnerSpeeds = (None, first, left[2]) if first is not None and left[1] is None else left
    let: EndDistribution = safe if field.concede_safe else {(outs + 1, bases_mask(moved), 1): 1.0}
    return {4: combined_distribution((chance, out), (1 - chance, safe)), 0: let}
