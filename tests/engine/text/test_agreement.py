"""Verbs agree with what people call a side."""

from __future__ import annotations

from engine.text.agreement import name_with_verb
from tests.each import each

ONE = (
    *(
        "Leo",
        "Your team",
        "Home",
        "Mia's side",
        "Joe's",
        "Team USA",
        "Boston",
        "Iris",
        "Chris",
        "Lars",
        "Jess",
        "Marcus",
    ),
    *("Thomas", "Los Angeles", "St. Louis", "Kansas", "The Boss", "Rot-Weiß", "1984", "!"),
)
"""Names of one."""

MANY = (
    *("The Owls", "Owls", "OWLS", "Owls 2", "You", "Red Sox", "the visitors", "Leo and Mia", "Mom & Dad", "The A's"),
    *("Copperhill Kilns", "The Kiwis", "Iron Horses", "Women", "Pandas", "Heroes"),
)
"""Names of several."""


@each("name", ONE)
def test_one_bats(name: str) -> None:
    assert f"{name} bats" == name_with_verb(name, "bats/bat")


@each("name", MANY)
def test_several_bat(name: str) -> None:
    assert f"{name} bat" == name_with_verb(name, "bats/bat")
