"""A Pi has no clock of its own: the time of day may be any, and jump by years in the middle of a game."""

from __future__ import annotations

import pytest

from tests.web.fake_table import CODE
from tests.web.phones import phone, small_ball
from web.app import create_app
from web.security.auth import LASTS

NOW = 1_800_000_000.0


@pytest.mark.parametrize("jump", [(0.0, NOW), (NOW, 0.0), (NOW, NOW - 3600)])
def test_no_phone_loses_its_seat_when_the_time_of_day_jumps(
    monkeypatch: pytest.MonkeyPatch, jump: tuple[float, float]
) -> None:
    """Neither when the network sets the clock at last, nor when a power cut sets it back."""
    before, after = jump
    port = small_ball()
    with monkeypatch.context() as time:
        time.setattr("time.time", lambda: before)
        with phone(create_app(port.port)) as client:
            taken = client.post("/seat", data={"code": CODE, "seat": "home"})
            # The phone has a clock of its own, which stays right.
            client.cookies.clear()
            client.headers["Cookie"] = taken.headers["set-cookie"].partition(";")[0]
            time.setattr("time.time", lambda: after)
            assert 'data-seat="home"' in client.get("/seat").text


def test_a_pass_ends_when_the_table_was_on_for_a_day() -> None:
    """By the table's age; what a power cut takes from that age ends no pass."""
    port = small_ball()
    port.lit = 5000.0
    with phone(create_app(port.port)) as client:
        client.post("/table", data={"code": CODE})
        for lit, over in ((5000.0 + LASTS, False), (4400.0, False), (5001.0 + LASTS, True)):
            port.lit = lit
            assert over == (401 == client.post("/api/undo", json={}).status_code)


def test_an_old_kind_of_pass_is_none() -> None:
    """A cookie from before an update only means that the code is asked for again."""
    from itsdangerous import URLSafeTimedSerializer

    port = small_ball()
    for salt in ("dugout-pass", "dugout-pass-2"):
        old = URLSafeTimedSerializer(port.key.encode(), salt=salt).dumps({"operator": True, "seat": None, "epoch": 0})
        with phone(create_app(port.port)) as client:
            client.cookies.set("dugout", str(old))
            assert 401 == client.post("/api/undo", json={}).status_code
