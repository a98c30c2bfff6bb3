"""The stored playthroughs of every game match its current rules."""

from __future__ import annotations

import pytest

from engine.journal import Amend, Undo
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS
from tests.golden import fingerprints

every_story = pytest.mark.parametrize(
    ("contract", "story"),
    [
        pytest.param(contract, story, id=f"{key}-{story}".rstrip("-"))
        for key, contract in CONTRACTS.items()
        for story in contract.stories.houses
    ],
)


@every_story
def test_a_stored_game_replays(contract: Contract, story: str) -> None:
    assert contract.stories.path(story).exists(), f"no golden playthrough of {contract.game.title}: see tests/golden"
    for expected, actual in zip(contract.stories.stored(story), contract.stories.played(story).lines, strict=True):
        assert expected == actual


@every_story
def test_a_stored_game_is_complete(contract: Contract, story: str) -> None:
    """It ends, and includes a correction and an answer taken back."""
    assert contract.stories.stored(story)[-1]["outcome"]
    assert {Amend, Undo} <= {type(entry) for entry in contract.stories.entries(story)}


@pytest.mark.parametrize("contract", CONTRACTS.values(), ids=CONTRACTS)
def test_a_changed_rule_is_noticed(contract: Contract) -> None:
    """A playthrough that differs by one run anywhere does not match."""
    story = next(iter(contract.stories.houses))
    wrong = contract.stories.stored(story)
    next(line for line in wrong[len(wrong) // 2 :] if "score" in line)["score"][0] += 1
    assert wrong != contract.stories.played(story).lines


@pytest.mark.parametrize("key", CONTRACTS)
def test_nothing_changed_unnoticed(key: str) -> None:
    """Random games ask, tell and show exactly what they did when the fingerprints were taken."""
    stored, now = fingerprints.stored()[key], fingerprints.digests(CONTRACTS[key].walk)
    hint = "`scripts/same` shows what changed; if it was meant, run `python -m tests.golden.fingerprints`"
    for number, (expected, actual) in enumerate(zip(stored, now, strict=True)):
        assert expected == actual, f"game {number} of {key} changed: {hint}"
