"""The cards of Clutch: players, strategy cards, coaches, stadiums, weather, and rosters of them (CL-001)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.games.clutch.cards.effects import CardRules
from engine.games.clutch.cards.result_chart import ResultChart

FIELD_POSITIONS = ("CA", "1B", "2B", "3B", "SS", "LF", "CF", "RF")
"""The positions in the field; the designated hitter, "DH", has none (CL-003)."""

DH = "DH"

LINEUP_POSITIONS = (*FIELD_POSITIONS, DH)  # The nine places of a line-up (CL-082).

OUT_OF_POSITION_RATING = -3  # The rating of a player at a position that is not on his card (CL-130, AM-11).

PITCHER_ROLES = (
    "SP",
    "RP",
    "OP",
    "BP",
)  # The roles of pitchers: starter, reliever, opening pitcher, bulk pitcher (CL-015).

MAX_COPIES_BY_RARITY = {"common": 3, "uncommon": 2, "rare": 1}
"""The most copies of a strategy card in a deck, by its rarity (CL-048 to CL-050)."""

COACH_KINDS = ("hitting", "pitching", "bench")  # The kinds of coaches (CL-029).

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
    chart: ResultChart
    clutch: int
    icons: tuple[str, ...]
    rotated: bool = False
    """True if leagues no longer allow its set (CL-390)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClutchBatter(PlayerCard):
    """A batter's card (CL-002 to CL-013); `hand` is "R", "L" or "S". `gloves` are the ratings by position; "DH" has
    none and is left out.
    """

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

    `side` is "offense", "defense" or "neutral"; `rarity` "common", "uncommon" or "rare"; `special` "", "momentum",
    "burst" or "impulse". A `blank` card has no play: its manager reads what it does from the real card.
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
    """A stadium card (CL-032): the main effect, and bonuses for some players while it holds (CL-064)."""

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
class ClutchBox:
    """All cards by name. A two-way player has a card in both `batters` and `pitchers`, of the same person. `reads` are
    the texts of the cards, one line each, by kind and name: displays show them at every turn.
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
        """Return a card that can be played; `kind` is "strategy" or "coach"."""
        return self.coaches[name] if kind == "coach" else self.strategies[name]
