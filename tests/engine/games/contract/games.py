"""The contracts of all games."""

from __future__ import annotations

from importlib import import_module

import pytest

from engine.games import GAMES
from tests.engine.games.contract.contract import Contract


def contract_of(key: str) -> Contract:
    """Return the contract of a game."""
    found = import_module(f"tests.engine.games.{key.replace('-', '_')}.contract").CONTRACT
    assert isinstance(found, Contract)
    return found


CONTRACTS = {key: contract_of(key) for key in GAMES}


def every_game(name: str = "contract", marks: str = "") -> pytest.MarkDecorator:
    """Run a test for every game; `marks` names the rules in a contract that the test proves."""
    games = []
    for key, contract in CONTRACTS.items():
        rules = contract.rules.get(marks, ())
        games.append(pytest.param(contract, id=key, marks=[pytest.mark.rule(*rules)] if rules else []))
    return pytest.mark.parametrize(name, games)
