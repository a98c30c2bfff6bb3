"""One person alone, whose team plays away today: pages name the side that a seat plays."""

from __future__ import annotations

from dataclasses import replace

from engine.clock import Outcome
from engine.seats import Seat
from engine.views import View
from tests.web.fake_table import CODE, FakePort, with_
from tests.web.phones import phone, text
from web.app import create_app
from web.render.templates import panel


class Alone(FakePort):
    """The home seat plays the away side; the other seat is empty."""

    def view(self, seat: Seat | None) -> View:
        seen = super().view(seat)
        asks = [replace(ask, seat="home") for ask in seen.table.asks]
        alone: View = with_(seen, table={"asks": asks, "scoreboard": {"plays": {"home": "away"}}})
        return alone


def test_an_ask_waits_for_the_side_that_the_seat_plays() -> None:
    port = Alone()
    away = port.view(None).table.scoreboard.sides["away"].name
    with phone(create_app(port.port)) as client:
        assert f"Waiting for {away}" in text(client.get("/").text)


def test_a_seat_is_named_for_the_side_that_it_plays() -> None:
    port = Alone()
    away = port.view(None).table.scoreboard.sides["away"].name
    with phone(create_app(port.port), "home") as client:
        page = client.get("/seat").text
        assert f"<title>{away} · Dugout</title>" in page
        assert f"{away}, home" not in text(page)


def test_a_seat_without_a_side_is_not_offered() -> None:
    with phone(create_app(Alone().port)) as client:
        page = client.get("/seat").text
        assert ('value="home" required checked' in page, 'value="away"' in page) == (True, False)


def test_a_seat_without_a_side_is_not_given() -> None:
    """Neither with the code, nor to a phone that held it in the game before."""
    port = Alone()
    with phone(create_app(port.port)) as client:
        refused = client.post("/seat", data={"seat": "away", "code": CODE})
        assert (403, True) == (refused.status_code, "Nobody sits in the away seat" in text(refused.text))
        assert port.acts == []
    with phone(create_app(port.port), "away") as client:
        assert "Nobody sits in the away seat" in text(client.get("/seat").text)


def test_who_wins_alone_is_shown_as_the_side_that_was_played() -> None:
    port = Alone()
    seen = with_(port.view(None), table={"outcome": Outcome("home", "regulation", "Won.")})
    first, second = panel(seen)["score"].split('<div class="side')[1:]
    assert (" won" in first.partition(">")[0], " won" in second.partition(">")[0]) == (True, False)
