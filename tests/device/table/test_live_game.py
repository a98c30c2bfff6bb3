"""One session: answers are durable before they are shown, and its entries and notices."""

from __future__ import annotations

from random import Random

import pytest

from device.inputs import random_player
from device.storage.hash_chain import add_game_checksums
from device.storage.store import Store, StoreError
from device.table.session import Session
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Source
from engine.table import Table
from engine.views import plain
from tests.device.stored_games import Clock, answer, board, duel, full_disk, latest, proposal, table, wait
from tests.device.table.test_past_games import played


def test_an_answer_is_stored_before_it_is_published(session: Session, store: Store) -> None:
    """A subscriber that reads the file finds everything it has received."""
    heard = []
    session.game.subscribe(lambda views: heard.append((len(latest(store).journal), views.public.table.version)))
    answer(session, "bat", [2])
    assert heard == [(0, 0), (1, 1), (2, 2)]


def test_a_disk_error_refuses_the_answer(session: Session, store: Store) -> None:
    """There is a notice, and the game does not change."""
    before = plain(session.game.view(None))["table"]
    with full_disk(store), pytest.raises(StoreError):
        answer(session, "bat")
    assert plain(session.game.view(None))["table"] == before
    assert session.game.notices.health() == {"journal": "The disk is full."}
    answer(session, "bat")
    assert plain(session.game.view(None))["table"]["version"] == 1
    assert session.game.notices.health() == {}


