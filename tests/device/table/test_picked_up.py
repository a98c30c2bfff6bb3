"""Dice that are picked up again: the advice about them ends, and their roll still waits."""

from __future__ import annotations

import pytest

from device.display import screens_32, screens_64
from device.storage.store import Store, StoreError
from device.table.publication import AudienceViews
from device.table.session import GameSession
from engine.journal import Source
from engine.views import json_data
from tests.device.display.views import everything
from tests.device.stored_games import Clock, board, proposal, seen, throw
from vision.reading import DOUBT_ADVICE


def told(session: GameSession) -> bool:
    """True if both displays show the advice, False if neither does."""
    shown = {
        DOUBT_ADVICE["cocked"] in everything(size.draw_game, session.game.view_for(None))
        for size in (screens_64, screens_32)
    }
    (found,) = shown
    return found


def test_advice_ends_when_the_dice_are_picked_up(session: GameSession, clock: Clock) -> None:
    """It was about what lay in the tray. The roll still waits, and what the buttons had entered stays."""
    throw(session, clock, seen(4, doubt="cocked"))
    session.rolls.set_camera_state("settled", "The dice are still.")
    session.buttons.move_cursor("away", 1)
    for state in ("hand", "moving"):
        session.rolls.set_camera_state(state, state)
        assert proposal(session)["advice"] == DOUBT_ADVICE["cocked"]
    published: list[AudienceViews] = []
    session.game.subscribe(published.append)
    assert told(session)
    session.rolls.set_camera_state("empty", "The tray is empty.")
    assert not told(session)
    for seat in (None, "away", "home"):
        shown = json_data(published[-1].view_for(seat))["proposal"]
        assert (shown["faces"], shown["sure"], shown["doubt"], shown["advice"]) == ([5], False, "cocked", None)
    assert len(published) == 2
    session.rolls.set_camera_state("moving", "The dice are moving.")
    assert proposal(session)["advice"] is None
    session.buttons.press_ok("away")
    assert board(session)["dice"] == [5]


def test_advice_that_comes_late_ends_with_the_next_picture(session: GameSession, clock: Clock) -> None:
    """Dice may be picked up while their picture is still being read."""
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    clock.now = 103
    session.rolls.set_camera_state("empty", "The tray is empty.")
    session.rolls.handle_throw(seen(4, doubt="cocked"))
    session.rolls.set_camera_state("empty", "The tray is empty.")
    version = session.game.version
    assert proposal(session)["advice"] is None
    session.rolls.set_camera_state("empty", "The tray is empty.")
    assert session.game.version == version


def test_a_roll_that_could_not_be_stored_says_why_without_its_dice(
    session: GameSession, clock: Clock, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The full disk is not about the tray: picking up the dice does not mend it."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    throw(session, clock, seen(2))
    clock.now = 104.5
    monkeypatch.setattr(store, "append", full)
    session.rolls.set_camera_state("settled", "The dice are still.", 104.5)
    session.rolls.set_camera_state("empty", "The tray is empty.")
    assert proposal(session)["advice"] == "The disk is full."
