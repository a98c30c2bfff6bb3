"""The fixtures of the rule ledger as cards: `Bx`, `Px`, `Rx`, fielders and test cards.

Both defenses have battery 9, infield 6 and outfield 4. All batters are copies of Bx, all pitchers of Px or Rx. Bx is
the designated hitter of the away side and leads off, Px starts for home, and Rx is in home's bullpen. All others have
"A-" or "H-" before their position, like A-SS and H-DH, or are on the bench (A-CA2, A-1B2, A-SS2, A-LF2), in the
bullpen (H-R2, H-R3, H-OP), or the second of the rotation, a bulk pitcher (H-BP). Each deck has fifty of the test
cards; there are no coaches or stadiums.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.cards import Deck, parse_deck
from engine.games.clutch.cards.card_fields import CARD_SHAPES
from engine.games.clutch.cards.card_set import build_box
from engine.games.clutch.cards.card_types import POSITIONS_BY_ROSTER_FIELD, ClutchBox
from engine.games.clutch.cards.result_chart import EXAMPLE_CHART
from engine.games.clutch.house_rules import HOUSE_RULES

HOUSE = {rule.key: rule.values[0] for rule in HOUSE_RULES} | {"format": "open"}
"""The house rules of these tests."""

GLOVES = {"CA": 8, "1B": 1, "2B": 2, "3B": 1, "SS": 2, "LF": 1, "CF": 2, "RF": 1}
"""The ratings of the nine."""

BATTING = EXAMPLE_CHART
"""The chart of Bx."""

PITCHING = "1-5 SO, 6-10 GB, 11-12 LD, 13-15 FB, 16-17 BB, 18-20 1B, 21-22 2B, 23+ HR"
"""The chart of Px."""


def written(kind: str, /, **fields: Any) -> str:
    """Return a card as a table of a deck file."""
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
    """Return a copy of Bx, a designated hitter unless positions are given."""
    usual = {"team": "Fixtures", "salary": 200, "hand": "R", "on_base": 10, "baserunning": 15, "stealing": 15}
    of = {"positions": positions or ["DH"], "chart": BATTING, "clutch": 2}
    return written("batter", **{"name": name, **usual, **of, **fields})


def pitcher(name: str, *roles: str, **fields: Any) -> str:
    """Return a copy of Px, a starter with six innings unless roles are given."""
    usual = {"team": "Fixtures", "salary": 200, "hand": "R", "command": 3, "x_zone": 1, "defense": 1}
    of = {"roles": roles or ["SP 6"], "chart": PITCHING, "clutch": 1}
    return written("pitcher", **{"name": name, **usual, **of, **fields})


def strategy(name: str, side: str, when: Any, do: Any, **fields: Any) -> str:
    """Return a common strategy card."""
    return written("strategy", name=name, rarity="common", side=side, when=when, do=do, **fields)


BEFORE = "before the pitch"
THROWN = ("on a throw", "after the throw roll")

PLAYS = {
    "SW+2": strategy("SW+2", "offense", BEFORE, "swing +2"),
    "SW+2b": strategy("SW+2b", "offense", BEFORE, "swing +2"),
    "SWR+2": strategy("SWR+2", "offense", "after the swing roll", "swing roll +2"),
    "OB+2": strategy("OB+2", "offense", BEFORE, "on-base +2"),
    "CMD-2": strategy("CMD-2", "offense", BEFORE, "command -2"),
    "GB>1B": strategy("GB>1B", "offense", "on a GB", "change GB to 1B"),
    "1B>2B": strategy("1B>2B", "offense", "on a 1B", "change 1B to 2B"),
    "SPD+2": strategy("SPD+2", "offense", THROWN, "br +2"),
    "CL-SW": strategy("CL-SW", "offense", BEFORE, "swing + batter's clutch", clutch=True),
    "SW-2": strategy("SW-2", "defense", BEFORE, "swing -2"),
    "PT+2": strategy("PT+2", "defense", BEFORE, "pitch +2"),
    "PT+2b": strategy("PT+2b", "defense", BEFORE, "pitch +2"),
    "PR-1": strategy("PR-1", "defense", "after the pitch roll", "pitch roll -1"),
    "1B>GB": strategy("1B>GB", "defense", "on a 1B", "change 1B to GB"),
    "CHK1B": strategy("CHK1B", "defense", "on a 1B", "change 1B to GB if an infield check is made"),
    "THR+2": strategy("THR+2", "defense", THROWN, "throw +2"),
    "IP+1": strategy("IP+1", "defense", BEFORE, "innings +1"),
    "IP+1b": strategy("IP+1b", "defense", BEFORE, "innings +1"),
    "DRAW2": strategy("DRAW2", "neutral", BEFORE, "draw 2"),
    "COST1": strategy("COST1", "neutral", BEFORE, "draw 2", cost="discard 1"),
    "MOM": strategy(
        "MOM", "neutral", BEFORE, "my on-base +1", special="momentum", until="after a strikeout by my batter"
    ),
    "STICK": strategy("STICK", "neutral", BEFORE, "on-base +1", leave="batter"),
}
"""The ledger's test cards."""

DECK = [f"{3 if n < 6 else 2} {title}" for n, title in enumerate(PLAYS)]
"""Fifty of them."""


def squad(side: str) -> dict[str, str]:
    """Return the players of a side, "A" or "H", by name."""
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
    """Return the roster of a side, "A" or "H"; `fields` are other fields of its card."""
    dh, ace, relief = ("Bx", "A-Px", "A-Rx") if side == "A" else ("H-DH", "Px", "Rx")
    nine = {place: dh if spot == "DH" else f"{side}-{spot}" for place, spot in POSITIONS_BY_ROSTER_FIELD.items()}
    rest = {
        "order": [dh, *(name for name in nine.values() if name != dh)],
        "bench": [f"{side}-{spot}2" for spot in ("CA", "1B", "SS", "LF")],
        "rotation": [ace, f"{side}-BP"],
        "bullpen": [relief, f"{side}-R2", f"{side}-R3", f"{side}-OP"],
        "deck": DECK,
    }
    return written("roster", **{"name": {"A": "Away", "H": "Home"}[side], **nine, **rest, **fields})


def texts() -> dict[str, str]:
    """Return every card's text by its name, with the rosters as Away and Home."""
    return {**squad("A"), **squad("H"), **PLAYS, "Away": roster("A"), "Home": roster("H")}


def source(cards: Mapping[str, str] | None = None) -> str:
    """Return the deck's text; `cards` replaces texts by name ("" leaves a card out) and adds cards."""
    parts = {**texts(), **(cards or {})}
    return "\n".join(['[deck]\ngame = "clutch"\ntitle = "Fixtures"\n', *parts.values()])


def deck(cards: Mapping[str, str] | None = None) -> Deck:
    """Return the deck of `source`."""
    return _read(source(cards))


@cache
def _read(text: str) -> Deck:
    return parse_deck(text, "f.toml", "clutch", CARD_SHAPES)


def box(cards: Mapping[str, str] | None = None, house: Mapping[str, str] | None = None) -> ClutchBox:
    """Return the box of the deck of `source`."""
    return build_box(deck(cards).cards, HOUSE | dict(house or {}))
