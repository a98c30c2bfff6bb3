"""Names that people give the sides: sentences and scoreboards have them, and the game is the same."""

from __future__ import annotations

import json

import pytest

from device.storage.restore import restore_table
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.journal import entry_json
from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.golden import entries_of, new

NAMES: dict[Seat, str] = {"away": "Harbor Otters", "home": "Mill Herons"}


@every_game()
def test_a_journal_keeps_the_names(contract: Contract) -> None:
    """Its header has them, and has nothing new without them; a restored game and a copy are called the same."""
    usual = new(contract.game)
    assert {"game", "version", "decks", "house"} == usual.journal_header.as_json().keys()
    named = Table(usual.game, usual.decks, usual.house, names=NAMES)
    for entry in entries_of(usual.game)[:20]:
        named.apply_entry(entry)
    header, decks = (
        json.dumps(named.journal_header.as_json()),
        [{"file": one.file, "source": one.source} for one in named.decks],
    )
    again = restore_table(header, json.dumps(decks), [json.dumps(entry_json(entry)) for entry in named.journal])
    names = [side.name for side in named.scoreboard().sides.values()]
    for one in (again, named.clone()):
        assert (named.names, names) == (one.names, [side.name for side in one.scoreboard().sides.values()])
        one.undo(one.answers[-1].n)
        assert named.names == one.names


@each(
    ("names", "why"),
    [
        ({"away": "x" * 25}, "The name of the away side can have at most 24 characters"),
        ({"home": "a\nb"}, "The name of the home side needs printable characters on one line."),
        ({"away": "\u2800"}, "The name of the away side needs characters that everybody can see"),
        ({"away": "Owls", "home": "owls"}, "The two sides need different names."),
        ({"umpire": "Owls"}, "There is no side 'umpire' to name."),
    ],
)
def test_what_can_be_no_name(names: dict[Seat, str], why: str) -> None:
    table = new(next(iter(GAMES.values())))
    with pytest.raises(IllegalAnswer, match=why.replace("(", r"\(")):
        Table(table.game, table.decks, names=names)


def test_an_empty_name_is_none() -> None:
    table = new(next(iter(GAMES.values())))
    assert {"home": "Owls"} == Table(table.game, table.decks, names={"away": "  ", "home": " Owls "}).names
