"""Bottom of the 9th on a table without a machine, moment by moment. Its cards do nothing, so nothing else is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.asks import Call
from engine.cards import parse_deck
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from engine.views import RaceSeatView, RaceView

GAME = GAMES["bottom-of-the-9th"]

BATTERS = {"Ann Aster": "C", "Ben Birch": "1B", "Cy Clover": "2B", "Dot Dill": "SS", "Eve Elm": "LF", "Flo Fern": "CF"}

DECK = parse_deck(
    '[deck]\ngame = "bottom-of-the-9th"\ntitle = "Herbs"\n'
    + "".join(f'[[batter]]\nname = "{name}"\npositions = "{place}"\n' for name, place in BATTERS.items())
    + '[[pitcher]]\nname = "Sam Sorrel"\nrole = "starter"\nace = "inside-high"\n'
    + '[[pitcher]]\nname = "Ron Rue"\nrole = "reliever"\nace = "away-low"\n',
    "herbs.toml",
    GAME.key,
    GAME.shapes,
)

PITCHES = ("inside-high", "inside-low", "away-high", "away-low")


def give(table: Table, seat: Seat, value: Any) -> None:
    (n,) = [n for n, ask in table.open_asks() if ask.seat == seat]
    table.answer_ask(seat, n, value)


def ninth(house: Mapping[str, str] | None = None) -> Table:
    """Return a game at its first stare-down: Ann Aster against Sam Sorrel, whose ace is inside and high."""
    table = Table(GAME, [DECK], house)
    give(table, "home", "ready-made")
    give(table, "away", "Sam Sorrel")
    give(table, "away", "Ron Rue")
    return table


def stare(table: Table, thrown: str = "inside-high", guess: str = "inside-low") -> Table:
    """Both sides choose; half right by default."""
    give(table, "away", thrown)
    give(table, "home", guess)
    return table


def ball(table: Table, *calls: str) -> Table:
    return dice(stare(table, *calls), 5, "B", 2)


def contact(table: Table, *calls: str) -> Table:
    """A pitch put into play: the race begins."""
    return dice(stare(table, *calls), 1, "S", 5)


def dice(table: Table, control: int, letter: str, swing: int) -> Table:
    give(table, "away", [control, letter])
    give(table, "home", [swing])
    return table


def race(table: Table, **changes: dict[str, Any]) -> RaceView:
    """Return the open race as the table shows it; `home` and `away` change fields of that seat's runner."""
    asks = {ask.seat: (n, ask) for n, ask in table.open_asks() if isinstance(ask, Call)}
    seats = {
        seat: replace(RaceSeatView(list(ask.wins), None, "rolling", "Roll the die."), **changes.get(seat, {}))
        for seat, (_, ask) in asks.items()
    }
    return RaceView({seat: n for seat, (n, _) in asks.items()}, seats, None)
