"""A game of Small Ball in its store, on a clock that stands still."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.keeper import Keeper
from device.store import Store
from tests.device.games import Clock, table


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db")
    yield store
    store.close()


@pytest.fixture
def keeper(store: Store, clock: Clock) -> Keeper:
    return Keeper(store, table, show=1.5, clock=clock)


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """What a program that runs here makes of signals is undone."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGINT)]
    yield
    for number, handler in before:
        signal.signal(number, handler)
