"""Positions of RallyBird, and ways to play on from them.

The cards come from the ledger or are house-made; F-1 to F-6 equal F-DRIVE. Every zone has 2 printed on it. The Glove
of a zone is named for it, gA to gF, and lies there by default; gF and gX carry the baseball.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.asks import Arrange, Roll
from engine.cards import Deck, parse_deck
from engine.diamond import Bases
from engine.games.rallybird import GAME
from engine.games.rallybird.cards import CARD_SHAPES, ZONE_LETTERS
from engine.games.rallybird.state import State
from engine.innings import Half, InningClock
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import json_data
from tests.engine.tables import board, halves, inside, midway, on_base, panel, play, score

DRIVE = 'tests = ["E"]\nless = "batter flies out"\nequal = "batter flies out"\nmore = "batter to first, runners +1"\n'

CARDS: dict[str, str] = {
    "F-LEFT": 'tests = ["A", "D"]\nless = "double play"\n'
    'equal = "runner on first out, batter to first; else batter grounds out"\nmore = "batter to first, runners +1"\n',
    "F-DRIVE": DRIVE,
    "F-SAC": 'tests = ["B"]\nrequires = "any"\nless = "batter flies out"\n'
    'equal = "batter flies out, runners +1"\nmore = "batter flies out, runners +1"\n',
    "F-THIRD": 'tests = ["A", "A", "A"]\nrequires = "second"\nless = "runner on second out"\n'
    'equal = "runner on second out"\nmore = "runner on second +1"\n',
    "F-SECOND": 'tests = ["C"]\nrequires = "first"\nless = "runner on first out"\n'
    'equal = "runner on first out"\nmore = "runner on first +1"\n',
    "F-RIGHT": 'tests = ["C", "C"]\nless = "batter grounds out"\nequal = "batter grounds out, runners +1"\n'
    'more = "batter to first"\n',
    "F-LONG": 'tests = ["E", "F"]\ntwice = true\nless = "batter out"\nequal = "batter out"\n'
    'more = "batter to home, runners +3"\n',
    "F-PITCH": 'tests = { second = ["B"], otherwise = ["F"] }\nless = "batter out"\nequal = "batter out"\n'
    'more = "batter walks"\nwears = false\nbeginner = false\n',
    "F-GAP": 'tests = ["D", "E"]\nless = "batter grounds out"\nequal = "batter to second"\n'
    'more = "batter to third, runners +3"\n',
    "F-LEAD": 'tests = ["B", "C"]\nless = "batter flies out, lead runner out"\n'
    'equal = "lead runner out, batter to first; else batter out"\nmore = "batter to first, lead runner scores"\n',
    "F-BLANK": "blank = true\n",
    **{f"F-{number}": DRIVE for number in range(1, 7)},
}

REMOVED = "F-6"
"""Out of the half, unless told otherwise."""


def source(cards: Mapping[str, str] = CARDS, gloves: Mapping[str, tuple[int, int]] | None = None) -> str:
    """Return a deck's text; `gloves` gives front and back by zone, where they are not 3 and 1."""
    parts = ['[deck]\ngame = "rallybird"\ntitle = "F"\n']
    parts += [f'[[zone]]\nletter = "{zone}"\nprinted = 2\nplace = "at {zone}"\n' for zone in ZONE_LETTERS]
    for zone in (*ZONE_LETTERS, "X"):
        front, back = (gloves or {}).get(zone, (3, 1))
        icon = str(zone in "FX").lower()
        parts.append(f'[[glove]]\nname = "g{zone}"\nfront = {front}\nback = {back}\nicon = {icon}\n')
    for number, (name, text) in enumerate(cards.items(), 1):
        parts.append(f'[[card]]\nnumber = {number}\nname = "{name}"\n{text}')
    return "".join(parts)


def deck(cards: Mapping[str, str] | None = None, gloves: Mapping[str, tuple[int, int]] | None = None) -> Deck:
    """Return the deck of `source`, with some cards replaced by others of the same names."""
    return parse_deck(source({**CARDS, **(cards or {})}, gloves), "f.toml", GAME.key, CARD_SHAPES)


