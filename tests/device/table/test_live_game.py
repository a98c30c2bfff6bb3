"""One session: answers are durable before they are shown, and its entries and notices."""

from __future__ import annotations

from random import Random

import pytest

from device.inputs import random_player
from device.storage.hash_chain import add_game_checksums
from device.storage.store import Store, StoreError
from device.table.session import GameSession
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Source
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import Clock, answer, board, duel, full_disk, latest, proposal, table, wait
from tests.device.table.test_past_games import played


def test_an_answer_is_stored_before_it_is_published(session: GameSession, store: Store) -> None:
    """A subscriber that reads the file finds everything it has received."""
    heard = []
    session.game.subscribe(lambda views: heard.append((len(latest(store).journal), views.public.table.version)))
    answer(session, "bat", [2])
    assert heard == [(0, 0), (1, 1), (2, 2)]


def test_a_disk_error_refuses_the_answer(session: GameSession, store: Store) -> None:
    """There is a notice, and the game does not change."""
    before = json_data(session.game.view_for(None))["table"]
    with full_disk(store), pytest.raises(StoreError):
        answer(session, "bat")
    assert json_data(session.game.view_for(None))["table"] == before
    assert session.game.notices.current_faults() == {"journal": "The disk is full."}
    answer(session, "bat")
    assert json_data(session.game.view_for(None))["table"]["version"] == 1
    assert session.game.notices.current_faults() == {}


