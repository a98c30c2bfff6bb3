"""Inputs that `scripts/fuzz` found are replayed: none may break the program again."""

from __future__ import annotations

import pytest

from tests.hostile.fuzzing import corpus
from tests.hostile.fuzzing.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_no_kept_input_breaks_anything(target: str) -> None:
    kept = corpus.read(target)
    assert kept
    for one in kept:
        TARGETS[target](one)
