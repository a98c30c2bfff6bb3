"""Positions of Small Ball, and ways to play on from them.

Every player has card A by default: 1 SO, 2 1B, 3 GO, 4 FO, 5 BB, 6 2B. Away is red.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.asks import Roll
from engine.cards import Deck, parse_deck
from engine.diamond import Bases
from engine.games.small_ball import GAME
from engine.games.small_ball.cards import CARD_SHAPES
from engine.games.small_ball.state import State
from engine.innings import Half, InningClock
from engine.table import Table
from tests.engine.tables import board, codes, halves, midway, on_base, panel, play

A = ("SO", "1B", "GO", "FO", "BB", "2B")
SO, SINGLE, GO, FO, BB, DOUBLE = 1, 2, 3, 4, 5, 6
"""The face that means it, on card A."""

POWER, ON_BASE = "pinch-1", "pinch-2"


def source(cards: Mapping[tuple[str, int], Sequence[str]] | None = None, order: Iterable[int] = range(1, 10)) -> str:
    """Return a deck's text; `cards` gives players another card than A, `order` is the file's card order."""
    parts = ['[deck]\ngame = "small-ball"\ntitle = "A"\n']
    for colour in ("red", "blue"):
        for number in order:
            results = list((cards or {}).get((colour, number), A))
            parts.append(f'[[player]]\nteam = "{colour}"\nnumber = {number}\nname = "{colour} {number}"\n')
            parts.append(f"results = {results}\n")
        for kind in ("POWER", "ON-BASE"):
            parts.append(f'[[pinch]]\nteam = "{colour}"\nname = "{colour} {kind}"\nkind = "{kind}"\n')
    return "".join(parts)


def deck(cards: Mapping[tuple[str, int], Sequence[str]] | None = None) -> Deck:
    """Return the deck of `source`."""
    return parse_deck(source(cards), "a.toml", "small-ball", CARD_SHAPES)


def new(house: Mapping[str, str] | None = None) -> Table:
    """Return a new game, red away without a question."""
    return Table(GAME, [deck()], {"awayTeam": "red"} | dict(house or {}))


def at(
    bases: str = "",
    outs: int = 0,
    stake: int = 0,
    *,
    lead: int = 1,
    inning: int = 1,
    half: Half = "top",
    score: tuple[int, int] = (0, 0),
    waiting: int = 1,
    used: tuple[Iterable[int], Iterable[int]] = ((), ()),
    house: Mapping[str, str] | None = None,
    cards: Mapping[tuple[str, int], Sequence[str]] | None = None,
) -> Table:
    """Return a table in the middle of a half that player `lead` opened: "13" are runners on first and third.

    The half's first players have scored, the next are out, and the last are on base, the earliest farthest along.
    `waiting` leads off next for the side in the field.
    """
    through = stake + outs + len(bases)
    numbers = [(lead - 1 + i) % 9 + 1 for i in range(through)]
    on: dict[str, int] = dict(zip(sorted(bases, reverse=True), numbers[stake + outs :], strict=False))
    where: Bases[int] = (on.get("1"), on.get("2"), on.get("3"))
    due = (lead - 1 + through) % 9 + 1

    def position(state: State) -> None:
        state.sides = ("red", "blue")
        state.clock, state.score = InningClock(inning, half), score
        state.due = (due, waiting) if half == "top" else (waiting, due)
        state.used = (frozenset(used[0]), frozenset(used[1]))
        state.outs, state.bases, state.batted = outs, where, through
        state.scored, state.retired = tuple(numbers[:stake]), tuple(numbers[stake : stake + outs])

    told = ({**facts, "team": facts["seat"]} for facts in halves(InningClock(inning, half)))
    return midway(GAME, deck(cards), house, position, told)


def true(table: Table) -> State:
    """Return the full state of the game."""
    assert isinstance(table.state, State)
    return table.state


def bat(table: Table, *faces: int) -> Table:
    """Bat and throw these faces, one for each at-bat."""
    for face in faces:
        play(table, "bat", face)
    return table


def dice(table: Table) -> tuple[str, ...]:
    """Return the kinds of dice now expected."""
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll), ask
    return tuple(die.kind for die in ask.dice)


def stand(table: Table) -> tuple[str, int, int]:
    """Return the occupied bases, outs and runs at stake in the current half."""
    now = board(table)
    return on_base(table), now.outs, now.stake or 0


def due(table: Table) -> str:
    """Return who is at bat, as "red 4"."""
    return board(table).batter or ""


def unused(table: Table, seat: str) -> list[str]:
    """Return the kinds of pinch hitters a seat can still call."""
    return [card["kind"] for card in panel(table, "pinch")[seat] if not card["used"]]


def end(table: Table) -> list[str]:
    """Return how the halves so far ended."""
    return [code for code in codes(table.log) if code in ("bank", "bust", "batted-around")]
