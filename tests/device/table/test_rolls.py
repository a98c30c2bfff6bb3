"""The proposed roll: shown first, held if in doubt, and used for the open ask."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from device.storage.store import Store
from device.table.rolls import PICKED_UP_ADVICE
from device.table.session import GameSession
from device.table.throw_match import SeenThrow
from engine.dice import Die
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Answer, Source
from engine.views import json_data
from tests.device.stored_games import Clock, answer, board, duel, full_disk, proposal, seen, throw, wait
from tests.device.throws import thrown
from tests.engine.sample_games import duel_game as rules
from tests.vision.tints import die
from vision.reading import DOUBT_ADVICE

SHOWN = ("faces", "sure", "advice")
TOUCHED = "The dice were moved, not rolled: roll them."


def notice(session: GameSession) -> str:
    return session.game.view_for(None).notice or ""


def touched(*values: int, doubt: str | None = None) -> SeenThrow:
    return replace(seen(*values, began=104.0, doubt=doubt), touched=True)


def see(store: Store, clock: Clock, thrown: SeenThrow) -> tuple[GameSession, Any]:
    """Let the camera see the dice of a duel; return its table and the roll that is shown."""
    session = duel(store, clock)
    clock.now = 103
    session.rolls.handle_throw(thrown)
    return session, proposal(session)


def test_a_certain_roll_is_shown_and_then_counts(session: GameSession, clock: Clock) -> None:
    """Every display shows the reading for a moment before it becomes the answer."""
    shown = throw(session, clock, seen(2))
    assert (shown["faces"], shown["words"], shown["sure"], shown["seconds"]) == ([2], "2", True, 1.5)
    wait(session, clock, 104.4)
    assert board(session)["bases"] == [None, None, None]
    wait(session, clock, 104.5)
    assert board(session)["bases"] == ["Pip Marlowe", None, None]
    assert proposal(session) is None


def test_the_table_says_when_a_roll_counts(session: GameSession, clock: Clock) -> None:
    """Looked at only then, it counts."""
    assert math.inf == session.rolls.accept_due_roll()
    throw(session, clock, seen(2))
    assert 1.5 == pytest.approx(session.tick())
    wait(session, clock, clock.now + session.tick())
    assert proposal(session) is None


def test_ok_counts_a_shown_roll_at_once(session: GameSession, clock: Clock) -> None:
    """A late OK does not answer the next ask: it was meant for "OK now", which was shown until the roll counted."""
    throw(session, clock, seen(6))
    session.buttons.press_ok("away")
    assert board(session)["dice"] == [6]
    clock.now = 110
    answer(session, "bat")
    session.rolls.handle_throw(seen(2, began=111))
    wait(session, clock, 112)
    clock.now = 112.1
    counted = len(session.game.table.answers)
    with pytest.raises(IllegalAnswer, match="Already counted"):
        session.buttons.press_ok("away")
    assert counted == len(session.game.table.answers)
    clock.now = 112.6
    session.buttons.press_ok("away")
    assert counted + 1 == len(session.game.table.answers)


def test_ok_counts_a_roll_that_could_not_be_stored(session: GameSession, clock: Clock, store: Store) -> None:
    """The disk was full when it was due: it is shown again, and an immediate OK counts it."""
    throw(session, clock, seen(2))
    with full_disk(store):
        wait(session, clock, 104.5)
    clock.now = 104.6
    session.buttons.press_ok("away")
    assert board(session)["dice"] == [2]


def test_a_doubtful_roll_waits_for_confirmation(session: GameSession, clock: Clock) -> None:
    """It never counts by itself; it says what to do, and buttons can confirm or correct it."""
    throw(session, clock, seen(4, doubt="cocked"))
    wait(session, clock, 1000)
    shown = proposal(session)
    assert (shown["faces"], shown["sure"], shown["advice"]) == ([4], False, DOUBT_ADVICE["cocked"])
    session.buttons.move_cursor("away", 1)
    assert proposal(session)["faces"] == [5]
    session.buttons.press_ok("away")
    assert board(session)["dice"] == [5]


def test_moving_the_cursor_stops_a_certain_roll(session: GameSession, clock: Clock) -> None:
    """One press holds a misread roll; it is corrected, and counts only after confirmation."""
    throw(session, clock, seen(4))
    session.buttons.move_cursor("away", -1)
    wait(session, clock, 200)
    assert board(session)["dice"] == []
    session.buttons.press_ok("away")
    assert board(session)["dice"] == [3]


def test_only_dice_thrown_for_the_open_ask_count(session: GameSession, clock: Clock) -> None:
    """Not before the choice, nor dice that were rolling already as it was made, before an undo, or as an earlier roll
    was corrected: a notice says to throw again."""
    session.rolls.handle_throw(seen(2))
    assert (notice(session), len(session.game.table.journal)) == ("Choose first, then roll.", 0)
    clock.now = 101
    answer(session, "bat")
    session.rolls.handle_throw(seen(2, began=100.9))
    assert proposal(session) is None
    assert "too early" in notice(session)
    clock.now = 103
    session.rolls.handle_throw(seen(2))
    session.buttons.press_ok("away")
    clock.now = 105
    session.game.undo_answers()
    assert session.game.table.open_asks()[0][0] == 1
    session.rolls.handle_throw(seen(2, began=101.0))
    assert proposal(session) is None
    answer(session, [2], "bat")
    clock.now = 107
    session.game.correct_roll(1, [5])
    session.rolls.handle_throw(seen(6, began=106.0))
    assert proposal(session) is None
    assert "too early" in notice(session)


def test_a_die_turned_while_its_roll_is_shown_makes_the_table_ask(session: GameSession, clock: Clock) -> None:
    """The shown roll no longer counts by itself; a doubtful one whose die was laid flat does."""
    throw(session, clock, seen(2))
    session.rolls.handle_throw(touched(5, doubt="turned"))
    wait(session, clock, 110)
    assert proposal(session)["doubt"] == "turned"
    session.rolls.reject_roll()
    session.rolls.handle_throw(seen(2, doubt="cocked"))
    session.rolls.handle_throw(touched(5))
    wait(session, clock, 112)
    assert board(session)["dice"] == [5]


def test_a_hand_over_the_dice_is_not_a_touch(session: GameSession) -> None:
    """The table says what the camera sees."""
    answer(session, "bat")
    session.rolls.handle_throw(touched(5, doubt="hand"))
    assert (proposal(session), notice(session)) == (None, DOUBT_ADVICE["hand"])


def test_dice_touched_after_they_counted_are_not_a_throw(session: GameSession, clock: Clock) -> None:
    """Dice that a hand only moves are not read as the next roll, certain or not."""
    answer(session, "bat")
    clock.now = 103
    for seen_again in (touched(5), touched(5, doubt="turned"), touched(5, doubt="cocked")):
        session.rolls.handle_throw(seen_again)
        assert (proposal(session), notice(session)) == (None, TOUCHED)


def test_the_wrong_number_of_dice_is_a_doubt(session: GameSession, clock: Clock) -> None:
    """It never counts by itself. Of too many no face is offered, unless all show the same; after one is removed the
    other is offered. A doubt about the picture does not hide that there are too many."""
    shown = throw(session, clock, seen())
    assert shown["doubt"] == "too-few"
    for doubt, says in ((None, "stacked"), ("cocked", "stacked"), ("glare", "glare")):
        session.rolls.handle_throw(thrown((), 101.0, doubt, hides=True))
        assert proposal(session)["doubt"] == says
    session.rolls.handle_throw(thrown((), 101.0, hides=True))
    advice = "I see no dice but expected 1. A die is on top of another: put them side by side."
    assert proposal(session)["advice"] == advice
    session.rolls.handle_throw(seen(4, 2))
    shown = proposal(session)
    assert (shown["doubt"], shown["faces"]) == ("too-many", [])
    assert shown["advice"] == "I see 2 dice but expected 1."
    session.rolls.handle_throw(seen(4, 4))
    assert (proposal(session)["doubt"], proposal(session)["faces"]) == ("too-many", [4])
    session.rolls.handle_throw(seen(4, 2, doubt="cocked"))
    shown = proposal(session)
    assert shown["doubt"] == "cocked"
    assert shown["advice"] == DOUBT_ADVICE["cocked"] + " I see 2 dice but expected 1."
    session.rolls.handle_throw(seen(4, 2))
    session.rolls.handle_throw(touched(2))
    wait(session, clock, 110)
    shown = proposal(session)
    assert (shown["faces"], shown["sure"]) == ([2], False)
    assert shown["advice"] == "A die was removed: confirm what is left, or roll again."
    session.rolls.accept_roll()
    assert board(session)["dice"] == [2]
    session.rolls.handle_throw(seen(4, 4))
    assert proposal(session) is None


def test_picking_up_dice(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the roll has counted, it waits for a person. After that, nothing changes. Of two dice, one is one too
    few."""
    monkeypatch.setattr(rules, "DICE", (Die(), Die()))
    session, before = see(store, clock, seen(4, 2))
    session.rolls.handle_throw(touched(2))
    assert (before["faces"], False, PICKED_UP_ADVICE) == tuple(proposal(session)[key] for key in SHOWN)
    session.rolls.reject_roll()
    session.rolls.handle_throw(seen(4))
    assert proposal(session)["advice"] == "I see 1 die but expected 2."
    session.rolls.handle_throw(seen(4, 2))
    session.buttons.press_ok("home")
    session.rolls.handle_throw(touched(2))
    assert notice(session) == ""


