"""Several golden playthroughs of one game, each with its own story, in the usual file format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from engine.asks import Ask, Roll
from engine.game import Rulebook
from engine.journal import Correction, JournalEntry, Undo, parse_entry
from engine.table import Table
from tests import golden


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A whole game: its final table and its lines."""

    table: Table
    lines: list[dict[str, Any]]

    @property
    def events(self) -> list[dict[str, Any]]:
        """Return the events, in order."""
        return [event for line in self.lines for event in line.get("events", ())]

    @property
    def reason(self) -> str:
        """Return why the game ended."""
        return str(self.lines[-1]["outcome"]["reason"])


_PLAYED: dict[tuple[str, str], Playthrough] = {}


@dataclass(frozen=True, slots=True)
class Stories:
    """The stories of a game by name, each with its house rules; the first is the game's standard playthrough."""

    game: Rulebook
    houses: Mapping[str, Mapping[str, str]]

    def path(self, story: str) -> Path:
        """Return the path of a story's file."""
        own = story == next(iter(self.houses))
        return golden.path(self.game) if own else golden.FOLDER / f"{self.game.key}-{story}.jsonl"

    def new(self, story: str) -> Table:
        """Return its table before the first answer."""
        return golden.new(self.game, self.houses[story])

    def lines(self, story: str, played: Iterable[JournalEntry]) -> Iterator[dict[str, Any]]:
        """Return the playthrough of these entries under the current rules."""
        return golden.lines(self.new(story), played)

    def played(self, story: str) -> Playthrough:
        """Return the stored entries replayed under the current rules; cached in the process, so do not change it."""
        if (self.game.key, story) not in _PLAYED:
            for _ in self.steps(story):
                pass
        return _PLAYED[self.game.key, story]

    def steps(self, story: str) -> Iterator[Table]:
        """Replay the stored entries: yield the table at the start and after each entry. `played` keeps the result."""
        table, lines = self.new(story), list[dict[str, Any]]()
        for line in golden.lines(table, self.entries(story)):
            lines.append(json.loads(json.dumps(line)))
            if "outcome" not in line:
                yield table
        _PLAYED[self.game.key, story] = Playthrough(table, lines)

    def replayed(self, story: str) -> Playthrough:
        """Return `played`. Raises AssertionError where the current rules give anything else than its file has.

        Tests that prove rules by a story begin here, so that a change of any event or score fails them.
        """
        now = self.played(story)
        for number, (expected, actual) in enumerate(zip_longest(self.stored(story), now.lines)):
            assert expected == actual, f"{self.path(story).name}, line {number + 1}"
        return now

    def stored(self, story: str) -> list[dict[str, Any]]:
        """Return the lines of its file."""
        return [json.loads(line) for line in self.path(story).read_text("utf-8").splitlines()]

    def entries(self, story: str) -> list[JournalEntry]:
        """Return the entries of its file."""
        return [parse_entry(line["entry"]) for line in self.stored(story) if "entry" in line]

    def write(self, find: Callable[[str], list[JournalEntry]]) -> None:
        """Write all files with the same entries as before; find entries for those that do not exist."""
        for story in self.houses:
            path = self.path(story)
            found = self.entries(story) if path.exists() else find(story)
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines(story, found))
            path.write_text(text, "utf-8")
            print(path)


def play(table: Table, manager: Callable[[Ask], Any], seed: int) -> Iterator[None]:
    """Play to the end, with occasional misreads and undos; yield after each answer."""
    dice = Random(seed)
    while table.open_asks():
        if table.answers and dice.random() < 0.01:
            one = table.answers[-1]
            if isinstance(one.ask, Roll):
                table.correct_answer(one.n, manager(one.ask))
            else:
                table.undo(one.n)
            continue
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, manager(ask))
        yield


def corrected(table: Table) -> bool:
    """Return whether a story has an undo and a corrected misread."""
    return {Undo, Correction} <= {type(entry) for entry in table.journal}
