"""Rerolls: when dice thrown again, while the others stay, count or need confirmation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.simulator.scene import SimulatedDevices
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table.session import GameSession
from device.table.throw_match import SeenThrow, match_reroll
from engine.asks import Reroll
from engine.dice import Die as Asked
from engine.errors import IllegalAnswer
from engine.journal import Source
from engine.views import json_data
from tests.device.stored_games import Clock, proposal, wait
from tests.device.throws import thrown
from tests.engine.sample_games import pool_game
from tests.engine.sample_games.pool_game import new
from tests.vision.tints import die, row
from vision.reading import DOUBT_ADVICE, DieReading, Reading
from vision.synthetic.tray import SyntheticDie
from vision.tray.at_rest import DiceAtRest

ROLL = (1, 2, 3, 3, 5, 6)
LAY = row(*ROLL)


def seen(*dice: DieReading, began: float = 110.0, touched: bool = False, doubt: str | None = None) -> SeenThrow:
    return thrown(dice, began, doubt, picture=b"a picture", touched=touched)


def elsewhere(place: int, value: int) -> tuple[DieReading, ...]:
    """Return the dice after one of them was thrown again: it shows `value`, further right."""
    return (*LAY[:place], *LAY[place + 1 :], die(value, x=500 + 60 * place))


@pytest.fixture
def tray(store: Store, clock: Clock) -> GameSession:
    """Set up a table whose camera saw six dice; up to three of the first five may be thrown again."""
    return asked(GameSession(store, new, clock=clock), clock)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow all six dice to be thrown again from the next ask on."""
    monkeypatch.setattr(pool_game, "FREE", tuple(range(6)))
    monkeypatch.setattr(pool_game, "MOST", 6)


def asked(session: GameSession, clock: Clock, token: str = "go") -> GameSession:
    clock.now = 103
    session.rolls.handle_throw(seen(*LAY, began=101.0))
    session.buttons.press_ok("away")
    session.seats.answer_ask("away", 1, token, Source.PHONE)
    clock.now = 110
    return session


def shown(session: GameSession) -> tuple[object, ...]:
    """Return what every display shows: the faces, the dice thrown again, and the doubt."""
    found = proposal(session)
    return () if found is None else (found["faces"], found["again"], found["doubt"])


def value(session: GameSession) -> object:
    return session.game.table.answers[-1].value


def test_dice_that_moved_were_thrown_again(tray: GameSession, clock: Clock) -> None:
    """They count after the same delay as any certain roll; the other dice need no action. Thrown a third time after a
    refusal, the dice thrown first still count as thrown."""
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)))
    assert ([1, 6, 3, 3, 5, 6], [1], None) == shown(tray)
    tray.rolls.reject_roll()
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)[:-1], die(4, x=900), began=112.0))
    assert ([1, 4, 3, 3, 5, 6], [1], None) == shown(tray)
    wait(tray, clock, 114)
    assert (None, 4, None, None, None, None) == value(tray)