def test_an_unread_roll_cannot_be_confirmed(session: GameSession, clock: Clock) -> None:
    """OK on unread dice enters nothing."""
    throw(session, clock, seen(doubt="cocked"))
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        session.buttons.press_ok("away")


def test_what_was_not_read_is_asked_about(session: GameSession, clock: Clock) -> None:
    """It says so and that the roll may be typed, waits, keeps its picture, and takes the values from the buttons."""
    shown = throw(session, clock, thrown((), 102.0, "unread", picture=b"the tray"))
    assert (shown["faces"], shown["sure"], shown["doubt"]) == ([], False, "unread")
    assert shown["advice"] == "Something is in the tray, but I can't read it: type the roll, or roll again."
    wait(session, clock, 1000)
    assert board(session)["dice"] == []
    session.rolls.set_camera_state("empty", "The tray is empty.")
    assert proposal(session)["advice"] is None
    session.buttons.move_cursor("away", 1)
    session.buttons.press_ok("away")
    (roll,) = session.record.current_rolls()
    assert (list(roll.value), roll.evidence) == (board(session)["dice"], shown["evidence"])


def test_a_throw_that_left_the_tray_is_noticed(session: GameSession, clock: Clock) -> None:
    """The ask stays as it was, and a roll that is shown stays too."""
    throw(session, clock, thrown((), 102.0, "none"))
    assert (proposal(session), notice(session)) == (None, "Nothing is in the tray: roll again, or type the roll.")
    session.rolls.handle_throw(seen(2, doubt="cocked"))
    session.rolls.handle_throw(thrown((), 104.0, "none"))
    assert proposal(session)["faces"] == [2]


