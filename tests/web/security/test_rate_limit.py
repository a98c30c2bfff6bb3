"""How often somebody may change something."""

from __future__ import annotations

import pytest

from tests.device.stored_games import Clock
from web.security.admission import Gate
from web.security.rate_limit import RateLimit
from web.security.rejected import RequestRejected

GATE = Gate("too many", "wait", 429, "Too many: wait {wait} seconds.", limit=3, span_s=60)


def test_so_many_in_any_span_and_how_long_to_wait() -> None:
    """Each name has its own number. The refusal says when the next one may come, and a refused try costs nothing."""
    clock = Clock()
    limit = RateLimit(GATE, clock)
    for _ in range(3):
        limit.count_change("away")
        clock.now += 10
    for _ in range(2):
        with pytest.raises(RequestRejected, match=r"Too many: wait 31 seconds\.") as refused:
            limit.count_change("away")
        assert (429, 31) == (refused.value.status, refused.value.wait)
    limit.count_change("home")
    clock.now += 31
    limit.count_change("away")
    with pytest.raises(RequestRejected):
        limit.count_change("away")


def test_names_are_forgotten() -> None:
    """However many addresses there were, only those of the last minute take memory."""
    clock = Clock()
    limit = RateLimit(GATE, clock)
    for number in range(1000):
        limit.count_change(f"10.0.{number // 250}.{number % 250}")
        clock.now += 1
    assert len(limit._changes) <= 61
