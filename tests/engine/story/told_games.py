"""Games to tell: random ones played to their end, and the stored ones, with win probabilities made up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random

from engine.innings import Outcome
from engine.journal import JournalEntry, parse_entry
from engine.seats import Seat
from engine.table import Table
from tests import golden
from tests.engine.games.contract.contract import Contract

LONGEST = 3000
"""Answers after which a random game is given up."""

NAMES: tuple[dict[Seat, str], ...] = (
    {},
    {"away": "Leo", "home": "The Night Owls"},
    {"away": "Marsh Men", "home": "James"},
)
"""What the sides are called: by default, and with names that take a verb in the singular and in the plural."""

Played = tuple[Table, dict[int, float]]


def made_up_chance(table: Table) -> float:
    """Return a win probability that grows with lead, innings and runners."""
    if isinstance(table.outcome, Outcome):
        return {"home": 1.0, "away": 0.0, None: 0.5}[table.outcome.winner]
    board = table.scoreboard()
    lead = board.sides["home"].runs - board.sides["away"].runs
    on = sum(one is not None for one in board.bases) * (3 - board.outs) / 60 + (board.stake or 0) / 20
    return min(0.99, max(0.01, 0.5 + lead * (1 + board.inning) / 50 + (on if board.batting == "home" else -on)))


def traced(table: Table, moves: Callable[[Table], bool]) -> Played:
    """Play with `moves`, which gives the next answer or returns False, and note the chance after each play."""
    trace, told = {-1: made_up_chance(table)}, len(table.log)
    while moves(table):
        last = table.answers[-1].n if table.answers else -1
        trace = {n: chance for n, chance in trace.items() if n < last or n == -1}
        if len(table.log) != told:
            trace[last] = made_up_chance(table)
        told = len(table.log)
    return table, trace


def random_games(contract: Contract, count: int) -> Iterator[Played]:
    """Yield random games that ended."""
    for seed in range(count):
        chance, house = Random(seed), contract.ends.houses[seed % len(contract.ends.houses)]
        table = contract.start(house, seed % len(contract.decks))
        table = Table(contract.game, table.decks, table.house, names=NAMES[seed % len(NAMES)])

        def moves(table: Table, chance: Random = chance) -> bool:
            return len(table.answers) < LONGEST and contract.step(table, chance.randrange(1 << 16))

        played = traced(table, moves)
        if table.outcome:
            yield played


def stored_games(contract: Contract) -> Iterator[Played]:
    """Yield the stored games of a rulebook, with their corrections."""
    for path in sorted(golden.FOLDER.glob(f"{contract.game.key}*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        entries = iter([parse_entry(line["entry"]) for line in lines if "entry" in line])

        def moves(table: Table, entries: Iterator[JournalEntry] = entries) -> bool:
            entry = next(entries, None)
            return entry is not None and table.apply_entry(entry) is not None

        yield traced(golden.new(contract.game, lines[0]["header"]["house"]), moves)
