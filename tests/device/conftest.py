"""A game of Small Ball in its store, on a clock that stands still; and a card that a table is set up on."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.diagnostics import recent
from device.storage.store import Store
from device.table.session import GameSession
from tests.device import stored_games
from tests.device.install.sd_card import Card, installed
from tests.device.stored_games import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db")
    yield store
    store.close()


@pytest.fixture
def session(store: Store, clock: Clock) -> GameSession:
    return GameSession(store, stored_games.table, show=1.5, clock=clock)


@pytest.fixture(autouse=True)
def process() -> Iterator[None]:
    """What a program that runs here makes of signals and of the log is undone."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGINT)]
    yield
    for number, handler in before:
        signal.signal(number, handler)
    logging.root.removeHandler(recent.recent_log)


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card.fresh(tmp_path / "card")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Card:
    """A card with a table that plays, and a newer version: to be copied."""
    return installed(tmp_path_factory.mktemp("made") / "card")


@pytest.fixture
def table(made: Card, tmp_path: Path) -> Card:
    return made.copy(tmp_path / "card")
