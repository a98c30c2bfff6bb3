"""Answers revealed together are undone together, so nobody chooses again knowing the other's choice."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.asks import Ask, Choose, Draw, Play, Secret, arrange, ask_secretly, ask_together, choose, roll_dice
from engine.dice import Die
from engine.game import Rulebook
from engine.journal import Answer, JournalEntry, Undo
from engine.secrets import HIDDEN_TEXT, SealedValue, redacted_data
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.sample_games.duel_game import DUEL, GLOVES, HANDS, State, deck, new, pitch, played
from tests.engine.test_table import numbers, shot


def pair(*asks: Ask) -> Rulebook:
    """Return a game that asks both seats at once, reveals their secrets, and then asks for three dice."""

    def reveal(s: State) -> Play:
        s.step += 1
        for answer in (yield from ask_together(*asks)).values():
            if isinstance(answer, SealedValue):
                s.reveal(answer)
        s.emit("ready")

    return replace(DUEL, next_play=lambda s: (reveal, pitch, pitch)[s.step] if s.step < 3 else None)


CALLS = (Choose("home", "call", ("heads", "tails")), Choose("away", "call", ("heads", "tails")))


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("asks", [CALLS, tuple(map(Secret, CALLS))], ids=["open", "secret"])
def test_undo_of_one_revealed_answer_asks_both_seats_again(asks: tuple[Ask, ...], n: int) -> None:
    """The journal has the first answer undone, and it replays."""
    table = new(pair(*asks))
    table.answer_ask("home", 0, "heads")
    table.answer_ask("away", 1, "tails")
    told = table.undo(n)
    assert ([0, 1], {}, [0]) == (numbers(table), json_data(table.view_for("home"))["given"], [one.n for one in told])
    assert Undo(0) == table.journal[-1]
    assert shot(table) == shot(Table(table.game, table.decks, journal=table.journal))
    table.answer_ask("home", 0, "tails")
    table.answer_ask("away", 1, "heads")
    assert [2] == numbers(table)


@pytest.mark.parametrize("asks", [CALLS, tuple(map(Secret, CALLS))], ids=["open", "secret"])
def test_before_the_reveal_one_answer_is_undone_alone(asks: tuple[Ask, ...]) -> None:
    """Nobody has seen it yet; undoing an answer after the reveal leaves the revealed ones alone."""
    table = new(pair(*asks))
    table.answer_ask("away", 1, "tails")
    table.undo(1)
    assert [0, 1] == numbers(table)
    table.answer_ask("away", 1, "tails")
    table.answer_ask("home", 0, "heads")
    table.answer_ask("home", 2, [1, 1, "B"])
    table.undo(2)
    assert [2] == numbers(table)


def test_secrets_of_one_play_are_undone_back_to_the_first() -> None:
    """Undoing any answer that was revealed in a duel goes back to the duel's first secret."""
    for n in (1, 7):
        table = played(9)
        table.undo(n)
        assert ([0, 1], Undo(0)) == (numbers(table), table.journal[-1])


def test_secrets_of_another_play_stay() -> None:
    """Of two pairs revealed one after the other, the second is undone alone."""

    def both(s: State) -> Play:
        s.step += 1
        for answer in (yield from ask_together(*map(Secret, CALLS))).values():
            s.reveal(answer)

    table = new(replace(DUEL, next_play=lambda s: both if s.step < 2 else None))
    for n in range(4):
        table.answer_ask(("home", "away")[n % 2], n, "heads")
    table.undo(3)
    assert [2, 3] == numbers(table)


def test_an_old_journal_is_read_as_it_was_written() -> None:
    """An old journal that undoes one answer of a revealed pair still replays and continues."""
    game = pair(*map(Secret, CALLS))
    old: list[JournalEntry] = [
        Answer("home", 0, "heads"),
        Answer("away", 1, "tails"),
        Undo(1),
        Answer("away", 1, "heads"),
    ]
    old.append(Answer("home", 2, [1, 1, "B"]))
    table = Table(game, [deck()], journal=old)
    assert [3] == numbers(table)
    assert [{"undo": 1}, {"seat": "away", "n": 1, "value": "heads"}] == table.redacted_entries(None)[2:4]


def narrowing(s: State) -> Play:
    """Call a side openly; both seats choose in secret, away from what the call leaves; then reveal both."""
    s.step += 1
    said = yield from choose("home", "call", ("heads", "tails"))
    hand = Choose("away", "glove", GLOVES if said == "heads" else GLOVES[:1])
    answers = yield from ask_together(Secret(Choose("home", "glove", GLOVES)), Secret(hand))
    s.glove = answers["home"]
    for answer in answers.values():
        s.reveal(answer)


NARROW = replace(DUEL, next_play=lambda s: narrowing if s.step == 0 else None)


def test_a_correction_drops_both_answers_of_a_pair_or_none() -> None:
    """If one seat's choice is no longer legal, the other seat, which has seen it, chooses again too."""
    for away, kept, opened in (("low", (), [1, 2]), ("high", (1, 2), [])):
        table = new(NARROW)
        for seat, n, value in (("home", 0, "heads"), ("home", 1, "high"), ("away", 2, away)):
            table.answer_ask("home" if seat == "home" else "away", n, value)
        found = table.preview_correction(0, "tails")
        assert (kept, tuple(opened)) == (found.kept, found.dropped)
        table.correct_answer(0, "tails")
        assert (opened, {}) == (numbers(table), json_data(table.view_for("home"))["given"])


