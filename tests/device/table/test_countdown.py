"""A roll counts only as long as the camera sees its dice at rest: what stops its countdown, and what follows."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from device.storage.store import Store
from device.table.proposed_roll import MOTION_ADVICE
from device.table.rolls import MAX_FRAME_DELAY_S, PICKED_UP_ADVICE, UNSEEN_ADVICE
from device.table.session import GameSession
from device.table.throw_match import SeenThrow
from engine.dice import Die
from engine.views import json_data
from tests.device.stored_games import Clock, answer, board, duel, proposal, seen, table, throw, wait
from tests.device.throws import thrown
from tests.engine.sample_games import duel_game as rules
from tests.vision.tints import die, row
from vision.reading import Reading

WORDS = "What the tray does."


@pytest.fixture
def rolled(session: GameSession, clock: Clock) -> GameSession:
    """A 2 that counts at 104.5."""
    throw(session, clock, seen(2))
    return session


def see(session: GameSession, clock: Clock, state: str, now: float) -> None:
    """Let the camera process a frame in which the tray has this state, taken now."""
    clock.now = now
    session.rolls.set_camera_state(state, WORDS, now)
    session.tick()


def topple(session: GameSession, clock: Clock, *values: int, by_hand: bool = False) -> None:
    """Let dice move from 103.5 on, and rest with these values at 105.5."""
    see(session, clock, "hand" if by_hand else "moving", 103.5)
    clock.now = 105.5
    dice = thrown(row(*values), 103.5, "turned" if by_hand else None, touched=True, by_hand=by_hand)
    session.rolls.handle_throw(dice)


def shown(session: GameSession) -> tuple[object, ...]:
    found = proposal(session)
    return tuple(found[key] for key in ("faces", "sure", "seconds", "advice"))


@pytest.mark.parametrize("state", ["moving", "hand"])
def test_motion_stops_the_countdown(rolled: GameSession, clock: Clock, state: str) -> None:
    """In the same frame, and until something rests, however long that takes. The table says why."""
    see(rolled, clock, "settled", 103.4)
    see(rolled, clock, state, 104.49)
    for now in (104.5, 106.0, 200.0):
        see(rolled, clock, state, now)
    assert ([], ([2], True, None, MOTION_ADVICE)) == (board(rolled)["dice"], shown(rolled))


def test_a_die_that_topples_counts_with_its_new_value(rolled: GameSession, clock: Clock) -> None:
    """It is still the same throw. The table says what it became, and a new countdown begins."""
    topple(rolled, clock, 5)
    assert ([5], True, 1.5, "The die moved: 2 became 5.") == shown(rolled)
    wait(rolled, clock, 106.9)
    assert board(rolled)["dice"] == []
    wait(rolled, clock, 107.0)
    assert board(rolled)["dice"] == [5]


def test_a_die_that_a_hand_moves_makes_the_table_ask(rolled: GameSession, clock: Clock) -> None:
    topple(rolled, clock, 5, by_hand=True)
    wait(rolled, clock, 200)
    assert ([5], False, None, "The die moved: 2 became 5. Confirm, or roll again.") == shown(rolled)


def test_dice_thrown_again_before_their_roll_counts_make_the_table_ask(rolled: GameSession, clock: Clock) -> None:
    """A hand took them and threw them, so only one of two good rolls may count."""
    see(rolled, clock, "hand", 103.5)
    rolled.rolls.handle_throw(thrown(row(5), 104.2, by_hand=True))
    wait(rolled, clock, 200)
    assert ([5], False, None) == shown(rolled)[:3]


def test_a_toppled_die_that_leans_waits_with_its_own_doubt(rolled: GameSession, clock: Clock) -> None:
    see(rolled, clock, "moving", 103.5)
    rolled.rolls.handle_throw(thrown(row(5), 103.5, "cocked", touched=True))
    wait(rolled, clock, 200)
    assert "cocked" == proposal(rolled)["doubt"]
    assert board(rolled)["dice"] == []


@pytest.mark.parametrize("state", ["moving", "hand"])
def test_dice_that_did_not_move_go_on_counting(rolled: GameSession, clock: Clock, state: str) -> None:
    """After a hand or a shadow has passed, the rest of the countdown is enough, and nobody has to confirm."""
    see(rolled, clock, state, 103.5)
    clock.now = 110
    rolled.rolls.handle_resting_dice(Reading(tuple(row(2)), None, 0.0))
    assert ([2], True, 1.0, None) == shown(rolled)
    wait(rolled, clock, 110.9)
    assert board(rolled)["dice"] == []
    wait(rolled, clock, 111.0)
    assert board(rolled)["dice"] == [2]


def test_a_lamp_that_flickers_again_and_again_does_not_hold_a_roll_up(rolled: GameSession, clock: Clock) -> None:
    """Each time, the dice are seen at rest as before, and what was left of the countdown gets shorter."""
    now = 103.0
    while board(rolled)["dice"] == [] and now < 110:
        see(rolled, clock, "settled", now + 0.4)
        see(rolled, clock, "moving", now + 0.5)
        clock.now = now = now + 1.0
        rolled.rolls.handle_resting_dice(Reading(tuple(row(2)), None, 0.0))
    assert [2] == board(rolled)["dice"]


def test_the_same_value_elsewhere_begins_a_new_countdown(rolled: GameSession, clock: Clock) -> None:
    see(rolled, clock, "moving", 103.5)
    clock.now = 110
    rolled.rolls.handle_resting_dice(Reading((die(2, x=300),), None, 0.0))
    assert ([2], True, 1.5, None) == shown(rolled)


def test_dice_that_are_no_longer_read_for_sure_wait(rolled: GameSession, clock: Clock) -> None:
    see(rolled, clock, "hand", 103.5)
    rolled.rolls.handle_resting_dice(Reading(tuple(row(2)), "glare", 0.0))
    wait(rolled, clock, 200)
    assert ("glare", []) == (proposal(rolled)["doubt"], board(rolled)["dice"])


def test_two_dice_that_change_places_are_asked_about(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The values are the same, but each die shows the other's."""
    monkeypatch.setattr(rules, "DICE", (Die(colour="red"), Die(colour="blue")))
    session = duel(store, clock)
    clock.now = 103
    session.rolls.handle_throw(thrown((die(3, "red"), die(5, "blue", x=60)), 101.0))
    see(session, clock, "hand", 103.5)
    session.rolls.handle_resting_dice(Reading((die(5, "red"), die(3, "blue", x=60)), None, 0.0))
    assert ([5, 3], False, None, "Dice moved: 3 and 5 became 5 and 3. Confirm, or roll again.") == shown(session)


