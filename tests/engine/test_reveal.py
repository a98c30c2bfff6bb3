"""Answers revealed together are undone together, so nobody chooses again knowing the other's choice."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.asks import Ask, Choose, Draw, Play, Secret, arrange, choose, rolls, secret, together
from engine.dice import Die
from engine.game import Game
from engine.journal import Answer, Entry, Undo
from engine.secrets import HIDDEN, Sealed, view
from engine.table import Table
from engine.views import plain
from tests.each import each
from tests.engine.sample_games.duel_game import DUEL, GLOVES, HANDS, State, deck, new, pitch, played
from tests.engine.test_table import numbers, shot


def pair(*asks: Ask) -> Game:
    """Return a game that asks both seats at once, reveals their secrets, and then asks for three dice."""

    def reveal(s: State) -> Play:
        s.step += 1
        for answer in (yield from together(*asks)).values():
            if isinstance(answer, Sealed):
                s.reveal(answer)
        s.tell("ready")

    return replace(DUEL, next_play=lambda s: (reveal, pitch, pitch)[s.step] if s.step < 3 else None)


CALLS = (Choose("home", "call", ("heads", "tails")), Choose("away", "call", ("heads", "tails")))


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("asks", [CALLS, tuple(map(Secret, CALLS))], ids=["open", "secret"])
def test_undo_of_one_revealed_answer_asks_both_seats_again(asks: tuple[Ask, ...], n: int) -> None:
    """The journal has the first answer undone, and it replays."""
    table = new(pair(*asks))
    table.answer("home", 0, "heads")
    table.answer("away", 1, "tails")
    told = table.undo(n)
    assert ([0, 1], {}, [0]) == (numbers(table), plain(table.view("home"))["given"], [one.n for one in told])
    assert Undo(0) == table.journal[-1]
    assert shot(table) == shot(Table(table.game, table.decks, journal=table.journal))
    table.answer("home", 0, "tails")
    table.answer("away", 1, "heads")
    assert [2] == numbers(table)


@pytest.mark.parametrize("asks", [CALLS, tuple(map(Secret, CALLS))], ids=["open", "secret"])
def test_before_the_reveal_one_answer_is_undone_alone(asks: tuple[Ask, ...]) -> None:
    """Nobody has seen it yet; undoing an answer after the reveal leaves the revealed ones alone."""
    table = new(pair(*asks))
    table.answer("away", 1, "tails")
    table.undo(1)
    assert [0, 1] == numbers(table)
    table.answer("away", 1, "tails")
    table.answer("home", 0, "heads")
    table.answer("home", 2, [1, 1, "B"])
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
        for answer in (yield from together(*map(Secret, CALLS))).values():
            s.reveal(answer)

    table = new(replace(DUEL, next_play=lambda s: both if s.step < 2 else None))
    for n in range(4):
        table.answer(("home", "away")[n % 2], n, "heads")
    table.undo(3)
    assert [2, 3] == numbers(table)


def test_an_old_journal_is_read_as_it_was_written() -> None:
    """An old journal that undoes one answer of a revealed pair still replays and continues."""
    game = pair(*map(Secret, CALLS))
    old: list[Entry] = [Answer("home", 0, "heads"), Answer("away", 1, "tails"), Undo(1), Answer("away", 1, "heads")]
    old.append(Answer("home", 2, [1, 1, "B"]))
    table = Table(game, [deck()], journal=old)
    assert [3] == numbers(table)
    assert [{"undo": 1}, {"seat": "away", "n": 1, "value": "heads"}] == table.entries(None)[2:4]


def narrowing(s: State) -> Play:
    """Call a side openly; both seats choose in secret, away from what the call leaves; then reveal both."""
    s.step += 1
    said = yield from choose("home", "call", ("heads", "tails"))
    hand = Choose("away", "glove", GLOVES if said == "heads" else GLOVES[:1])
    answers = yield from together(Secret(Choose("home", "glove", GLOVES)), Secret(hand))
    s.glove = answers["home"]
    for answer in answers.values():
        s.reveal(answer)


NARROW = replace(DUEL, next_play=lambda s: narrowing if s.step == 0 else None)


def test_a_correction_drops_both_answers_of_a_pair_or_none() -> None:
    """If one seat's choice is no longer legal, the other seat, which has seen it, chooses again too."""
    for away, kept, opened in (("low", (), [1, 2]), ("high", (1, 2), [])):
        table = new(NARROW)
        for seat, n, value in (("home", 0, "heads"), ("home", 1, "high"), ("away", 2, away)):
            table.answer("home" if seat == "home" else "away", n, value)
        found = table.preview(0, "tails")
        assert (kept, tuple(opened)) == (found.kept, found.dropped)
        table.amend(0, "tails")
        assert (opened, {}) == (numbers(table), plain(table.view("home"))["given"])


