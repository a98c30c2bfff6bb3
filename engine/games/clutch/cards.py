"""The cards of Clutch: players, strategy, coaches, stadiums, weather, and rosters made of them (CL-001)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cards import Field, Shape, flag, listed, one_of, optional, quoted, several, text, typed, whole
from engine.events import spoken
from engine.games.clutch.chart import EXAMPLE, Chart, chart
from engine.games.clutch.effects import Play

POSITIONS = ("CA", "1B", "2B", "3B", "SS", "LF", "CF", "RF")
"""The positions in the field; the designated hitter "DH" has none (CL-003)."""

DH = "DH"

ROLES = ("SP", "RP", "OP", "BP")
"""What a pitcher may be: starter, reliever, opening pitcher, bulk pitcher (CL-015)."""

COACHES = ("hitting", "pitching", "bench")
"""The kinds of coaches (CL-029)."""

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
"""The fields of a roster that name its nine, and what each of them plays (CL-082)."""


@dataclass(frozen=True, slots=True)
class Batter:
    """A batter's card (CL-002 to CL-013). `person` is whose card it is: he may have several.

    `hand` is "R", "L" or "S"; `left` and `right` what On-Base gains against a left-handed and a right-handed pitcher.
    `gloves` is the rating at each position on the card; a "DH" there has none and is left out of it.
    """

    name: str
    person: str
    team: str
    set: str
    salary: int
    hand: str
    on_base: int
    left: int
    right: int
    baserunning: int
    stealing: int
    positions: tuple[str, ...]
    gloves: Mapping[str, int]
    chart: Chart
    clutch: int
    icons: tuple[str, ...]
    rotated: bool = False
    """Its set is no longer played with in leagues (CL-390)."""


@dataclass(frozen=True, slots=True)
class Pitcher:
    """A pitcher's card (CL-014 to CL-022). `innings` is the limit in each of his roles, "SP", "RP", "OP" or "BP"."""

    name: str
    person: str
    team: str
    set: str
    salary: int
    hand: str
    command: int
    left: int
    right: int
    x_zone: int
    defense: int
    innings: Mapping[str, int]
    chart: Chart
    clutch: int
    icons: tuple[str, ...]
    rotated: bool = False
    """Its set is no longer played with in leagues (CL-390)."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy card (CL-024 to CL-028). `side` is "offense", "defense" or "neutral"; `rarity` "common", "uncommon"
    or "rare"; `special` "", "momentum", "burst" or "impulse". A `blank` one has no play: the table says what it does.
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
    """A stadium card (CL-032): the main effect, and what it gives some players while that holds (CL-064)."""

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
    """What a manager brings (CL-033 to CL-056).

    `fielders` is the starter at each of POSITIONS and "DH"; `order` the nine of them as they bat when nothing else is
    said. `deck` holds a name for each copy. `rest` is how many games a pitcher still owes from games played before.
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
    """All cards by name. A two-way player has a card in both `batters` and `pitchers`, of the same person."""

    batters: Mapping[str, Batter] = field(default_factory=dict)
    pitchers: Mapping[str, Pitcher] = field(default_factory=dict)
    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    coaches: Mapping[str, Coach] = field(default_factory=dict)
    stadiums: Mapping[str, Stadium] = field(default_factory=dict)
    weather: Mapping[str, Weather] = field(default_factory=dict)
    rosters: Mapping[str, Roster] = field(default_factory=dict)


# What is typed in ------------------------------------------------------------------------------------------------


def glove(said: Any) -> tuple[str, int | None]:
    """A position and its rating, as "SS +2"; "DH" has none, None (CL-003, CL-004). Raises ValueError."""
    found = re.fullmatch(r"([A-Z0-9]{2})(?: ?([+-]?\d\d?))?", _plain(said))
    if not found or found[1] not in (*POSITIONS, DH):
        raise ValueError(f"wants a position like 'SS +2', one of {spoken((*POSITIONS, DH))}, not {quoted(said)}.")
    if (found[1] == DH) != (found[2] is None):
        wanted = "a designated hitter has no rating" if found[1] == DH else f"wants the rating too, as '{found[1]} +2'"
        raise ValueError(f"{quoted(said)}: {wanted}.")
    return found[1], None if found[2] is None else int(found[2])


def role(said: Any) -> tuple[str, int]:
    """A role and its limit of innings, as "SP 6" (CL-015, CL-016). Raises ValueError."""
    found = re.fullmatch(r"([A-Z]{2}) ?(\d)", _plain(said))
    if not found or found[1] not in ROLES:
        raise ValueError(f"wants a role and its innings like 'SP 6', one of {spoken(ROLES)}, not {quoted(said)}.")
    return found[1], int(found[2])


def copies(said: Any) -> tuple[int, str]:
    """How often a strategy card is in the deck, and its title, as "3 Slide Step". Raises ValueError."""
    found = re.fullmatch(r"([1-9]\d?) (.+)", said.strip()) if isinstance(said, str) else None
    if not found:
        raise ValueError(f"wants a number and a title like '3 Slide Step', not {quoted(said)}.")
    return int(found[1]), found[2]


