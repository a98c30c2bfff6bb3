"""No regular expression of the product takes more than a few steps for each character, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from math import inf

import pytest

from tests.hostile.growth.backtracking import Backtracking, TooManySteps, endless
from tests.hostile.growth.product_patterns import product_patterns

LENGTHS = ((20, 40, 2.5), (100, 400, 8.0))
"""Characters of two texts that are compared, and what the longer one may cost of the shorter. A square would cost 4 and
16 times as much. The longer pair is tried where the shorter one grew too fast.
"""

BOUNDED = {
    "device/diagnostics/checks/disk.py": "a line of the kernel's log has at most 1 kB",
}
"""Files with a pattern that grows faster, and what bounds its text."""


def slow_text(pattern: re.Pattern[str], searches: bool) -> str:
    """A text that costs this pattern too much, shortened; "" if none was found."""
    counter = Backtracking(pattern)
    work = counter.search_all if searches else counter.match_whole
    for before, pumps in endless(counter):
        for pump, end in product(sorted(pumps), ("", "\0")):
            texts = partial(_text, before, pump, end)
            if all(_growth(counter, work, texts(short), texts(long)) > most for short, long, most in LENGTHS):
                return f"{before}{pump * 3}…{end}"
    return ""


def _text(before: str, pump: str, end: str, size: int) -> str:
    return before + pump * max(1, size // len(pump)) + end


def _growth(counter: Backtracking, work: Callable[[str], None], *texts: str) -> float:
    """How many times as many steps as the first text the second one costs."""
    steps = []
    for text in texts:
        counter.steps = 0
        try:
            work(text)
        except TooManySteps:
            return inf
        steps.append(counter.steps)
    return steps[1] / steps[0]


@pytest.mark.slow
def test_patterns_of_the_product() -> None:
    slow = dict[str, str]()
    for where, pattern, searches in {(one.where, one.compiled, one.searches) for one in product_patterns()}:
        if found := slow_text(pattern, searches):
            slow[where] = found
    assert set(BOUNDED) == {where.partition(":")[0] for where in slow}, slow


@pytest.mark.parametrize(
    ("pattern", "searches"),
    [
        (r"""(['"])/[^'"]+/[^'"]*\1""", True),
        (r"\s*\[\s*([^\[\]]+?)\s*\]", False),
        (r"\s*\+\s*", True),
        (r"(a|b|ab)*c", False),
        pytest.param(r"(?i:x|X)+(?i:x)+y", False, marks=pytest.mark.slow),
        pytest.param(r"(?:x+x+)+y", False, marks=pytest.mark.slow),
        (r"a.*b.*c", False),
    ],
)
def test_slow_ones_are_found(pattern: str, searches: bool) -> None:
    """Squares, cubes and powers; the first two were ours."""
    assert slow_text(re.compile(pattern), searches)


@pytest.mark.parametrize(
    ("pattern", "searches"),
    [
        (r"""(['"])/+[^'"/]++/[^'"]*+\1""", True),
        (r"[a-z0-9]+(-[a-z0-9]+)*", False),
        (r"\s*\+", False),
        (r"\d{1,9}-\d{1,9}", True),
    ],
)
def test_quick_ones_are_let_be(pattern: str, searches: bool) -> None:
    assert "" == slow_text(re.compile(pattern), searches)
