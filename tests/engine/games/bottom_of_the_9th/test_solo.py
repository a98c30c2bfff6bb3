"""The house pitcher: he sees what his seat sees, spares his arm, and can finish a game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

from device.inputs import random_player
from engine.games.bottom_of_the_9th.computer_pitcher import answer
from engine.secrets import view
from engine.table import Table
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import at, contact, dash, new, throw
from tests.engine.tables import asked, give, play


def first(options: Sequence[str]) -> str:
    return options[0]


def chosen(table: Table, pick: Callable[[Sequence[str]], str] = first) -> str:
    found = answer(table.view("away"), pick)
    assert found is not None
    n, value = found
    table.clone().answer("away", n, value)
    return value


def draws(table: Table) -> dict[str, int]:
    bags: list[Sequence[str]] = []

    def keep(options: Sequence[str]) -> str:
        bags.append(options)
        return options[0]

    chosen(table, keep)
    return {pitch: list(bags[0]).count(pitch) for pitch in bags[0]}


def test_a_fresh_arm_throws_anything() -> None:
    assert {"inside-high": 3, "inside-low": 3, "away-high": 3, "away-low": 3} == draws(at())


@each(
    ("rows", "expected"),
    [
        ((2, 0), {"inside-high": 1, "inside-low": 1, "away-high": 3, "away-low": 3}),
        ((1, 2), {"inside-high": 1, "inside-low": 2, "away-high": 1, "away-low": 3}),
        ((3, 1), {"away-high": 2, "away-low": 3}),
        ((3, 3), {"away-low": 3}),
    ],
)
def test_a_worn_arm_is_spared(rows: tuple[int, int], expected: dict[str, int]) -> None:
    """Pitches that would tire a worn part are thrown less often, and exhausted parts not at all."""
    assert expected == draws(at(rows=rows))


@each(
    ("bases", "rows", "expected"),
    [
        ("", (2, 2), "relief-1-2"),
        ("1", (2, 0), "relief-2-0"),
        ("12", (1, 2), "relief-0-1"),
        ("", (0, 0), "none"),
        ("12", (3, 3), "bench"),
        ("123", (3, 0), "bench"),
        ("12", (3, 0), "relief-1-0"),
    ],
)
def test_relief_is_taken_where_it_helps_most(bases: str, rows: tuple[int, int], expected: str) -> None:
    """He takes all of it, the worn part first; if a part would stay exhausted, he goes to the bench."""
    table = dash(contact(at(bases, rows=rows)), "away")
    assert expected == chosen(table)


def test_without_a_reliever_he_stays_in() -> None:
    table = dash(contact(at("12", rows=(3, 3), reliever=None)), "away")
    assert chosen(table) in ("relief-0-1", "relief-1-0")


def test_he_picks_a_starter_and_a_reliever() -> None:
    table = play(new(), "ready-made")
    assert ["F-PIT", "F-VOID"] == [chosen(table), chosen(table, lambda options: options[-1])]


def test_he_leaves_dice_and_races_to_people() -> None:
    """He has no answer when away is only asked for a roll or a race, or is not asked at all."""
    table = give(at(), "away", "away-low")
    assert answer(table.view("away"), first) is None
    give(table, "home", "inside-high")
    assert ("pitch",) == asked(table)
    assert answer(table.view("away"), first) is None
    assert answer(contact(at()).view("away"), first) is None
    assert answer(throw(at(), "S", 4, 6).view("away"), first) is None


def test_he_sees_only_what_his_seat_sees() -> None:
    """His answer, drawn from the same random numbers, is the same whatever home guessed in secret."""
    bags = set()
    for guess in ("inside-high", "inside-low", "away-high", "away-low"):
        table = give(at(rows=(1, 2)), "home", guess)
        bags.add(json.dumps(draws(table)))
    assert 1 == len(bags)


@each("seed", range(5))
def test_he_can_finish_a_game(seed: int) -> None:
    """All his answers are legal to the end, against random answers for the other side and the dice."""
    chance = random.Random(seed)
    table = new()

    def pick(options: Sequence[str]) -> str:
        return chance.choice(list(options))

    while table.asks():
        his = answer(table.view("away"), pick)
        if his is not None:
            table.answer("away", *his)
            continue
        n, ask = chance.choice(table.asks())
        table.answer(ask.seat, n, random_player.pick(table.ask_view(n, ask, ask.seat), chance))
    assert view(table.outcome, None)["winner"] in ("home", "away")