def test_a_preview_does_not_depend_on_unrevealed_answers() -> None:
    """The preview is the same, byte for byte, whatever answer is pending; also if it was given openly."""
    seen = set()
    for value in GLOVES:
        table = new(NARROW)
        table.answer_ask("home", 0, "heads")
        table.answer_ask("away", 2, value)
        seen.add(json.dumps(redacted_data(table.preview_correction(0, "tails"), None)))
    table = new(NARROW)
    table.answer_ask("home", 0, "heads")
    seen.add(json.dumps(redacted_data(table.preview_correction(0, "tails"), None)))
    assert 1 == len(seen)
    table = played(3)
    assert ((), ()) == (table.preview_correction(0, "high").kept, table.preview_correction(0, "low").dropped)


def test_a_correction_does_not_depend_on_unrevealed_answers() -> None:
    """A pending answer is asked again whenever its options change, even if it is still among them."""
    for value, called, open_asks in (("high", "tails", [1, 2]), ("low", "tails", [1, 2]), ("low", "heads", [1])):
        table = new(NARROW)
        table.answer_ask("home", 0, "heads")
        table.answer_ask("away", 2, value)
        table.correct_answer(0, called)
        assert open_asks == numbers(table)


@each("guess", ["seven", "eight", "nine"])
def test_a_correction_cannot_be_used_to_guess_a_secret(guess: str) -> None:
    """The pending answer always drops: keeping it would reveal whether it was drawn."""

    def hand(s: State) -> Play:
        s.step += 1
        out = yield from ask_secretly(Draw("home", "stash", HANDS["high"], {"glove": ""}))
        left = tuple(card for card in HANDS["high"] if card != out.peek())
        yield from ask_secretly(Choose("home", "show", left))
        yield from choose("away", "call", ("heads", "tails"))

    table = new(replace(DUEL, next_play=lambda s: hand if s.step == 0 else None))
    table.answer_ask("home", 0, "seven")
    table.answer_ask("home", 1, "eight")
    assert () == table.preview_correction(0, guess).kept
    table.correct_answer(0, guess)
    assert [1] == numbers(table)


def test_a_corrected_secret_stands_while_later_ones_are_asked_again() -> None:
    """Of secrets revealed together, the corrected one is kept, and those after it are asked again."""

    def draft(s: State) -> Play:
        s.step += 1
        first = yield from ask_secretly(Choose("home", "glove", GLOVES))
        second = yield from ask_secretly(Choose("home", "stash", HANDS[first.peek()], {"glove": ""}))
        s.reveal(first)
        s.reveal(second)

    table = new(replace(DUEL, next_play=lambda s: draft if s.step == 0 else None))
    table.answer_ask("home", 0, "high")
    table.answer_ask("home", 1, "seven")
    table.correct_answer(0, "low")
    assert ([1], ["low"]) == (numbers(table), [one.value for one in table.answers])


def test_what_was_uncovered_on_the_table_is_undone_together() -> None:
    """After a face-down card is turned over, undoing it or the field asks for both; later answers are undone alone."""

    def duel(s: State) -> Play:
        s.step += 1
        yield from choose("home", "show", ("now",))
        yield from arrange("away", "field", ("ann", "bob"), ("left", "right"))
        s.uncovered = True
        yield from choose("home", "glove", GLOVES)

    table = new(replace(DUEL, next_play=lambda s: duel if s.step < 2 else None))
    for _ in range(2):
        for value in ("now", {"left": "ann", "right": "bob"}, "low"):
            ((n, ask),) = table.open_asks()
            table.answer_ask(ask.seat, n, value)
    for n, first in ((5, 5), (4, 3), (3, 3), (2, 2), (1, 0), (0, 0)):
        twin = table.clone()
        twin.undo(n)
        assert ([first], Undo(first)) == (numbers(twin), twin.journal[-1])
        assert shot(twin) == shot(Table(twin.game, twin.decks, journal=twin.journal))
    early = table.clone()
    early.undo(5)
    early.undo(3)
    early.answer_ask("home", 3, "now")
    early.undo(3)
    assert [3] == numbers(early)


@each("n", [0, 1])
def test_a_card_laid_before_its_reveal_cannot_be_changed_after_it(n: int) -> None:
    """After the reveal, undoing the field also undoes the card; undoing the dice leaves both."""

    def duel(s: State) -> Play:
        s.step += 1
        card = yield from ask_secretly(Choose("home", "glove", GLOVES))
        yield from arrange("away", "field", ("ann", "bob"), ("left", "right"))
        yield from ask_secretly(Choose("away", "stash", ("seven", "one")))
        s.reveal(card)
        yield from roll_dice("home", "pitch", (Die(),))

    table = new(replace(DUEL, next_play=lambda s: duel if s.step == 0 else None))
    for seat, value in (("home", "high"), ("away", {"left": "ann", "right": "bob"}), ("away", "one")):
        table.answer_ask("home" if seat == "home" else "away", len(table.journal), value)
    assert {"value": HIDDEN_TEXT} == {
        key: value for key, value in table.redacted_entries("home")[2].items() if key == "value"
    }
    later = table.clone()
    later.answer_ask("home", 3, [4])
    later.undo(3)
    assert [3] == numbers(later)
    table.undo(n)
    assert ([0], Undo(0)) == (numbers(table), table.journal[-1])
