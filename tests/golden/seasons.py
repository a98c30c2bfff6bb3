"""Golden playthroughs of 7th Inning Stretch beside its first: whole seasons, and a duel with its drafts.

A file is as the other playthroughs are. What each shows: see STORIES. `python -m tests.golden.seasons` plays the same
entries again and writes what they give now; without a file a sensible manager plays until one ends as the story does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from engine.asks import Roll
from engine.games.seventh_inning_stretch import GAME
from engine.journal import Amend, Entry, Undo, entry_of
from engine.table import Table
from tests import golden
from tests.engine.seventh_inning_stretch.fixture import true
from tests.engine.seventh_inning_stretch.manager import Manager

STORIES: Mapping[str, tuple[Mapping[str, str], str]] = {
    "won": ({}, "season-won"),
    "lost": ({}, "no-playoffs"),
    "extended": ({"mode": "extended"}, "season-won"),
    "duel": ({"mode": "duel", "duelFirstBat": "agreed"}, "nine-innings"),
}
"""House rules and end of each: a season won under the standard rules; one with less than three stars after six games;
long playoffs, won; a duel, from its deals and picks on."""

WANTED = {"duel": {"ability", "relieves", "rerolls", "nudges", "home-run", "substitute", "stolen", "caught"}}
"""Events that a story must tell, beside its end."""


def path(story: str) -> Path:
    """Where it lies; the season won is the game's own playthrough."""
    return golden.path(GAME) if story == "won" else golden.FOLDER / f"{GAME.key}-{story}.jsonl"


def lines(story: str, played: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """The playthrough of these entries, as the rules are now."""
    return golden.lines(GAME, played, STORIES[story][0])


def stored(story: str) -> list[dict[str, Any]]:
    """The lines of its file."""
    return [json.loads(line) for line in path(story).read_text("utf-8").splitlines()]


def entries(story: str) -> list[Entry]:
    """The entries of its file."""
    return [entry_of(line["entry"]) for line in stored(story) if "entry" in line]


def played(story: str, seed: int) -> Table:
    """A sensible manager's season, or a duel of two of the same mind; something is misread now and then."""
    table, dice = golden.new(GAME, STORIES[story][0]), Random(seed)
    manager = Manager(lambda: true(table), seed, eager=True)
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
    return table


def find(story: str) -> list[Entry]:
    """The entries of the first season that ends so, and tells what is wanted."""
    for seed in count():
        table = played(story, seed)
        assert table.outcome is not None
        told = {one.event.code for one in table.log}
        both = {Undo, Amend} <= {type(entry) for entry in table.journal}
        if both and table.outcome.reason == STORIES[story][1] and told >= WANTED.get(story, set()):
            return table.journal
    raise AssertionError(story)


def write(story: str) -> None:
    """Write its file: the same entries as before, or a season found."""
    found = entries(story) if path(story).exists() else find(story)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(story, found))
    path(story).write_text(text, "utf-8")


if __name__ == "__main__":
    for each in STORIES:
        write(each)
        print(path(each))
