"""How the tests run: random examples, threads, and which come first.

Hypothesis tries the same examples every time and sets no deadline, for a Pi is slow. A test says how many examples it
needs where the default of 100 is too many or too few.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported: every core has its own test process

import cv2
import pytest
from hypothesis import settings

cv2.setNumThreads(1)

settings.register_profile("house", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("quick", settings.get_profile("house"), max_examples=25)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`."""
    parser.addoption("--quick", action="store_true", help="leave out slow tests, and try fewer random examples")


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples in a quick run."""
    if config.option.quick:
        settings.load_profile("quick")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests of a quick run. In a whole run they come first, so that all processes end together."""
    slow = [item for item in items if item.get_closest_marker("slow")]
    fast = [item for item in items if not item.get_closest_marker("slow")]
    if config.option.quick:
        config.hook.pytest_deselected(items=slow)
        items[:] = fast
    else:
        items[:] = slow + fast
