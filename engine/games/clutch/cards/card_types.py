"""The cards of Clutch: players, strategy cards, coaches, stadiums, weather, and rosters of them (CL-001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.games.clutch.cards.effects import Play
from engine.games.clutch.cards.result_chart import Chart

POSITIONS = ("CA", "1B", "2B", "3B", "SS", "LF", "CF", "RF")
"""The positions in the field; the designated hitter, "DH", has none (CL-003)."""

DH = "DH"

FIELD = (*POSITIONS, DH)  # The nine places of a line-up (CL-082).

OUT_OF_POSITION = -3  # The rating of a player at a position that is not on his card (CL-130, AM-11).

ROLES = ("SP", "RP", "OP", "BP")  # The roles of pitchers: starter, reliever, opening pitcher, bulk pitcher (CL-015).

COPIES = {"common": 3, "uncommon": 2, "rare": 1}
"""The most copies of a strategy card in a deck, by its rarity (CL-048 to CL-050)."""

COACHES = ("hitting", "pitching", "bench")  # The kinds of coaches (CL-029).

PLACES = {
    "catcher": "CA",
    "first": "1B",
    "second": "2B",
    "third": "3B",
    "short": "SS",
    "left": "LF",
    "center": "CF",
    "right": "RF",
    "dh": DH,
}
"""The fields of a roster that name its nine, with their positions (CL-082)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCard:
    """What the cards of batters and pitchers share. A `person` may have several cards. `left` and `right` are the
    bonuses against a left-handed and a right-handed opponent.
    """

    name: str
    person: str
    team: str
    set: str
    salary: int
    hand: str
    left: int
    right: int
    chart: Chart
    clutch: int
    icons: tuple[str, ...]
    rotated: bool = False
    """True if leagues no longer allow its set (CL-390)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batter(PlayerCard):
    """A batter's card (CL-002 to CL-013); `hand` is "R", "L" or "S". `gloves` are the ratings by position; "DH" has
    none and is left out.
    """

    on_base: int
    baserunning: int
    stealing: int
    positions: tuple[str, ...]
    gloves: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pitcher(PlayerCard):
    """A pitcher's card (CL-014 to CL-022). `innings` is the limit in each of his roles, "SP", "RP", "OP" or "BP"."""

    command: int
    x_zone: int
    defense: int
    innings: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy card (CL-024 to CL-028).

    `side` is "offense", "defense" or "neutral"; `rarity` "common", "uncommon" or "rare"; `special` "", "momentum",
    "burst" or "impulse". A `blank` card has no play: its manager reads what it does from the real card.
    """

    name: str
    set: str
    rarity: str
    side: str
    special: str
    play: Play
    blank: bool


@dataclass(frozen=True, slots=True)
class Coach:
    """A coach card (CL-029 to CL-031). `kind` is "hitting", "pitching" or "bench"."""

    name: str
    kind: str
    play: Play


@dataclass(frozen=True, slots=True)
class Stadium:
    """A stadium card (CL-032): the main effect, and bonuses for some players while it holds (CL-064)."""

    name: str
    main: Play
    defensive: Play | None
    offensive: Play | None


@dataclass(frozen=True, slots=True)
class Weather:
    """A weather card (CL-386)."""

    name: str
    play: Play


@dataclass(frozen=True, slots=True)
class Roster:
    """What a manager brings to a game (CL-033 to CL-056).

    `fielders` are the starters at each of POSITIONS and "DH"; `order` is their usual batting order. `deck` has a name
    for each copy. `rest` is how many games of rest a pitcher still owes from earlier games.
    """

    name: str
    fielders: Mapping[str, str]
    order: tuple[str, ...]
    bench: tuple[str, ...]
    rotation: tuple[str, ...]
    bullpen: tuple[str, ...]
    deck: tuple[str, ...] = ()
    coaches: tuple[str, ...] = ()
    stadium: str = ""
    rest: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Box:
    """All cards by name. A two-way player has a card in both `batters` and `pitchers`, of the same person. `reads` are
    the texts of the cards, one line each, by kind and name: displays show them at every turn.
    """

    batters: Mapping[str, Batter] = field(default_factory=dict)
    pitchers: Mapping[str, Pitcher] = field(default_factory=dict)
    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    coaches: Mapping[str, Coach] = field(default_factory=dict)
    stadiums: Mapping[str, Stadium] = field(default_factory=dict)
    weather: Mapping[str, Weather] = field(default_factory=dict)
    rosters: Mapping[str, Roster] = field(default_factory=dict)
    reads: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def card(self, kind: str, name: str) -> Strategy | Coach:
        """Return a card that can be played; `kind` is "strategy" or "coach"."""
        return self.coaches[name] if kind == "coach" else self.strategies[name]