def test_dice_picked_up_too_soon_need_confirmation(rolled: GameSession, clock: Clock) -> None:
    """The reason stays, although the tray is empty. What was read can be confirmed."""
    see(rolled, clock, "hand", 103.5)
    for now in (104.0, 105.0, 200.0):
        see(rolled, clock, "empty", now)
    assert ([2], False, None, PICKED_UP_ADVICE) == shown(rolled)
    rolled.buttons.press_ok("away")
    assert board(rolled)["dice"] == [2]


@pytest.mark.parametrize("moved", [True, False])
def test_a_camera_that_is_lost_needs_confirmation(rolled: GameSession, clock: Clock, moved: bool) -> None:
    """Nobody saw what the dice did afterwards, so frames of a camera that came back change nothing."""
    if moved:
        see(rolled, clock, "moving", 103.5)
    see(rolled, clock, "off", 103.6)
    see(rolled, clock, "settled", 104.6)
    assert ([2], False, None, UNSEEN_ADVICE) == shown(rolled)


def test_a_silent_camera_needs_confirmation(rolled: GameSession, clock: Clock) -> None:
    """The roll is not counted on old frames: it waits for the next one, and after a moment for a person."""
    see(rolled, clock, "settled", 104.4)
    clock.now = 104.6
    assert MAX_FRAME_DELAY_S - 0.1 == pytest.approx(rolled.tick())
    clock.now = 104.5 + MAX_FRAME_DELAY_S
    assert math.inf == rolled.rolls.accept_due_roll()
    assert ([2], False, None, UNSEEN_ADVICE) == shown(rolled)
    see(rolled, clock, "settled", 106.0)
    assert board(rolled)["dice"] == []


def test_frames_of_a_slow_camera_count_by_when_they_were_taken(rolled: GameSession, clock: Clock) -> None:
    """A frame from before the end of the countdown proves nothing about its end; the next one does."""
    clock.now = 104.9
    rolled.rolls.set_camera_state("settled", WORDS, 104.4)
    rolled.tick()
    assert board(rolled)["dice"] == []
    rolled.rolls.set_camera_state("settled", WORDS, 104.6)
    assert board(rolled)["dice"] == [2]


@pytest.mark.parametrize(("state", "dice"), [("settled", [2]), ("moving", [])])
def test_without_a_countdown_the_next_frame_decides(store: Store, clock: Clock, state: str, dice: list[int]) -> None:
    """Reading takes a moment, in which a die may still topple."""
    session = GameSession(store, table, clock=clock, show=0)
    throw(session, clock, seen(2))
    assert board(session)["dice"] == []
    see(session, clock, state, 103.04)
    assert board(session)["dice"] == dice


def test_a_person_who_looks_is_not_overruled(rolled: GameSession, clock: Clock) -> None:
    """Motion after a correction has begun neither restarts the countdown nor counts the roll."""
    rolled.rolls.stop_countdown(1)
    see(rolled, clock, "moving", 103.5)
    rolled.rolls.handle_resting_dice(Reading(tuple(row(2)), None, 0.0))
    wait(rolled, clock, 200)
    assert (True, []) == (proposal(rolled)["seconds"] is None, board(rolled)["dice"])


def test_a_die_that_topples_after_its_roll_counted(rolled: GameSession, clock: Clock) -> None:
    """Nobody rolled, so nothing is to be chosen first: the table says which value stays."""
    wait(rolled, clock, 104.5)
    rolled.rolls.handle_throw(SeenThrow(Reading(tuple(row(5)), None, 0.0), 104.6, touched=True))
    notice = json_data(rolled.game.view_for(None))["notice"]
    assert ("The dice moved after their roll had counted: it stays 2.", [2]) == (notice, board(rolled)["dice"])
    answer(rolled, "bat")
    rolled.rolls.handle_throw(replace(seen(4, began=104.7), touched=True))
    assert "The dice were moved, not rolled: roll them." == json_data(rolled.game.view_for(None))["notice"]
    rolled.game.undo_answers(2)
    rolled.game.undo_answers(0)
    rolled.rolls.handle_throw(replace(seen(4, began=104.8), touched=True))
    assert "The dice were moved, not rolled." == json_data(rolled.game.view_for(None))["notice"]
