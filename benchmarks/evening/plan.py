"""Plan of an evening: a game with random decisions, stopped at each throw of dice."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from device.inputs.random_player import pick_answer
from device.storage.decks import load_decks
from device.table import preset_answers
from device.table.automatic_draws import open_draws
from device.table.preset_answers import SeatSettings
from engine.asks import Roll
from engine.dice import Die, Face
from engine.games import GAMES
from engine.journal import Source
from engine.seats import Seat
from engine.table import Table
from vision.reading import READABLE_KINDS

THROWS_PER_TROUBLE = 10  # One throw in this many is first thrown so that it must not count.
TROUBLES = ("cocked", "stacked", "covered")

PlannedAnswer = tuple[int, Seat, Any]  # Ask number, seat, and answer in JSON form.


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll to throw.

    number, game: of the throw and of its game in the evening, from 0.
    n: number of the ask.
    before: all answers since the previous throw, in order.
    trouble: None, or one of `TROUBLES` in which the dice are thrown before they are thrown well.
    """

    number: int
    game: int
    n: int
    seat: Seat
    dice: tuple[Die, ...]
    before: tuple[PlannedAnswer, ...]
    trouble: str | None


def new_table(key: str) -> Table:
    return Table(GAMES[key], load_decks(GAMES[key], []), {})


def planned_throws(
    key: str, seed: int, count: int, every: int = THROWS_PER_TROUBLE
) -> Generator[Throw, Sequence[Face], None]:
    """Play games of one kind until `count` dice rolls were thrown.

    Yields each throw, and expects the faces in the order of the ask's dice to be sent. Decisions, draws, rerolls and
    calls in a race are random. One throw in `every` is first in trouble. The same seed and faces give the same evening.
    """
    number, games, troubles = 0, 0, troubles_by_throw(seed, count, every)
    table, before, sources = new_table(key), list[PlannedAnswer](), list[Source]()
    while number < count:
        if table.outcome or not table.open_asks():
            games, table, before, sources = games + 1, new_table(key), [], []
        rng = Random(f"{seed} {games} {len(table.journal)}")
        n, ask = rng.choice(table.open_asks())
        source, value = Source.UNKNOWN, None
        if (automatic := preset_answers.next_automatic_answer(table, SeatSettings(), sources)) is not None:
            n, value, source = automatic.answer.n, automatic.answer.value, automatic.source
            ask = dict(table.open_asks())[n]
        elif (draw := open_draws(table).get(n)) is not None:
            value = rng.choice(draw.options)
        elif isinstance(ask, Roll) and READABLE_KINDS.issuperset(die.kind for die in ask.dice):
            trouble = troubles.get(number)
            alone = trouble == "stacked" and len(ask.dice) == 1
            faces = yield Throw(number, games, n, ask.seat, ask.dice, tuple(before), "cocked" if alone else trouble)
            table.answer_ask(ask.seat, n, list(faces))
            number, before = number + 1, []
            sources.append(source)
            continue
        else:
            value = pick_answer(table.ask_view(n, ask, ask.seat), rng)
        table.answer_ask(ask.seat, n, value)
        before.append((n, ask.seat, value))
        sources.append(source)


def troubles_by_throw(seed: int, count: int, every: int = THROWS_PER_TROUBLE) -> dict[int, str]:
    """Return the numbers of the throws in trouble, one of each `every`, with troubles in rotation."""
    rng = Random(f"{seed} trouble")
    kinds = rng.sample(TROUBLES, len(TROUBLES))
    return {
        first + rng.randrange(every): kinds[place % len(kinds)] for place, first in enumerate(range(0, count, every))
    }
