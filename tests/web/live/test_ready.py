"""One code opens both seats, so no phone of a seat gets what the seat has answered in secret."""

from __future__ import annotations

import pytest

from engine.seats import SEATS, Seat, other
from engine.secrets import HIDDEN
from tests.web.fake_table import CODE
from tests.web.games.bottom_of_the_9th import PITCHES, ninth, port
from tests.web.phones import TestClient, phone
from web.app import create_app


def sights(client: TestClient, seat: Seat) -> tuple[str, str]:
    return client.get("/seat").text, client.get(f"/api/view?seat={seat}").text


@pytest.mark.parametrize("seat", SEATS)
def test_a_phone_that_takes_the_seat_later_learns_only_that_it_is_ready(seat: Seat) -> None:
    """Page and view of a seat are the same whatever it chose: for a rival who takes it, and for the chooser after a
    reload."""
    seen = set()
    for choice in PITCHES:
        made = port(ninth())
        (n,) = [n for n, ask in made.table.asks() if ask.seat == seat]
        with phone(create_app(made.port), seat) as mine:
            assert mine.post("/api/answer", json={"seat": seat, "n": n, "value": choice}).is_success
            seen.add(sights(mine, seat))
        with phone(create_app(made.port), other(seat)) as spy:
            assert 303 == spy.post("/seat", data={"seat": seat, "code": CODE}).status_code
            seen.add(sights(spy, seat))
            assert {str(n): HIDDEN} == spy.get(f"/api/view?seat={seat}").json()["table"]["given"]
    assert 1 == len(seen)
