"""The ledger's fixtures as cards: `Bx`, `Px`, `Rx`, a defence of battery 9, infield 6 and outfield 4, and test cards.

Both teams have the same numbers: all batters are copies of Bx, all pitchers of Px or Rx. Bx is the designated hitter
of the away side and leads off, Px starts for home, Rx is in home's bullpen; all others have "A-" or "H-" before what
they play, as A-SS, H-DH, or are on the bench (A-CA2, A-1B2, A-SS2, A-LF2), in the bullpen (H-R2, H-R3, H-OP) or the
second of the rotation, a bulk pitcher (H-BP).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Deck, parse
from engine.games.clutch.cards import PLACES, Box
from engine.games.clutch.catalogue import unpack
from engine.games.clutch.chart import EXAMPLE
from engine.games.clutch.house import HOUSE_RULES
from engine.games.clutch.shapes import SHAPES

HOUSE = {rule.key: rule.values[0] for rule in HOUSE_RULES} | {"format": "open"}
"""The house rules of these tests."""

GLOVES = {"CA": 8, "1B": 1, "2B": 2, "3B": 1, "SS": 2, "LF": 1, "CF": 2, "RF": 1}
"""The ratings of the nine."""

BATTING = EXAMPLE
"""The chart of Bx."""

PITCHING = "1-5 SO, 6-10 GB, 11-12 LD, 13-15 FB, 16-17 BB, 18-20 1B, 21-22 2B, 23+ HR"
"""The chart of Px."""


def written(kind: str, /, **fields: Any) -> str:
    """A card as its table in a deck."""
    return f"[[{kind}]]\n" + "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _toml(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case str():
            return f'"{value}"'
    return str(value)


def batter(name: str, *positions: str, **fields: Any) -> str:
    """A copy of Bx, who is a designated hitter unless positions are said."""
    usual = {"team": "Fixtures", "salary": 200, "hand": "R", "on_base": 10, "baserunning": 15, "stealing": 15}
    of = {"positions": positions or ["DH"], "chart": BATTING, "clutch": 2}
    return written("batter", **{"name": name, **usual, **of, **fields})


def pitcher(name: str, *roles: str, **fields: Any) -> str:
    """A copy of Px, a starter with six innings unless roles are said."""
    usual = {"team": "Fixtures", "salary": 200, "hand": "R", "command": 3, "x_zone": 1, "defense": 1}
    of = {"roles": roles or ["SP 6"], "chart": PITCHING, "clutch": 1}
    return written("pitcher", **{"name": name, **usual, **of, **fields})


def squad(side: str) -> dict[str, str]:
    """The players of a side, "A" or "H", by name."""
    dh, ace, relief = ("Bx", "A-Px", "A-Rx") if side == "A" else ("H-DH", "Px", "Rx")
    named = {dh: batter(dh)}
    for spot, rating in GLOVES.items():
        named[f"{side}-{spot}"] = batter(f"{side}-{spot}", f"{spot} +{rating}")
    for spot in ("CA", "1B", "SS", "LF"):
        named[f"{side}-{spot}2"] = batter(f"{side}-{spot}2", f"{spot} +{GLOVES[spot]}")
    named[ace] = pitcher(ace)
    named[f"{side}-BP"] = pitcher(f"{side}-BP", "BP 4", "RP 2")
    for name in (relief, f"{side}-R2", f"{side}-R3"):
        named[name] = pitcher(name, "RP 1")
    named[f"{side}-OP"] = pitcher(f"{side}-OP", "OP 1")
    return named


def roster(side: str, **fields: Any) -> str:
    """The roster of a side, "A" or "H"; `fields` are other fields of its card."""
    dh, ace, relief = ("Bx", "A-Px", "A-Rx") if side == "A" else ("H-DH", "Px", "Rx")
    nine = {place: dh if spot == "DH" else f"{side}-{spot}" for place, spot in PLACES.items()}
    rest = {
        "order": [dh, *(name for name in nine.values() if name != dh)],
        "bench": [f"{side}-{spot}2" for spot in ("CA", "1B", "SS", "LF")],
        "rotation": [ace, f"{side}-BP"],
        "bullpen": [relief, f"{side}-R2", f"{side}-R3", f"{side}-OP"],
    }
    return written("roster", **{"name": {"A": "Away", "H": "Home"}[side], **nine, **rest, **fields})


def texts() -> dict[str, str]:
    """Every card's text by its name, the rosters as Away and Home."""
    return {**squad("A"), **squad("H"), "Away": roster("A"), "Home": roster("H")}


def source(cards: Mapping[str, str] | None = None) -> str:
    """The deck's text; `cards` are other texts for a card by its name, "" leaves it out, and more cards."""
    parts = {**texts(), **(cards or {})}
    return "\n".join(['[deck]\ngame = "clutch"\ntitle = "Fixtures"\n', *parts.values()])


def deck(cards: Mapping[str, str] | None = None) -> Deck:
    """The deck of `source`."""
    return parse(source(cards), "f.toml", "clutch", SHAPES)


def box(cards: Mapping[str, str] | None = None, house: Mapping[str, str] | None = None) -> Box:
    """What the deck of `source` makes up."""
    return unpack(deck(cards).cards, HOUSE | dict(house or {}))
