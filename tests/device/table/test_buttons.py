"""OK says "Wait": where it does, where it belongs to something else, and that it shows nothing of a secret."""

from __future__ import annotations

from contextlib import suppress

import pytest

from device.storage.store import Store
from device.table.session import GameSession
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.seats import SEATS, Seat
from tests.device.stored_games import Clock, answer, seen
from tests.device.table.test_preset_answers import everything, quiet, whys
from tests.engine.sample_games import standing_game


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store knows the made-up game."""
    monkeypatch.setitem(GAMES, "standing", standing_game.GAME)


@pytest.fixture
def session(store: Store, clock: Clock) -> GameSession:
    return GameSession(store, standing_game.new, clock=clock)


def test_the_buttons_wait(session: GameSession, clock: Clock) -> None:
    """OK on an untouched roll, or while nothing is asked of the seat; otherwise it is refused as before."""
    quiet(session)
    clock.now += 1
    session.buttons.press_ok("home")
    assert [("home", "card")] == whys(session)
    answer(session, "ace", "none", "left")
    with pytest.raises(IllegalAnswer, match="Roll the dice"):
        session.buttons.press_ok("home")
    answer(session, [1])
    clock.now += 1
    session.buttons.press_ok("away")
    assert [("away", "steal")] == whys(session)


def test_the_buttons_wait_before_anything_was_answered(session: GameSession, clock: Clock) -> None:
    """While away alone is asked, one OK of home has it asked what comes, as the phone's Wait does: not without a
    standing answer, and not twice."""
    clock.now += 1
    answer(session, "pass")
    with pytest.raises(IllegalAnswer, match="Nothing for you to do"):
        session.buttons.press_ok("home")
    session.seats.set_ask_preference("home", "signs", "never")
    assert ([("away", "steal")], []) == (whys(session), session.game.view_for(None).waits)
    clock.now += 1
    length = len(session.game.table.journal)
    session.buttons.press_ok("home")
    assert length == len(session.game.table.journal)
    assert session.game.view_for(None).standing["home"].waiting
    with pytest.raises(IllegalAnswer, match="Nothing for you to do"):
        session.buttons.press_ok("home")
    answer(session, "no")
    assert [("home", "sign"), ("away", "sign")] == whys(session)
    answer(session, "bunt", "none")
    assert [("home", "glove")] == whys(session), "also a moot choice is asked"
    answer(session, "left", [3])
    assert not session.game.view_for(None).standing["home"].waiting, "the throw ends it"


def test_a_press_for_an_open_question_is_never_a_wait(session: GameSession, clock: Clock) -> None:
    """Both are asked for a sign, away in secret: each OK belongs to its question."""
    for seat in SEATS:
        session.seats.set_ask_preference(seat, "steals", "never")
    answer(session, "pass")
    clock.now += 1
    session.buttons.press_ok("home")
    assert [("away", "sign")] == whys(session), "home has no sign"
    with suppress(IllegalAnswer):
        session.buttons.press_ok("away")
    assert not session.game.view_for(None).standing["away"].waiting


def test_no_button_waits_once_the_dice_are_thrown(session: GameSession, clock: Clock) -> None:
    session.seats.set_ask_preference("away", "steals", "never")
    answer(session, "pass", "none", "none")
    clock.now += 1
    session.rolls.handle_throw(seen(4, began=session.game.clock()))
    assert session.game.view_for(None).proposal is not None
    with pytest.raises(IllegalAnswer, match="Nothing for you to do"):
        session.buttons.press_ok("away")
    assert not session.game.view_for(None).standing["away"].waiting


def test_a_second_press_after_an_answer_is_not_a_wait(session: GameSession, clock: Clock) -> None:
    """Home's own answer counted, and now away is asked: an impatient OK of home changes nothing."""
    session.seats.set_ask_preference("home", "signs", "never")
    session.buttons.press_ok("home")
    assert [("away", "steal")] == whys(session)
    with pytest.raises(IllegalAnswer, match="Press OK again to wait"):
        session.buttons.press_ok("home")
    assert not session.game.view_for(None).standing["home"].waiting


@pytest.mark.parametrize("card", ["pass", "king"])
def test_a_press_that_waits_shows_nothing_of_a_secret(store: Store, clock: Clock, card: str) -> None:
    """Home is choosing in secret, has turned to a card or not: away's OK does and shows the same."""
    session = GameSession(store, standing_game.new, clock=clock)
    session.seats.set_ask_preference("away", "steals", "never")
    clock.now += 1
    for _ in range({"pass": 0, "king": 2}[card]):
        session.buttons.move_cursor("home", 1)
    before = everything(session, "away")
    session.buttons.press_ok("away")
    after = everything(session, "away")
    assert session.game.view_for(None).standing["away"].waiting
    changed = {key for key in before[0] if before[0][key] != after[0][key]}
    assert {"standing", "notice", "version"} == changed
    answer(session, card)
    assert [("away", "steal")] == whys(session)


@pytest.mark.parametrize("seat", SEATS)
def test_an_impatient_second_press_is_not_a_wait(session: GameSession, clock: Clock, seat: Seat) -> None:
    """It was for the question before: within half a second it changes nothing."""
    quiet(session, "always")
    session.buttons.press_ok("away")
    assert [("home", "pitch")] == whys(session)
    length = len(session.game.table.journal)
    with pytest.raises(IllegalAnswer, match="Press OK again to wait"):
        session.buttons.press_ok("away")
    if seat == "home":
        with pytest.raises(IllegalAnswer, match="Press OK again to wait"):
            session.buttons.press_ok("home")
    assert length == len(session.game.table.journal)
    clock.now += 0.6
    session.buttons.press_ok(seat)
    assert [(seat, "sign")] == [one for one in whys(session) if one[0] == seat]


def test_a_turned_entry_is_not_a_wait(session: GameSession) -> None:
    """A seat that has turned to a face enters that face."""
    quiet(session)
    session.buttons.move_cursor("home", 1)
    session.buttons.press_ok("home")
    assert 2 == session.game.view_for(None).table.scoreboard.inning