def new(house: Mapping[str, str] | None = None, cards: Deck | None = None) -> Table:
    """Return a new game with the seats agreed."""
    return Table(GAME, [cards or deck()], {"visitor": "agreed"} | dict(house or {}))


def ready(house: Mapping[str, str] | None = None) -> Table:
    """Return a game with both sides ready in the first half: REMOVED and gX are out."""
    table = new(house)
    return play(table, REMOVED if table.house["cards"] == "secret" else "ready", "gX")


def at(
    bases: str = "",
    outs: int = 0,
    field: str = "",
    *,
    inning: int = 7,
    half: Half = "top",
    score: tuple[int, int] = (0, 0),
    rally: tuple[bool, bool] = (True, True),
    house: Mapping[str, str] | None = None,
    cards: Mapping[str, str] | None = None,
) -> Table:
    """Return a table as an at-bat begins: "13" are runners on first and third, with cubes 1 and 2.

    `field` lists the Gloves that matter: "A3f D5b E-" is one with 3 on its front in A, one with 5 on its back in D,
    and none left for E.
    """
    marks = re.findall(r"([A-F])(?:(\d)([fb])|(-))", field)
    gloves = {zone: (int(value), 1) if side == "f" else (7, int(value or 1)) for zone, value, side, _ in marks}
    clock = InningClock(inning, half)

    def position(state: State) -> None:
        state.seated, state.clock, state.score, state.rally = True, clock, score, rally
        state.left_out, state.outs = "gX", outs
        state.backs = frozenset(f"g{zone}" for zone, _, side, _ in marks if side == "b")
        state.gone = frozenset(f"g{zone}" for zone, _, _, gone in marks if gone)
        on = dict(zip(sorted(bases), range(1, 4), strict=False))
        where: Bases[int] = (on.get("1"), on.get("2"), on.get("3"))
        state.bases, state.batter = where, len(bases) + 1
        if state.house["cards"] == "secret":
            state.removed = SealedValue(state.offense, REMOVED, -1)

    first = InningClock(int((house or {}).get("startInning", 7)))
    told = ({**facts, "team": facts["seat"]} for facts in halves(clock, first))
    return midway(GAME, deck(cards, gloves), house, position, told)


def dice(total: int) -> list[int]:
    """Return two dice with this total."""
    return [total - 6, 6] if total > 7 else [1, total - 1]


def lie(table: Table) -> dict[str, str]:
    """Place each Glove in play on its own zone."""
    ((_, ask),) = table.open_asks()
    arranging = inside(ask)
    assert isinstance(arranging, Arrange), ask
    return {piece[1] if piece != "gX" else "F": piece for piece in arranging.pieces}


def bat(table: Table, card: str, *rolls: int) -> Table:
    """Place a card and each Glove on its own zone, and roll this total."""
    play(table, card)
    return play(table, lie(table), *map(dice, rolls))


def wanted(table: Table) -> list[str]:
    """Return the dice now expected."""
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll), ask
    return [die.kind for die in ask.dice]


def stand(table: Table) -> tuple[str, int, int]:
    """Return the occupied bases, the outs, and both sides' runs."""
    return on_base(table), board(table).outs, sum(score(table))


def half(table: Table) -> str:
    """Return the inning and half, as "T7"."""
    now = board(table)
    return f"{now.half[0].upper()}{now.inning}"


def sides(table: Table) -> dict[str, str]:
    """Return the Gloves that do not show their fronts: "back", "removed" or "left out"."""
    found = {one["name"]: one["out"] or ("back" if one["back"] else "") for one in panel(table, "gloves")}
    return {name: side for name, side in found.items() if side and name != "gX"}


def target(table: Table) -> int:
    """Return the target of the roll."""
    return int(panel(table, "card")["target"])


def compare(table: Table) -> str:
    """Return how the last roll compared."""
    return str(panel(table, "roll")["compare"])


def true(table: Table) -> State:
    """Return the full state of the game, secrets included."""
    assert isinstance(table.state, State)
    return table.state


def labels(table: Table) -> dict[str, Any]:
    """Return the labels of the options now open, as their own seat sees them."""
    ((n, ask),) = table.open_asks()
    return {option["value"]: option["label"] for option in json_data(table.ask_view(n, ask, ask.seat))["options"]}
