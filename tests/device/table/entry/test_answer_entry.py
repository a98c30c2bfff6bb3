"""Answers entered with three buttons, for every kind of ask."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.table.entry.answer_entry import AnswerEntry, EntryError, build_entry, die_names
from engine.ask_views import ArrangeView, AskView, ChooseView, DieView, Option, RerollView, RollView
from engine.asks import Arrange, Choose, Reroll, Roll, Secret
from engine.dice import FACES_BY_KIND, Die
from engine.seats import Seat
from engine.views import json_data


def about(kind: str, secret: bool = False) -> tuple[int, Seat, str, bool, bool, str, str, str]:
    return 4, "home", kind, secret, False, "why", "Title", "What now?"


def face_up(kind: str, colour: str | None = None) -> DieView:
    return DieView(kind, colour, None, FACES_BY_KIND[kind])


def roll(*dice: DieView) -> RollView:
    return RollView(*about("roll"), dice)


def named(*codes: str) -> tuple[Option, ...]:
    return tuple(Option(code, code.title()) for code in codes)


def choose(*codes: str, secret: bool = False) -> ChooseView:
    return ChooseView(*about("choose", secret), named(*codes))


def arrange(pieces: list[str], places: list[str]) -> ArrangeView:
    return ArrangeView(*about("arrange"), min(len(pieces), len(places)), named(*pieces), named(*places))


def test_choice() -> None:
    """Next and previous cycle through the options, and OK gives the code under the cursor."""
    dial = build_entry(choose("bat", "bank", "steal"))
    seen = [dial.label]
    for _ in range(3):
        dial.press_next()
        seen.append(dial.label)
    dial.press_previous()
    assert ["Bat", "Bank", "Steal", "Bat"] == seen
    assert "steal" == dial.press_ok()


def test_pressing_ok_again() -> None:
    """OK pressed twice gives the same answer twice, not another one."""
    dial = build_entry(choose("bat", "bank"))
    assert ("bat", "bat") == (dial.press_ok(), dial.press_ok())


def test_dice_are_entered_one_by_one() -> None:
    """Only the last OK gives the answer, as a list."""
    dial = build_entry(roll(face_up("d6"), face_up("pitch", "red")))
    assert "Die 1: 1" == dial.label
    dial.press_next()
    assert dial.press_ok() is None
    assert "Red die: B" == dial.label
    dial.press_previous()
    assert [2, "C"] == dial.press_ok()


@pytest.mark.parametrize(
    ("dice", "names"),
    [
        ([("red", "home")], ["Red die"]),
        ([(None, None)], ["Die"]),
        ([("red", None), ("white", "home")], ["Red die", "White die"]),
        ([(None, "home"), (None, "away")], ["Home's die", "Away's die"]),
        ([("red", "home"), ("red", "away"), ("white", "away")], ["Home's die", "Away's red die", "White die"]),
        ([("red", None), ("white", None), ("white", None)], ["Red die", "Die 2, white", "Die 3, white"]),
        ([(None, None), (None, None)], ["Die 1", "Die 2"]),
    ],
)
def test_dice_are_named(dice: list[tuple[str | None, Seat | None]], names: list[str]) -> None:
    """A die is named by what sets it apart, in as few words as possible; equal dice are numbered."""
    assert names == die_names([Die("d6", colour, owner) for colour, owner in dice])


def test_doubtful_reading() -> None:
    """An entry that starts at a reading gives that reading by OK alone; only moved dice change."""
    dial = build_entry(roll(face_up("d6"), face_up("d6"), face_up("d20")), [4, 6, 17])
    assert (4, 6, 17) == dial.entered_faces
    dial.press_ok()
    dial.press_previous()
    assert (4, 5, 17) == dial.entered_faces
    dial.press_ok()
    assert [4, 5, 17] == dial.press_ok()


@pytest.mark.parametrize("faces", [[None], [9], ["C"], [], [True, 3]])
def test_reading_of_another_die(faces: list[Any]) -> None:
    """If the reading is None or not a face of the die, the entry starts at the die's first face."""
    dial = build_entry(roll(face_up("d6")), faces)
    assert (1, 0, 6) == (dial.entered_faces[0], dial.index, dial.position_count)


def test_unknown_faces() -> None:
    """Dice still to come are unknown if they were not read or cannot show the reading."""
    dial = build_entry(roll(face_up("d6"), face_up("d6"), face_up("d6"), face_up("d20")), [3, 9, 2])
    assert (3, None, 2, None) == dial.entered_faces


