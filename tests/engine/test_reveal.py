"""What was revealed together is taken back together: nobody chooses again knowing what the other chose."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.asks import Ask, Choose, Draw, Play, Secret, arrange, choose, rolls, secret, together
from engine.dice import Die
from engine.errors import StaleAnswer
from engine.game import Game
from engine.journal import Answer, Entry, Undo
from engine.secrets import HIDDEN, Sealed, view
from engine.table import Table
from engine.views import plain
from tests.engine.sample_games.duel_game import DUEL, GLOVES, HANDS, State, deck, new, pitch, played
from tests.engine.test_table import numbers, shot


def pair(*asks: Ask) -> Game:
    """A game that asks both sides at once, opens what was secret, and then has three dice thrown."""

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
def test_an_undo_of_one_that_was_revealed_with_another_asks_both_again(asks: tuple[Ask, ...], n: int) -> None:
    """Nobody chooses again knowing what the other chose; the journal says from where, and it replays."""
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
def test_before_the_reveal_one_answer_is_taken_back_alone(asks: tuple[Ask, ...]) -> None:
    """Nobody has seen it; and an answer after the reveal takes back nothing of it."""
    table = new(pair(*asks))
    table.answer("away", 1, "tails")
    table.undo(1)
    assert [0, 1] == numbers(table)
    table.answer("away", 1, "tails")
    table.answer("home", 0, "heads")
    table.answer("home", 2, [1, 1, "B"])
    table.undo(2)
    assert [2] == numbers(table)


def test_secrets_of_one_play_are_taken_back_to_the_first() -> None:
    """However many were opened at once: here a whole duel's, by one answer and by any before it that was opened."""
    for n in (1, 7):
        table = played(9)
        table.undo(n)
        assert ([0, 1], Undo(0)) == (numbers(table), table.journal[-1])


def test_a_number_without_an_answer_is_refused() -> None:
    """Who lost the race gave none, whatever was revealed since."""
    table = played(9)
    with pytest.raises(StaleAnswer, match="There is no answer 4"):
        table.undo(4)
    assert 9 == len(table.answers)


def test_secrets_of_another_play_stay() -> None:
    """Two pairs, each revealed by itself: the second is taken back alone."""

    def both(s: State) -> Play:
        s.step += 1
        for answer in (yield from together(*map(Secret, CALLS))).values():
            s.reveal(answer)

    table = new(replace(DUEL, next_play=lambda s: both if s.step < 2 else None))
    for n in range(4):
        table.answer(("home", "away")[n % 2], n, "heads")
    table.undo(3)
    assert [2, 3] == numbers(table)


def test_a_journal_from_before_is_read_as_it_was_written() -> None:
    """A journal that takes back one of a pair, and has it answered again, continues as before."""
    game = pair(*map(Secret, CALLS))
    old: list[Entry] = [Answer("home", 0, "heads"), Answer("away", 1, "tails"), Undo(1), Answer("away", 1, "heads")]
    old.append(Answer("home", 2, [1, 1, "B"]))
    table = Table(game, [deck()], journal=old)
    assert [3] == numbers(table)
    assert [{"undo": 1}, {"seat": "away", "n": 1, "value": "heads"}] == table.entries(None)[2:4]


def narrowing(s: State) -> Play:
    """A side is called, openly; then both choose in secret, away what the call left; then it is opened."""
    s.step += 1
    said = yield from choose("home", "call", ("heads", "tails"))
    hand = Choose("away", "glove", GLOVES if said == "heads" else GLOVES[:1])
    answers = yield from together(Secret(Choose("home", "glove", GLOVES)), Secret(hand))
    s.glove = answers["home"]
    for answer in answers.values():
        s.reveal(answer)


NARROW = replace(DUEL, next_play=lambda s: narrowing if s.step == 0 else None)


def test_a_correction_drops_both_of_a_pair_or_none() -> None:
    """One side's choice no longer fits: the other, who has seen it, chooses again too."""
    for away, kept, opened in (("low", (), [1, 2]), ("high", (1, 2), [])):
        table = new(NARROW)
        for seat, n, value in (("home", 0, "heads"), ("home", 1, "high"), ("away", 2, away)):
            table.answer("home" if seat == "home" else "away", n, value)
        found = table.preview(0, "tails")
        assert (kept, tuple(opened)) == (found.kept, found.dropped)
        table.amend(0, "tails")
        assert (opened, {}) == (numbers(table), plain(table.view("home"))["given"])


def test_a_preview_says_nothing_of_what_is_not_revealed() -> None:
    """Whatever waits, the preview is the same, to the last byte; also where it was given openly."""
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


def test_a_correction_says_nothing_of_what_is_not_revealed() -> None:
    """What waits is asked again where its choices changed, be it among them still or not; otherwise it stands."""
    for value, called, open_asks in (("high", "tails", [1, 2]), ("low", "tails", [1, 2]), ("low", "heads", [1])):
        table = new(NARROW)
        table.answer("home", 0, "heads")
        table.answer("away", 2, value)
        table.amend(0, called)
        assert open_asks == numbers(table)


@pytest.mark.parametrize("guess", ["seven", "eight", "nine"])
def test_a_correction_of_a_secret_is_no_way_to_guess_it(guess: str) -> None:
    """What waits after it falls whatever it is put to: that it stood would tell which was drawn, or was not."""

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


def test_the_corrected_stands_though_it_was_revealed_with_what_is_dropped() -> None:
    """Of secrets opened together, the one put right is kept, and those after it are asked again."""

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


def test_what_was_uncovered_on_the_table_falls_together() -> None:
    """A real card face down, and a field against it: once the card is turned over both are asked again, whichever is
    taken back; what is asked later is taken back alone, and the next play starts again."""

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


@pytest.mark.parametrize("n", [0, 1])
def test_what_was_laid_before_the_reveal_is_not_laid_anew_after_it(n: int) -> None:
    """A card face down, then a field laid against it: an undo of the field takes the card back too once it was seen,
    and before that the card alone can be taken back; dice after the reveal leave both lying."""

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
