"""A roll that is shown is its seat's business: who may drop or hold it is asked of that very roll."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.fake_table import proposal
from tests.web.phones import phone, small_ball
from web.app import create_app


@pytest.mark.parametrize("act", ["reject", "hold"])
def test_what_comes_to_be_shown_meanwhile_is_not_touched(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Away may drop its own roll, but not the other seat's that is shown by the time it asks."""
    port = small_ball()
    port.proposal = proposal(2, "away", [3])
    view = port.view

    def then_another(seat: Any) -> Any:
        seen = view(seat)
        port.proposal = proposal(3, "home", [3])
        return seen

    with phone(create_app(port.port), "away") as client:
        monkeypatch.setattr(port, "view", then_another)
        assert 409 == client.post(f"/api/{act}", json={"n": 3}).status_code
    assert port.proposal is not None
    assert ("home", 1.0) == (port.proposal.seat, port.proposal.seconds)
