"""Seeds of random games: a few for every run, and more for a full one."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(default: int, full: int) -> pytest.MarkDecorator:
    """Run a test with each `seed` below `full`; from `default` on only in a full run."""
    every: list[Any] = [seed if seed < default else pytest.param(seed, marks=pytest.mark.slow) for seed in range(full)]
    return pytest.mark.parametrize("seed", every)
