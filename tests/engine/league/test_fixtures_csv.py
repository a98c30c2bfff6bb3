"""Fixtures and teams from CSV texts: what is read, what is rejected and where, and exports that can be read again."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LeagueError
from engine.league.fixtures_csv import (
    FIXTURE_COLUMNS,
    fixtures_rows,
    merge_fixtures,
    parse_fixtures,
    parse_new_league,
    parse_teams,
)
from engine.league.league import TEAM_COLORS, Fixture, League, LeagueTeam, PlayedGame
from engine.league.rules import check_league, comparable_name
from engine.scorecard.spreadsheet import csv_text
from engine.text.visible_text import visible_line

TEAMS = (LeagueTeam("owls", "Night Owls"), LeagueTeam("bears", "Bears"), LeagueTeam("elks", "Élks"))

LEAGUE = League("summer", "Summer", "small-ball", "fixtures", TEAMS)


LISTED = replace(LEAGUE, listed=[Fixture(1, 1, "owls", "bears")])


@pytest.mark.parametrize(
    "text",
    [
        "away,home\nowls,bears\n",
        "\ufeffVISITOR;Home\r\nNight Owls;BEARS\r\n",
        "Home\tAway\rBears\towls\r",
        'away,home\n\n"OWLS" , bears\n,,\n   \n'.replace(" ,", ","),
        "Date,Num,Day,Visitor,League,Home,League\n,0,Thu,owls,AL,bears,AL",
        "day,away,home,umpire\n,night owls,bears,Joe,extra",
    ],
)
def test_what_is_read(text: str) -> None:
    """Any separator, order, case and line end, with other columns, blank lines and a byte order mark."""
    assert [Fixture(1, 1, "owls", "bears")] == parse_fixtures(text, LEAGUE)


def test_all_columns() -> None:
    """Days come as ISO dates or without hyphens; numbers and rounds are those of the text."""
    text = "number,round,date,away,home,title\n7,3,20260401,owls,bears,Opening day\n5,9,2026-04-02,e\u0301lks,owls,\n"
    assert [
        Fixture(7, 3, "owls", "bears", "2026-04-01", "Opening day"),
        Fixture(5, 9, "elks", "owls", "2026-04-02"),
    ] == parse_fixtures(text, LEAGUE)


def test_rounds_that_are_not_given() -> None:
    """A round ends before a team would play a second game in it."""
    text = "away,home\nowls,bears\nbears,elks\nelks,owls\nowls,bears"
    assert [(1, 1), (2, 2), (3, 3), (4, 4)] == [(one.number, one.round) for one in parse_fixtures(text, LEAGUE)]
    league = replace(LEAGUE, teams=(*TEAMS, LeagueTeam("foxes", "Foxes")))
    text = "away,home\nowls,bears\nelks,foxes\nfoxes,owls\nbears,elks\nowls,elks"
    assert [1, 1, 2, 2, 3] == [one.round for one in parse_fixtures(text, league)]


def test_a_name_comes_before_a_key() -> None:
    """If the name of a team is the key of another one, it means the name, as exports have names."""
    league = replace(LEAGUE, teams=(LeagueTeam("owls", "Bears"), LeagueTeam("bears", "Owls")))
    assert [Fixture(1, 1, "bears", "owls")] == parse_fixtures("away,home\nOwls,Bears\n", league)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: needs a header with the columns away and home."),
        ("\n \n", "line 1: needs a header with the columns away and home."),
        ("away;home\n\n", "line 4: needs a row after the header."),
        ("away,host\nowls,bears", 'line 1: needs the column home, but has "away", "host".'),
        ("owls,bears\nbears,owls", 'line 1: needs the columns away and home, but has "owls", "bears".'),
        ("\naway,home,HOME\nowls,bears,elks", "line 2: the column home is there twice."),
        ("away,home\nowls,lions", 'line 2, home: "lions" is not a team of this league.'),
        ("away,home\n\n\nowls,", "line 4, home: needs a text."),
        ("away,home\nowls", "line 2, home: needs a text."),
        ("away,home\nowls,Night owls", 'line 2, home: "Night owls" is the away team too.'),
        (
            "date,away,home\n2026-02-30,owls,bears",
            'line 2, day: needs a date such as 2026-04-01 or 20260401, not "2026-02-30".',
        ),
        ("date,away,home\n4/1/2026,owls,bears", "line 2, day: needs a date"),
        ("date,away,home\n20261301,owls,bears", "line 2, day: needs a date"),
        ("number,away,home\n,owls,bears", "line 2, number: needs a whole number from 1 to 20000"),
        ("number,away,home\n20001,owls,bears", 'line 2, number: needs a whole number from 1 to 20000, not "20001".'),
        ("number,away,home\n1,owls,bears\n01,owls,bears", "line 3, number: 1 is there twice."),
        ("round,away,home\n0,owls,bears", "line 2, round: needs a whole number from 1"),
        ("round,away,home\n٣,owls,bears", "line 2, round: needs a whole number from 1"),
        ("title,away,home\n" + "x" * 41 + ",owls,bears", "line 2, title: can have at most 40 characters"),
        ("title,away,home\n" + "x" * 201 + ",owls,bears", "line 2, title: can have at most 200 characters"),
        ('title,away,home\n"two\nlines",owls,bears', "line 2, title: needs printable characters on one line."),
        ('title,away,home\nx,owls,bears\n"two\n\nlines",owls,elks\nx,owls,lions', "line 6, home:"),
        ('away,home\nowls,bears\nowls,"bears\nelks,owls', "line 3: is not CSV: unexpected end of data."),
        ('away,home\nowls,"bears"x', "line 2: is not CSV:"),
        ("away,home\n\u200bowls,bears", "line 2, away: needs"),
        ("away,home\nowls," + "x" * 200_000, "line 2: is not CSV: field larger"),
        ("away,home\n" + "owls,bears\n" * 20_001, "line 20002: is one more than 20000 fixtures."),
        ("x" * 4_000_001, "the file: can have at most 4000000 characters; it has 4000001."),
        ("\x89PNG\r\n\x1a\n\x00\x00", "line 1: needs the columns away and home, but has"),
        ("{}", 'line 1: needs the columns away and home, but has "{}".'),
    ],
)
def test_faults(text: str, fault: str) -> None:
    """The error has the line, the column and the reason."""
    with pytest.raises(LeagueError) as caught:
        parse_fixtures(text, LEAGUE)
    assert fault in str(caught.value)


def test_many_faults() -> None:
    """The first ten are listed and the others are counted."""
    with pytest.raises(LeagueError) as caught:
        parse_fixtures("date,away,home\n" + "x,owls,lions\n" * 8, LEAGUE)
    assert 10 == len(re.findall(r"line [2-6], (?:home|day):", str(caught.value)))
    assert str(caught.value).endswith("And 6 more.")


def test_hidden_characters() -> None:
    """Control and direction characters don't get into titles and names."""
    (fixture,) = parse_fixtures("away,home,title\now\x07ls,bears,Fin\u202eal\n", LEAGUE)
    assert ("owls", "Final") == (fixture.away, fixture.title)
    assert ["Owls", "Bears"] == [
        team.name for team in parse_new_league("away,home\nOw\x00ls,Bears", "a", "A", "clutch").teams
    ]


