"""Golden playthroughs: one whole game of each rulebook, entry by entry, with what it told and the score.

A line of `<game>.jsonl` is the header, then one entry with what came of it, and the last the outcome. After a change
that is meant, `python -m tests.golden --write` plays the same entries again and writes what they give now: read the
difference before it is committed. Without a file a game is played that tells as many kinds of event as it can.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from device.storage.decks import house_deck
from engine.asks import Arrange, Ask, Call, Choose, Draw, Roll, Secret
from engine.game import Game
from engine.journal import Entry, entry_json, entry_of
from engine.seats import SEATS
from engine.secrets import view
from engine.table import Table

FOLDER = Path(__file__).parent


def path(game: Game) -> Path:
    """Where a game's playthrough lies."""
    return FOLDER / f"{game.key}.jsonl"


def new(game: Game, house: Mapping[str, str] | None = None) -> Table:
    """The game as it is played there: with the deck that ships, and no house rule changed but these."""
    return Table(game, [house_deck(game)], house)


def lines(table: Table, entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Play these entries at a new table, and give the lines of the playthrough as the rules are now."""
    yield {"header": table.header.as_json()}
    for entry in entries:
        told = table.write(entry)
        sides = table.scoreboard().sides
        yield {
            "entry": entry_json(entry),
            "events": [{"code": one.event.code, **view(one.event.facts, None)} for one in told],
            "score": [sides[seat].runs for seat in SEATS],
        }
    yield {"outcome": view(table.outcome, None)}


def stored(game: Game) -> list[dict[str, Any]]:
    """The lines of the file."""
    return [json.loads(line) for line in path(game).read_text("utf-8").splitlines()]


def entries_of(game: Game) -> list[Entry]:
    """The entries of the file."""
    return [entry_of(line["entry"]) for line in stored(game) if "entry" in line]


# Finding a game to store -----------------------------------------------------------------------------------------


def some(ask: Ask, dice: random.Random) -> list[Any]:
    """A few legal answers, in random order."""
    inner = ask.ask if isinstance(ask, Secret) else ask
    match inner:
        case Roll():
            found: list[Any] = [[dice.choice(die.faces) for die in inner.dice] for _ in range(8)]
        case Choose() | Draw():
            found = dice.sample(inner.options, len(inner.options))
        case Call():
            found = list(inner.wins)
        case Arrange():
            found = []
            for _ in range(4):
                count = min(len(inner.pieces), len(inner.places))
                pieces = dice.sample(inner.pieces, count)
                found.append(dict(zip(dice.sample(inner.places, count), pieces, strict=True)))
    return found


def worth(table: Table, n: int, seen: set[str], lucky: bool, value: Any) -> int:
    """How welcome an answer is: for what it tells that was not seen yet, and in a lucky half for outs not made."""
    before, twin = table.scoreboard(), table.clone()
    told = {one.event.code for one in twin.answer(dict(twin.asks())[n].seat, n, value)}
    after = twin.scoreboard()
    ended = (after.inning, after.half) != (before.inning, before.half) or twin.outcome is not None
    return 3 * bool(told - seen) - lucky * (after.outs + 9 * ended)


def played(game: Game, seed: int, longest: int = 2000) -> Table:
    """A game that leans to what has not been told yet, with luck in some halves, and corrected now and then."""
    dice = random.Random(seed)
    table, seen = new(game), {"half-inning"}
    half, lucky = (0, ""), False
    while table.asks() and len(table.journal) < longest:
        board = table.scoreboard()
        if half != (board.inning, board.half):
            half, lucky = (board.inning, board.half), dice.random() < 0.15
        if table.answers and dice.random() < 0.01:
            table.undo(dice.choice(table.answers[-4:]).n)
            continue
        if table.answers and dice.random() < 0.015:
            one = dice.choice(table.answers[-6:])
            table.amend(one.n, some(one.ask, dice)[0])
            continue
        n, ask = dice.choice(table.asks())
        choices = some(ask, dice)
        best = choices[0]
        if len(choices) > 1 and (lucky or dice.random() < 0.5):
            best = max(choices, key=partial(worth, table, n, seen, lucky))
        seen |= {one.event.code for one in table.answer(ask.seat, n, best)}
    return table


def find(game: Game, seeds: int = 3000) -> list[Entry]:
    """The entries of the finished game with most kinds of events and entries, of two of the same the shorter."""
    best: tuple[int, int] = (0, 0)
    found: list[Entry] = []
    for seed in range(seeds):
        table = played(game, seed)
        kinds = {one.event.code for one in table.log} | {type(entry).__name__ for entry in table.journal}
        this = (len(kinds), -len(table.journal))
        if table.outcome and this > best:
            best, found = this, table.journal
    return found


def write(game: Game) -> None:
    """Write the file: the same entries as before, or a game found."""
    entries = entries_of(game) if path(game).exists() else find(game)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(new(game), entries))
    path(game).write_text(text, "utf-8")