def test_what_nobody_asked_for_is_not_asked_about(session: GameSession, clock: Clock) -> None:
    """A token moved into the tray between two rolls, or by a hand among the dice, is nobody's roll."""
    session.rolls.handle_throw(thrown((), 101.0, "unread"))
    session.rolls.handle_throw(thrown((), 101.0, "thing"))
    assert (proposal(session), notice(session)) == (None, "")
    throw(session, clock, seen(2))
    assert proposal(session)["faces"] == [2]


def test_a_correction_or_a_typed_roll_drops_the_shown_one(session: GameSession, clock: Clock) -> None:
    """The ask of a roll may have changed: it must be thrown or typed again, and never counts for the next ask."""
    answer(session, "bat", [2], "bat")
    clock.now = 103
    session.rolls.handle_throw(seen(6))
    session.game.correct_roll(1, [5])
    wait(session, clock, 200)
    assert (proposal(session), len(session.record.current_rolls())) == (None, 1)
    session.rolls.handle_throw(seen(2, began=201))
    session.seats.answer_ask("away", 3, [6], Source.PHONE)
    wait(session, clock, 210)
    assert (proposal(session), [[6], [5]]) == (None, [list(roll.value) for roll in session.record.current_rolls()])


def test_a_shown_roll_can_be_refused(session: GameSession, clock: Clock) -> None:
    """Only the roll on screen is refused: a late request from a phone has no effect."""
    throw(session, clock, seen(2))
    with pytest.raises(StaleAnswer):
        session.rolls.reject_roll(0)
    session.rolls.reject_roll(1)
    wait(session, clock, 110)
    assert list(session.record.current_rolls()) == []
    with pytest.raises(StaleAnswer):
        session.rolls.reject_roll(1)


