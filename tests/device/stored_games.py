"""Games to keep, on a clock that the test moves."""

from __future__ import annotations

from typing import Any

from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import Session
from device.table.throw_match import SeenThrow
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from engine.views import plain
from tests.engine.sample_games.duel_game import DUEL, deck
from tests.vision.tints import row

GAME = GAMES["small-ball"]


class Clock:
    """Seconds that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def table() -> Table:
    return Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})


def latest(store: Store) -> Table:
    """The game on the table, restored."""
    saved = store.latest()
    assert saved is not None
    assert saved.table is not None, saved.trouble
    return saved.table


def seen(*values: int, began: float = 101.0, doubt: str | None = None) -> SeenThrow:
    return SeenThrow(row(*values), began, doubt, doubt and f"Advice on {doubt}.")


def board(session: Session) -> dict[str, Any]:
    found: dict[str, Any] = plain(session.view(None))["table"]["scoreboard"]
    return found


def duel(store: Store, clock: Clock) -> Session:
    """A game that needs three dice of three kinds, at that roll."""
    session = Session(store, lambda: Table(DUEL, [deck()]), clock=clock)
    low = {"first": "ann", "second": "bob"}
    answers: list[tuple[Seat, Any]] = [("home", "low"), ("away", low), ("away", "heads"), ("home", "tails")]
    for n, (seat, value) in enumerate(answers):
        session.answer(seat, n, value, "phone")
    session.answer("away", 4, "slap", "phone")
    return session
