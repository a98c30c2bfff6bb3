"""A part of a session works with the game and what its constructor gets, and nothing else."""

from __future__ import annotations

import pytest

from device.storage.store import Store
from device.table.board import Board
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import LiveGame
from device.table.managed_seats import ManagedSeats
from device.table.play_log import RollEvidence
from device.table.publication import AudienceViews
from device.table.race.race import RaceControl
from device.table.rolls import Rolls
from engine.journal import Answer, Source
from tests.device import gloves_game
from tests.device.stored_games import Clock, seen, table


def unseen(version: int) -> AudienceViews:
    """Return what nobody reads."""
    return AudienceViews(None, None, None, None, lambda: 0.0)  # type: ignore[arg-type]


@pytest.fixture
def game(store: Store, clock: Clock) -> LiveGame:
    return LiveGame(store, table, clock, unseen)


def test_rolls_alone(game: LiveGame, clock: Clock) -> None:
    """A roll counts, and one that is taken back can be thrown again."""
    entries = SeatEntries()
    rolls = Rolls(game, RaceControl(game, entries), entries, 0, RollEvidence(None, None))
    game.attach_components([rolls])
    game.submit_entry(Answer("away", 0, "bat"), Source.PHONE)
    for _ in range(2):
        clock.now += 1
        rolls.handle_throw(seen(4, began=clock.now))
        rolls.set_camera_state("settled", "The dice are still.", clock.now)
        assert [Answer("away", 1, (4,))] == game.table.journal[-1:]
        game.undo_answers(1)


def test_a_board_alone(store: Store, clock: Clock) -> None:
    """It asks for pieces as long as they are to be laid."""
    game, entries = LiveGame(store, gloves_game.table, clock, unseen), SeatEntries()
    board = Board(game, entries)
    game.attach_components([board])
    asked = [board.laying]
    for answer in (Answer("away", 0, "ready"), Answer("home", 1, gloves_game.WELL)):
        game.submit_entry(answer, Source.PHONE)
        asked.append(board.laying)
    assert [None, 1, None] == [one and one.n for one in asked]


def test_managed_seats_alone(game: LiveGame) -> None:
    """Nobody but the manager of a seat decides for it."""
    managed = ManagedSeats(game, SeatEntries())
    game.attach_components([managed])
    managed.assign_manager("away", "rookie")
    managed.accept_decision("away", 0, "bat", 0, "It is early.")
    assert ("It is early.", [Source.MANAGER]) == (managed.manager_views([])["away"].reason, game.sources)
