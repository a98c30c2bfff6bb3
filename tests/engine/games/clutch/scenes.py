"""A view of a game for testing conditions, and players in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.games.clutch.numbers.conditions import Person

BO = Person(
    "Bo Amber",
    hand="S",
    side="L",
    team="Harbor",
    set="Originals",
    icons=frozenset({"HR"}),
    salary=310,
    on_base=9,
    command=0,
    br=18,
    st=17,
    clutch=-1,
    positions=frozenset({"SS", "2B"}),
    playing="SS",
    role="",
    defense=2,
)
ABE = replace(
    BO,
    name="Abe Quill",
    hand="R",
    side="R",
    team="Mill",
    set="Second",
    icons=frozenset(),
    salary=150,
    on_base=0,
    command=4,
    br=0,
    st=0,
    clutch=2,
    positions=frozenset({"P"}),
    playing="P",
    role="SP",
    defense=1,
)
CY = replace(
    ABE, name="Cy Fenn", icons=frozenset({"GG"}), on_base=11, br=12, st=12, positions=frozenset({"CA"}), role=""
)
CY = replace(CY, playing="CA", defense=8)


@dataclass(frozen=True)
class Scene:
    """The view of the visitors' manager, at bat in the first with nothing rolled, unless fields say otherwise."""

    inning: int = 1
    half: str = "top"
    outs: int = 1
    bases: tuple[bool, bool, bool] = (False, False, False)
    lead: int = 0
    clutch: bool = False
    offence: bool = True
    home: bool = False
    batter: Person = BO
    pitcher: Person = ABE
    runner: Person | None = None
    lead_runner: Person | None = None
    runners: tuple[Person, ...] = ()
    fielders: Mapping[str, Person] = field(default_factory=lambda: {"P": ABE, "CA": CY})
    involved: tuple[Person, ...] = ()
    advantage: str = ""
    mistake: bool = False
    chart: str = ""
    read: str = ""
    result: str = ""
    outcome: str = ""
    previous: tuple[str, ...] = ()
    naturals: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    base: int = 0
    tags: frozenset[str] = frozenset()
    tired: bool = False
    pitcher_outs: int = 0
    pitcher_faced: int = 0
    pitcher_walks: int = 0
    pitcher_earned: int = 0
    innings_left: int = 18
    hand: tuple[int, int] = (5, 5)
    deck: tuple[int, int] = (45, 45)
    in_play: tuple[tuple[bool, str, str], ...] = ()
    played: tuple[tuple[bool, str, str], ...] = ()
    used: Mapping[str, int] = field(default_factory=dict)
    team: str = "Harbor"
    stadium: str = ""
    weather: str = ""

    def __call__(self, fact: str) -> Any:
        return getattr(self, fact)
