"""Random games of every game ask, tell and show exactly what they did when the fingerprints were taken."""

from __future__ import annotations

from collections.abc import Container

import pytest

from tests.each import each
from tests.engine.games.contract.games import CONTRACTS
from tests.golden import fingerprints

EVERY = range(1000)
"""More games than any rulebook has."""

SOME = EVERY[4::16]
"""Those that the default run plays."""

HINT = "If this was meant, run `python -m tests.golden.fingerprints`."


def changed(key: str, games: Container[int]) -> list[int]:
    """Play some of the random games, and return those that differ."""
    stored, now = fingerprints.stored()[key], dict(fingerprints.digests(CONTRACTS[key].walk, games))
    expected = {number: digest for number, digest in enumerate(stored) if number in games}
    return [number for number in sorted(now | expected) if now.get(number) != expected.get(number)]


@each("key", CONTRACTS)
def test_nothing_changed_unnoticed(key: str) -> None:
    assert [] == changed(key, SOME), HINT


@pytest.mark.slow
@pytest.mark.parametrize("key", CONTRACTS)
def test_nothing_else_changed_unnoticed(key: str) -> None:
    """In the other games, down to the last."""
    assert [] == changed(key, set(EVERY) - set(SOME)), HINT
