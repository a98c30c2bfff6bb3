"""What fielders are worth (3.3)."""

from __future__ import annotations

import pytest

from engine.games.clutch.numbers import fielding
from engine.games.clutch.state import State
from tests.engine.games.clutch.fixture import batter, pitcher
from tests.engine.games.clutch.steps import ready


@pytest.mark.rule("CL-090", "CL-091", "CL-092")
def test_units_are_the_sums_of_their_ratings() -> None:
    """Battery 8+1, infield 1+2+1+2, outfield 1+2+1."""
    s = ready()
    assert (9, 6, 4) == tuple(fielding.rating(s, "home", name) for name in ("battery", "infield", "outfield"))
    assert (3, 9, 1) == tuple(fielding.rating(s, "home", name) for name in ("3B+SS", "CA+P", "P"))


def test_each_unit_is_of_its_own_positions() -> None:
    worth = {"CA": 7, "1B": -2, "2B": -1, "3B": 0, "SS": 1, "LF": 2, "CF": 4, "RF": 6}
    cards = {f"H-{spot}": batter(f"H-{spot}", f"{spot} {rating:+}") for spot, rating in worth.items()}
    s = ready(cards={**cards, "Px": pitcher("Px", defense=3)}, starter="Px")
    assert (10, -2, 12) == tuple(fielding.rating(s, "home", name) for name in ("battery", "infield", "outfield"))
    assert (9, 6, 4) == tuple(fielding.rating(s, "away", name) for name in ("battery", "infield", "outfield"))


def moved(s: State, **to: str) -> State:
    """Home's positions with others in them."""
    squad = s.squad("home")
    spots = list(squad.spots)
    for spot, name in to.items():
        spots[squad.order.index(name)] = spot.strip("_")
    s.change("home", spots=tuple(spots))
    return s


@pytest.mark.rule("CL-130")
def test_out_of_position_counts_minus_three() -> None:
    """A left fielder at short, who has +1 in left (AM-11): 1+2+1-3."""
    s = moved(ready(), SS="H-LF", LF="H-SS")
    assert (1, 0) == (fielding.rating(s, "home", "infield"), fielding.rating(s, "home", "outfield"))


@pytest.mark.rule("CL-131")
def test_out_of_position_behind_the_plate() -> None:
    """With the pitcher's +1: -2."""
    assert -2 == fielding.rating(moved(ready(), CA="H-LF", LF="H-CA"), "home", "battery")


def test_the_rating_is_of_the_position_he_plays() -> None:
    """A left fielder of +2 who has +0 in center."""
    s = ready(cards={"H-CF": batter("H-CF", "LF +2", "CF +0")})
    assert 2 == fielding.rating(s, "home", "outfield")


@pytest.mark.rule("CL-094")
@pytest.mark.parametrize(
    ("house", "units"),
    [
        ({}, (9, 6, 4)),
        ({"maxBattery": "8"}, (8, 6, 4)),
        ({"maxInfield": "6", "maxOutfield": "4"}, (9, 6, 4)),
        ({"maxInfield": "7", "maxOutfield": "5"}, (9, 6, 4)),
    ],
)
def test_units_have_no_maximum_unless_the_house_has_one(house: dict[str, str], units: tuple[int, ...]) -> None:
    """Before cards (AM-23)."""
    s = ready(house=house)
    assert units == tuple(fielding.rating(s, "home", name) for name in ("battery", "infield", "outfield"))


@pytest.mark.rule("CL-094")
def test_an_infield_of_fourteen_counts_fourteen_or_the_maximum() -> None:
    cards = {
        f"H-{spot}": batter(f"H-{spot}", f"{spot} +{rating}") for spot, rating in (("2B", 5), ("SS", 7), ("CF", 6))
    }
    for house, worth in (({}, (14, 8)), ({"maxInfield": "6"}, (6, 8)), ({"maxOutfield": "7"}, (14, 7))):
        s = ready(cards=cards, house=house)
        assert worth == (fielding.rating(s, "home", "infield"), fielding.rating(s, "home", "outfield"))
