"""What the announcer says, as every view shows it."""

from __future__ import annotations

from typing import Any

from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source
from engine.seats import SEATS, Seat
from engine.views import AnnouncementView, json_data
from tests.device.stored_games import Clock, answer, table


def calls(session: GameSession, seat: Seat | None = None) -> list[Any]:
    """Return the calls in a view, oldest first."""
    found: list[Any] = json_data(session.game.view_for(seat))["calls"]
    return found


def test_views_have_the_calls_of_the_newest_answers(session: GameSession) -> None:
    """Each call keeps its id; all audiences see the same."""
    before = calls(session)
    answer(session, "bat", [2])
    now = calls(session)
    assert before == now[: len(before)]
    assert len(now) == len(before) + 1
    assert (1, f"{session.game.number}-1") == (now[-1]["n"], now[-1]["id"])
    assert len({one["id"] for one in now}) == len(now)
    assert all(calls(session, seat) == now for seat in SEATS)
    assert set(now[-1]) == set(AnnouncementView.__dataclass_fields__)


def test_a_call_taken_back_is_gone(session: GameSession) -> None:
    """One call says so and gives the situation; what is answered then has an id of its own."""
    answer(session, "bat", [2])
    (*_, gone) = calls(session)
    session.game.undo_answers(1)
    (back,) = calls(session)
    assert back["text"] == f"Taken back. {back['now']}"
    session.seats.answer_ask("away", 1, [2], Source.PHONE)
    assert back == calls(session)[0]
    assert gone["text"] == calls(session)[1]["text"]
    assert gone["id"] != calls(session)[1]["id"]


def test_a_correction_is_one_call(session: GameSession) -> None:
    answer(session, "bat", [2])
    session.game.correct_roll(1, [1])
    (call,) = calls(session)
    assert call["text"].startswith("Corrected: ")
    assert ["back"] == list(call["marks"])


def test_a_restart_says_the_same(session: GameSession, store: Store, clock: Clock) -> None:
    """A session that restores the game has the same calls, with the same ids."""
    answer(session, "bat", [2])
    assert calls(session) == calls(GameSession(store, table, clock=clock))