def test_of_equal_dice_the_allowed_one_was_thrown(
    tray: GameSession, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can tell which 3 was picked up: if one had to stay, it was the other."""
    monkeypatch.setattr(pool_game, "FREE", (0, 3))
    tray.game.undo_answers(1)
    tray.seats.answer_ask("away", 1, "go", Source.PHONE)
    tray.rolls.handle_throw(seen(*elsewhere(2, 4), began=111.0))
    assert ([1, 2, 3, 4, 5, 6], [3], None) == shown(tray)


def test_dice_thrown_one_after_the_other_add_up(tray: GameSession) -> None:
    """Picking up two dice shows nothing; thrown one by one, there are first too few, then both."""
    tray.rolls.handle_throw(seen(*LAY[2:], touched=True))
    assert () == shown(tray)
    tray.rolls.handle_throw(seen(*LAY[2:], die(4, x=600)))
    assert "too-few" == shown(tray)[2]
    assert "I see 5 dice but expected 6." == proposal(tray)["advice"]
    tray.rolls.handle_throw(seen(*LAY[2:], die(4, x=600), die(1, x=700), began=111.0))
    assert ([4, 1, 3, 3, 5, 6], [0, 1], None) == shown(tray)


@pytest.mark.parametrize(
    ("dice", "doubt", "again", "words"),
    [
        (row(9, 9, 9, 9, 5, 6), "too-many", [0, 1, 2, 3], "I see 4 rerolled dice, but at most 3 can be"),
        ((*LAY[:5], die(2, x=700)), "held", [5], "The 6 had to stay"),
        (LAY, "still", [], "No die seems to have moved"),
        ((*LAY, die(4, x=700)), "too-many", [], "I see 7 dice but expected 6."),
    ],
    ids=["too many thrown", "one that must lie", "none", "a seventh"],
)
def test_an_illegal_reroll_makes_the_table_ask(
    tray: GameSession, clock: Clock, dice: tuple[DieReading, ...], doubt: str, again: list[int], words: str
) -> None:
    """The display says so in words, the roll never counts by itself, and OK alone does not accept it."""
    # A 9 in the parameters marks a die thrown again; it shows a 4.
    tray.rolls.handle_throw(seen(*(replace(one, value=4 if one.value == 9 else one.value) for one in dice)))
    found = proposal(tray)
    assert (doubt, again, True) == (found["doubt"], found["again"], words in found["advice"])
    wait(tray, clock, 1000)
    with pytest.raises(IllegalAnswer):
        tray.rolls.accept_roll()


def test_both_doubts_are_shown(tray: GameSession) -> None:
    """A doubt about the picture does not hide which dice it is about; each die has its other values."""
    tray.rolls.handle_throw(seen(*LAY[:5], die(2, x=700), doubt="unclear"))
    found = proposal(tray)
    assert DOUBT_ADVICE["unclear"] + " The 6 had to stay" in found["advice"]
    assert "unclear" == found["doubt"]


def test_a_die_turned_by_a_token_is_not_thrown(store: Store, clock: Clock) -> None:
    """A throw is compared with the dice as they lie after they were turned, before or after the question."""
    session = asked(GameSession(store, new, clock=clock), clock, "up")
    turned = (die(2, x=0), *LAY[1:])
    session.rolls.handle_throw(seen(*turned, touched=True, doubt="turned"))
    assert ((), None) == (shown(session), session.game.view_for(None).notice)
    session.rolls.handle_throw(seen(*turned[:4], die(1, x=500), LAY[5], began=111.0))
    assert ([2, 2, 3, 3, 1, 6], [4], None) == shown(session)


def test_dice_that_differ_from_the_rules_make_the_table_ask(store: Store, clock: Clock) -> None:
    """The dice do not show the token's effect: people say which of them were thrown again."""
    session = asked(GameSession(store, new, clock=clock), clock, "up")
    session.rolls.handle_throw(seen(*elsewhere(4, 1)))
    assert ([2, 2, 3, 3, 5, 6], [], "unlike") == shown(session)
    advice = proposal(session)["advice"]
    assert advice.startswith("The tray had 1, 2, 3, 3, 5 and 6, not 2, 2, 3, 3, 5 and 6. Which dice did you reroll")
    session.seats.answer_ask("away", 2, [None, None, None, None, 1, None], Source.PHONE)
    assert () == shown(session)


def test_dice_not_seen_at_rest_make_the_table_ask(tray: GameSession) -> None:
    """The camera was away since the first throw; turned dice do not add to that doubt."""
    tray.rolls.set_resting_dice(None)
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)))
    words = "I didn't see the dice before. Confirm if you rerolled these, or tap the ones you did."
    assert ([1, 6, 3, 3, 5, 6], [1], "unseen") == shown(tray)
    assert words == proposal(tray)["advice"]
    tray.rolls.handle_throw(seen(*elsewhere(1, 5), touched=True, doubt="turned"))
    assert words == proposal(tray)["advice"]


@pytest.mark.parametrize("dice", [elsewhere(5, 1), LAY, row(4, 4, 4, 4, 5, 6), LAY[:5]])
def test_unseen_dice_that_cannot_be_a_reroll_are_entered(tray: GameSession, dice: tuple[DieReading, ...]) -> None:
    """One that must stay has changed, none has, more than may be rerolled, or one is missing."""
    tray.rolls.set_resting_dice(None)
    tray.rolls.handle_throw(seen(*dice))
    assert ([*ROLL], []) == shown(tray)[:2]


def test_of_equal_dice_the_one_that_may_be_rerolled_was() -> None:
    """The last die must stay, although it shows the same as one that was rerolled."""
    ask = Reroll("away", "again", (6, 2, 6), (0, 1), 1, (Asked(),) * 3)
    found = match_reroll(Reading(row(2, 6, 5), None, 1.0), ask, DiceAtRest())
    assert ((5, 2, 6), (0,)) == (found.faces, found.again)