def test_undo_within_an_entry() -> None:
    """A die given too soon can be taken back, and the cursor returns to it."""
    dial = build_entry(roll(face_up("d6"), face_up("d6")))
    for _ in range(4):
        dial.press_next()
    dial.press_ok()
    assert dial.undo_step()
    assert "Die 1: 5" == dial.label
    assert not dial.undo_step()


def test_pieces_are_laid_once() -> None:
    """A piece that was laid is not offered for the next place."""
    dial = build_entry(arrange(["ann", "bob", "cy"], ["first", "second", "third"]))
    dial.press_next()
    dial.press_ok()
    assert ("Second: Ann", 2) == (dial.label, dial.position_count)
    dial.press_next()
    dial.press_ok()
    assert {"first": "bob", "second": "cy", "third": "ann"} == dial.press_ok()


def test_places_can_stay_empty() -> None:
    """With fewer pieces than places, places may stay empty, but every piece must still fit."""
    dial = build_entry(arrange(["ann"], ["first", "second"]))
    dial.press_next()
    assert "First: Empty" == dial.label.title()
    dial.press_ok()
    assert ("Second: Ann", 1) == (dial.label, dial.position_count)
    assert {"second": "ann"} == dial.press_ok()


def test_the_public_view_of_a_secret_entry() -> None:
    """It stays the same when the cursor moves."""
    dial = build_entry(choose("fast", "curve", secret=True))
    dial.press_next()
    one = json_data(dial.entry_view())
    dial.press_next()
    assert one == json_data(dial.entry_view())
    assert "secret" == dial.public_label
    assert "Fast" == dial.label


def test_touched() -> None:
    """An entry knows whether a button moved it, so that the display can show the camera's reading until then."""
    dial = build_entry(roll(face_up("d6")))
    assert json_data(dial.entry_view())["touched"] is False
    dial.press_next()
    assert json_data(dial.entry_view())["touched"] is True


@pytest.mark.parametrize(
    "ask",
    [
        AskView(*about("choose", secret=True)),
        roll(),
        arrange([], ["first"]),
        ChooseView(*about("draw"), named("heads", "tails")),
    ],
)
def test_an_ask_without_visible_answers(ask: AskView) -> None:
    """For example the other seat's secret: it is refused."""
    with pytest.raises(EntryError):
        build_entry(ask)


def second(free: list[int], most: int) -> RerollView:
    """Return an entry for three dice that show 2, 3 and 6, some of which may be thrown again."""
    return RerollView(*about("reroll"), (face_up("d6"),) * 3, (2, 3, 6), tuple(free), most)


def test_rerolled_dice() -> None:
    """Each free die stays or gets a new face; the entry ends once the limit is reached."""
    dial = build_entry(second([0, 2], 2))
    assert ("Die 1 (2) stays", 7, ()) == (dial.label, dial.position_count, dial.rerolled_indexes)
    dial.press_next()
    assert ("Die 1 (2) now 1", (0,), (1, 3, 6)) == (dial.label, dial.rerolled_indexes, dial.entered_faces)
    dial.press_ok()
    assert "Die 3 (6) stays" == dial.label
    assert [1, None, None] == dial.press_ok()
    one = build_entry(second([0, 1, 2], 1))
    one.press_previous()
    assert [6, None, None] == one.press_ok()
    assert ((6, 3, 6), (0,)) == (one.entered_faces, one.rerolled_indexes)
    many = build_entry(second([0, 2], 1), [5, None, 4])
    assert (5, 3, 4) == many.entered_faces
    assert [5, None, None] == many.press_ok()
    assert (5, 3, 6) == many.entered_faces


def test_a_reroll_without_dice() -> None:
    """OK pressed over and over is not a throw: the entry starts again with the first die."""
    dial = build_entry(second([0, 2], 2))
    assert [None] * 4 == [dial.press_ok() for _ in range(4)]
    assert "Die 1 (2) stays" == dial.label


def test_a_reroll_that_was_read() -> None:
    """OK alone gives the reading; dice can be taken back one by one."""
    dial = build_entry(second([0, 1, 2], 3), [None, 5, None])
    assert ((2, 5, 6), (1,)) == (dial.entered_faces, dial.rerolled_indexes)
    dial.press_ok()
    assert "Die 2 (3) now 5" == dial.label
    dial.press_ok()
    assert dial.undo_step()
    assert ("Die 2 (3) now 5", (1,)) == (dial.label, dial.rerolled_indexes)
    dial.press_ok()
    assert [None, 5, None] == dial.press_ok()


