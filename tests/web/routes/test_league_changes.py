"""The operator's changes of leagues, by forms and by the API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from engine.league.league import Fixture, League, LeagueGame, LeagueTeam
from tests.web.made_up_leagues import NAMES, MadeUpLeagues, edited_fields
from tests.web.phones import TestClient, phone, small_ball, text
from tests.web.web_table import WebTable
from web.app import create_app
from web.routes.league_forms import MAX_IMPORT_LENGTH

NEW = {
    "title": "Fall  League",
    "game": "small-ball",
    "format": "round-robin",
    "teams": "Owls, Ann\r\n\r\nBears, , Viola",
}
EDITED = edited_fields(MadeUpLeagues(), "summer")


@pytest.fixture
def table() -> WebTable:
    return small_ball()


@pytest.fixture
def operator(table: WebTable) -> Iterator[TestClient]:
    with phone(create_app(table.port), "operator") as client:
        yield client


def saved(table: WebTable) -> League:
    """Return the league that was saved last."""
    (league,) = (call[1] for call in table.leagues.calls[-1:] if call[0] == "save_league")
    assert isinstance(league, League)
    return league


def test_a_new_league_by_form(table: WebTable, operator: TestClient) -> None:
    """Its key and its teams' keys come from the names; people are found by name."""
    answer = operator.post("/new-league", data={**NEW, "meetings": "3", "pace": "quick"})
    assert (303, "/leagues/fall-league") == (answer.status_code, answer.headers["location"])
    teams = [LeagueTeam("owls", "Owls", "red"), LeagueTeam("bears", "Bears", "orange", manager="viola")]
    wanted = League("fall-league", "Fall League", "small-ball", "round-robin", teams, meetings=3, pace="quick")
    assert wanted == saved(table)


@pytest.mark.parametrize(("game", "house"), [("seventh-inning-stretch", {"mode": "duel"}), ("clutch", {})])
def test_a_new_league_plays_single_games(
    table: WebTable, operator: TestClient, game: str, house: dict[str, str]
) -> None:
    """Not seasons alone, which are the rule of 7th Inning Stretch."""
    assert 303 == operator.post("/new-league", data={**NEW, "game": game}).status_code
    assert house == saved(table).house
    given = {"title": "List", "game": game, "text": "away,home\nA,B\n"}
    assert 303 == operator.post("/new-league/import", data=given).status_code
    assert house == saved(table).house


def test_people_are_saved_with_the_league(table: WebTable, operator: TestClient) -> None:
    """In one request, so that a refused name leaves no league behind."""
    teams = "Owls, Quinn\nBears\nFoxes, ANN"
    assert 303 == operator.post("/new-league", data={**NEW, "teams": teams}).status_code
    assert ["", "", ""] == [one.person for one in saved(table).teams]
    assert [{"owls": "Quinn", "foxes": "ANN"}] == [call[3] for call in table.leagues.calls]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"title": "  "}, "Give the league a title."),
        ({"game": "chess"}, "Choose a game."),
        ({"format": "best-of", "teams": "A\nB\nC"}, "A series has two teams. You typed 3."),
        ({"teams": "Owls\nowls"}, "Line 2: there is another team called owls."),
        ({"teams": "Owls\n, Ann"}, "Line 2: write the team, its person and its computer, with commas between them,"),
        ({"teams": "A, B, Viola, C"}, "Line 1: write the team"),
        ({"teams": "Owls\nBears, , HAL"}, "Line 2: no computer is called HAL. They are Maeve,"),
        ({"teams": "\n".join(map(str, range(65)))}, "A league has at most 64 teams. You typed 65."),
    ],
)
def test_a_refusal_names_the_line_and_keeps_what_was_typed(
    table: WebTable, operator: TestClient, changed: dict[str, str], reason: str
) -> None:
    typed = {**NEW, "meetings": "7", **changed}
    answer = operator.post("/new-league", data=typed)
    assert 422 == answer.status_code
    assert f"Not saved. {reason}" in text(answer.text)
    assert 'value="7"' in answer.text
    assert text(typed["teams"]) in text(answer.text)
    assert [] == table.leagues.calls


