"""One session: answers are durable before they are shown, and its entries and notices."""

from __future__ import annotations

from random import Random

import pytest

from device.inputs import random_player
from device.storage.hash_chain import add_game_checksums
from device.storage.store import Store, StoreError
from device.table.publisher import Views
from device.table.session import Session
from engine.errors import IllegalAnswer, StaleAnswer
from engine.table import Table
from engine.views import plain
from tests.device.stored_games import Clock, board, duel, table


def test_an_answer_is_stored_before_it_is_published(session: Session, store: Store) -> None:
    """A subscriber that reads the file finds everything it has received."""
    heard = []

    def changed(views: Views) -> None:
        saved = store.latest()
        assert saved is not None
        assert saved.table is not None
        heard.append((len(saved.table.journal), views.public.table.version))

    session.subscribe(changed)
    session.answer("away", 0, "bat", "phone")
    session.answer("away", 1, [2], "phone")
    assert heard == [(0, 0), (1, 1), (2, 2)]


def test_a_disk_error_refuses_the_answer(session: Session, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a notice, and the game does not change."""

    def full(*_: object) -> None:
        raise StoreError("The journal cannot be written: disk full.")

    before = plain(session.view(None))["table"]
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        with pytest.raises(StoreError):
            session.answer("away", 0, "bat", "phone")
    assert plain(session.view(None))["table"] == before
    assert session.health() == {"journal": "The journal cannot be written: disk full."}
    session.answer("away", 0, "bat", "phone")
    assert plain(session.view(None))["table"]["version"] == 1
    assert session.health() == {}


def test_a_bug_in_the_rules_leaves_no_partial_play(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a play crashes the table is rebuilt from its journal, and the next answer works."""
    session.answer("away", 0, "bat", "phone")
    with monkeypatch.context() as patch:
        patch.setattr("engine.games.small_ball.rules.resolve", None)
        with pytest.raises(TypeError):
            session.answer("away", 1, [2], "phone")
    session.answer("away", 1, [2], "phone")
    assert board(session)["bases"] == ["Pip Marlowe", None, None]


def test_the_game_continues_after_a_restart(session: Session, store: Store, clock: Clock) -> None:
    """A new session over the same store has the same game, and does not ask whether to continue."""
    session.answer("away", 0, "bat", "phone")
    again = Session(store, table, clock=clock)
    assert plain(again.view(None))["table"] == plain(session.view(None))["table"]


def test_a_saved_game_needs_no_deck_files(session: Session, store: Store) -> None:
    """Decks deleted since do not stop the stored game: it carries its own."""

    def gone() -> Table:
        raise AssertionError("a new table was wanted")

    assert plain(Session(store, gone).view(None))["table"] == plain(session.view(None))["table"]


def test_ok_alone_does_not_enter_a_roll(session: Session) -> None:
    """One OK too many does not enter the first face; after moving to it, OK does."""
    session.press("away")
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        session.press("away")
    session.turn("away", 1)
    session.press("away")
    assert board(session)["dice"] == [2]


def test_the_last_die_entered_can_be_taken_back(store: Store, clock: Clock) -> None:
    """Dice entered one by one are taken back before any answer is undone."""
    session = duel(store, clock)
    assert not session.back()
    session.turn("home", 1)
    session.press("home")
    assert plain(session.view(None))["dial"]["label"].startswith("White die")
    assert session.back()
    assert plain(session.view(None))["dial"]["label"].startswith("Red die")
    assert plain(session.view(None))["table"]["version"] == 5


def test_trouble_with_the_last_game_stays_visible(store: Store, clock: Clock) -> None:
    """The message about a damaged or unreadable journal stays until a phone has connected."""
    store.trouble = "The journal was damaged."
    session = Session(store, table, clock=clock)
    clock.now = 1000
    session.tick()
    assert plain(session.view(None))["missing"] == ["The journal was damaged."]


def test_the_cursor_starts_at_the_first_choice(session: Session) -> None:
    """The display shows the option under the cursor, and OK accepts it."""
    dial = plain(session.view(None))["dial"]
    assert (dial["seat"], dial["label"], dial["index"], dial["count"]) == ("away", "Bat", 0, 4)
    session.turn("away", -1)
    assert plain(session.view(None))["dial"]["label"] == "Bank 0 runs"
    session.turn("away", 1)
    session.press("away")
    assert plain(session.view(None))["table"]["asks"][0]["why"] == "at-bat"


def test_a_seat_that_is_not_asked_gets_an_error(session: Session) -> None:
    """The other seat's buttons change nothing."""
    with pytest.raises(IllegalAnswer, match="Nothing is asked of you"):
        session.press("home")


def test_two_phones_with_the_same_answer(session: Session) -> None:
    """The second of two phones that answer the same ask gets a stale error."""
    session.answer("away", 0, "bat", "phone")
    with pytest.raises(StaleAnswer):
        session.answer("away", 0, "bat", "phone")


def test_undo_without_an_answer(session: Session) -> None:
    with pytest.raises(IllegalAnswer, match="nothing to take back"):
        session.undo()


def test_undo_is_announced(session: Session) -> None:
    """The notice has the words of the answer and the number of the others, once, and never a secret."""
    for n, value in enumerate(("bat", [2], "bat", [6], "bat")):
        session.answer("away", n, value, "phone")
    assert 0 == plain(session.view(None))["undone"]
    session.undo()
    assert ("Taken back: Bat.", 1) == (plain(session.view(None))["notice"], plain(session.view(None))["undone"])
    session.undo()
    assert "Taken back: the roll 6." == plain(session.view(None))["notice"]
    session.undo(0)
    assert "Taken back: Bat, and 2 more answers." == plain(session.view(None))["notice"]
    session.answer("away", 0, "bat", "phone")
    assert (None, 3) == (plain(session.view(None))["notice"], plain(session.view(None))["undone"])


def test_undo_and_amend_apply_to_the_version_shown(session: Session) -> None:
    """For another version than the table's they are refused and change nothing."""
    for n, value in enumerate(("bat", [2], "bat")):
        session.answer("away", n, value, "phone")
    before = session.table.journal
    with pytest.raises(StaleAnswer, match="The game went on: look again"):
        session.undo(1, version=2)
    with pytest.raises(StaleAnswer, match="The game went on: look again"):
        session.amend(1, [3], version=2)
    assert before == session.table.journal
    session.amend(1, [3], version=3)
    session.undo(version=4)
    assert [0, 1] == [one.n for one in session.table.answers]


def test_rolls_can_be_corrected_with_a_preview(session: Session) -> None:
    """The list of rolls names each with its value; a preview shows what an amend then does."""
    for n, value in enumerate(("bat", [2], "bat", [2])):
        session.answer("away", n, value, "phone")
    assert [(roll["n"], roll["value"]) for roll in plain(session.rolls())] == [(3, [2]), (1, [2])]
    preview = plain(session.preview(1, [1]))
    assert plain(session.rolls())[1]["value"] == [2]
    session.amend(1, [1])
    assert preview["after"] == board(session)
    assert preview["kept"] == [2, 3]


def test_missing_parts_are_reported(session: Session) -> None:
    """A missing part stays in the view until it is back."""
    session.miss("camera", "No camera: type the dice.")
    assert plain(session.view(None))["missing"] == ["No camera: type the dice."]
    session.miss("camera", None)
    assert plain(session.view(None))["missing"] == []


def test_a_notice_disappears(session: Session, clock: Clock) -> None:
    session.show_notice("Thrown too early.", seconds=2)
    clock.now += 1.9
    session.tick()
    assert plain(session.view(None))["notice"] == "Thrown too early."
    clock.now += 0.2
    session.tick()
    assert plain(session.view(None))["notice"] is None


def test_a_new_game_starts_clean(session: Session, store: Store) -> None:
    """The old game stays in the journal; the new one is on the table."""
    session.answer("away", 0, "bat", "phone")
    session.new_game(table())
    saved = store.latest()
    assert saved is not None
    assert saved.id == 2
    assert plain(session.view(None))["table"]["asks"][0]["n"] == 0


def test_only_changes_raise_the_version(session: Session) -> None:
    """Displays can tell from it whether there is anything new; a refused answer does not change it."""
    before = plain(session.view(None))["version"]
    with pytest.raises(StaleAnswer):
        session.answer("away", 7, "bat", "phone")
    assert plain(session.view(None))["version"] == before
    session.answer("away", 0, "bat", "phone")
    assert plain(session.view(None))["version"] > before


def test_a_suspended_game_continues(session: Session, store: Store) -> None:
    """It continues from its last answer, without anything shown for the other game, which is suspended."""
    session.answer("away", 0, "bat", "phone")
    first, before = session.game[0], session.version
    session.new_game(table())
    assert session.take(first)
    assert (first, 1, True) == (session.game[0], len(session.table.answers), session.version > before)
    second = first + 1
    session.answer("away", 1, [2], "phone")
    session.undo()
    session.answer("away", 1, [3], "phone")
    assert session.take(second)
    assert (second, 0, None) == (session.game[0], len(session.table.answers), plain(session.view(None))["proposal"])
    assert session.take(first)
    saved = store.latest()
    assert saved is not None
    assert saved.table is not None
    assert (first, 4) == (saved.id, len(saved.table.journal))


def test_a_game_that_cannot_continue_is_refused(session: Session, store: Store) -> None:
    """With a sentence, and the game on the table goes on."""
    here = session.game[0]
    assert not session.take(99)
    with pytest.raises(IllegalAnswer, match="That game is on the table"):
        session.take(here)
    done, random = table(), Random(3)
    while not done.outcome:
        (n, ask), *_ = done.asks()
        done.answer(ask.seat, n, random_player.pick(done.ask_view(n, ask, ask.seat), random))
    session.new_game(done)
    over = session.game[0]
    session.take(here)
    with pytest.raises(IllegalAnswer, match="That game is over"):
        session.take(over)
    for change, words in (
        ("decks = '[]'", "cards are not the ones it was begun with|not as they were written"),
        ("header = replace(header, 'small-ball', 'cricket')", "cannot be continued under these rules"),
        ("snapshot = replace(snapshot, '\"outs\": 0', '\"outs\": 2')", "cannot be continued under these rules"),
    ):
        session.new_game(table())
        other = session.game[0]
        session.take(here)
        store._db.execute(f"update game set {change} where id = ?", (other,))
        add_game_checksums(store._db, other)
        with pytest.raises(IllegalAnswer, match=words):
            session.take(other)
    assert here == session.game[0]


def test_the_plays_just_before_this_half_inning(session: Session) -> None:
    """They are the end of the play log before it, with what ended the half-inning, so that displays can tell it."""
    random, halves = Random(4), set[tuple[int, str]]()
    while not (over := session.table.outcome) and len(halves) < 4:
        n, ask = session.table.asks()[0]
        session.answer(ask.seat, n, random_player.pick(session.table.ask_view(n, ask, ask.seat), random), "phone")
        view, log = session.view(None), session.plays().plays
        assert log == [*log[: len(log) - len(view.before) - len(view.plays)], *view.before, *view.plays]
        halves.add((view.plays[-1].inning, view.plays[-1].half))
        # Before the first half-inning there is at most the beginning of the game.
        assert view.before if len(halves) > 1 else {one.code for one in view.before} <= {"play-ball"}
    assert not over
