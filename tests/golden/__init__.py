"""Golden playthroughs: one whole game of each rulebook, entry by entry, with its events and the score.

The first line of `<game>.jsonl` is the header, then each line has one entry with its result, and the last line has the
outcome. After an intended change, `python -m tests.golden --write` replays the same entries and writes the new results:
review the diff before you commit it. If a game has no file, a game with as many kinds of events as possible is found.
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
from engine.game import Rulebook
from engine.journal import JournalEntry, entry_json, parse_entry
from engine.seats import SEATS
from engine.secrets import redacted_data
from engine.table import Table

FOLDER = Path(__file__).parent


def path(game: Rulebook) -> Path:
    """Return the path of a game's playthrough."""
    return FOLDER / f"{game.key}.jsonl"


def new(game: Rulebook, house: Mapping[str, str] | None = None) -> Table:
    """Return the game with its shipped deck, and only these house rules changed."""
    return Table(game, [house_deck(game)], house)


def lines(table: Table, entries: Iterable[JournalEntry]) -> Iterator[dict[str, Any]]:
    """Play these entries at a new table and return the lines of the playthrough under the current rules."""
    yield {"header": table.journal_header.as_json()}
    for entry in entries:
        told = table.apply_entry(entry)
        sides = table.scoreboard().sides
        yield {
            "entry": entry_json(entry),
            "events": [{"code": one.event.code, **redacted_data(one.event.facts, None)} for one in told],
            "score": [sides[seat].runs for seat in SEATS],
        }
    yield {"outcome": redacted_data(table.outcome, None)}


def stored(game: Rulebook) -> list[dict[str, Any]]:
    """Return the lines of the file."""
    return [json.loads(line) for line in path(game).read_text("utf-8").splitlines()]


def entries_of(game: Rulebook) -> list[JournalEntry]:
    """Return the entries of the file."""
    return [parse_entry(line["entry"]) for line in stored(game) if "entry" in line]


# Finding a game to store -----------------------------------------------------------------------------------------


def some(ask: Ask, dice: random.Random) -> list[Any]:
    """Return a few legal answers, in random order."""
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
    """Score an answer: higher for events not seen yet and, in a lucky half, for avoiding outs."""
    before, twin = table.scoreboard(), table.clone()
    told = {one.event.code for one in twin.answer_ask(dict(twin.open_asks())[n].seat, n, value)}
    after = twin.scoreboard()
    ended = (after.inning, after.half) != (before.inning, before.half) or twin.outcome is not None
    return 3 * bool(told - seen) - lucky * (after.outs + 9 * ended)


def played(game: Rulebook, seed: int, longest: int = 2000) -> Table:
    """Play a game that favors new events, with luck in some halves and a correction now and then."""
    dice = random.Random(seed)
    table, seen = new(game), {"half-inning"}
    half, lucky = (0, ""), False
    while table.open_asks() and len(table.journal) < longest:
        board = table.scoreboard()
        if half != (board.inning, board.half):
            half, lucky = (board.inning, board.half), dice.random() < 0.15
        if table.answers and dice.random() < 0.01:
            table.undo(dice.choice(table.answers[-4:]).n)
            continue
        if table.answers and dice.random() < 0.015:
            one = dice.choice(table.answers[-6:])
            table.correct_answer(one.n, some(one.ask, dice)[0])
            continue
        n, ask = dice.choice(table.open_asks())
        choices = some(ask, dice)
        best = choices[0]
        if len(choices) > 1 and (lucky or dice.random() < 0.5):
            best = max(choices, key=partial(worth, table, n, seen, lucky))
        seen |= {one.event.code for one in table.answer_ask(ask.seat, n, best)}
    return table


def find(game: Rulebook, seeds: int = 3000) -> list[JournalEntry]:
    """Return the entries of the finished game with the most kinds of events and entries, the shortest of equals."""
    best: tuple[int, int] = (0, 0)
    found: list[JournalEntry] = []
    for seed in range(seeds):
        table = played(game, seed)
        kinds = {one.event.code for one in table.log} | {type(entry).__name__ for entry in table.journal}
        this = (len(kinds), -len(table.journal))
        if table.outcome and this > best:
            best, found = this, table.journal
    return found


def write(game: Rulebook) -> None:
    """Write the file with the same entries as before, or with a game found for it."""
    entries = entries_of(game) if path(game).exists() else find(game)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(new(game), entries))
    path(game).write_text(text, "utf-8")