def test_all_unseen_dice_are_offered(tray: GameSession, clock: Clock, free: None) -> None:
    """If all may be thrown again, one tap confirms it; dice that may not have moved keep their places."""
    tray.rolls.set_resting_dice(())
    tray.game.undo_answers(1)
    tray.seats.answer_ask("away", 1, "go", Source.PHONE)
    tray.rolls.handle_throw(seen(*row(4, 6, 1, 5, 3, 1), began=111.0))
    assert ([1, 4, 3, 1, 5, 6], [0, 1, 2, 3, 4, 5], "unseen") == shown(tray)
    assert "Confirm if you rerolled all of them" in proposal(tray)["advice"]
    wait(tray, clock, 1000)
    assert 2 == len(tray.game.table.answers)
    tray.rolls.accept_roll()
    assert (1, 4, 3, 1, 5, 6) == value(tray)


def test_old_dice_put_back_make_the_table_ask(tray: GameSession, clock: Clock, free: None) -> None:
    """Picked up and put back unchanged, they look like a second throw: a person must confirm it."""
    tray.game.undo_answers(1)
    tray.seats.answer_ask("away", 1, "go", Source.PHONE)
    tray.rolls.handle_throw(seen(touched=True))
    tray.rolls.handle_throw(seen(*row(6, 5, 3, 3, 2, 1), began=111.0))
    assert ([6, 5, 3, 3, 2, 1], [0, 1, 2, 3, 4, 5], "still") == shown(tray)
    wait(tray, clock, 1000)
    assert 2 == len(tray.game.table.answers)
    tray.rolls.accept_roll()
    assert (6, 5, 3, 3, 2, 1) == value(tray)


def test_dice_moved_aside_are_not_thrown(tray: GameSession) -> None:
    aside = tuple(replace(one, box=(one.box[0] + 1000, *one.box[1:])) for one in LAY)
    tray.rolls.set_resting_dice(aside)
    tray.rolls.handle_throw(seen(*aside[1:], die(1, x=300)))
    assert ([1, 2, 3, 3, 5, 6], [0], None) == shown(tray)


def test_dice_turned_by_hand_are_not_thrown(tray: GameSession) -> None:
    """Before the throw, a notice says so; moved by a hand that stays over them, they wait for confirmation."""
    tray.rolls.handle_throw(seen(die(4, x=0), *LAY[1:], touched=True, doubt="turned"))
    assert ((), "The dice were moved, not rolled: roll them.") == (shown(tray), tray.game.view_for(None).notice)
    tray.rolls.handle_throw(seen(*LAY, touched=True, doubt="turned"))
    tray.rolls.handle_throw(seen(*LAY[1:], touched=True))
    tray.rolls.handle_throw(seen(*LAY[1:], die(4, x=700), touched=True))
    assert ([4, 2, 3, 3, 5, 6], [0], "turned") == shown(tray)
    tray.rolls.accept_roll()
    assert (4, None, None, None, None, None) == value(tray)


def test_dice_thrown_before_the_ask_do_not_count(tray: GameSession) -> None:
    """The dice differ from the rules' faces now, so the next throw needs confirmation."""
    tray.rolls.handle_throw(seen(*elsewhere(1, 6), began=102.0))
    assert ((), "Rolled too early: roll again now.") == (shown(tray), tray.game.view_for(None).notice)
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)[1:], die(1, x=900), began=111.0))
    assert "unlike" == shown(tray)[2]


def test_the_next_roll_ignores_the_old_dice(tray: GameSession) -> None:
    """Dice touched after they counted are not a throw; a new throw is."""
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)))
    tray.buttons.press_ok("away")
    tray.rolls.handle_throw(seen(*LAY, touched=True, doubt="turned"))
    assert ((), "The dice were moved, not rolled: roll them.") == (shown(tray), tray.game.view_for(None).notice)
    tray.rolls.handle_throw(seen(*row(*[1, 2, 3, 4, 5, 6] * 2), began=112.0))
    assert ([1, 2, 3, 4, 5, 6] * 2, None, None) == shown(tray)


