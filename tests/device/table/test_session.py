"""One game kept: answers durable before shown, the dial, and what is told."""

from __future__ import annotations

from random import Random

import pytest

from device.inputs import random_player
from device.storage.hash_chain import seal_game
from device.storage.store import Store, StoreError
from device.table.session import Keeper
from engine.errors import IllegalAnswer, StaleAnswer
from engine.table import Table
from tests.device.stored_games import Clock, board, duel, table


def test_an_answer_is_in_the_store_before_anyone_hears_of_it(keeper: Keeper, store: Store) -> None:
    """A subscriber that looks into the file finds there what it was told of."""
    heard = []

    def changed() -> None:
        saved = store.latest()
        assert saved is not None
        assert saved.table is not None
        heard.append((len(saved.table.journal), keeper.view(None)["table"]["version"]))

    keeper.subscribe(changed)
    keeper.answer("away", 0, "bat", "phone")
    keeper.answer("away", 1, [2], "phone")
    assert heard == [(1, 1), (2, 2)]


def test_a_disk_that_fails_takes_the_answer_back(keeper: Keeper, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store cannot keep an answer it is refused, said so, and the game stands where it stood."""

    def full(*_: object) -> None:
        raise StoreError("The journal cannot be written: disk full.")

    before = keeper.view(None)["table"]
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        with pytest.raises(StoreError):
            keeper.answer("away", 0, "bat", "phone")
    assert keeper.view(None)["table"] == before
    assert keeper.health() == {"journal": "The journal cannot be written: disk full."}
    keeper.answer("away", 0, "bat", "phone")
    assert keeper.view(None)["table"]["version"] == 1
    assert keeper.health() == {}


def test_a_fault_in_the_rules_leaves_no_half_play(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a play crashes the table is rebuilt from its journal, and the next answer works."""
    keeper.answer("away", 0, "bat", "phone")
    with monkeypatch.context() as patch:
        patch.setattr("engine.games.small_ball.rules.resolve", None)
        with pytest.raises(TypeError):
            keeper.answer("away", 1, [2], "phone")
    keeper.answer("away", 1, [2], "phone")
    assert board(keeper)["bases"] == ["Pip Marlowe", None, None]


def test_the_game_goes_on_after_a_restart(keeper: Keeper, store: Store, clock: Clock) -> None:
    """A new keeper over the same store has the same game, and asks nobody whether to continue."""
    keeper.answer("away", 0, "bat", "phone")
    again = Keeper(store, table, clock=clock)
    assert again.view(None)["table"] == keeper.view(None)["table"]


def test_a_saved_game_needs_no_deck_files(keeper: Keeper, store: Store) -> None:
    """Decks that are gone since do not stop the saved game: it carries its own."""

    def gone() -> Table:
        raise AssertionError("a new table was wanted")

    assert Keeper(store, gone).view(None)["table"] == keeper.view(None)["table"]


def test_ok_never_throws_a_die(keeper: Keeper) -> None:
    """OK pressed once too often does not enter the first face; once turned to, it does."""
    keeper.press("away")
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        keeper.press("away")
    keeper.turn("away", 1)
    keeper.press("away")
    assert board(keeper)["dice"] == [2]


def test_the_last_die_turned_to_can_be_taken_back(store: Store, clock: Clock) -> None:
    """Of several dice entered one by one, the last comes back before any answer is touched."""
    keeper = duel(store, clock)
    assert not keeper.back()
    keeper.turn("home", 1)
    keeper.press("home")
    assert keeper.view(None)["dial"]["label"].startswith("White die")
    assert keeper.back()
    assert keeper.view(None)["dial"]["label"].startswith("Red die")
    assert keeper.view(None)["table"]["version"] == 5


def test_trouble_with_the_last_game_stays_in_sight(store: Store, clock: Clock) -> None:
    """Words about a damaged or unreadable journal do not vanish before a phone has come."""
    store.trouble = "The journal was damaged."
    keeper = Keeper(store, table, clock=clock)
    clock.now = 1000
    keeper.tick()
    assert keeper.view(None)["missing"] == ["The journal was damaged."]


def test_the_dial_points_at_the_first_choice(keeper: Keeper) -> None:
    """What the buttons point at is shown; OK takes it."""
    dial = keeper.view(None)["dial"]
    assert (dial["seat"], dial["label"], dial["index"], dial["count"]) == ("away", "Bat", 0, 4)
    keeper.turn("away", -1)
    assert keeper.view(None)["dial"]["label"] == "Bank 0 runs"
    keeper.turn("away", 1)
    keeper.press("away")
    assert keeper.view(None)["table"]["asks"][0]["why"] == "at-bat"


def test_a_seat_that_is_not_asked_is_told_so(keeper: Keeper) -> None:
    """The other manager's buttons change nothing."""
    with pytest.raises(IllegalAnswer, match="Nothing is asked of you"):
        keeper.press("home")


def test_two_phones_with_one_answer(keeper: Keeper) -> None:
    """The second of two phones that answer the same ask is told that it is stale."""
    keeper.answer("away", 0, "bat", "phone")
    with pytest.raises(StaleAnswer):
        keeper.answer("away", 0, "bat", "phone")


def test_undo_with_nothing_to_take_back(keeper: Keeper) -> None:
    """An undo at the start is refused in words."""
    with pytest.raises(IllegalAnswer, match="nothing to take back"):
        keeper.undo()


def test_what_was_taken_back_is_said(keeper: Keeper) -> None:
    """In the words of the answer, and how many fell with it; once, and never what is secret."""
    for n, value in enumerate(("bat", [2], "bat", [6], "bat")):
        keeper.answer("away", n, value, "phone")
    assert 0 == keeper.view(None)["undone"]
    keeper.undo()
    assert ("Taken back: Bat.", 1) == (keeper.view(None)["notice"], keeper.view(None)["undone"])
    keeper.undo()
    assert "Taken back: the roll 6." == keeper.view(None)["notice"]
    keeper.undo(0)
    assert "Taken back: Bat, and 2 more answers." == keeper.view(None)["notice"]
    keeper.answer("away", 0, "bat", "phone")
    assert (None, 3) == (keeper.view(None)["notice"], keeper.view(None)["undone"])


def test_what_was_looked_at_is_what_changes(keeper: Keeper) -> None:
    """An undo or amend of another version than the table's is refused, and changes nothing."""
    for n, value in enumerate(("bat", [2], "bat")):
        keeper.answer("away", n, value, "phone")
    before = keeper.table.journal
    with pytest.raises(StaleAnswer, match="The game went on: look again"):
        keeper.undo(1, version=2)
    with pytest.raises(StaleAnswer, match="The game went on: look again"):
        keeper.amend(1, [3], version=2)
    assert before == keeper.table.journal
    keeper.amend(1, [3], version=3)
    keeper.undo(version=4)
    assert [0, 1] == [one.n for one in keeper.table.answers]


def test_rolls_that_stand_can_be_corrected_with_a_preview(keeper: Keeper) -> None:
    """The list of rolls names each with its value; a preview shows what an amend then does."""
    for n, value in enumerate(("bat", [2], "bat", [2])):
        keeper.answer("away", n, value, "phone")
    assert [(roll["n"], roll["value"]) for roll in keeper.rolls()] == [(3, [2]), (1, [2])]
    preview = keeper.preview(1, [1])
    assert keeper.rolls()[1]["value"] == [2]
    keeper.amend(1, [1])
    assert preview["after"] == board(keeper)
    assert preview["kept"] == [2, 3]


def test_missing_parts_are_told_in_words(keeper: Keeper) -> None:
    """A part that is gone stands in the view until it is back."""
    keeper.miss("camera", "No camera: type the dice.")
    assert keeper.view(None)["missing"] == ["No camera: type the dice."]
    keeper.miss("camera", None)
    assert keeper.view(None)["missing"] == []


def test_a_notice_goes_by_itself(keeper: Keeper, clock: Clock) -> None:
    """A sentence for a moment is gone after it."""
    keeper.tell("Thrown too early.", seconds=2)
    clock.now += 1.9
    keeper.tick()
    assert keeper.view(None)["notice"] == "Thrown too early."
    clock.now += 0.2
    keeper.tick()
    assert keeper.view(None)["notice"] is None


def test_a_new_game_starts_clean(keeper: Keeper, store: Store) -> None:
    """The old game stays in the journal, the new one is on the table."""
    keeper.answer("away", 0, "bat", "phone")
    keeper.new_game(table())
    saved = store.latest()
    assert saved is not None
    assert saved.id == 2
    assert keeper.view(None)["table"]["asks"][0]["n"] == 0


def test_every_change_raises_the_version_and_a_refusal_does_not(keeper: Keeper) -> None:
    """Faces can tell by the version whether there is anything new."""
    before = keeper.view(None)["version"]
    with pytest.raises(StaleAnswer):
        keeper.answer("away", 7, "bat", "phone")
    assert keeper.view(None)["version"] == before
    keeper.answer("away", 0, "bat", "phone")
    assert keeper.view(None)["version"] > before


def test_a_game_put_aside_is_played_on(keeper: Keeper, store: Store) -> None:
    """From where it stood, with what was shown for the other game forgotten; the other waits as it was left."""
    keeper.answer("away", 0, "bat", "phone")
    first, before = keeper.game[0], keeper.version
    keeper.new_game(table())
    assert keeper.take(first)
    assert (first, 1, True) == (keeper.game[0], len(keeper.table.answers), keeper.version > before)
    second = first + 1
    keeper.answer("away", 1, [2], "phone")
    keeper.undo()
    keeper.answer("away", 1, [3], "phone")
    assert keeper.take(second)
    assert (second, 0, None) == (keeper.game[0], len(keeper.table.answers), keeper.view(None)["proposal"])
    assert keeper.take(first)
    saved = store.latest()
    assert saved is not None
    assert saved.table is not None
    assert (first, 4) == (saved.id, len(saved.table.journal))


def test_what_cannot_be_played_on_is_refused(keeper: Keeper, store: Store) -> None:
    """In words, and the game on the table goes on."""
    here = keeper.game[0]
    assert not keeper.take(99)
    with pytest.raises(IllegalAnswer, match="That game is on the table"):
        keeper.take(here)
    done, random = table(), Random(3)
    while not done.outcome:
        (n, ask), *_ = done.asks()
        done.answer(ask.seat, n, random_player.pick(done.show(n, ask, ask.seat), random))
    keeper.new_game(done)
    over = keeper.game[0]
    keeper.take(here)
    with pytest.raises(IllegalAnswer, match="That game is over"):
        keeper.take(over)
    for change, words in (
        ("decks = '[]'", "cards are not the ones it was begun with|not as they were written"),
        ("header = replace(header, 'small-ball', 'cricket')", "cannot be continued under these rules"),
        ("snapshot = replace(snapshot, '\"outs\": 0', '\"outs\": 2')", "cannot be continued under these rules"),
    ):
        keeper.new_game(table())
        other = keeper.game[0]
        keeper.take(here)
        store._db.execute(f"update game set {change} where id = ?", (other,))
        seal_game(store._db, other)
        with pytest.raises(IllegalAnswer, match=words):
            keeper.take(other)
    assert here == keeper.game[0]
