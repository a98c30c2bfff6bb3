"""What the seats of a game set is read back whole, or refused with the field's name."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from device.storage.seat_settings import league_of, parse_seat_settings
from device.table.preset_answers import SeatSettings
from engine.league.league import LeagueGame
from managers.cast import CAST
from managers.manager import STRENGTHS

EVERYTHING = SeatSettings(
    when={"away": {"cards": "never"}, "home": {"steals": "seventh"}},
    waits={"home": 3},
    managers={"away": "rookie"},
    pace="brisk",
    coached=("home", "away"),
    table_rolls=True,
    rematch={"away": 40},
    wins={"Lanterns": 2, "Owls": 1},
    assisted=("away",),
    people={"home": "p0f1e2d3c"},
    league=LeagueGame("summer-26", 12, "owls", "lanterns", True),
)
"""Settings that are not the usual ones in any field."""


def test_all_fields_come_back() -> None:
    """A field that is added has to be added here, and to the parser."""
    usual = SeatSettings()
    assert [] == [one.name for one in fields(usual) if getattr(usual, one.name) == getattr(EVERYTHING, one.name)]
    for settings in (EVERYTHING, usual):
        assert settings == SeatSettings.from_json(settings.json_text)
    assert usual == SeatSettings.from_json("")


def test_fields_that_an_older_version_did_not_write_are_the_usual_ones() -> None:
    assert SeatSettings(waits={"home": 3}) == SeatSettings.from_json('{"when": {}, "waits": {"home": 3}}')


@pytest.mark.parametrize("choice", [*STRENGTHS, *CAST])
def test_a_computer_is_a_member_of_the_cast_or_a_strength_as_older_versions_wrote(choice: str) -> None:
    settings = SeatSettings(managers={"home": choice})
    assert settings == SeatSettings.from_json(f'{{"managers": {{"home": "{choice}"}}}}')
    assert settings == SeatSettings.from_json(settings.json_text)


def test_a_game_without_league_and_people_is_stored_as_by_an_older_version() -> None:
    """An older Dugout reads these settings, too."""
    old = replace(EVERYTHING, people={}, league=None).json_text
    assert [] == [one for one in ("people", "league") if one in json.loads(old)]
    assert (None, {}) == league_of(old) == league_of("")


def test_the_league_and_the_people_of_a_row_are_read_without_the_rest() -> None:
    """Settings that this version does not know belong to no league, and end no reader of all games."""
    assert (EVERYTHING.league, EVERYTHING.people) == league_of(EVERYTHING.json_text)
    for odd in ("{", "[]", "[" * 100_000, '{"league": 3}', '{"people": {"home": "Ann Lee"}}'):
        assert (None, {}) == league_of(odd)


LEAGUE = {"league": "summer", "fixture": 1, "away": "a", "home": "b", "friendly": False}

ODD = [
    ("more", 1),
    ("when", []),
    ("when", {"umpire": {}}),
    ("when", {"away": {"cards": "sometimes"}}),
    ("waits", {"home": True}),
    ("waits", {"home": "3"}),
    ("managers", {"home": "genius"}),
    ("managers", {"home": []}),
    ("pace", {}),
    ("pace", "slow"),
    ("coached", "away"),
    ("coached", ["umpire"]),
    ("table_rolls", 1),
    ("rematch", {"away": True}),
    ("wins", {"Owls": True}),
    ("wins", {"Owls": 1, "Lanterns": 1, "Herons": 1}),
    ("assisted", "away"),
    ("assisted", ["umpire"]),
    ("people", {"umpire": "p1"}),
    ("people", {"home": "Ann Lee"}),
    ("people", {"home": "a" * 41}),
    ("people", {"home": ""}),
    ("people", ["p1"]),
    ("league", "summer"),
    ("league", {}),
    ("league", LEAGUE | {"more": 1}),
    ("league", LEAGUE | {"league": "Summer"}),
    ("league", LEAGUE | {"fixture": True}),
    ("league", LEAGUE | {"fixture": -1}),
    ("league", LEAGUE | {"fixture": 100_000}),
    ("league", LEAGUE | {"fixture": 1.0}),
    ("league", LEAGUE | {"home": ""}),
    ("league", LEAGUE | {"friendly": 0}),
]


@pytest.mark.parametrize(("field", "value"), ODD)
def test_what_is_not_known_is_refused(field: str, value: object) -> None:
    """The error names the field, and repeats nothing of its value."""
    with pytest.raises(
        ValueError, match=f"^standing: '{field}' has something that this version of Dugout does not know$"
    ):
        parse_seat_settings(json.dumps({"when": {}, field: value}))


@pytest.mark.parametrize("text", ["[]", "3", "{", "null"])
def test_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"needs an object|Expecting"):
        parse_seat_settings(text)