def test_a_bug_in_the_rules_leaves_no_partial_play(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a play crashes the table is rebuilt from its journal, and the next answer works."""
    session.seats.answer("away", 0, "bat", Source.PHONE)
    with monkeypatch.context() as patch:
        patch.setattr("engine.games.small_ball.rules.resolve", None)
        with pytest.raises(TypeError):
            session.seats.answer("away", 1, [2], Source.PHONE)
    session.seats.answer("away", 1, [2], Source.PHONE)
    assert board(session)["bases"] == ["Pip Marlowe", None, None]


def test_the_game_continues_after_a_restart(session: Session, store: Store, clock: Clock) -> None:
    """A new session over the same store has the same game, and does not ask whether to continue. It needs no deck
    files: the stored game carries its own."""
    answer(session, "bat")

    def gone() -> Table:
        raise AssertionError("a new table was wanted")

    again = Session(store, gone, clock=clock)
    assert plain(again.game.view(None))["table"] == plain(session.game.view(None))["table"]


def test_ok_alone_does_not_enter_a_roll(session: Session) -> None:
    """One OK too many does not enter the first face; after moving to it, OK does."""
    session.buttons.press("away")
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        session.buttons.press("away")
    session.buttons.turn("away", 1)
    session.buttons.press("away")
    assert board(session)["dice"] == [2]


def test_the_last_die_entered_can_be_taken_back(store: Store, clock: Clock) -> None:
    """Dice entered one by one are taken back before any answer is undone."""
    session = duel(store, clock)
    assert not session.buttons.back()
    session.buttons.turn("home", 1)
    session.buttons.press("home")
    assert plain(session.game.view(None))["dial"]["label"].startswith("White die")
    assert session.buttons.back()
    assert plain(session.game.view(None))["dial"]["label"].startswith("Red die")
    assert plain(session.game.view(None))["table"]["version"] == 5


def test_trouble_stays_visible(session: Session, store: Store, clock: Clock) -> None:
    """The message about a damaged or unreadable journal stays until a phone has connected; that about a missing part,
    until it is back."""
    session.game.notices.miss("camera", "No camera: type the dice.")
    assert list(session.game.view(None).missing) == ["No camera: type the dice."]
    session.game.notices.miss("camera", None)
    assert list(session.game.view(None).missing) == []
    store.trouble = "The journal was damaged."
    again = Session(store, table, clock=clock)
    wait(again, clock, 1000)
    assert list(again.game.view(None).missing) == ["The journal was damaged."]


def test_the_cursor_starts_at_the_first_choice(session: Session) -> None:
    """The display shows the option under the cursor, and OK accepts it. The other seat's buttons change nothing."""
    with pytest.raises(IllegalAnswer, match="Nothing for you to do"):
        session.buttons.press("home")
    dial = plain(session.game.view(None))["dial"]
    assert (dial["seat"], dial["label"], dial["index"], dial["count"]) == ("away", "Bat", 0, 4)
    session.buttons.turn("away", -1)
    assert plain(session.game.view(None))["dial"]["label"] == "Bank no runs"
    session.buttons.turn("away", 1)
    session.buttons.press("away")
    assert plain(session.game.view(None))["table"]["asks"][0]["why"] == "at-bat"


def test_undo_is_announced(session: Session) -> None:
    """The notice has the words of the answer and the number of the others, once, and never a secret."""
    with pytest.raises(IllegalAnswer, match="nothing to take back"):
        session.game.undo()
    answer(session, "bat", [2], "bat", [6], "bat")
    assert 0 == session.game.view(None).undone
    session.game.undo()
    assert ("Taken back: Bat.", 1) == (session.game.view(None).notice, session.game.view(None).undone)
    session.game.undo()
    assert "Taken back: the roll 6." == session.game.view(None).notice
    session.game.undo(0)
    assert "Taken back: Bat, and 2 more answers." == session.game.view(None).notice
    answer(session, "bat")
    assert (None, 3) == (session.game.view(None).notice, session.game.view(None).undone)


def test_undo_and_amend_apply_to_the_version_shown(session: Session) -> None:
    """For another version than the table's they are refused and change nothing."""
    answer(session, "bat", [2], "bat")
    before = session.game.table.journal
    with pytest.raises(StaleAnswer, match="The game has moved on: check again"):
        session.game.undo(1, version=2)
    with pytest.raises(StaleAnswer, match="The game has moved on: check again"):
        session.game.amend(1, [3], version=2)
    assert before == session.game.table.journal
    session.game.amend(1, [3], version=3)
    session.game.undo(version=4)
    assert [0, 1] == [one.n for one in session.game.table.answers]


def test_rolls_can_be_corrected_with_a_preview(session: Session) -> None:
    """The list of rolls names each with its value; a preview shows what an amend then does."""
    answer(session, "bat", [2], "bat", [2])
    assert [(roll["n"], roll["value"]) for roll in plain(session.record.rolls())] == [(3, [2]), (1, [2])]
    preview = plain(session.record.preview(1, [1]))
    assert plain(session.record.rolls())[1]["value"] == [2]
    session.game.amend(1, [1])
    assert preview["after"] == board(session)
    assert preview["kept"] == [2, 3]


def test_a_notice_disappears(session: Session, clock: Clock) -> None:
    session.game.notices.show("Thrown too early.", seconds=2)
    clock.now += 1.9
    session.tick()
    assert session.game.view(None).notice == "Thrown too early."
    clock.now += 0.2
    session.tick()
    assert session.game.view(None).notice is None


def test_only_changes_raise_the_version(session: Session) -> None:
    """Displays can tell from it whether there is anything new. A refused answer does not change it: one to another ask,
    or the second of two phones that answer the same one."""
    before = session.game.version
    with pytest.raises(StaleAnswer):
        session.seats.answer("away", 7, "bat", Source.PHONE)
    assert session.game.version == before
    session.seats.answer("away", 0, "bat", Source.PHONE)
    assert session.game.version > before
    with pytest.raises(StaleAnswer):
        session.seats.answer("away", 0, "bat", Source.PHONE)
    assert session.game.version == before + 1


def test_a_suspended_game_continues(session: Session, store: Store) -> None:
    """It continues from its last answer, without anything shown for the other game, which is suspended. A game that
    cannot be continued is refused with a sentence, and the game on the table goes on."""
    answer(session, "bat")
    first, before = session.game.number, session.game.version
    session.game.new_game(table())
    second = session.game.number
    assert (first + 1, 0) == (second, session.game.table.asks()[0][0])
    assert session.game.take(first)
    assert (first, 1, True) == (session.game.number, len(session.game.table.answers), session.game.version > before)
    answer(session, [2])
    session.game.undo()
    answer(session, [3])
    assert session.game.take(second)
    assert (second, 0, None) == (session.game.number, len(session.game.table.answers), proposal(session))
    assert session.game.take(first)
    assert 4 == len(latest(store).journal)
    assert not session.game.take(99)
    with pytest.raises(IllegalAnswer, match="That game is on the table"):
        session.game.take(first)
    session.game.new_game(played("small-ball", seed=3))
    over = session.game.number
    session.game.take(first)
    with pytest.raises(IllegalAnswer, match="That game is over"):
        session.game.take(over)
    for change, words in (
        ("decks = '[]'", "cards are not the ones it was started with|not as they were written"),
        ("header = replace(header, 'small-ball', 'cricket')", "cannot be continued under these rules"),
        ("snapshot = replace(snapshot, '\"outs\": 0', '\"outs\": 2')", "cannot be continued under these rules"),
    ):
        session.game.new_game(table())
        other = session.game.number
        session.game.take(first)
        store._db.execute(f"update game set {change} where id = ?", (other,))
        add_game_checksums(store._db, other)
        with pytest.raises(IllegalAnswer, match=words):
            session.game.take(other)
    assert first == session.game.number


def test_the_plays_just_before_this_half_inning(session: Session) -> None:
    """They are the end of the play log before it, with what ended the half-inning, so that displays can tell it."""
    random, halves = Random(4), set[tuple[int, str]]()
    while not (over := session.game.table.outcome) and len(halves) < 4:
        n, ask = session.game.table.asks()[0]
        session.seats.answer(
            ask.seat, n, random_player.pick(session.game.table.ask_view(n, ask, ask.seat), random), Source.PHONE
        )
        view, log = session.game.view(None), session.record.plays().plays
        assert log == [*log[: len(log) - len(view.before) - len(view.plays)], *view.before, *view.plays]
        halves.add((view.plays[-1].inning, view.plays[-1].half))
        # Before the first half-inning there is at most the beginning of the game.
        assert view.before if len(halves) > 1 else {one.code for one in view.before} <= {"play-ball"}
    assert not over
