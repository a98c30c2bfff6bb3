"""What the display gets of whole games: the stored ones, played again, and random ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from random import Random

from device.storage.decks import house_deck
from device.table.entry.seat_entries import SeatEntries
from engine.asks import Call
from engine.errors import EngineError, IllegalAnswer
from engine.game import Rulebook
from engine.journal import parse_entry
from engine.table import Table
from engine.views import AudienceView, RaceSeatView, RaceView
from tests import golden
from tests.device.display.views import of_table
from tests.engine.games.contract.contract import Contract

SEED = 2
"""Of the random games; with this one every decision comes soon."""

GAMES = 30
"""Random games with house-made cards: after these few new decisions come."""

DIFFERS = 0.4
"""How often a house rule of theirs is drawn."""


def tables(game: Rulebook) -> Iterator[Table]:
    """Yield the table of each stored game of this rulebook after each entry. It is the same table each time."""
    for path in sorted(golden.FOLDER.glob(f"{game.key}*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        table = golden.new(game, lines[0]["header"]["house"])
        yield table
        for line in lines:
            if "entry" in line:
                with suppress(EngineError):  # a game whose rules changed is stored again by its own tests
                    table.apply_entry(parse_entry(line["entry"]))
                yield table


def view_of(table: Table) -> AudienceView:
    """Return what the display gets of a table, with the cursor of its buttons or the race."""
    view, entries = of_table(table, dial=None), SeatEntries()
    calls = [(n, ask) for n, ask in table.open_asks() if isinstance(ask, Call)]
    if calls:
        seats = {ask.seat: RaceSeatView(ask.wins, None, "rolling", "") for _, ask in calls}
        return replace(view, race=RaceView({ask.seat: n for n, ask in calls}, seats, None))
    with suppress(IllegalAnswer):  # the house draws
        entries.update_entries(table)
    shown = entries.shown
    return replace(view, dial=shown.entry_view() if shown else None)


def house_made(contract: Contract, chance: Random, games: int) -> Iterator[Table]:
    """Yield a new table of the house deck for each of some games, with a few house rules that differ."""
    game = contract.game
    for _ in range(games):
        house = {rule.key: chance.choice(rule.values) for rule in game.house_rules if chance.random() < DIFFERS}
        with suppress(EngineError):  # some house rules do not go together
            yield Table(game, [house_deck(game)], house)


def random_games(contract: Contract, chance: Random, games: int = GAMES) -> Iterator[Table]:
    """Yield the table of each random game after each answer: with house-made cards first, then with the tests' own, of
    those first that come to rare decisions.
    """
    for table in house_made(contract, chance, games):
        for _ in range(contract.longest):
            if not table.open_asks():
                break
            yield table
            n, ask = chance.choice(table.open_asks())
            table.answer_ask(ask.seat, n, contract.pick(ask, chance.randrange(1 << 16)))
    for walk in filter(None, (contract.rare, contract.walk)):
        for table in walk.tables(chance):
            while table.open_asks() and len(table.answers) < walk.longest:
                yield table
                n, ask = chance.choice(table.open_asks())
                table.answer_ask(ask.seat, n, walk.pick(ask, chance.randrange(1 << 16)))


def decisions(contract: Contract, games: int = GAMES) -> dict[str, AudienceView]:
    """Return a view for each `why`, in the order of the game's words: of a stored game if it is in one, else with
    house-made cards if these come to it.

    Raises LookupError if one of them is in no game.
    """
    found: dict[str, AudienceView] = {}
    every = contract.game.words.asks
    for table in chain(tables(contract.game), random_games(contract, Random(SEED), games)):
        for _, ask in table.open_asks():
            if ask.why not in found:
                found[ask.why] = view_of(table)
        if len(found) == len(every):
            return {why: found[why] for why in every}
    raise LookupError(f"{contract.game.title}: in no game: {', '.join(sorted(set(every) - set(found)))}")
