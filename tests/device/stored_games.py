"""Games to keep, on a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from device.storage.decks import house_deck
from device.storage.store import Store, StoreError
from device.table.session import GameSession
from device.table.throw_match import SeenThrow
from engine.games import GAMES
from engine.journal import Source
from engine.seats import Seat
from engine.table import Table
from engine.views import json_data
from tests.device.throws import thrown
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
    saved = store.current_game()
    assert saved is not None
    assert saved.table is not None, saved.trouble
    return saved.table


def seen(*values: int, began: float = 101.0, doubt: str | None = None) -> SeenThrow:
    return thrown(row(*values), began, doubt)


def board(session: GameSession) -> dict[str, Any]:
    found: dict[str, Any] = json_data(session.game.view_for(None))["table"]["scoreboard"]
    return found


def answer(session: GameSession, *values: Any) -> GameSession:
    """Give these answers to what is asked first, one after the other; return the session."""
    for value in values:
        n, ask = session.game.table.open_asks()[0]
        session.seats.answer_ask(ask.seat, n, value, Source.PHONE)
    return session


def proposal(session: GameSession) -> Any:
    """Return the roll that is shown before it counts, as plain data; None if there is none."""
    return json_data(session.game.view_for(None))["proposal"]


def throw(session: GameSession, clock: Clock, thrown: SeenThrow) -> Any:
    """Bat, and let the camera see this throw; return the roll that is shown."""
    answer(session, "bat")
    clock.now = 103
    session.rolls.handle_throw(thrown)
    return proposal(session)


def wait(session: GameSession, clock: Clock, until: float) -> None:
    """Let time pass on the table's clock, while a camera sees that the dice lie still."""
    clock.now = until
    session.rolls.set_camera_state("settled", "The dice are still.", until)
    session.tick()


@contextmanager
def full_disk(store: Store, words: str = "The disk is full.") -> Iterator[list[tuple[object, ...]]]:
    """Have no entry written for a while; return what was tried."""
    tries: list[tuple[object, ...]] = []

    def append(*given: object) -> None:
        tries.append(given)
        raise StoreError(words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "append", append)
        yield tries


def duel(store: Store, clock: Clock) -> GameSession:
    """A game that needs three dice of three kinds, at that roll."""
    session = GameSession(store, lambda: Table(DUEL, [deck()]), clock=clock)
    low = {"first": "ann", "second": "bob"}
    answers: list[tuple[Seat, Any]] = [("home", "low"), ("away", low), ("away", "heads"), ("home", "tails")]
    for n, (seat, value) in enumerate(answers):
        session.seats.answer_ask(seat, n, value, Source.PHONE)
    session.seats.answer_ask("away", 4, "slap", Source.PHONE)
    return session