def test_new_league() -> None:
    """Its teams are those of the text in the order in which they come, with keys and colors."""
    text = "Date,Visitor,Home\n20260401,St. Émile,Owls\n20260402,OWLS,東京\n20260402,St. émile,owls!\n"
    league = parse_new_league(text, "summer", "Summer", "clutch")
    check_league(league)
    assert [("st-emile", "St. Émile"), ("owls", "Owls"), ("team", "東京"), ("owls-2", "owls!")] == [
        (team.key, team.name) for team in league.teams
    ]
    assert [*TEAM_COLORS][:4] == [team.colour for team in league.teams]
    assert [("st-emile", "owls"), ("owls", "team"), ("st-emile", "owls-2")] == [
        (one.away, one.home) for one in league.listed
    ]
    assert ("summer", "Summer", "clutch", "fixtures") == (league.key, league.title, league.game, league.format)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("away,home\nOwls,Owls", 'line 2, home: "Owls" is the away team too.'),
        ("away,home\nOwls," + "x" * 25, "line 2, home: can have at most 24 characters; these are 25."),
        (
            "away,home\n" + "".join(f"A{n},B{n}\n" for n in range(33)),
            'line 34, away: "A32" would be one team more than 64. line 34, home: "B32" would be',
        ),
    ],
)
def test_faults_of_a_new_league(text: str, fault: str) -> None:
    """The error has the line, the column and the reason."""
    with pytest.raises(LeagueError) as caught:
        parse_new_league(text, "summer", "Summer", "clutch")
    assert str(caught.value).startswith(fault)


def test_teams() -> None:
    """Names can be swapped, an empty cell changes nothing, and people are returned by name."""
    text = "Team,Name,Colour,Person,Manager\nowls,Bears,BLUE,Ann Lee,\nBEARS,Night Owls,,,Rookie\n"
    league, people = parse_teams(text, LEAGUE, ("regular", "rookie"))
    assert [
        LeagueTeam("owls", "Bears", "blue"),
        LeagueTeam("bears", "Night Owls", manager="rookie"),
        TEAMS[2],
    ] == [*league.teams]
    assert {"owls": "Ann Lee"} == people
    assert [*TEAMS] == parse_teams("team\nélks", LEAGUE)[0].teams


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name\nOwls", 'line 1: needs the column team, but has "name".'),
        ("team,name\nlions,Lions", 'line 2, team: "lions" is not a team of this league.'),
        ("team,name\nowls,Lions\nNight Owls,Tigers", "line 3, team: Night Owls is there twice."),
        ("team,name\nowls,BEARS", "line 2, name: BEARS is the name of another team."),
        ("team,name\nowls,Foxes\nbears,foxes", "line 2, name: Foxes is the name of another team. line 3, name: foxes"),
        ("team,name\nowls," + "x" * 25, "line 2, name: can have at most 24 characters"),
        ("team,color\nowls,pink", "line 2, color: can be red, orange,"),
        ("team,manager\nowls,casey", 'line 2, manager: can be regular or rookie, not "casey".'),
        ("team,person\nowls," + "x" * 25, "line 2, person: can have at most 24 characters"),
    ],
)
def test_faults_of_teams(text: str, fault: str) -> None:
    """The error has the line, the column and the reason."""
    with pytest.raises(LeagueError) as caught:
        parse_teams(text, LEAGUE, ("regular", "rookie"))
    assert str(caught.value).startswith(fault)


