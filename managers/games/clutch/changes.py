"""Substitutions: relievers, pinch hitters and runners, fielders and where they play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION, POSITIONS
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import Squad
from engine.games.clutch.state import State
from engine.games.clutch.substitutions import bench
from engine.seats import Seat
from managers.games.clutch.turn import FAR, QUIET, Rated, Turn, equal

NEW_PITCHER, PINCH_HITTER, PINCH_RUNNER, FIELDER = 0.004, 0.006, 0.006, 0.003
"""What a change must gain at least, because a player who leaves does not come back."""


POINT = 0.02
"""What a point of a fielder's rating counts where it is all that counts."""


def relieved(s: State, side: Seat, name: str) -> State:
    """Return the position with this reliever on the mound."""
    twin = s.copy()
    bench.relieve(twin, side, name)
    return twin


def relievers(turn: Turn) -> dict[str, float]:
    """Return what each pitcher of the bullpen is worth on the mound now."""
    s, side = turn.s, turn.s.defence
    return {name: turn.judge.win(relieved(s, side, name)) for name in bench.relievers(s, side)}


def new_pitcher(turn: Turn) -> tuple[float, str]:
    """Rate a new pitcher: the best one that may come in."""
    found = relievers(turn)
    if not found:
        return -1.0, ""
    margin = 0.0 if pitcher_record.tires(turn.s.arm, turn.s.house) else NEW_PITCHER
    return max(found.values()) - margin, pitcher_reason(turn.s)


def pitcher_reason(s: State) -> str:
    """Return why the pitcher comes out."""
    if pitcher_record.tires(s.arm, s.house):
        return "The pitcher is tired."
    if s.clock.inning >= 8:
        return "A fresh arm for the late innings."
    return "The bullpen has a better matchup."


def reliever(turn: Turn) -> Rated:
    """Rate the pitchers who may come in."""
    s = turn.s
    rated: Rated = {}
    for name in turn.options:
        if name not in s.box.pitchers:
            continue
        try:
            rated[name] = (turn.judge.win(relieved(s, s.defence, name)), "The best arm for these batters.")
        except KeyError:  # A pitcher of the rotation, whom the view does not list in the bullpen.
            rated[name] = (turn.base - 0.01, "")
    return rated


# At bat --------------------------------------------------------------------------------------------------------------


def brought(s: State, side: Seat, name: str, out: str) -> State:
    """Return the position with a batter of the bench in for another."""
    twin = s.copy()
    bench.bring(twin, side, name, out)
    return twin


def hitters(turn: Turn) -> dict[str, float]:
    """Return what each batter of the bench is worth at the plate now."""
    s, side = turn.s, turn.s.offence
    out = s.squad(side).batter
    spot = s.squad(side).spots[s.squad(side).slot]
    names = [name for name in bench.subs(s, side, spot) if turn.judge.gain(s, name) > PINCH_HITTER]
    return {name: turn.judge.win(brought(s, side, name, out)) for name in names}


def pinch_hitter(turn: Turn) -> tuple[float, str]:
    """Rate a pinch hitter: the best one."""
    found = hitters(turn)
    if not found:
        return -1.0, ""
    return max(found.values()) - PINCH_HITTER, "A better bat against this pitcher."


def runner_changes(turn: Turn) -> Iterator[tuple[str, str, float]]:
    """Yield the pinch runners who would be faster: whom they run for, who they are, and what that is worth."""
    s, side = turn.s, turn.s.offence
    if s.clock.inning < 7 or s.differential > 2:
        return
    squad, cards = s.squad(side), s.box.batters
    for runner in filter(None, s.bases):
        if runner.name not in squad.order:
            continue
        spot = squad.spots[squad.order.index(runner.name)]
        for name in bench.subs(s, side, spot):
            if cards[name].baserunning >= cards[runner.name].baserunning + 4:
                yield runner.name, name, turn.judge.win(brought(s, side, name, runner.name))


def pinch_runner(turn: Turn) -> tuple[float, str]:
    """Rate a pinch runner: the best one."""
    found = [win for _, _, win in runner_changes(turn)]
    return (max(found) - PINCH_RUNNER, "We need a faster runner.") if found else (-1.0, "")


def who_hits(turn: Turn) -> Rated:
    """Rate the pinch hitters."""
    s, side = turn.s, turn.s.offence
    out = s.squad(side).batter
    return {
        name: (turn.judge.win(brought(s, side, name, out)), "A better bat against this pitcher.")
        for name in turn.options
        if name in s.squad(side).bench
    }


def run_for_whom(turn: Turn) -> Rated:
    """Rate the runners who may be replaced."""
    best: dict[str, float] = {}
    for out, _, win in runner_changes(turn):
        best[out] = max(win, best.get(out, 0.0))
    return {
        name: (best.get(name, turn.base - FAR), "We need a faster runner.")
        for name in turn.options
        if name not in QUIET
    }


def who_runs(turn: Turn) -> Rated:
    """Rate the pinch runners."""
    s, side = turn.s, turn.s.offence
    on = [runner.name for runner in s.bases if runner]
    (out, *_) = (*turn.named(on), *on, s.squad(side).order[0])
    return {
        name: (turn.judge.win(brought(s, side, name, out)), "The fastest on the bench.")
        for name in turn.options
        if name in s.squad(side).bench
    }


# In the field --------------------------------------------------------------------------------------------------------


