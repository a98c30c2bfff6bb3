"""Types of player cards, strategy cards, coaches, stadiums, weather and rosters (CL-001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.games.clutch.cards.effects import CardRules
from engine.games.clutch.cards.result_chart import ResultChart

FIELD_POSITIONS = ("CA", "1B", "2B", "3B", "SS", "LF", "CF", "RF")
"""Positions in the field. The designated hitter, "DH", has none (CL-003)."""

DH = "DH"

LINEUP_POSITIONS = (*FIELD_POSITIONS, DH)  # CL-082.

OUT_OF_POSITION_RATING = -3  # At a position that is not on the card (CL-130, AM-11).

PITCHER_ROLES = ("SP", "RP", "OP", "BP")  # Starter, reliever, opening pitcher, bulk pitcher (CL-015).

MAX_COPIES_BY_RARITY = {"common": 3, "uncommon": 2, "rare": 1}
"""Maximum copies of a strategy card in a deck (CL-048 to CL-050)."""

COACH_KINDS = ("hitting", "pitching", "bench")  # CL-029.

POSITIONS_BY_ROSTER_FIELD = {
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
"""Roster fields that name its nine, with their positions (CL-082)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCard:
    """Fields of both batters and pitchers. A `person` may have several cards. `left` and `right` are the bonuses
    against a left-handed and a right-handed opponent.
    """

    name: str
    person: str
    team: str
    set: str
    salary: int
    hand: str
    left: int
    right: int
    chart: ResultChart
    clutch: int
    icons: tuple[str, ...]
    rotated: bool = False  # True if leagues no longer allow its set (CL-390).


@dataclass(frozen=True, slots=True, kw_only=True)
class ClutchBatter(PlayerCard):
    """A batter's card (CL-002 to CL-013). `hand` is "R", "L" or "S". `gloves` are ratings by position, without "DH"."""

    on_base: int
    baserunning: int
    stealing: int
    positions: tuple[str, ...]
    gloves: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClutchPitcher(PlayerCard):
    """A pitcher's card (CL-014 to CL-022). `innings` is the limit in each of his roles, "SP", "RP", "OP" or "BP"."""

    command: int
    x_zone: int
    defense: int
    innings: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class StrategyCard:
    """A strategy card (CL-024 to CL-028).

    rarity: "common", "uncommon" or "rare".
    side: "offense", "defense" or "neutral".
    special: "", "momentum", "burst" or "impulse".
    blank: true if its manager reads its effects from the real card, and `play` is empty.
    """

    name: str
    set: str
    rarity: str
    side: str
    special: str
    play: CardRules
    blank: bool


@dataclass(frozen=True, slots=True)
class CoachCard:
    """A coach card (CL-029 to CL-031). `kind` is "hitting", "pitching" or "bench"."""

    name: str
    kind: str
    play: CardRules


@dataclass(frozen=True, slots=True)
class StadiumCard:
    """A stadium card (CL-032) with its main effect, and bonuses for some players while it holds (CL-064)."""

    name: str
    main: CardRules
    defensive: CardRules | None
    offensive: CardRules | None


@dataclass(frozen=True, slots=True)
class WeatherCard:
    """A weather card (CL-386)."""

    name: str
    play: CardRules


@dataclass(frozen=True, slots=True)
class Roster:
    """A manager's team for a game (CL-033 to CL-056).

    fielders: starters at each of `FIELD_POSITIONS` and "DH".
    order: their usual batting order.
    deck: one name for each copy.
    rest: games of rest that a pitcher still owes from earlier games.
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
class ClutchBox:
    """All cards by name. A two-way player has a card in both `batters` and `pitchers`, of the same person. `reads` are
    the one-line texts of the cards by kind and name, which displays show at every turn.
    """

    batters: Mapping[str, ClutchBatter] = field(default_factory=dict)
    pitchers: Mapping[str, ClutchPitcher] = field(default_factory=dict)
    strategies: Mapping[str, StrategyCard] = field(default_factory=dict)
    coaches: Mapping[str, CoachCard] = field(default_factory=dict)
    stadiums: Mapping[str, StadiumCard] = field(default_factory=dict)
    weather: Mapping[str, WeatherCard] = field(default_factory=dict)
    rosters: Mapping[str, Roster] = field(default_factory=dict)
    reads: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def playable_card(self, kind: str, name: str) -> StrategyCard | CoachCard:
        """Return a strategy card or coach. `kind` is "strategy" or "coach"."""
        return self.coaches[name] if kind == "coach" else self.strategies[name]
