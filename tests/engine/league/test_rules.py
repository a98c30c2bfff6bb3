"""Which leagues can be stored, and the keys that are made from names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LeagueError
from engine.games import GAMES
from engine.league.league import Fixture, League, LeagueTeam
from engine.league.rules import KEY_PATTERN, MAX_KEY_LENGTH, check_league, is_day, slug

OWLS, BEARS = LeagueTeam("owls", "Owls"), LeagueTeam("bears", "Bears")

LEAGUE = League("summer", "Summer league", "small-ball", "round-robin", (OWLS, BEARS))

LISTED = replace(LEAGUE, format="fixtures", listed=(Fixture(1, 1, "owls", "bears", "2026-04-01", "Opening day"),))


def _with_team(**change: Any) -> League:
    return replace(LEAGUE, teams=(OWLS, replace(BEARS, **change)))


def _with_fixture(**change: Any) -> League:
    return replace(LISTED, listed=(*LISTED.listed, replace(LISTED.listed[0], **{"number": 2, **change})))


@pytest.mark.parametrize(
    ("league", "reason"),
    [
        (replace(LEAGUE, key="Summer"), "key: needs 1 to 40 lower-case letters"),
        (replace(LEAGUE, key="../etc"), "key: needs"),
        (replace(LEAGUE, key="a--b"), "key: needs"),
        (replace(LEAGUE, key="summer\n"), "key: needs"),
        (replace(LEAGUE, key="a" * 41), "key: needs"),
        (replace(LEAGUE, key=""), "key: needs"),
        (replace(LEAGUE, key="season-7"), 'key: can\'t begin with "season-".'),
        (replace(LEAGUE, key="clutch"), "key: is the key of a game."),
        (replace(LEAGUE, title=""), "title: needs a text."),
        (replace(LEAGUE, title="x" * 41), "title: can have at most 40 characters"),
        (replace(LEAGUE, title="Summer\u202e"), "title: has hidden characters"),
        (replace(LEAGUE, title=" Summer"), "title: has hidden characters, or spaces"),
        (replace(LEAGUE, game="chess"), "game: can be small-ball,"),
        (replace(LEAGUE, format="swiss"), "format: can be round-robin,"),  # type: ignore[arg-type]
        (replace(LEAGUE, teams=(OWLS,)), "teams: must be 2 to 64; these are 1."),
        (replace(LEAGUE, teams=[LeagueTeam(f"t{n}", f"T{n}") for n in range(65)]), "teams: must be 2 to 64"),
        (
            replace(LEAGUE, format="best-of", teams=(OWLS, BEARS, LeagueTeam("elks", "Elks"))),
            "teams: must be 2 in a series; these are 3.",
        ),
        (_with_team(key="owls"), "teams, key: owls is there twice."),
        (_with_team(name="OWLS"), "teams, name: owls is there twice."),
        (_with_team(name="x" * 25), "team 2, name: can have at most 24 characters"),
        (_with_team(colour="pink"), "team 2, color: can be red, orange,"),
        (_with_team(person="Ann Lee"), "team 2, person: needs 1 to 40"),
        (_with_team(manager="nobody"), "team 2, manager: can be regular."),
        (_with_team(deck="a\tb"), "team 2, deck: needs printable characters"),
        (replace(LEAGUE, best_of=4), "best_of: can be an odd number from 1 to 19."),
        (replace(LEAGUE, best_of=21), "best_of: can be"),
        (replace(LEAGUE, best_of=-1), "best_of: can be"),
        (replace(LEAGUE, meetings=0), "meetings: can be 1 to 20."),
        (replace(LEAGUE, meetings=21), "meetings: can be 1 to 20."),
        (
            replace(LEAGUE, teams=[LeagueTeam(f"t{n}", f"T{n}") for n in range(64)], meetings=10),
            "meetings: would be 20160 games.",
        ),
        (replace(LEAGUE, listed=LISTED.listed), "listed: is only for the format fixtures."),
        (_with_fixture(number=1), "listed, number: 1 is there twice."),
        (_with_fixture(number=0), "fixture 0, number: can be 1 to 20000."),
        (_with_fixture(round=0), "fixture 2, round: can be 1 to 20000."),
        (_with_fixture(away="elks"), "fixture 2, away: is not a team of this league."),
        (_with_fixture(home=""), "fixture 2, home: is not a team"),
        (_with_fixture(home="owls"), "fixture 2, home: is the away team too."),
        (_with_fixture(day="2026-02-29"), "fixture 2, day: needs a date such as 2026-04-01."),
        (_with_fixture(title="x" * 41), "fixture 2, title: can have at most 40"),
        (replace(LEAGUE, tie_breakers=("coin",)), "tie_breakers: can be head-to-head,"),  # type: ignore[arg-type]
        (replace(LEAGUE, tie_breakers=("runs-scored",) * 2), "tie_breakers: runs-scored is there twice."),
        (replace(LEAGUE, house={"no-such": "x"}), "house and pace: Small Ball has no house rule 'no-such'"),
        (
            replace(LEAGUE, game="clutch", house={"series": "3"}),
            "house: with these house rules, Clutch is more",
        ),
        (replace(LEAGUE, pace="slow"), "house and pace: Small Ball has no pace 'slow'"),
        (replace(LEAGUE, decks=["deck"] * 17), "decks: can be at most 16."),
        (replace(LEAGUE, decks=["x" * 121]), "decks: can have at most 120"),
    ],
)
def test_bad_leagues(league: League, reason: str) -> None:
    """Each is rejected with the field and the reason."""
    with pytest.raises(LeagueError) as caught:
        check_league(league, GAMES, {"regular"})
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    "league",
    [
        LEAGUE,
        LISTED,
        replace(LISTED, listed=()),
        replace(LEAGUE, format="best-of", best_of=7),
        replace(LEAGUE, format="knock-out", tie_breakers=()),
        replace(LEAGUE, game="seventh-inning-stretch", pace="quick"),
        replace(LEAGUE, title="Été à Zürich", pace="quick", decks=["My deck"]),
        _with_team(name="東京", person="ann-lee", deck="My deck", cards="Home team"),
    ],
)
def test_good_leagues(league: League) -> None:
    """They are accepted, also without the rulebooks and the computers."""
    check_league(league, GAMES, {"regular"})
    check_league(league)


@pytest.mark.parametrize(
    ("name", "taken", "key"),
    [
        ("Owls", (), "owls"),
        ("Owls", ("owls",), "owls-2"),
        ("Owls", ("owls", "owls-2"), "owls-3"),
        ("St. John's  Nine!", (), "st-johns-nine"),
        ("Łódź Größe", (), "lodz-grosse"),
        ("東京", (), "team"),
        ("大阪", ("team",), "team-2"),
        ("Season 3", (), "the-season-3"),
        ("x" * 60, (), "x" * 36),
    ],
)
def test_keys_of_names(name: str, taken: tuple[str, ...], key: str) -> None:
    """A key has the letters of its name in ASCII, and a number if it is taken."""
    assert key == slug(name, taken)


@given(st.lists(st.text(max_size=50), max_size=12))
def test_any_name_has_a_key(names: list[str]) -> None:
    """Each name gets a valid key of its own."""
    taken: set[str] = set()
    for name in names:
        key = slug(name, taken)
        assert key not in taken
        assert KEY_PATTERN.fullmatch(key)
        assert len(key) <= MAX_KEY_LENGTH
        taken.add(key)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("2024-02-29", True),
        ("1927-09-30", True),
        ("2026-02-29", False),
        ("2026-13-01", False),
        ("2026-00-10", False),
        ("2026-04-31", False),
        ("0000-01-01", False),
        ("2026-4-1", False),
        ("٢٠٢٦-٠٤-٠١", False),
        ("2026-04-01\n", False),
        ("", False),
    ],
)
def test_days(text: str, holds: bool) -> None:
    """Only dates of the calendar are days."""
    assert holds == is_day(text)
