"""Which rolls are counted, and under which die."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from device.analysis.dice_counts import CountedDie, count_faces, taught_faces
from engine.asks import DiceAsk, Roll
from engine.dice import Die, Face
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from tests.device.analysis.rolled import answered, batted
from tests.device.table.test_past_games import played
from tests.engine.sample_games import duel_game, pool_game

D6 = tuple(range(1, 7))
TWO = (Die("d6"), Die("d20"))


def faces(game: Table, source: Source = Source.CAMERA, readings: Mapping[int, str] | None = None) -> dict[Any, int]:
    """Count with one source for all entries; leave out all about the dice but their origin."""
    found = count_faces(game, [source] * len(game.journal), readings or {})
    return {(die.origin, face): count for (die, face), count in found.items()}


def reading(*dice: tuple[str, object, str | None]) -> str:
    """A stored reading of dice with these kinds, values and names."""
    return json.dumps({"dice": [{"kind": kind, "value": face, "taught": name} for kind, face, name in dice]})


def last_roll(game: Table) -> int:
    """The number of the last roll."""
    return next(one.n for one in reversed(game.answers) if isinstance(one.ask, Roll))


@pytest.mark.parametrize(
    ("source", "origin"),
    [
        (Source.CAMERA, "camera"),
        (Source.PHONE, "person"),
        (Source.BUTTONS, "person"),
        (Source.OPERATOR, "person"),
        (Source.UNKNOWN, "person"),
        (Source.MANAGER, None),
        (Source.HOUSE, None),
        (Source.BOT, None),
    ],
)
def test_rolls_are_counted_by_who_gave_them(source: Source, origin: str | None) -> None:
    """Those that the table made are left out."""
    wanted = {(origin, 5): 1, (origin, 2): 1} if origin else {}
    assert wanted == faces(batted(5, 2), source)


def test_undone_rolls_do_not_count() -> None:
    game = batted(5, 2)
    game.undo(last_roll(game))
    assert {("camera", 5): 1} == faces(game)
    assert {("camera", 5): 1, ("camera", 3): 1} == faces(answered(game, [3]))


def test_a_corrected_roll_counts_with_its_new_value_where_it_was_read() -> None:
    """It stays with the camera, even though a person corrected it twice."""
    game = batted(5)
    sources = [Source.CAMERA] * len(game.journal)
    for face in (4, 6):
        game.correct_answer(last_roll(game), [face])
        sources.append(Source.OPERATOR)
    assert {(CountedDie("camera", "d6", None, D6), 6): 1} == count_faces(game, sources, {})


def duel(house: Mapping[str, str] | None = None) -> Table:
    """A game that asks for dice of three kinds and colors, at that roll."""
    low = {"first": "ann", "second": "bob"}
    return answered(Table(duel_game.DUEL, [duel_game.deck()], house or {}), "low", low, "heads", "tails", "slap")


def test_dice_are_told_apart_by_kind_and_color() -> None:
    found = count_faces(answered(duel(), [3, 10, "S"]), [Source.PHONE] * 6, {})
    sides: Sequence[tuple[str, str | None, tuple[Face, ...]]] = [
        ("d6", "red", D6),
        ("d10", "white", tuple(range(1, 11))),
        ("pitch", None, tuple("BBSSSC")),
    ]
    dice = [CountedDie("person", *one) for one in sides]
    assert dict.fromkeys(zip(dice, (3, 10, "S"), strict=True), 1) == found


def test_of_a_reroll_only_the_dice_thrown_again_count() -> None:
    game = answered(pool_game.new(), [1, 2, 3, 3, 5, 6], "go", [None, 4, None, None, 4, None])
    assert {1: 1, 2: 1, 3: 2, 4: 2, 5: 1, 6: 1} == {face: count for (_, face), count in faces(game).items()}


def test_rolls_that_are_not_public_yet_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a question to both sides at once that only one has answered."""
    game = batted(5, 2)
    monkeypatch.setattr(game, "hidden_numbers", lambda: {last_roll(game)})
    assert {("camera", 5): 1} == faces(game)


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_counted(key: str) -> None:
    """Every die of its rolls and rerolls, and no die of a race."""
    game = played(key)
    rolls = [one.value for one in game.answers if isinstance(one.ask, DiceAsk)]
    found = count_faces(game, [Source.CAMERA] * len(game.journal), {})
    assert sum(face is not None for faces in rolls for face in faces) == found.total() > 0
    assert all(face in die.sides for die, face in found)


def test_a_taught_die_is_counted_by_the_stored_reading_too() -> None:
    game = batted(5)
    place = len(game.journal) - 1
    found = faces(game, readings={place: reading(("d6", 5, "Mine"))})
    assert {("camera", 5): 1, ("taught", 5): 1} == found
    assert {("camera", 5): 1} == faces(game, readings={place: reading(("d6", 5, None))})
    assert {("camera", 5): 1} == faces(game, readings={place - 1: reading(("d6", 5, "Mine"))})
    game.correct_answer(last_roll(game), [4])
    assert {("camera", 4): 1, ("taught", 4): 1} == faces(game, readings={place: reading(("d6", 5, "Mine"))})


@pytest.mark.parametrize(
    ("played", "dice", "found"),
    [
        ((5, 20), [("d20", 20, "Big"), ("d6", 5, None)], [("Big", "d20", 20)]),
        ((5, 20), [("d20", 19, "Big"), ("d6", 5, "Mine")], [("Big", "d20", 20), ("Mine", "d6", 5)]),
        ((5, 20), [("d20", 19, "Big"), ("d6", 4, "Mine")], []),
        ((5, 20), [("d6", 5, "Mine")], []),
        ((5, 20), [("d8", 5, "Mine"), ("d20", 20, None)], []),
        ((5, 20), [("d6", 5, 7), ("d20", 20, "")], []),
    ],
)
def test_a_correction_is_that_of_the_one_die_that_differs(
    played: tuple[int, int], dice: list[tuple[str, object, Any]], found: list[tuple[str, str, int]]
) -> None:
    """Nothing is counted if two differ, a die is missing, or another kind was read."""
    assert found == list(taught_faces(TWO, played, reading(*dice)))


def test_of_two_equal_dice_nobody_knows_which_was_corrected() -> None:
    two = (Die("d6"), Die("d6"))
    assert [] == list(taught_faces(two, (3, 4), reading(("d6", 3, "Mine"), ("d6", 3, None))))


@pytest.mark.parametrize(
    "odd", ["", "{", "[]", "7", '{"dice": 3}', '{"dice": [{}]}', '{"dice": [{"kind": [], "value": {}}]}']
)
def test_a_damaged_reading_counts_nothing(odd: str) -> None:
    assert [] == list(taught_faces(TWO, (5, 20), odd))