def test_a_file_of_fixtures_brings_its_teams_along(table: WebTable, operator: TestClient) -> None:
    file = {
        "file": ("list.csv", "date,away,home\n2026-05-01,Ōwls,Bears\n2026-05-02,Bears,Foxes\n".encode(), "text/csv")
    }
    answer = operator.post("/new-league/import", data={"title": "My List", "game": "clutch"}, files=file)
    assert (303, "/leagues/my-list") == (answer.status_code, answer.headers["location"])
    league = saved(table)
    assert ("clutch", "fixtures", ["Ōwls", "Bears", "Foxes"]) == (
        *(league.game, league.format),
        [one.name for one in league.teams],
    )
    assert [
        Fixture(1, 1, "owls", "bears", "2026-05-01"),
        Fixture(2, 2, "bears", "foxes", "2026-05-02"),
    ] == league.listed


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"text": "away,home\nOwls,Owls"}, 'line 2, home: "Owls" is the away team too.'),
        ({"text": "guests\nOwls"}, "line 1: needs the columns away and home"),
        ({"title": " "}, "Give the league a title."),
        ({"game": "chess"}, "Choose a game."),
    ],
)
def test_a_refused_file_of_fixtures_keeps_its_lines(
    table: WebTable, operator: TestClient, changed: dict[str, str], reason: str
) -> None:
    typed = {"title": "My List", "game": "clutch", "text": "away,home\nOwls,Bears"} | changed
    answer = operator.post("/new-league/import", data=typed)
    assert 422 == answer.status_code
    assert f"Not saved. {reason}" in text(answer.text)
    assert typed["text"] in unescape(answer.text)
    assert [] == table.leagues.calls


def test_what_the_league_itself_refuses_is_shown(table: WebTable, operator: TestClient) -> None:
    """With names that are no HTML."""
    table.leagues.trouble = "Team 2: <b>24</b> letters at most."
    answer = operator.post("/new-league", data={**NEW, "title": "</textarea><b>x"})
    assert "Not saved. Team 2: &lt;b&gt;24&lt;/b&gt; letters at most." in answer.text
    assert "</textarea><b>" not in answer.text


def test_a_league_is_not_called_as_a_rulebook(table: WebTable, operator: TestClient) -> None:
    """Also before the first game of it."""
    table.leagues.books.clear()
    assert "/leagues/clutch-2" == operator.post("/new-league", data={**NEW, "title": "Clutch"}).headers["location"]


def test_editing_keeps_keys_and_all_that_is_not_on_the_page(table: WebTable, operator: TestClient) -> None:
    before = table.leagues.books["summer"].league
    page = operator.get("/leagues/summer/edit").text
    for name in ("Harbor City Night Herons", "&lt;b&gt;Bold&lt;/b&gt; &amp; “Sons”"):
        assert f'value="{name}"' in page
    given = {**EDITED, "title": "Winter", "name": ["Renamed", *EDITED["name"][1:]]}
    assert 303 == operator.post("/leagues/summer/edit", data=given).status_code
    assert before is not None
    teams = [replace(one, person="") for one in (replace(before.teams[0], name="Renamed"), *before.teams[1:])]
    assert replace(before, title="Winter", teams=teams) == saved(table)
    names = {one.key: one.name for one in table.leagues.people()}
    assert {one.key: names[one.person] for one in before.teams if one.person} == table.leagues.calls[-1][3]


def test_house_rules_that_are_as_usual_are_not_stored(table: WebTable, operator: TestClient) -> None:
    given = {**EDITED, "title": "Winter", "rule": ["awayTeam", "innings"], "value": ["red", ""]}
    assert operator.post("/leagues/summer/edit", data=given).status_code == 303
    assert {"awayTeam": "red"} == saved(table).house


def test_teams_join_and_leave(table: WebTable, operator: TestClient) -> None:
    """New ones with their people, and names with commas; a removed one goes; the others and the format stay."""
    before = table.leagues.books["summer"].league
    assert before is not None
    answer = operator.post("/leagues/summer/edit", data={**EDITED, "more_teams": f"\n{NAMES[2].lower()}"})
    assert f"Line 2: there is another team called {NAMES[2].lower()}." in text(answer.text)
    given = {**EDITED, "removed": [before.teams[1].key], "more_teams": "Larks; Ann\nKites, the;;Viola", "meetings": "3"}
    assert 303 == operator.post("/leagues/summer/edit", data=given).status_code
    after = saved(table)
    assert [replace(one, person="") for one in (before.teams[0], *before.teams[2:])] == list(after.teams[:-2])
    assert [("Larks", "regular"), ("Kites, the", "viola")] == [(one.name, one.manager) for one in after.teams[-2:]]
    names = {one.key: one.name for one in table.leagues.people()}
    kept = {one.key: names[one.person] for one in before.teams if one.person and one is not before.teams[1]}
    assert {**kept, "larks": "Ann"} == table.leagues.calls[-1][3]
    assert 3 == after.meetings


def test_an_edit_of_other_teams_is_refused(table: WebTable, operator: TestClient) -> None:
    """Somebody else changed the league meanwhile; what was typed stays."""
    given = {key: column[:-1] for key, column in EDITED.items()}
    answer = operator.post("/leagues/summer/edit", data={**given, "title": "Typed"})
    assert 422 == answer.status_code
    assert "The league’s teams have changed." in text(answer.text)
    assert 'value="Typed"' in answer.text
    assert [] == table.leagues.calls