def test_the_zero_of_a_d10() -> None:
    """Its ten is labeled as it is printed."""
    dial = build_entry(roll(face_up("d10")))
    dial.press_previous()
    assert "Die: 10 (0)" == dial.label
    assert [10] == dial.press_ok()


asks = st.one_of(
    st.tuples(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(1, 5)).map(
        lambda drawn: Reroll(
            "home",
            "why",
            tuple(drawn[0]),
            tuple(range(0, len(drawn[0]), 2)),
            drawn[1],
            (Die(),) * len(drawn[0]),
        )
    ),
    st.lists(st.sampled_from(sorted(FACES_BY_KIND)), min_size=1, max_size=4).map(
        lambda kinds: Roll("home", "why", tuple(Die(kind) for kind in kinds))
    ),
    st.integers(1, 9).map(lambda n: Secret(Choose("home", "why", tuple(f"o{i}" for i in range(n))))),
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.none() | st.integers(0, 1)).map(
        lambda n: Arrange(
            "home", "why", tuple(f"p{i}" for i in range(n[0])), tuple(f"x{i}" for i in range(n[1])), fewest=n[2]
        )
    ),
)


@given(asks, st.lists(st.integers(-3, 3), max_size=12))
def test_every_answer_is_legal(ask: Any, turns: list[int]) -> None:
    """Any sequence of presses ends with an answer that the engine accepts."""
    kind = type(ask.ask if isinstance(ask, Secret) else ask).__name__.lower()
    dial = build_entry(ask.build_view(about(kind, isinstance(ask, Secret)), lambda codes: named(*codes)))
    for turn in [*turns, *[0] * 8]:
        for _ in range(abs(turn)):
            (dial.press_next if turn > 0 else dial.press_previous)()
        assert 0 <= dial.index < dial.position_count
        if dial.press_ok() is not None:
            break
    if isinstance(ask, Reroll) and dial.answer is None:
        # The reading has no die thrown again.
        dial.press_next()
        assert any(dial.press_ok() is not None for _ in range(6))
    ask.validate_answer(dial.answer)


@pytest.mark.parametrize(("kind", "face", "turns"), [("d20", 17, (3, 1)), ("d24", 24, (4, 3)), ("d20", 1, (0, 0))])
def test_a_die_with_many_faces(kind: str, face: int, turns: tuple[int, int]) -> None:
    """First a group of five, then a face: few presses, and each step can be taken back."""
    dial = build_entry(roll(face_up(kind)))
    for _ in range(turns[0]):
        dial.press_next()
    assert [None] == list(dial.entered_faces)
    few = dial.label
    assert dial.press_ok() is None
    assert dial.position_count <= 5
    assert dial.undo_step()
    assert few == dial.label
    dial.press_ok()
    for _ in range(turns[1]):
        dial.press_next()
    assert [face] == list(dial.entered_faces)
    assert [face] == dial.press_ok()


def labels(dial: AnswerEntry) -> list[str]:
    """Return all positions of an entry in order."""
    found = []
    for _ in range(dial.position_count):
        found.append(dial.label.partition(": ")[2])
        dial.press_next()
    return found


def test_likely_misreads_come_first() -> None:
    """One press from the reading, then the others in order; nothing is known about the next die."""
    dial = build_entry(roll(face_up("d20"), face_up("pitch"), face_up("d6")), [17, "S", 4], [(7, 11), ("C",), ()])
    assert ["17", "7", "11", "1", "2"] == labels(dial)[:5]
    assert 20 == len(set(labels(dial)))
    dial.press_ok()
    assert ["S", "C", "B"] == labels(dial)
    dial.press_ok()
    assert ["4", "5", "6", "1", "2", "3"] == labels(dial)


def test_likely_faces_of_an_unread_die_come_first() -> None:
    """Then groups of five, as for an unknown die; faces that the die does not have are skipped."""
    dial = build_entry(roll(face_up("d20")), [], [("S", 7)])
    assert ["7", "1 to 5", "6 to 10"] == labels(dial)[:3]
    dial.press_next()
    assert dial.press_ok() is None
    assert ["1", "2", "3", "4", "5"] == labels(dial)
    assert dial.undo_step()
    assert "Die: 1 to 5" == dial.label
    dial.press_previous()
    assert [7] == dial.press_ok()


def test_a_die_with_many_faces_that_was_read() -> None:
    """The entry starts at the known faces."""
    dial = build_entry(roll(face_up("d20")), [17])
    assert ("Die: 17", 20) == (dial.label, dial.position_count)
