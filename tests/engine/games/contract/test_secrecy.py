"""Secrets stay secret in every game, and a leak would be noticed."""

from __future__ import annotations

import pytest

from tests.each import each
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS
from tests.engine.games.contract.secrecy import (
    CARELESS,
    Leak,
    Secrets,
    leaks,
    light,
    seen,
    thorough,
    told_apart,
    views,
    with_peek,
)
from tests.engine.tables import Look

SECRET = {key: (contract, contract.secrets) for key, contract in CONTRACTS.items() if contract.secrets}

games = pytest.mark.parametrize(
    ("contract", "secrets"),
    [pytest.param(*one, id=key, marks=pytest.mark.rule(*one[0].rules["secrecy"])) for key, one in SECRET.items()],
)
planted = pytest.mark.parametrize(
    ("secrets", "leak"),
    [
        pytest.param(secrets, leak, id=f"{key}-{name}")
        for key, (_, secrets) in SECRET.items()
        for name, leak in secrets.leaks.items()
    ],
)
looks = pytest.mark.parametrize(
    ("contract", "secrets", "look"),
    [
        pytest.param(contract, secrets, look, id=f"{key}-{name}")
        for key, (contract, secrets) in SECRET.items()
        for name, look in {**CARELESS, **secrets.careless}.items()
    ],
)


@games
def test_no_view_tells_a_secret(contract: Contract, secrets: Secrets) -> None:
    assert 0 == told_apart(contract.game, secrets.cases, light)


@games
def test_nothing_that_leaves_the_engine_tells_a_secret(contract: Contract, secrets: Secrets) -> None:
    """Checks views, asks, log, journal, refusals, previews, and what an undo or a correction would leave."""
    assert 0 == told_apart(contract.game, secrets.thorough or secrets.cases, thorough(secrets.undone))


@pytest.mark.parametrize(("contract", "secrets"), SECRET.values(), ids=SECRET)
def test_the_owner_sees_his_secret(contract: Contract, secrets: Secrets) -> None:
    """This rules out that views are alike only because they are empty."""
    for case in secrets.owners:
        assert len(case.stories) == len({seen(contract.game, story, views, case.eyes) for story in case.stories}) > 1


@planted
def test_a_leak_in_the_rules_is_caught(secrets: Secrets, leak: Leak) -> None:
    assert leaks(leak.game, leak.cases or secrets.cases, leak.look)


@looks
def test_a_careless_export_is_caught(contract: Contract, secrets: Secrets, look: Look) -> None:
    assert leaks(contract.game, secrets.cases, look)


@each(("contract", "secrets"), [one for one in SECRET.values() if one[1].peek])
def test_a_scoreboard_that_peeks_is_caught(contract: Contract, secrets: Secrets) -> None:
    assert secrets.peek
    assert leaks(with_peek(contract.game, secrets.peek), secrets.cases, views)
