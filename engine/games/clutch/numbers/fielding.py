"""Fielding ratings of a unit, as printed on its players' cards (3.3), now and with positions swapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION_RATING, ClutchBox
from engine.games.clutch.squad import ClutchSquad
from engine.games.clutch.state import State
from engine.seats import Seat

UNIT_POSITIONS: Mapping[str, tuple[str, ...]] = {
    "battery": ("CA",),
    "infield": ("1B", "2B", "3B", "SS"),
    "outfield": ("LF", "CF", "RF"),
}
"""Positions of each unit. The pitcher belongs to the battery too (CL-090 to CL-092)."""

UNIT_CAPS: Mapping[str, str] = {"battery": "maxBattery", "infield": "maxInfield", "outfield": "maxOutfield"}
"""House rule that caps the rating of each unit (AM-23)."""


def unit_positions(unit: str) -> tuple[str, ...]:
    """Return the positions of a unit, or of positions joined by "+". The battery's pitcher is left out."""
    return UNIT_POSITIONS.get(unit, tuple(unit.split("+")))


def printed_unit_rating(s: State, side: Seat, unit: str) -> int:
    """Return the printed rating of a unit, without cards.

    `unit` is "battery", "infield", "outfield", or positions joined by "+", where "P" is the pitcher. A player out of
    position counts -3 (CL-130, CL-131). That every position is filled is not checked.
    """
    return squad_rating(s.squad(side), s.box, s.house, unit)


def squad_rating(squad: ClutchSquad, box: ClutchBox, house: Mapping[str, str], unit: str) -> int:
    """Return the printed rating of a unit of this squad, as `printed_unit_rating` does."""
    spots = (*unit_positions(unit), "P") if unit == "battery" else unit_positions(unit)
    gloves = {spot: box.batters[one].gloves for one, spot in zip(squad.order, squad.spots, strict=True)}
    gloves["P"] = {"P": box.pitchers[squad.pitcher].defense}
    total = sum(gloves[spot].get(spot, OUT_OF_POSITION_RATING) for spot in spots)
    return _cap_rating(house, unit, total)


def best_ratings(squad: ClutchSquad, box: ClutchBox, house: Mapping[str, str]) -> Mapping[str, int]:
    """Return the best printed rating of each unit if the eight fielders could swap positions freely. Units are rated
    one at a time, so a better infield may cost the outfield.
    """
    gloves = [box.batters[one].gloves for one, spot in zip(squad.order, squad.spots, strict=True) if spot != DH]
    return {unit: _cap_rating(house, unit, _best_rating(squad, box, unit, gloves)) for unit in UNIT_POSITIONS}


def _best_rating(squad: ClutchSquad, box: ClutchBox, unit: str, gloves: Sequence[Mapping[str, int]]) -> int:
    spots = UNIT_POSITIONS[unit]
    most = max(
        sum(glove.get(spot, OUT_OF_POSITION_RATING) for glove, spot in zip(some, spots, strict=True))
        for some in permutations(gloves, len(spots))
    )
    return most + (box.pitchers[squad.pitcher].defense if unit == "battery" else 0)


def _cap_rating(house: Mapping[str, str], unit: str, total: int) -> int:
    most = house[UNIT_CAPS[unit]] if unit in UNIT_CAPS else "none"
    return total if most == "none" else min(total, int(most))