def test_merge() -> None:
    """Fixtures that were played keep number and teams. Their day and title may change, and the others may go."""
    league = replace(LEAGUE, listed=parse_fixtures("away,home\nowls,bears\nbears,elks\nelks,owls", LEAGUE))
    played = [PlayedGame(2, "elks", "bears", 1, 0, "elks")]
    new = parse_fixtures("number,away,home,title\n2,bears,elks,Night game\n9,owls,elks,", league)
    assert new == merge_fixtures(league, new, played).listed
    for other in ("number,away,home\n2,elks,bears", "number,away,home\n1,bears,elks"):
        with pytest.raises(LeagueError, match=r"^fixture 2: Bears at Élks has been played, so it must stay\."):
            merge_fixtures(league, parse_fixtures(other, league), played)


def _texts(longest: int) -> st.SearchStrategy[str]:
    """Return visible texts, often with characters that mean something in a CSV text."""

    def is_visible(text: str) -> bool:
        try:
            return text == visible_line(text, longest)
        except ValueError:
            return False

    return st.text(st.one_of(st.sampled_from("=+-@',;\"\t a\u00e9"), st.characters()), max_size=longest).filter(
        is_visible
    )


@given(
    st.lists(_texts(12), min_size=2, max_size=5, unique_by=comparable_name),
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 20_000), _texts(12) | st.just("")), min_size=1
    ),
    st.integers(1, 20_000),
)
def test_an_export_can_be_imported(names: list[str], listed: list[tuple[int, int, int, str]], first: int) -> None:
    """An export has the same fixtures when it is read again, whatever names and titles there are."""
    league = replace(LEAGUE, teams=[LeagueTeam(f"t{n}", name) for n, name in enumerate(names)])
    fixtures = [
        Fixture(
            number + 1,
            round_number,
            f"t{away % len(names)}",
            f"t{(away + 1 + home % (len(names) - 1)) % len(names)}",
            "2026-04-01" if home % 2 else "",
            title,
        )
        for number, (away, home, round_number, title) in enumerate(listed, first % 100)
    ]
    text = csv_text(FIXTURE_COLUMNS, fixtures_rows(league, fixtures))
    assert fixtures == parse_fixtures(text, league)


@given(
    st.lists(
        st.sampled_from([*",;\t\n\r\"'=0129-", "away", "home", "date", "Owls", "bears", "é", "\x00", "\u202e"])
        | st.text()
    )
)
def test_any_text(parts: list[str]) -> None:
    """Any text is a league that can be stored, or an error, also after a good header."""
    for text in ("".join(parts), "away,home,title,date\nA,B,,\n" + "".join(parts)):
        league = LISTED
        with suppress(LeagueError):
            league = parse_new_league(text, "summer", "Summer", "clutch")
        check_league(league)


def test_formulas_are_escaped() -> None:
    """A name that a spreadsheet would take for a formula begins with an apostrophe in the file only."""
    league = replace(LEAGUE, teams=(LeagueTeam("a", "=SUM(A1)"), LeagueTeam("b", "'=SUM(A1)")))
    text = csv_text(FIXTURE_COLUMNS, fixtures_rows(league, [Fixture(1, 1, "a", "b")]))
    assert "'=SUM(A1),''=SUM(A1)" in text
    assert [Fixture(1, 1, "a", "b")] == parse_fixtures(text, league)


def test_a_season_is_quick() -> None:
    """2,430 fixtures of 30 teams are read in less than 200 ms, also as a new league."""
    names = [f"Team of Town {n}" for n in range(30)]
    days = [f"2026{month:02}{day:02}" for month in range(4, 10) for day in range(1, 28)]
    rows = [
        f"{day},{names[(game + turn) % 30]},{names[(game + turn + 15) % 30]}"
        for turn, day in enumerate(days)
        for game in range(15)
    ]
    text = "\r\n".join(["Date,Visitor,Home", *rows])
    assert 2430 == len(rows)
    times = []
    for _ in range(5):
        begin = time.thread_time()
        league = parse_new_league(text, "big", "Big", "small-ball")
        middle = time.thread_time()
        assert league.listed == parse_fixtures(text, league)
        times += [middle - begin, time.thread_time() - middle]
    assert (30, 2430, 162) == (len(league.teams), len(league.listed), league.listed[-1].round)
    assert sorted(times)[3] < 0.2
