"""Fielding values (3.3)."""

from __future__ import annotations

import pytest

from engine.games.clutch.numbers import fielding
from tests.engine.games.clutch.field import by_rule
from tests.engine.games.clutch.fixture import batter, pitcher
from tests.engine.games.clutch.steps import ready


def gloves(**worth: int) -> dict[str, str]:
    """Return home's fielders with other ratings; "_1B" stands for 1B, since a name cannot begin with a digit."""
    named = {spot.strip("_"): rating for spot, rating in worth.items()}
    return {f"H-{spot}": batter(f"H-{spot}", f"{spot} {rating:+}") for spot, rating in named.items()}


OTHERS = gloves(CA=7, _1B=-2, _2B=-1, _3B=0, SS=1, LF=2, CF=4, RF=6) | {"Px": pitcher("Px", defense=3)}
GOOD = gloves(_2B=5, SS=7, CF=6)


@pytest.mark.parametrize(
    ("units", "cards", "house", "trade"),
    by_rule(
        # Battery 8+1, infield 1+2+1+2, outfield 1+2+1; each unit has its own positions.
        ("CL-090 CL-091 CL-092", (9, 6, 4), {}, {}, {}),
        ("CL-090 CL-091 CL-092", (10, -2, 12), OTHERS, {}, {}),
        # The rating for the position he plays counts: +2 in left is +0 in center.
        ("CL-092", (9, 6, 2), {"H-CF": batter("H-CF", "LF +2", "CF +0")}, {}, {}),
        # Out of position counts -3 (AM-11): 1+2+1-3, and behind the plate -2 with the pitcher's +1.
        ("CL-130", (9, 1, 0), {}, {}, {"SS": "LF", "LF": "SS"}),
        ("CL-131", (-2, 6, 0), {}, {}, {"CA": "LF", "LF": "CA"}),
        # Units have no maximum unless the house sets one, before cards (AM-23); each applies to its own unit.
        ("CL-094", (8, 6, 4), {}, {"maxBattery": "8"}, {}),
        ("CL-094", (9, 6, 4), {}, {"maxInfield": "6", "maxOutfield": "4"}, {}),
        ("CL-094", (9, 6, 4), {}, {"maxInfield": "7", "maxOutfield": "5"}, {}),
        ("CL-094", (9, 14, 8), GOOD, {}, {}),
        ("CL-094", (9, 6, 8), GOOD, {"maxInfield": "6"}, {}),
        ("CL-094", (9, 14, 7), GOOD, {"maxOutfield": "7"}, {}),
    ),
)
def test_fielding_values_of_units(
    units: tuple[int, int, int], cards: dict[str, str], house: dict[str, str], trade: dict[str, str]
) -> None:
    """`trade` lists positions whose fielders swap; the other side's units stay the same."""
    s = ready(cards=cards, house=house)
    s.update_squad("home", spots=tuple(trade.get(spot, spot) for spot in s.squad("home").spots))
    assert units == tuple(fielding.printed_unit_rating(s, "home", name) for name in ("battery", "infield", "outfield"))
    if not house:
        assert (9, 6, 4) == tuple(
            fielding.printed_unit_rating(s, "away", name) for name in ("battery", "infield", "outfield")
        )


def test_a_card_may_name_other_units() -> None:
    assert [3, 9, 1] == [fielding.printed_unit_rating(ready(), "home", name) for name in ("3B+SS", "CA+P", "P")]
