"""Golden playthroughs of Clutch: a basic game, a full game with cards, and three games with tired pitchers.

A file is as the other playthroughs are. `python -m tests.golden.clutch` plays the same entries again and writes what
they give now; without a file sensible managers play until a game tells what its story wants.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from engine.asks import Roll
from engine.games.clutch import GAME
from engine.games.clutch.state import State
from engine.journal import Amend, Entry, Undo, entry_of
from engine.table import Table
from tests import golden
from tests.engine.clutch.manager import Manager

STORIES: Mapping[str, tuple[Mapping[str, str], frozenset[str]]] = {
    "full": (
        {},
        frozenset(
            {"plays-card", "changed", "negated", "leaves-play", "new-pitcher", "pinch-hitter", "home-run", "mistake"}
        ),
    ),
    "basic": ({"level": "basic"}, frozenset({"stolen", "caught", "double-play", "sacrifice-fly", "new-pitcher"})),
    "series": ({"level": "players", "series": "3"}, frozenset({"new-pitcher", "sacrifice", "intentional-walk"})),
}
"""House rules of each, and what it must tell; the series goes to three games and has a pitcher who comes in tired."""


def path(story: str) -> Path:
    """Where it lies; the full game is the game's own playthrough."""
    return golden.path(GAME) if story == "full" else golden.FOLDER / f"{GAME.key}-{story}.jsonl"


def lines(story: str, played: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """The playthrough of these entries, as the rules are now."""
    return golden.lines(GAME, played, STORIES[story][0])


def stored(story: str) -> list[dict[str, Any]]:
    """The lines of its file."""
    return [json.loads(line) for line in path(story).read_text("utf-8").splitlines()]


def entries(story: str) -> list[Entry]:
    """The entries of its file."""
    return [entry_of(line["entry"]) for line in stored(story) if "entry" in line]


def true(table: Table) -> State:
    """The state, as the rules have it."""
    assert isinstance(table.state, State)
    return table.state


def played(story: str, seed: int) -> tuple[Table, bool]:
    """A game of two sensible managers, something misread now and then; and whether a pitcher came in tired."""
    table, dice = golden.new(GAME, STORIES[story][0]), Random(seed)
    manager, weary = Manager(lambda: true(table), seed), False
    while table.asks():
        if table.answers and dice.random() < 0.01:
            one = table.answers[-1]
            if isinstance(one.ask, Roll):
                table.amend(one.n, manager(one.ask))
            else:
                table.undo(one.n)
            continue
        n, ask = table.asks()[0]
        table.answer(ask.seat, n, manager(ask))
        weary = weary or any(arm.owes and arm.pitched for arms in true(table).arms for arm in arms.values())
    return table, weary


def find(story: str) -> list[Entry]:
    """The entries of the first game that tells what is wanted."""
    for seed in count():
        table, weary = played(story, seed)
        told = {one.event.code for one in table.log}
        both = {Undo, Amend} <= {type(entry) for entry in table.journal}
        long = story != "series" or (weary and sum(true(table).won) == 3)
        if both and long and told >= STORIES[story][1]:
            return table.journal
    raise AssertionError(story)


def write(story: str) -> None:
    """Write its file: the same entries as before, or a game found."""
    found = entries(story) if path(story).exists() else find(story)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(story, found))
    path(story).write_text(text, "utf-8")


if __name__ == "__main__":
    for each in STORIES:
        write(each)
        print(path(each))
