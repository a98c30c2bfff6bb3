"""Rest that pitchers owe from game to game (4.4, CL-118, CL-141, CL-142, CL-347 to CL-368)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.games.clutch.pitching.pitcher_record import PitcherRecord

STARTER_REST_GAMES = 4  # For a starter or bulk pitcher, however little he pitched (CL-357).


@dataclass(frozen=True, slots=True)
class PitcherRest:
    """The rest before a game. A pitcher `owes` 0 or more games. `last` is True if he pitched in the last one."""

    owes: int = 0
    last: bool = False

    @property
    def is_tired(self) -> bool:
        """True if he would come into this game tired (CL-347)."""
        return self.owes > 0


FULLY_RESTED = PitcherRest()


def rest_after_game(rest: PitcherRest, arm: PitcherRecord | None, house: Mapping[str, str]) -> PitcherRest:
    """Return the rest that a pitcher owes after a game. `rest` is from before it, and `arm` is his record, or None if
    he did not play. Only a game in which he does not pitch counts as rest (AM-81). In the basic game he owes
    nothing.
    """
    if house["level"] == "basic":
        return FULLY_RESTED
    if arm is None or not _has_pitched(arm, house):
        return PitcherRest(max(0, rest.owes - 1))
    owes = STARTER_REST_GAMES if arm.role in ("SP", "BP") else len(_exceeded_outs(arm, house))
    remaining = rest.owes - (house["tiredGameCountsAsRest"] == "true")
    tired = arm.tired or rest.last
    return PitcherRest(max(owes, remaining, int(tired)), last=True)


def _has_pitched(arm: PitcherRecord, house: Mapping[str, str]) -> bool:
    """True if he pitched in this game. An intentional walk is not a pitch (CL-316, AM-82)."""
    return arm.pitched or (house["ibbOnlyIsRest"] == "false" and arm.intentional > 0)


def _exceeded_outs(arm: PitcherRecord, house: Mapping[str, str]) -> frozenset[int]:
    """Return the counts of outs after which he faced another batter (CL-349 to CL-354, AM-82)."""
    return arm.beyond | arm.waved if house["ibbOnlyIsRest"] == "false" else arm.beyond


def rests_for_next_game(
    pitchers: Iterable[str],
    rests: Mapping[str, PitcherRest],
    arms: Mapping[str, PitcherRecord],
    house: Mapping[str, str],
) -> dict[str, PitcherRest]:
    """Return the rest that each pitcher owes in the next game. `arms` are those who played."""
    return {name: rest_after_game(rests.get(name, FULLY_RESTED), arms.get(name), house) for name in pitchers}


def rested_starters(
    names: Iterable[str], rests: Mapping[str, PitcherRest], house: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the pitchers who may start, in their order: the rested ones, or all if none is rested or `tiredStarter`
    is `always` (CL-065, AM-14). `names` are those whose cards allow it and who have not left the series.
    """
    names = tuple(names)
    fresh = tuple(name for name in names if not rests.get(name, FULLY_RESTED).is_tired)
    return names if house["tiredStarter"] == "always" else fresh or names
