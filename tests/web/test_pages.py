"""What a person sees before any script runs."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.web.fake import FakePort
from web.app import create_app


def test_first_paint() -> None:
    """The score and the batter are on the page itself."""
    port = FakePort()
    port.answer("away", 0, "red", "test")
    with TestClient(create_app(port)) as phone:
        page = phone.get("/")
    assert page.status_code == 200
    assert "Lanterns" in page.text
    assert "Pip Marlowe" in page.text