@pytest.mark.parametrize("kind", ["fixtures", "teams"])
@pytest.mark.parametrize("pasted", [True, False])
def test_importing(table: WebTable, operator: TestClient, kind: str, pasted: bool) -> None:
    """From a file, also one of a spreadsheet that begins with a byte order mark, or pasted."""
    form, lines = {"book": "empty", "kind": kind}, "away,home\nŌsaka,Owls\n"
    if pasted:
        answer = operator.post("/leagues/import", data=form | {"text": lines})
    else:
        file = {"file": ("list.csv", b"\xef\xbb\xbf" + lines.encode(), "text/csv")}
        # What was refused before may still be in the other field.
        answer = operator.post("/leagues/import", data=form | {"text": "refused,before"}, files=file)
    assert 303 == answer.status_code
    assert [(f"import_{kind}", "empty", lines)] == table.leagues.calls


def test_an_empty_file_field_is_no_file(table: WebTable, operator: TestClient) -> None:
    """As browsers send it."""
    form = {"book": "empty", "kind": "teams", "text": "a,b"}
    answer = operator.post("/leagues/import", data=form, files={"file": ("", b"", "application/octet-stream")})
    assert 303 == answer.status_code
    assert [("import_teams", "empty", "a,b")] == table.leagues.calls


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Choose a file, or paste its lines."),
        (b"\xff\xfeO\0", "The file is not text in UTF-8."),
        (b"x" * (MAX_IMPORT_LENGTH + 1), "The file is larger than 256 kB."),
    ],
)
def test_a_file_that_cannot_be_read(table: WebTable, operator: TestClient, data: bytes, reason: str) -> None:
    form = {"book": "empty", "kind": "fixtures"}
    answer = operator.post("/leagues/import", data=form, files={"file": ("x.csv", data, "text/csv")})
    assert 422 == answer.status_code
    assert f"Not saved. {reason}" in text(answer.text)
    assert [] == table.leagues.calls


def test_a_refused_import_keeps_its_lines(table: WebTable, operator: TestClient) -> None:
    """Those of a file too."""
    table.leagues.trouble = "Line 2: there is no team called Bares."
    file = {"file": ("list.csv", b"away,home\nBares,Owls\n", "text/csv")}
    answer = operator.post("/leagues/import", data={"book": "empty", "kind": "fixtures"}, files=file)
    assert 422 == answer.status_code
    assert "Not saved. Line 2: there is no team called Bares." in text(answer.text)
    assert "away,home\nBares,Owls\n</textarea>" in answer.text


def test_a_record_book_cannot_be_edited(operator: TestClient) -> None:
    for path in ("/leagues/small-ball/edit", "/leagues/season-7/edit", "/leagues/nothing/edit"):
        assert 404 == operator.get(path).status_code
        assert 404 == operator.post(path, data={**EDITED, "title": "x"}).status_code
    assert (
        404 == operator.post("/leagues/import", data={"book": "small-ball", "kind": "teams", "text": "x"}).status_code
    )


def test_the_page_asks_before_it_deletes(table: WebTable, operator: TestClient) -> None:
    assert "Its games stay" in operator.get("/leagues/summer/edit").text
    assert "/leagues" == operator.post("/leagues/summer/delete").headers["location"]
    assert [("delete_league", "summer")] == table.leagues.calls


def test_fixtures_are_begun_and_simulated_by_buttons(table: WebTable, operator: TestClient) -> None:
    page = operator.get("/leagues/summer").text
    number = next(
        one.fixture.number for one in table.leagues.books["summer"].games if one.state == "open" and one.fixture
    )
    assert f'name="fixture" value="{number}" formaction="/leagues/summer/begin"' in page
    assert f'name="which" value="{number}"' in page
    begun = operator.post("/leagues/summer/begin", data={"fixture": number})
    assert (303, "/table") == (begun.status_code, begun.headers["location"])
    for which in (number, "day", "all"):
        assert "/leagues/summer" == operator.post("/leagues/summer/simulate", data={"which": which}).headers["location"]
    operator.post("/leagues/stop", data={"book": "summer"})
    assert [
        ("begin_fixture", "summer", number, ()),
        *(("simulate_fixtures", "summer", which) for which in (number, "day", "all")),
        ("stop_simulation",),
    ] == table.leagues.calls


@pytest.mark.parametrize("which", ["", "٣", "-1", "all ", "1.5", "9" * 9])
def test_what_is_simulated_is_a_fixture_a_day_or_all(operator: TestClient, which: str) -> None:
    assert 422 == operator.post("/leagues/summer/simulate", data={"which": which}).status_code