def test_a_die_of_another_kind_is_named(tray: GameSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one too many, or replaces a missing one. Which of several kinds were thrown again, no camera can tell."""
    twenty = die(17, kind="d20", x=700)
    tray.rolls.handle_throw(seen(*elsewhere(1, 6), twenty))
    found = proposal(tray)
    assert "too-many" == found["doubt"]
    assert "I see 6 d6 and a d20 but expected 6 d6." == found["advice"]
    tray.rolls.handle_throw(seen(*LAY[1:], twenty, began=111.0))
    assert "kind" == shown(tray)[2]
    monkeypatch.setattr("engine.asks.D6", Asked("d8"))
    tray.game.begin_game(new([*ROLL], "go"))
    tray.rolls.handle_throw(seen(*LAY, began=112.0))
    assert "kind" == shown(tray)[2]


def test_buttons_enter_the_dice_one_by_one(tray: GameSession) -> None:
    """A die that stays needs an OK, one that was thrown a new face; the entry is sent after the last allowed one."""
    assert "Die 1 (1) stays" == json_data(tray.game.view_for(None))["dial"]["label"]
    tray.buttons.press_ok("away")
    for _ in range(4):
        tray.buttons.move_cursor("away", 1)
    assert "Die 2 (2) now 4" == json_data(tray.game.view_for(None))["dial"]["label"]
    for _ in range(4):
        tray.buttons.press_ok("away")
    assert (None, 4, None, None, None, None) == value(tray)


def test_buttons_correct_a_shown_reroll(tray: GameSession, clock: Clock) -> None:
    """The entry starts at the reading; once moved, the roll waits, and every display shows its dice."""
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)))
    tray.buttons.move_cursor("away", 1)
    assert ([1, 6, 3, 3, 5, 6], [0, 1], None) == shown(tray)
    wait(tray, clock, 1000)
    tray.buttons.move_cursor("away", -1)
    for _ in range(5):
        tray.buttons.press_ok("away")
    assert (None, 6, None, None, None, None) == value(tray)


def test_a_reroll_is_in_the_list_and_can_be_corrected(tray: GameSession) -> None:
    """With the other likely values of each die, and in words."""
    tray.rolls.handle_throw(seen(*elsewhere(1, 6)))
    tray.buttons.press_ok("away")
    roll = json_data(tray.record.current_rolls())[0]
    assert (2, "reroll", [None, 6, None, None, None, None]) == (roll["n"], roll["kind"], roll["value"])
    assert [5] == [len(one) for one in roll["likely"][1:2]]
    tray.game.correct_roll(2, [4, None, None, None, None, None])
    assert [4, 2, 3, 3, 5, 6] == json_data(tray.game.view_for(None))["table"]["scoreboard"]["dice"]
    tray.game.undo_answers()
    assert "Taken back: 1 rerolled: 4." == tray.game.view_for(None).notice


class _Lessons:
    """Records what was played."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []

    def record_roll(self, game: int, place: int, values: object, glimpse: object = None) -> None:
        self.heard.append((place, values))


def test_the_picture_and_sample_have_all_dice(store: Store, clock: Clock, tmp_path: object) -> None:
    """The dice that stayed are samples too, also after a correction; typed values are marked as corrected."""
    lessons = _Lessons()
    session = GameSession(store, new, clock=clock, evidence=RollPictures(tmp_path), lessons=lessons)  # type: ignore[arg-type]
    asked(session, clock)
    session.rolls.handle_throw(replace(seen(*elsewhere(1, 6)), glimpse="what it saw"))
    session.seats.answer_ask("away", 2, [None, 5, None, None, None, None], Source.PHONE)
    assert [(2, (1, 5, 3, 3, 5, 6))] == lessons.heard
    assert session.record.dice_picture(json_data(session.record.current_rolls())[0]["evidence"]) == b"a picture"
    assert json_data(session.record.plays_page().plays)[-1]["corrected"]
    session.game.correct_roll(2, [None, 6, None, None, None, None])
    assert (2, (1, 6, 3, 3, 5, 6)) == lessons.heard[-1]


def test_the_demo_page_throws_some_dice_again(store: Store, clock: Clock) -> None:
    """First the dice in the drawn tray are placed as the rules have them, then some of them roll."""
    session, stage = GameSession(store, lambda: new([*ROLL], "go"), clock=clock), SimulatedDevices({}, seed=3)
    stage.tray._tray.place_die(0.0, SyntheticDie(), 1, 0.0, 0.0)
    stage.simulate_action("throw", session)
    assert ROLL == tuple(sorted(stage.tray.true_faces() or ()))
    assert stage.tray._pending_reroll is not None
    assert 1 <= len(stage.tray._pending_reroll[1]) <= pool_game.MOST
    stage.tray.perform_action("pick-up")
    session.seats.answer_ask("away", 2, [None, 6, None, None, None, None], Source.PHONE)
    stage.simulate_action("throw", session)
    assert 12 == len(stage.tray._tray._things)