# Dice of several kinds ----------------------------------------------------------------------------------------------

RED, TEN, PITCH = die(4, "red"), die(10, kind="d10", x=60), die("S", kind="pitch", x=120)
"""A die of each kind that the duel asks for, in the order of the ask."""


def test_dice_the_camera_cannot_assign_make_the_table_ask(store: Store, clock: Clock) -> None:
    """Values of other kinds of dice, or of dice whose owner matters, never count by themselves."""
    session, shown = see(store, clock, seen(2, 3, 4))
    assert (shown["doubt"], shown["faces"]) == ("kind", [])
    session.rolls.handle_throw(seen(2, 3, doubt="unclear"))
    shown = proposal(session)
    assert (shown["doubt"], shown["faces"]) == ("kind", [])
    assert "I see 2 d6, not a d6, a d10 and a pitching die: roll that, or enter it." == shown["advice"]
    wait(session, clock, 200)
    assert list(session.record.current_rolls()) == []


def test_dice_of_several_kinds_count_in_the_order_of_the_ask(store: Store, clock: Clock) -> None:
    """Wherever each lies, it is matched by its kind; the only die of a kind may have any color."""
    session, shown = see(store, clock, thrown((PITCH, die(10, "green", kind="d10", x=60), RED), 101.0))
    assert ([4, 10, "S"], True) == (shown["faces"], shown["sure"])
    wait(session, clock, 110)
    assert Answer("home", 6, (4, 10, "S")) == session.game.table.journal[-1]


def test_matching_dice_are_offered_first(store: Store, clock: Clock) -> None:
    """A face of another kind of die is never offered."""
    session = duel(store, clock)
    clock.now = 103
    for dice, doubt, faces in (
        ((PITCH, RED), "too-few", [4]),
        ((PITCH, TEN), "too-few", []),
        ((RED, TEN, PITCH, die(2, x=180)), "too-many", []),
        ((RED, TEN, PITCH, die(17, kind="d20", x=180)), "too-many", [4, 10, "S"]),
        ((RED, die(8, kind="d8"), PITCH), "kind", [4]),
    ):
        session.rolls.handle_throw(thrown(dice, 101.0))
        assert (doubt, faces) == (proposal(session)["doubt"], proposal(session)["faces"]), dice


def test_the_likeliest_faces_of_mixed_dice_come_first(store: Store, clock: Clock) -> None:
    """The camera's second guesses; for a missing die, the values of any unmatched die."""
    unsure = replace(RED, likely=(3,)), replace(TEN, confidence=0.4, likely=(6, 9)), PITCH
    session, shown = see(store, clock, thrown(unsure, 101.0, "unclear"))
    assert [[3, 1, 2, 5, 6], [6, 9, 1, 2, 3, 4, 5, 7, 8], ["B", "C"]] == shown["likely"]
    assert [True, False, True] == shown["clear"]
    session.buttons.move_cursor("home", 1)
    assert "Red die: 3" == json_data(session.game.view_for(None))["dial"]["label"]
    session.rolls.handle_throw(thrown((RED, die(8, kind="d8"), PITCH), 101.0))
    assert 8 == proposal(session)["likely"][1][0]
    session.rolls.handle_throw(thrown((die(2, "red"), die(5, "red"), PITCH), 101.0))
    assert [1, 2, 3] == proposal(session)["likely"][1][:3]