def test_a_refused_button_says_why(table: WebTable, operator: TestClient) -> None:
    table.leagues.trouble = "Fixture 25 has been played."
    answer = operator.post("/leagues/summer/begin", data={"fixture": "25"})
    assert 422 == answer.status_code
    assert "Fixture 25 has been played." in text(answer.text)


# API -----------------------------------------------------------------------------------------------------------------

LEAGUE = {
    "key": "api",
    "title": "By API",
    "game": "clutch",
    "format": "fixtures",
    "teams": [{"key": "a", "name": "Ä"}, {"key": "b", "name": "B", "colour": "teal", "manager": "ruth"}],
    "listed": [{"number": 4, "round": 1, "away": "a", "home": "b", "day": "2026-05-01"}],
    "house": {"innings": "3"},
    "new": True,
}


def test_a_league_by_the_api(table: WebTable, operator: TestClient) -> None:
    """All its fields come through, and a second one of the same key is refused with a sentence."""
    assert {"ok": True} == operator.post("/api/leagues", json=LEAGUE).json()
    league = saved(table)
    assert [LeagueTeam("a", "Ä"), LeagueTeam("b", "B", "teal", manager="ruth")] == league.teams
    assert (4, "2026-05-01", {"innings": "3"}) == (league.listed[0].number, league.listed[0].day, league.house)
    answer = operator.post("/api/leagues", json=LEAGUE)
    assert (422, "league") == (answer.status_code, answer.json()["error"])
    assert "There is a league with this name." == answer.json()["sentence"]


@pytest.mark.parametrize(
    "change",
    [
        {"key": "Ä"},
        {"key": ""},
        {"key": "a/b"},
        {"meetings": 0},
        {"meetings": "2"},
        {"best_of": 1.5},
        {"format": "ladder"},
        {"surprise": 1},
        {"tie_breakers": ["coin"]},
        {"teams": [{"key": "a", "name": "W" * 25}]},
        {"teams": [{"key": f"t{i}", "name": "A"} for i in range(65)]},
        {"listed": [{"number": 0, "round": 1, "away": "a", "home": "b"}]},
    ],
)
def test_bodies_are_strict(table: WebTable, operator: TestClient, change: dict[str, Any]) -> None:
    answer = operator.post("/api/leagues", json=LEAGUE | change)
    assert (422, "malformed") == (answer.status_code, answer.json()["error"])
    assert [] == table.leagues.calls


def test_the_other_changes_by_the_api(table: WebTable, operator: TestClient) -> None:
    for path, body, reply in (
        ("leagues/import", {"league": "empty", "kind": "fixtures", "text": "a\nb\n"}, {"ok": True, "count": 2}),
        ("leagues/summer/begin", {"fixture": 7, "computers": ["home"]}, {"ok": True}),
        ("leagues/summer/simulate", {"which": "day"}, {"ok": True, "count": 15}),
        ("leagues/summer/simulate", {"which": 9}, {"ok": True, "count": 1}),
        ("leagues/stop", {}, {"ok": True}),
        (
            "games/1/league",
            {"league": "summer", "fixture": 3, "away": "t0", "home": "t1", "friendly": True},
            {"ok": True},
        ),
        ("games/1/league", {"league": None}, {"ok": True}),
        ("leagues/summer/delete", {}, {"ok": True}),
    ):
        assert reply == operator.post(f"/api/{path}", json=body).json()
    assert [
        ("import_fixtures", "empty", "a\nb\n"),
        ("begin_fixture", "summer", 7, ("home",)),
        ("simulate_fixtures", "summer", "day"),
        ("simulate_fixtures", "summer", 9),
        ("stop_simulation",),
        ("set_game_league", 1, LeagueGame("summer", 3, "t0", "t1", True)),
        ("set_game_league", 1, None),
        ("delete_league", "summer"),
    ] == table.leagues.calls


def test_a_game_that_is_not_there_is_in_no_league(operator: TestClient) -> None:
    answer = operator.post("/api/games/99/league", json={"league": "summer"})
    assert (404, "There is no such game.") == (answer.status_code, answer.json()["sentence"])


def test_a_large_import_is_accepted(table: WebTable, operator: TestClient) -> None:
    """A season of thirty teams, by both ways."""
    lines = "2026-04-01,Harbor City Night Herons,Chiefs of Salt Lake\n" * 2430
    assert (
        303 == operator.post("/leagues/import", data={"book": "empty", "kind": "fixtures", "text": lines}).status_code
    )
    body = {"league": "empty", "kind": "fixtures", "text": lines}
    assert {"ok": True, "count": 2430} == operator.post("/api/leagues/import", json=body).json()
