"""What the display gets of whole games: the stored ones, played again, and random ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from random import Random

from device.table.seat_entries import SeatEntries
from engine.asks import Call
from engine.errors import DeckError, EngineError, HouseRuleError, IllegalAnswer
from engine.game import Game
from engine.journal import entry_of
from engine.table import Table
from engine.views import RaceView, RunnerView, View
from tests import golden
from tests.device.display.views import of_table
from tests.engine.games.contract.contract import Contract

GAMES = 300
"""Random games of a rulebook whose contract has no walk, at most."""


def tables(game: Game) -> Iterator[Table]:
    """Yield the table of each stored game of this rulebook after each entry. It is the same table each time."""
    for path in sorted(golden.FOLDER.glob(f"{game.key}*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        table = golden.new(game, lines[0]["header"]["house"])
        yield table
        for line in lines:
            if "entry" in line:
                with suppress(EngineError):  # a game whose rules changed is stored again by its own tests
                    table.write(entry_of(line["entry"]))
                yield table


def view_of(table: Table) -> View:
    """Return what the display gets of a table, with the cursor of its buttons or the race."""
    view, entries = of_table(table, dial=None), SeatEntries()
    calls = [(n, ask) for n, ask in table.asks() if isinstance(ask, Call)]
    if calls:
        seats = {ask.seat: RunnerView(ask.wins, None, "rolling", "") for _, ask in calls}
        return replace(view, race=RaceView({ask.seat: n for n, ask in calls}, seats, None))
    with suppress(IllegalAnswer):  # the house draws
        entries.settle(table)
    shown = entries.shown
    return replace(view, dial=shown.view() if shown else None)


def random_games(contract: Contract, chance: Random) -> Iterator[Table]:
    """Yield the table of each random game after each answer: the games of the contract's walk, or under any rules."""
    walk = contract.index
    games = walk.tables(chance) if walk else (any_game(contract, chance) for _ in range(GAMES))
    pick, longest = (walk.pick, walk.longest) if walk else (contract.pick, contract.longest)
    for table in games:
        while table.asks() and len(table.answers) < longest:
            yield table
            n, ask = chance.choice(table.asks())
            table.answer(ask.seat, n, pick(ask, chance.randrange(1 << 16)))


def any_game(contract: Contract, chance: Random) -> Table:
    """Return a new game with one of the contract's decks under any house rules that go with it."""
    while True:
        house = {rule.key: chance.choice(rule.values) for rule in contract.game.house_rules}
        with suppress(HouseRuleError, DeckError):
            return Table(contract.game, [chance.choice(contract.decks)], house)


def decisions(contract: Contract) -> dict[str, View]:
    """Return a view for each `why` that occurs, in the order of the game's words: of a stored game if it is in one."""
    found: dict[str, View] = {}
    every = contract.game.words.asks
    for table in chain(tables(contract.game), random_games(contract, Random(1))):
        for _, ask in table.asks():
            if ask.why not in found:
                found[ask.why] = view_of(table)
        if len(found) == len(every):
            break
    return {why: found[why] for why in every if why in found}