def owed(said: Any) -> tuple[str, int]:
    """A pitcher and the games he has still to rest, as "Ann Orme 2". Raises ValueError."""
    found = re.fullmatch(r"(.+) ([1-9])", said.strip()) if isinstance(said, str) else None
    if not found:
        raise ValueError(f"wants a name and a number of games like 'Ann Orme 2', not {quoted(said)}.")
    return found[1], int(found[2])


def icon(said: Any) -> str:
    """A tag in capital letters; which there are is not checked (AM-25). Raises ValueError."""
    found = _plain(said)
    if not re.fullmatch(r"[A-Z0-9]{1,6}", found):
        raise ValueError(f"wants one to six letters or digits, as 'GG', not {quoted(said)}.")
    return found


def _plain(said: Any) -> str:
    """In capital letters, with one kind of minus and single spaces; "" of what is no text."""
    return " ".join(re.sub("[–−]", "-", said).upper().split()) if isinstance(said, str) else ""


def _once(field: Field, what: str) -> Field:
    """Several of a thing that begins each with a key of its own, none of them twice."""

    def check(value: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = field(value)
        if len({one[0] for one in found}) < len(found):
            raise ValueError(f"names {what} twice.")
        return found

    return replace(field, check=check)


# Shapes ----------------------------------------------------------------------------------------------------------

_name, _title = text(20), text(30)
_set = optional(text(30), "").means("The card set it is of.")
_player: Shape = {
    "name": _name.means("What the player is called; no other card of this kind has that name."),
    "person": optional(_name, "").means("Who he is, where he has several cards; without it as his name."),
    "team": _name.means("The team on the card."),
    "set": _set,
    "salary": whole(0, 9999).means("What he costs of the salary cap."),
}
_bonus = optional(whole(0, 9), 0)
_clutch = whole(-9, 9).means("The Clutch rating; it may be negative.")
_icons = optional(several(replace(text(6), check=icon)), ()).means("Its icons: AS, GG, HR, MVP, SB and such.")
_chart = typed(chart, EXAMPLE).means("The Result Chart on one line, from the lowest Swing to the highest.")
_rotated = optional(flag(), False).means("Its set is no longer played with in leagues.")

SHAPES: dict[str, Shape] = {
    "batter": {
        **_player,
        "hand": one_of("R", "L", "S").means("The side he bats from; S is a switch hitter."),
        "on_base": whole(0, 30).means("The On-Base number."),
        "left": _bonus.means("What On-Base gains against left-handed pitchers, L+."),
        "right": _bonus.means("What On-Base gains against right-handed pitchers, R+."),
        "baserunning": whole(0, 40).means("His speed when he takes a base; 11 to 25 on real cards."),
        "stealing": whole(0, 40).means("His speed when he steals; 11 to 25 on real cards."),
        "positions": _once(several(typed(glove, "SS +2")), "a position").means(
            "What he plays and his rating there; DH stands without one."
        ),
        "chart": _chart,
        "clutch": _clutch,
        "icons": _icons,
        "rotated": _rotated,
    },
    "pitcher": {
        **_player,
        "hand": one_of("R", "L").means("The hand he throws with."),
        "command": whole(-5, 20).means("The Command number."),
        "left": _bonus.means("What Command gains against left-handed batters, L+."),
        "right": _bonus.means("What Command gains against right-handed batters, R+."),
        "x_zone": whole(1, 3).means("The highest Pitch Roll that is a Mistake Pitch."),
        "defense": whole(-9, 20).means("His defensive rating, for the battery."),
        "roles": _once(several(typed(role, "SP 6")), "a role").means(
            "His roles, each with its limit of innings: SP, RP, OP or BP."
        ),
        "chart": _chart,
        "clutch": _clutch,
        "icons": _icons,
        "rotated": _rotated,
    },
    "roster": {
        "name": _name.means("What the team is called."),
        **{place: _name.means(f"Who starts at {spot}.") for place, spot in PLACES.items()},
        "order": optional(listed(_name, 9), ()).means("The nine as they bat; without it as they stand here."),
        "bench": optional(several(_name), ()).means("The other batters."),
        "rotation": several(_name).means("The starters, in the order they are to start."),
        "bullpen": optional(several(_name), ()).means("The relievers."),
        "deck": optional(_once(several(typed(copies, "3 Slide Step")), "a card"), ()).means(
            "The strategy deck: how often each card is in it, and its title."
        ),
        "coaches": optional(several(_title), ()).means("A hitting, a pitching and a bench coach."),
        "stadium": optional(_title, "").means("The stadium the team brings."),
        "rest": optional(_once(several(typed(owed, "Ann Orme 2")), "a pitcher"), ()).means(
            "Pitchers who have still to rest from games before, and how many games."
        ),
    },
}
