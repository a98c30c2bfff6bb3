"""Power cuts, by a record of the disk's calls: nothing acknowledged is lost, nothing is half there, play goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.device.storage import power_cuts

REASON = power_cuts.traced()
recorded = pytest.mark.skipif(REASON is not None, reason=f"no calls can be recorded: {REASON}")


@recorded
@pytest.mark.parametrize(
    "disks", [pytest.param(20, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.long("power-cuts"))]
)
def test_no_cut_takes_what_was_acknowledged(tmp_path: Path, disks: int) -> None:
    """Some of the disks that a cut can leave, all of them by `python -m tests.device.storage.power_cuts`: answers,
    what is remembered and what seats are asked, decks, trays and pictures, while copies are made."""
    tried, wrong = power_cuts.try_all(tmp_path, "sound", disks, seed=3)
    assert (tried, wrong) == (disks, [])


@recorded
@pytest.mark.parametrize(
    "how",
    [pytest.param("normal", marks=pytest.mark.long("power-cuts")), pytest.param("delete", marks=pytest.mark.slow)],
)
def test_cuts_find_what_is_planted(tmp_path: Path, how: str) -> None:
    """A journal that is synced less, or whose end is not, loses what it acknowledged, and is seen to."""
    _, wrong = power_cuts.try_all(tmp_path, how, 300, stop="were acknowledged")
    assert wrong
    assert "were acknowledged" in wrong[-1]


def test_torn_writes_are_among_the_cuts() -> None:
    """What was not synced comes back whole, not at all, in sectors, short, or out of order; what was, always."""
    from random import Random

    node = power_cuts.Node()
    node.do(0, b"a" * 1024)
    node.sync()
    node.do(0, b"b" * 1024)
    node.do(512, b"c" * 1024)
    found = {power_cuts.torn(node, "some", Random(seed)) for seed in range(300)}
    assert {b"a" * 1024, b"b" * 512 + b"c" * 1024, b"a" * 512 + b"c" * 1024, b"b" * 1024} <= found
    assert any(b"ab" in one for one in found)
    assert any(0 < len(one.rstrip(b"c")) % 512 for one in found if len(one) > 1024 or one[:1] == b"b")
    assert (power_cuts.torn(node, "none", Random()), power_cuts.torn(node, "all", Random())) == (
        b"a" * 1024,
        b"b" * 512 + b"c" * 1024,
    )