def traded(s: State, side: Seat, one: str, two: str) -> State:
    """Return the position after two fielders have traded positions."""
    twin = s.copy()
    bench.trade(twin, side, one, two)
    return twin


def glove(s: State, name: str, spot: str) -> int:
    """Return a batter's rating at a position."""
    return s.box.batters[name].gloves.get(spot, OUT_OF_POSITION)


def trades(turn: Turn) -> list[tuple[int, str, str]]:
    """Return the trades of two fielders that make the field better, with by how much; the best first."""
    s, squad = turn.s, turn.s.squad(turn.s.defence)
    field = [(name, spot) for name, spot in zip(squad.order, squad.spots, strict=True) if spot != DH]
    found = []
    for (one, spot), (two, other) in combinations(field, 2):
        gain = glove(s, one, other) + glove(s, two, spot) - glove(s, one, spot) - glove(s, two, other)
        if gain > 0:
            found.append((gain, one, two))
    return sorted(found, reverse=True)


def positions(turn: Turn) -> tuple[float, str]:
    """Rate the best trade of two fielders."""
    for _, one, two in trades(turn):
        gain = turn.judge.win(traded(turn.s, turn.s.defence, one, two))
        if gain > turn.base:
            return gain, "Everybody plays where he fields best."
        return turn.base - 0.001, ""
    return -1.0, ""


def moves(turn: Turn) -> Rated:
    """Rate who trades positions."""
    names = {one: (turn.base - FAR, "") for one in turn.options if one not in QUIET}
    for gain, one, two in reversed(trades(turn)):
        for name in (one, two):
            if name in names:
                names[name] = (turn.base + gain * POINT, "Everybody plays where he fields best.")
    return names


def moves_to(turn: Turn) -> Rated:
    """Rate the position that a fielder takes: his own one is the one that is not offered."""
    s, squad = turn.s, turn.s.squad(turn.s.defence)
    own = next((spot for spot in POSITIONS if spot not in turn.options and spot in squad.spots), "")
    name = squad.playing(own)
    rated: Rated = {}
    for spot in turn.options:
        if spot not in POSITIONS:
            continue
        gain = 0
        if name:
            other = squad.playing(spot)
            gain = glove(s, name, spot) + glove(s, other, own) - glove(s, name, own) - glove(s, other, spot)
        rated[spot] = (turn.base + gain * POINT, "Everybody plays where he fields best." if gain > 0 else "")
    return rated


def replacements(turn: Turn) -> dict[tuple[str, str], float]:
    """Return what better fielders of the bench are worth now, by who leaves and who comes in at his position."""
    s, side = turn.s, turn.s.defence
    squad = s.squad(side)
    found: dict[tuple[str, str], float] = {}
    for out, spot in zip(squad.order, squad.spots, strict=True):
        if spot == DH:
            continue
        for name in bench.subs(s, side, spot):
            if glove(s, name, spot) > glove(s, out, spot):
                found[out, name] = turn.judge.win(brought(s, side, name, out))
    return found


def replace_fielder(turn: Turn) -> tuple[float, str]:
    """Rate the best replacement of a fielder. It is looked for at the start of a half-inning from the seventh on, or
    where somebody is out of position.
    """
    s, squad = turn.s, turn.s.squad(turn.s.defence)
    stray = any(spot != DH and spot not in s.box.batters[name].gloves for name, spot in _field(squad))
    if not stray and not (s.clock.inning >= 7 and s.outs == 0 and s.bases == (None, None, None)):
        return -1.0, ""
    found = replacements(turn)
    return (max(found.values()) - FIELDER, "A better glove for the late innings.") if found else (-1.0, "")


def _field(squad: Squad) -> list[tuple[str, str]]:
    return list(zip(squad.order, squad.spots, strict=True))


def replaced(turn: Turn) -> Rated:
    """Rate who leaves the field."""
    best: dict[str, float] = {}
    for (out, _), win in replacements(turn).items():
        best[out] = max(win, best.get(out, 0.0))
    return {
        name: (best.get(name, turn.base - FAR), "A better glove comes in.")
        for name in turn.options
        if name not in QUIET
    }


def replacement(turn: Turn) -> Rated:
    """Rate who comes in for the fielder that the ask names."""
    s, side = turn.s, turn.s.defence
    (out, *_) = (*turn.named(s.squad(side).order), s.squad(side).order[0])
    return {
        name: (turn.judge.win(brought(s, side, name, out)), "A better glove comes in.")
        for name in turn.options
        if name in s.squad(side).bench
    }


def plays_where(turn: Turn) -> Rated:
    """Rate where a fielder who comes in plays: first the position that is free, which the ask calls by its name."""
    spots = [spot for spot in turn.options if spot in POSITIONS]
    names = turn.named(turn.s.squad(turn.side).bench)
    rated = {
        spot: (turn.base + (glove(turn.s, names[0], spot) if names else 0) * POINT - at * POINT, "")
        for at, spot in enumerate(spots)
    }
    rated |= equal((one for one in turn.options if one == "another-position"), turn.base - FAR)
    return rated or equal(turn.options, turn.base)


def removed(turn: Turn) -> Rated:
    """Rate who takes the place of a player whom a card takes out."""
    s, side = turn.s, turn.side
    (out, *_) = (*turn.named(s.squad(side).order), s.squad(side).order[0])
    return {
        name: (turn.judge.win(brought(s, side, name, out)), "The best one left for the spot.")
        for name in turn.options
        if name in s.squad(side).bench
    } or equal(turn.options, turn.base)
