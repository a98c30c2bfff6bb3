"""A roll that is shown is its seat's business: who may drop or hold it is asked of that very roll."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.phones import phone, small_ball
from web.app import create_app

SHOWN = {"n": 2, "seat": "away", "faces": [3], "words": "3", "likely": [[1]], "clear": [True], "sure": True}
MORE = {"doubt": None, "advice": None, "source": "camera", "seconds": 1.0, "evidence": None}


@pytest.mark.parametrize("act", ["reject", "hold"])
def test_what_comes_to_be_shown_meanwhile_is_not_touched(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Away may drop its own roll; the other seat's, that is shown only by the time it is to be dropped, it may not."""
    port = small_ball()
    port.proposal = {**SHOWN, **MORE}
    view = port.view

    def then_another(seat: Any) -> Any:
        seen = view(seat)
        port.proposal = {**SHOWN, **MORE, "n": 3, "seat": "home"}
        return seen

    with phone(create_app(port), "away") as client:
        monkeypatch.setattr(port, "view", then_another)
        assert 409 == client.post(f"/api/{act}", json={"n": 3}).status_code
    assert port.proposal is not None
    assert ("home", 1.0) == (port.proposal["seat"], port.proposal["seconds"])