def test_a_preview_does_not_depend_on_unrevealed_answers() -> None:
    """The preview is the same, byte for byte, whatever answer is pending; also if it was given openly."""
    seen = set()
    for value in GLOVES:
        table = new(NARROW)
        table.answer("home", 0, "heads")
        table.answer("away", 2, value)
        seen.add(json.dumps(view(table.preview(0, "tails"), None)))
    table = new(NARROW)
    table.answer("home", 0, "heads")
    seen.add(json.dumps(view(table.preview(0, "tails"), None)))
    assert 1 == len(seen)
    table = played(3)
    assert ((), ()) == (table.preview(0, "high").kept, table.preview(0, "low").dropped)


def test_a_correction_does_not_depend_on_unrevealed_answers() -> None:
    """A pending answer is asked again whenever its options change, even if it is still among them."""
    for value, called, open_asks in (("high", "tails", [1, 2]), ("low", "tails", [1, 2]), ("low", "heads", [1])):
        table = new(NARROW)
        table.answer("home", 0, "heads")
        table.answer("away", 2, value)
        table.amend(0, called)
        assert open_asks == numbers(table)


@each("guess", ["seven", "eight", "nine"])
def test_a_correction_cannot_be_used_to_guess_a_secret(guess: str) -> None:
    """The pending answer always drops: keeping it would reveal whether it was drawn."""

    def hand(s: State) -> Play:
        s.step += 1
        out = yield from secret(Draw("home", "stash", HANDS["high"], {"glove": ""}))
        left = tuple(card for card in HANDS["high"] if card != out.peek())
        yield from secret(Choose("home", "show", left))
        yield from choose("away", "call", ("heads", "tails"))

    table = new(replace(DUEL, next_play=lambda s: hand if s.step == 0 else None))
    table.answer("home", 0, "seven")
    table.answer("home", 1, "eight")
    assert () == table.preview(0, guess).kept
    table.amend(0, guess)
    assert [1] == numbers(table)


def test_a_corrected_secret_stands_while_later_ones_are_asked_again() -> None:
    """Of secrets revealed together, the corrected one is kept, and those after it are asked again."""

    def draft(s: State) -> Play:
        s.step += 1
        first = yield from secret(Choose("home", "glove", GLOVES))
        second = yield from secret(Choose("home", "stash", HANDS[first.peek()], {"glove": ""}))
        s.reveal(first)
        s.reveal(second)

    table = new(replace(DUEL, next_play=lambda s: draft if s.step == 0 else None))
    table.answer("home", 0, "high")
    table.answer("home", 1, "seven")
    table.amend(0, "low")
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
            ((n, ask),) = table.asks()
            table.answer(ask.seat, n, value)
    for n, first in ((5, 5), (4, 3), (3, 3), (2, 2), (1, 0), (0, 0)):
        twin = table.clone()
        twin.undo(n)
        assert ([first], Undo(first)) == (numbers(twin), twin.journal[-1])
        assert shot(twin) == shot(Table(twin.game, twin.decks, journal=twin.journal))
    early = table.clone()
    early.undo(5)
    early.undo(3)
    early.answer("home", 3, "now")
    early.undo(3)
    assert [3] == numbers(early)


@each("n", [0, 1])
def test_a_card_laid_before_its_reveal_cannot_be_changed_after_it(n: int) -> None:
    """After the reveal, undoing the field also undoes the card; undoing the dice leaves both."""

    def duel(s: State) -> Play:
        s.step += 1
        card = yield from secret(Choose("home", "glove", GLOVES))
        yield from arrange("away", "field", ("ann", "bob"), ("left", "right"))
        yield from secret(Choose("away", "stash", ("seven", "one")))
        s.reveal(card)
        yield from rolls("home", "pitch", (Die(),))

    table = new(replace(DUEL, next_play=lambda s: duel if s.step == 0 else None))
    for seat, value in (("home", "high"), ("away", {"left": "ann", "right": "bob"}), ("away", "one")):
        table.answer("home" if seat == "home" else "away", len(table.journal), value)
    assert {"value": HIDDEN} == {key: value for key, value in table.entries("home")[2].items() if key == "value"}
    later = table.clone()
    later.answer("home", 3, [4])
    later.undo(3)
    assert [3] == numbers(later)
    table.undo(n)
    assert ([0], Undo(0)) == (numbers(table), table.journal[-1])
