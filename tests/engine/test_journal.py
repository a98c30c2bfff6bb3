"""Journal entries and their JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidAnswer
from engine.journal import Answer, Correction, JournalEntry, Undo, entry_json, parse_entry
from engine.seats import SEATS
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.sample_games.duel_game import DUEL, deck, played

ENTRIES: list[tuple[JournalEntry, dict[str, Any]]] = [
    (Answer("home", 3, "tails"), {"seat": "home", "n": 3, "value": "tails"}),
    (Answer("away", 0, [4]), {"seat": "away", "n": 0, "value": [4]}),
    (Answer("away", 8, {"left": "ann"}), {"seat": "away", "n": 8, "value": {"left": "ann"}}),
    (Undo(7), {"undo": 7}),
    (Correction(7, "low"), {"amend": 7, "value": "low"}),
]


@each(("entry", "data"), ENTRIES)
def test_an_entry_has_one_form(entry: JournalEntry, data: dict[str, Any]) -> None:
    """It survives a round trip through JSON."""
    assert data == entry_json(entry)
    assert entry == parse_entry(json.loads(json.dumps(data)))


def test_dice_are_stored_as_a_list() -> None:
    """JSON has no tuples."""
    assert {"seat": "away", "n": 1, "value": [6, 0]} == entry_json(Answer("away", 1, (6, 0)))
    assert {"amend": 1, "value": [6]} == entry_json(Correction(1, (6,)))


@each(
    ("data", "reason"),
    [
        ({}, "This needs"),
        ({"seat": "home", "n": 3}, "This needs"),
        ({"seat": "home", "n": 3, "value": 1, "more": 1}, "This needs"),
        ({"undo": 3, "amend": 3}, "This needs"),
        ({"seat": "umpire", "n": 3, "value": 1}, "seat: needs away or home, not 'umpire'"),
        ({"seat": ["home"], "n": 3, "value": 1}, "seat"),
        ({"seat": "home", "n": "3", "value": 1}, "n: needs a whole number from 0, not '3'"),
        ({"seat": "home", "n": -1, "value": 1}, "n: needs"),
        ({"seat": "home", "n": True, "value": 1}, "n: needs"),
        ({"seat": "home", "n": 1.0, "value": 1}, "n: needs"),
        ({"undo": None}, "undo: needs"),
        ({"amend": [], "value": 1}, "amend: needs"),
    ],
)
def test_invalid_entries_are_refused_by_field(data: dict[str, Any], reason: str) -> None:
    """The error names the field, or lists all forms of an entry."""
    with pytest.raises(InvalidAnswer, match=reason):
        parse_entry(data)


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=4)


@given(st.dictionaries(st.sampled_from(["seat", "n", "value", "undo", "amend", "x"]), JSON))
def test_any_data_is_an_entry_or_invalid(data: dict[str, Any]) -> None:
    try:
        entry = parse_entry(data)
    except InvalidAnswer:
        return
    assert data == entry_json(entry)


def test_a_stored_journal_replays() -> None:
    """A whole duel with a correction and an undo survives a round trip through JSON text."""
    table = played(9)
    table.correct_answer(6, [1, 1, "C"])
    table.undo(8)
    stored = [json.dumps(entry_json(entry)) for entry in table.journal]
    again = Table(DUEL, [deck()], journal=[parse_entry(json.loads(line)) for line in stored])
    assert stored == [json.dumps(entry_json(entry)) for entry in again.journal]
    assert [json_data(table.view_for(None)), *map(table.view_for, SEATS)] == [
        json_data(again.view_for(None)),
        *map(again.view_for, SEATS),
    ]