def test_a_bug_in_the_rules_leaves_no_partial_play(session: GameSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a play crashes the table is rebuilt from its journal, and the next answer works."""
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    with monkeypatch.context() as patch:
        patch.setattr("engine.games.small_ball.rules.resolve_result", None)
        with pytest.raises(TypeError):
            session.seats.answer_ask("away", 1, [2], Source.PHONE)
    session.seats.answer_ask("away", 1, [2], Source.PHONE)
    assert board(session)["bases"] == ["Pip Marlowe", None, None]


def test_the_game_continues_after_a_restart(session: GameSession, store: Store, clock: Clock) -> None:
    """A new session over the same store has the same game, and does not ask whether to continue. It needs no deck
    files: the stored game carries its own."""
    answer(session, "bat")

    def gone() -> Table:
        raise AssertionError("a new table was wanted")

    again = GameSession(store, gone, clock=clock)
    assert json_data(again.game.view_for(None))["table"] == json_data(session.game.view_for(None))["table"]


def test_ok_alone_does_not_enter_a_roll(session: GameSession) -> None:
    """One OK too many does not enter the first face; after moving to it, OK does."""
    session.buttons.press_ok("away")
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        session.buttons.press_ok("away")
    session.buttons.move_cursor("away", 1)
    session.buttons.press_ok("away")
    assert board(session)["dice"] == [2]


def test_the_last_die_entered_can_be_taken_back(store: Store, clock: Clock) -> None:
    """Dice entered one by one are taken back before any answer is undone."""
    session = duel(store, clock)
    assert not session.buttons.undo_step()
    session.buttons.move_cursor("home", 1)
    session.buttons.press_ok("home")
    assert json_data(session.game.view_for(None))["dial"]["label"].startswith("White die")
    assert session.buttons.undo_step()
    assert json_data(session.game.view_for(None))["dial"]["label"].startswith("Red die")
    assert json_data(session.game.view_for(None))["table"]["version"] == 5


def test_trouble_stays_visible(session: GameSession, store: Store, clock: Clock) -> None:
    """The message about a damaged or unreadable journal stays until a phone has connected; that about a missing part,
    until it is back."""
    session.game.notices.set_fault("camera", "No camera: type the dice.")
    assert list(session.game.view_for(None).missing) == ["No camera: type the dice."]
    session.game.notices.set_fault("camera", None)
    assert list(session.game.view_for(None).missing) == []
    store.trouble = "The journal was damaged."
    again = GameSession(store, table, clock=clock)
    wait(again, clock, 1000)
    assert list(again.game.view_for(None).missing) == ["The journal was damaged."]


def test_the_cursor_starts_at_the_first_choice(session: GameSession) -> None:
    """The display shows the option under the cursor, and OK accepts it. The other seat's buttons change nothing."""
    with pytest.raises(IllegalAnswer, match="Nothing for you to do"):
        session.buttons.press_ok("home")
    dial = json_data(session.game.view_for(None))["dial"]
    assert (dial["seat"], dial["label"], dial["index"], dial["count"]) == ("away", "Bat", 0, 4)
    session.buttons.move_cursor("away", -1)
    assert json_data(session.game.view_for(None))["dial"]["label"] == "Bank no runs"
    session.buttons.move_cursor("away", 1)
    session.buttons.press_ok("away")
    assert json_data(session.game.view_for(None))["table"]["asks"][0]["why"] == "at-bat"


def test_undo_is_announced(session: GameSession) -> None:
    """The notice has the words of the answer and the number of the others, once, and never a secret."""
    with pytest.raises(IllegalAnswer, match="nothing to undo"):
        session.game.undo_answers()
    answer(session, "bat", [2], "bat", [6], "bat")
    assert 0 == session.game.view_for(None).undone
    session.game.undo_answers()
    assert ("Taken back: Bat.", 1) == (session.game.view_for(None).notice, session.game.view_for(None).undone)
    session.game.undo_answers()
    assert "Taken back: the roll 6." == session.game.view_for(None).notice
    session.game.undo_answers(0)
    assert "Taken back: Bat, and 2 more answers." == session.game.view_for(None).notice
    answer(session, "bat")
    assert (None, 3) == (session.game.view_for(None).notice, session.game.view_for(None).undone)


def test_undo_and_amend_apply_to_the_version_shown(session: GameSession) -> None:
    """For another version than the table's they are refused and change nothing."""
    answer(session, "bat", [2], "bat")
    before = session.game.table.journal
    with pytest.raises(StaleAnswer, match="The game has moved on: check again"):
        session.game.undo_answers(1, version=2)
    with pytest.raises(StaleAnswer, match="The game has moved on: check again"):
        session.game.correct_roll(1, [3], version=2)
    assert before == session.game.table.journal
    session.game.correct_roll(1, [3], version=3)
    session.game.undo_answers(version=4)
    assert [0, 1] == [one.n for one in session.game.table.answers]


def test_rolls_can_be_corrected_with_a_preview(session: GameSession) -> None:
    """The list of rolls names each with its value; a preview shows what an amend then does."""
    answer(session, "bat", [2], "bat", [2])
    assert [(roll["n"], roll["value"]) for roll in json_data(session.record.current_rolls())] == [(3, [2]), (1, [2])]
    preview = json_data(session.record.preview_correction(1, [1]))
    assert json_data(session.record.current_rolls())[1]["value"] == [2]
    session.game.correct_roll(1, [1])
    assert preview["after"] == board(session)
    assert preview["kept"] == [2, 3]


def test_a_notice_disappears(session: GameSession, clock: Clock) -> None:
    session.game.notices.show_notice("Thrown too early.", seconds=2)
    clock.now += 1.9
    session.tick()
    assert session.game.view_for(None).notice == "Thrown too early."
    clock.now += 0.2
    session.tick()
    assert session.game.view_for(None).notice is None


def test_only_changes_raise_the_version(session: GameSession) -> None:
    """Displays can tell from it whether there is anything new. A refused answer does not change it: one to another ask,
    or the second of two phones that answer the same one."""
    before = session.game.version
    with pytest.raises(StaleAnswer):
        session.seats.answer_ask("away", 7, "bat", Source.PHONE)
    assert session.game.version == before
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    assert session.game.version > before
    with pytest.raises(StaleAnswer):
        session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    assert session.game.version == before + 1


def test_a_suspended_game_continues(session: GameSession, store: Store) -> None:
    """It continues from its last answer, without anything shown for the other game, which is suspended. A game that
    cannot be continued is refused with a sentence, and the game on the table goes on."""
    answer(session, "bat")
    first, before = session.game.number, session.game.version
    session.game.begin_game(table())
    second = session.game.number
    assert (first + 1, 0) == (second, session.game.table.open_asks()[0][0])
    assert session.game.resume_game(first)
    assert (first, 1, True) == (session.game.number, len(session.game.table.answers), session.game.version > before)
    answer(session, [2])
    session.game.undo_answers()
    answer(session, [3])
    assert session.game.resume_game(second)
    assert (second, 0, None) == (session.game.number, len(session.game.table.answers), proposal(session))
    assert session.game.resume_game(first)
    assert 4 == len(latest(store).journal)
    assert not session.game.resume_game(99)
    with pytest.raises(IllegalAnswer, match="That game is on the table"):
        session.game.resume_game(first)
    session.game.begin_game(played("small-ball", seed=3))
    over = session.game.number
    session.game.resume_game(first)
    with pytest.raises(IllegalAnswer, match="That game is over"):
        session.game.resume_game(over)
    for change, words in (
        ("decks = '[]'", "cards are not the ones it was started with|not as they were written"),
        ("header = replace(header, 'small-ball', 'cricket')", "cannot be continued under these rules"),
        ("snapshot = replace(snapshot, '\"outs\": 0', '\"outs\": 2')", "cannot be continued under these rules"),
    ):
        session.game.begin_game(table())
        other = session.game.number
        session.game.resume_game(first)
        store._db.execute(f"update game set {change} where id = ?", (other,))
        add_game_checksums(store._db, other)
        with pytest.raises(IllegalAnswer, match=words):
            session.game.resume_game(other)
    assert first == session.game.number


def test_the_plays_just_before_this_half_inning(session: GameSession) -> None:
    """They are the end of the play log before it, with what ended the half-inning, so that displays can tell it."""
    random, halves = Random(4), set[tuple[int, str]]()
    while not (over := session.game.table.outcome) and len(halves) < 4:
        n, ask = session.game.table.open_asks()[0]
        session.seats.answer_ask(
            ask.seat, n, random_player.pick_answer(session.game.table.ask_view(n, ask, ask.seat), random), Source.PHONE
        )
        view, log = session.game.view_for(None), session.record.plays_page().plays
        assert log == [*log[: len(log) - len(view.before) - len(view.plays)], *view.before, *view.plays]
        halves.add((view.plays[-1].inning, view.plays[-1].half))
        # Before the first half-inning there is at most the beginning of the game.
        assert view.before if len(halves) > 1 else {one.code for one in view.before} <= {"play-ball"}
    assert not over
