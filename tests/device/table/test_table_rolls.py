"""The table rolls for the computer, if people leave it to the table: seen by everybody, and changed by nobody."""

from __future__ import annotations

from random import Random

import pytest

from device.inputs.computer_throws import ComputerThrows
from device.storage.seat_settings import PACE_DELAYS_S
from device.storage.store import Store
from device.table.session import GameSession
from engine.errors import IllegalAnswer, StaleAnswer, WrongSeat
from engine.journal import Source
from engine.views import ProposalView
from tests.device import stored_games
from tests.device.display.menus import menu
from tests.device.stored_games import Clock, seen

SHOW = 1.5
TEXT = "The table rolls for the computer."


class Solitaire:
    """Small Ball against the computer of the away seat, which bats first and rolls now."""

    def __init__(self, session: GameSession, clock: Clock) -> None:
        self.session, self.clock = session, clock
        session.managed.assign_manager("away", "regular")
        session.managed.set_table_rolls(True)
        self.throws = ComputerThrows(session, Random(3))
        self.bat()

    def bat(self) -> None:
        journal = self.session.game.live.journal
        n = self.session.game.live.open_asks()[0][0]
        self.session.managed.accept_decision("away", n, "bat", len(journal), "")

    def roll(self) -> ProposalView:
        """Let the pace pass; return the roll that the table shows."""
        self.throws.throw_if_asked(self.session.game.view_for(None))
        self.clock.now += PACE_DELAYS_S["normal"]
        self.throws.throw_if_asked(self.session.game.view_for(None))
        shown = self.session.game.view_for(None).proposal
        assert shown is not None
        return shown

    def count(self) -> None:
        self.clock.now += SHOW
        self.session.tick()


@pytest.fixture
def alone(session: GameSession, clock: Clock) -> Solitaire:
    return Solitaire(session, clock)


def test_it_is_shown_and_counts(alone: Solitaire) -> None:
    """For as long as any roll, whatever moves in the tray; the journal and the play say who rolled."""
    shown = alone.roll()
    assert ("manager", True, SHOW, None) == (shown.source, shown.sure, shown.total, shown.evidence)
    for state in ("moving", "empty", "hand", "off"):
        alone.session.rolls.set_camera_state(state, state, alone.clock.now)
    alone.session.tick()
    assert 1 == len(alone.session.game.live.answers)
    alone.count()
    assert list(shown.faces) == list(alone.session.game.live.answers[1].value)
    assert Source.MANAGER is alone.session.game.sources[-1]
    (play,) = [one for one in alone.session.game.view_for(None).plays if one.thrown]
    assert (True, None) == (play.by_table, play.evidence)


def test_nobody_changes_it(alone: Solitaire) -> None:
    """It is not rejected, held, typed over or thrown again, and can't have been misread."""
    n = alone.roll().n
    for act in (alone.session.rolls.reject_roll, alone.session.rolls.stop_countdown):
        with pytest.raises(IllegalAnswer, match=TEXT):
            act(n)
    with pytest.raises(WrongSeat, match=TEXT):
        alone.session.seats.answer_ask("away", n, [6], Source.PHONE)
    alone.session.rolls.handle_throw(seen(6, began=alone.clock.now))
    assert TEXT in (alone.session.game.view_for(None).notice or "")
    shown = alone.session.game.view_for(None).proposal
    assert shown is not None
    assert "manager" == shown.source
    alone.count()
    assert [] == alone.session.record.current_rolls()
    with pytest.raises(StaleAnswer):
        alone.session.corrections.propose_correction("home", n, [6], len(alone.session.game.live.journal))


def test_the_undo_button_takes_back_what_a_person_answered(alone: Solitaire) -> None:
    """Not the roll that the table shows, which would come again."""
    alone.session.managed.assign_manager("away", None)
    alone.session.game.undo_answers(0, Source.OPERATOR)
    alone.session.seats.answer_ask("away", 0, "bat", Source.BUTTONS)
    alone.session.managed.assign_manager("away", "regular")
    alone.roll()
    menu(alone.session).handle_press("undo")
    menu(alone.session).handle_press("undo")
    assert [] == list(alone.session.game.live.answers)


def test_people_who_roll_too_soon_are_told(alone: Solitaire) -> None:
    """Before the table has rolled; dice that are only picked up are nobody's business."""
    alone.session.rolls.handle_throw(seen(6, began=alone.clock.now))
    assert alone.session.game.view_for(None).proposal is None
    assert TEXT in (alone.session.game.view_for(None).notice or "")


def test_undoing_does_not_change_the_dice(alone: Solitaire) -> None:
    """Otherwise one would undo until the computer rolls badly."""
    faces = []
    for _ in range(4):
        faces.append(tuple(alone.roll().faces))
        alone.count()
        alone.session.game.undo_answers(0)
        alone.bat()
    assert 1 == len(set(faces))


def test_a_person_rolls_unless_it_is_left_to_the_table(alone: Solitaire) -> None:
    """As always; what is shown when that changes still counts."""
    alone.roll()
    alone.session.managed.set_table_rolls(False)
    alone.count()
    assert 2 == len(alone.session.game.live.answers)
    alone.bat()
    n = alone.session.game.live.open_asks()[0][0]
    alone.session.seats.answer_ask("away", n, [6], Source.PHONE)
    assert [6] == list(alone.session.record.current_rolls(1)[0].value)


def test_the_persons_own_roll_stays_theirs(store: Store, clock: Clock) -> None:
    session = GameSession(store, stored_games.table, show=SHOW, clock=clock)
    session.managed.assign_manager("home", "regular")
    session.managed.set_table_rolls(True)
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    throws = ComputerThrows(session, Random(3))
    for _ in range(3):
        throws.throw_if_asked(session.game.view_for(None))
        clock.now += PACE_DELAYS_S["normal"]
    assert session.game.view_for(None).proposal is None
    session.rolls.handle_throw(seen(6, began=clock.now))
    shown = session.game.view_for(None).proposal
    assert shown is not None
    assert "camera" == shown.source