# Dice of several colors ---------------------------------------------------------------------------------------------


@pytest.fixture
def mixed(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> GameSession:
    """Set up a duel in which ask 6 needs a red die, home's white one and a blue one."""
    monkeypatch.setattr(rules, "DICE", (Die(colour="red"), Die(colour="white", owner="home"), Die(colour="blue")))
    session = duel(store, clock)
    clock.now = 103
    return session


def colored(*colours: str, doubt: str | None = None) -> SeenThrow:
    """Return dice of these colors, showing 1, 2, 3 from left to right."""
    dice = (die(place + 1, colour, x=60 * place) for place, colour in enumerate(colours))
    return thrown(tuple(dice), 101.0, doubt)


def test_dice_of_several_colors_count_in_the_order_of_the_ask(mixed: GameSession, clock: Clock) -> None:
    """Wherever each die lies, the journal has its face where the rules look for it; so do doubtful values, with their
    own doubt."""
    mixed.rolls.handle_throw(colored("blue", "red", "white", doubt="cocked"))
    shown = proposal(mixed)
    assert (shown["doubt"], shown["advice"], shown["faces"]) == ("cocked", DOUBT_ADVICE["cocked"], [2, 3, 1])
    mixed.rolls.handle_throw(colored("blue", "red", "white"))
    shown = proposal(mixed)
    assert (shown["faces"], shown["sure"]) == ([2, 3, 1], True)
    assert shown["words"] == "red die 2, white die 3, blue die 1"
    wait(mixed, clock, 110)
    assert mixed.game.table.journal[-1] == Answer("home", 6, (2, 3, 1))


def test_dice_that_look_alike_need_confirmation(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The likeliest order is offered for confirmation or correction; it never counts by itself."""
    monkeypatch.setattr(rules, "DICE", (Die(colour="red"), Die(colour="brown", owner="home")))
    alike = die(2, tint=(30, 17, 16)), die(4, tint=(25, 24, 12), x=60)
    session, shown = see(store, clock, thrown(alike, 101.0))
    assert (shown["doubt"], shown["faces"]) == ("alike", [4, 2])
    assert shown["advice"] == "The red die and home's brown die look alike: check which one shows what."
    assert json_data(session.game.view_for(None))["dial"]["label"] == "Red die: 4"
    wait(session, clock, 1000)
    assert list(session.record.current_rolls()) == []
    session.rolls.accept_roll()
    assert list(session.record.current_rolls()[0].value) == [4, 2]


def test_dice_of_the_wrong_colors_make_the_table_ask(mixed: GameSession) -> None:
    """Green is not white: these are not the dice of the ask. With one too few or too many, nobody knows which are
    which."""
    mixed.rolls.handle_throw(colored("blue", "red", "green"))
    shown = proposal(mixed)
    assert (shown["doubt"], shown["seconds"]) == ("colour", None)
    assert shown["advice"].startswith("Home's white die is missing")
    for colours, doubt in ((("red", "blue"), "too-few"), (("red", "blue", "white", "white"), "too-many")):
        mixed.rolls.handle_throw(colored(*colours))
        assert (doubt, []) == (proposal(mixed)["doubt"], proposal(mixed)["faces"])


def test_the_color_of_a_single_die_does_not_matter(session: GameSession, clock: Clock) -> None:
    """Players may use any color of die that they own."""
    assert throw(session, clock, thrown((die(4, "green"),), 101.0))["sure"]
