"""A player takes the other seat, and at once tries to have everybody overlook it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.notices import WARNING_DURATION_S
from device.table.session import GameSession
from engine.errors import IllegalAnswer
from engine.journal import Source
from engine.table import Table
from tests.device.stored_games import GAME, Clock, table
from tests.device.throws import thrown
from tests.vision.tints import row
from tests.web.phones import phone
from tests.web.web_table import CODE, WebTable, parts
from web.app import create_app
from web.security import admission
from web.security.rate_limit import RateLimit

TAKEN = "A phone took a seat: Lanterns, away."


class Room:
    """A real table of Small Ball in its first plate appearance, with a thief's phone, the victim's, and a clock."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        store = Store(folder / "journal.db")
        stack.callback(store.close)
        self.clock = Clock()
        self.session = GameSession(store, table, clock=self.clock)
        for n, value in enumerate(("bat", [2])):
            self.session.seats.answer_ask("away", n, value, Source.PHONE)
        self.port = WebTable()
        app = create_app(replace(self.port.port, **parts(self.session)))
        app.state.sign_ins = RateLimit(replace(admission.SIGN_INS_PER_ADDRESS, limit=1000))
        self.thief, self.operator = stack.enter_context(phone(app)), stack.enter_context(phone(app, "operator"))

    def take(self, seat: str = "away") -> None:
        assert 303 == self.thief.post("/seat", data={"seat": seat, "code": CODE}).status_code


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(tmp_path, stack)


def _coach(room: Room) -> None:
    for on in (True, False):
        assert 200 == room.thief.post("/api/seat/coach", json={"seat": "away", "on": on}).status_code


def _standing(room: Room) -> None:
    room.session.seats.reopen_answers("away")


def _managed(room: Room) -> None:
    for strength in ("rookie", None):
        room.thief.post("/api/seat/manager", json={"seat": "away", "strength": strength})


def _answered(room: Room) -> None:
    room.session.seats.answer_ask("away", 2, "bat", Source.PHONE)


def _taken_back(room: Room) -> None:
    room.session.game.undo_answers()


def _thrown(room: Room) -> None:
    room.session.rolls.handle_throw(thrown(row(5), room.clock.now))


def _pressed(room: Room) -> None:
    with pytest.raises(IllegalAnswer):
        room.session.buttons.press_ok("home")
    room.session.buttons.undo_step()


def _new_game(room: Room) -> None:
    room.session.game.begin_game(table())


def _other_seat(room: Room) -> None:
    room.take("home")
    room.take("away")


def _freed(room: Room) -> None:
    room.operator.post("/api/free", json={"seat": "home"})


TRICKS: list[Callable[[Room], None]] = [
    _coach, _standing, _managed, _answered, _taken_back, _thrown, _pressed, _new_game, _other_seat, _freed,
]  # fmt: skip
"""What a thief may do at once, or have others do."""


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__.strip("_"))
def test_nothing_hides_that_a_seat_was_taken(room: Room, trick: Callable[[Room], None]) -> None:
    """Everybody reads it for its whole time, beside what else must be noticed."""
    room.take()
    end = room.clock.now + WARNING_DURATION_S
    trick(room)
    while room.clock.now < end - 0.5:
        room.session.tick()
        assert TAKEN in (room.session.game.view_for(None).notice or "")
        assert TAKEN in room.operator.get("/api/view").json()["notice"]
        room.clock.now += 0.5
    room.clock.now += 100
    room.session.tick()
    assert TAKEN not in (room.session.game.view_for(None).notice or "")


def test_both_seats_taken_are_both_seen(room: Room) -> None:
    """The second notice is beside the first."""
    room.take("away")
    room.take("home")
    assert ("A phone changed seats: from Lanterns, away, to Owls, home.", TAKEN) == tuple(
        room.session.game.view_for(None).warnings
    )


def test_a_thief_cannot_fill_the_memory(room: Room) -> None:
    """Neither with the same sentence, nor with names without end."""
    for number in range(40):
        room.session.game.begin_game(
            Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}, names={"away": f"Team {number}"})
        )
        room.take("away")
        room.take("home")
    view = room.session.game.view_for(None)
    assert len(view.warnings) <= 9
    assert len(view.notice or "") < 1000


def test_a_manager_that_decided_is_no_cover(room: Room) -> None:
    """What everybody must read about the dice comes after it, for its own time."""
    room.take()
    room.session.game.notices.show_notice("Lanterns: reroll the 4.", 8)
    room.clock.now += WARNING_DURATION_S
    room.session.tick()
    room.clock.now += 7.9
    room.session.tick()
    assert "Lanterns: reroll the 4." == room.session.game.view_for(None).notice


def test_a_coach_asked_between_people_is_seen(room: Room) -> None:
    """Also if who asked answers at once."""
    for seat in ("away", "home"):
        room.session.managed.allow_coach(seat, True)
    room.session.managed.record_coach_question("away")
    _answered(room)
    assert "Lanterns asked the coach." == room.session.game.view_for("home").notice
