"""Pages and API of leagues and record books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import pytest

from engine.league.league import TEAM_COLORS, Fixture, League, LeagueTeam
from engine.league.schedule import league_fixtures
from engine.league.stats import BattingStats, PitchingStats
from engine.league.views import BookGame, BookList, BookSummary, StandingRow
from engine.views import GameName
from tests.web.made_up_leagues import NAMES, PLAYERS, MadeUpLeagues
from tests.web.phones import TestClient, phone, small_ball, text
from web.app import create_app
from web.league_port import ExportKind
from web.render import league_tables
from web.render.templates import STATIC_FOLDER

LARGE = MadeUpLeagues(large=True)
PAGES = ["", "/fixtures", "/leaders", "/records", "/print", "/team?team=t0", f"/player?team=t0&player={PLAYERS[0]}"]
MOST_BYTES = 60_000


@pytest.fixture(scope="module")
def guest() -> Iterator[TestClient]:
    """A spectator's phone at a table with a large league."""
    with phone(create_app(table_with(LARGE).port)) as client:
        yield client


def table_with(leagues: MadeUpLeagues) -> Any:
    made = small_ball()
    made.leagues = leagues
    return made


def test_the_list_has_leagues_books_and_seasons(guest: TestClient) -> None:
    page = guest.get("/leagues")
    words = text(page.text)
    assert re.search(r"Summer League ☀ 2026 Small Ball · round robin · 1620 of 2430 games · Leader: \w+", words)
    assert words.index("Record books") < words.index("Seasons and series") < words.index("Season of game 7")
    assert '<progress max="2430" value="1620"' in page.text
    assert "New league" not in words
    assert "Sign in as operator" in words


def test_a_table_without_leagues_says_how_they_begin() -> None:
    leagues = MadeUpLeagues()
    leagues.books.clear()
    with phone(create_app(table_with(leagues).port)) as client:
        assert "No leagues yet." in client.get("/leagues").text
        assert {"books": [], "waiting": 0} == client.get("/api/leagues").json()


def test_while_games_are_counted_the_list_says_so_and_refreshes(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table_with(MadeUpLeagues())
    monkeypatch.setattr(made.leagues, "book_list", lambda: BookList([], 3))
    with phone(create_app(made.port)) as client:
        page = client.get("/leagues")
    assert "3" == page.headers["refresh"]
    assert "Counting 3 games …" in text(page.text)


@pytest.mark.parametrize("book", LARGE.books)
@pytest.mark.parametrize("page", PAGES)
def test_each_page_of_each_book(guest: TestClient, book: str, page: str) -> None:
    """Complete, small, and without any name as HTML. A book without teams has no page of one."""
    answer = guest.get(f"/leagues/{book}{page}")
    known = "player=" not in page or book not in ("empty", "clutch")
    assert (200 if known else 404) == answer.status_code
    assert len(answer.content) < MOST_BYTES
    for planted in ("<b>Bold", "<script>alert", "<i>Cup", "<Co>", "<b>Owls"):
        assert planted not in answer.text


def test_standings_say_who_is_ahead_and_why(guest: TestClient) -> None:
    words = text(guest.get("/leagues/summer").text)
    assert "Team W L PCT GB STRK L10 HOME AWAY RF RA DIFF 1 Kestrels 65 43 .602 – W3" in words
    assert "† Equal records: placed by head-to-head record." in words
    assert "1620 of 2430 games played." in words


def test_every_code_in_a_heading_is_explained(guest: TestClient) -> None:
    for page in ("", "/leaders", "/team?team=t0"):
        heads = re.findall(r'<th scope="col">(.*?)</th>', guest.get(f"/leagues/summer{page}").text)
        coded = [head for head in heads if head not in ("Team", "Player", "Opponent")]
        assert len(coded) > 10
        assert [] == [head for head in coded if not re.fullmatch(r'<abbr title="[^"]{4,}">\w+</abbr>', head)]


def test_the_champion_is_named(guest: TestClient) -> None:
    assert f"Champion: {NAMES[0]}" in text(guest.get("/leagues/duel").text)
    assert "Champion" not in guest.get("/leagues/summer").text


def test_a_knock_out_shows_its_bracket(guest: TestClient) -> None:
    page = guest.get("/leagues/cup").text
    bracket = page[page.index('class="bracket"') : page.index("Standings</h2>")]
    words = text(bracket)
    assert ["Quarterfinals", "Semifinals", "Final"] == re.findall(r"<h3>(.*?)</h3>", bracket)
    assert re.search(r"Semifinals( To be decided){4} Final( To be decided){2}", words)
    assert "bracket" not in guest.get("/leagues/summer").text


def test_games_are_listed_by_day_with_links_to_results(guest: TestClient) -> None:
    page = guest.get("/leagues/summer/fixtures").text
    assert ["Wednesday, April 1, 2026", "Thursday, April 2, 2026"] == re.findall(r"<h3>(.*?)</h3>", page)[:2]
    assert 'href="/games/1">Final' in page
    assert "Final (11)" in page
    assert 'rel="next" href="/leagues/summer/fixtures?page=2"' in page
    assert "Simulate" not in page


def test_a_game_on_the_table_leads_to_the_table() -> None:
    """Also before its first answer, when it has no number."""
    leagues = MadeUpLeagues()
    games = leagues.books["summer"].games
    first = next(i for i, one in enumerate(games) if one.state == "open")
    leagues.books["summer"] = book = copy(leagues.books["summer"])
    book.games = [*games[:first], replace(games[first], state="playing"), *games[first + 1 :]]
    with phone(create_app(table_with(leagues).port)) as client:
        assert '<a href="/">On the table now<' in client.get("/leagues/summer/fixtures").text


def test_the_games_of_one_team(guest: TestClient) -> None:
    page = guest.get("/leagues/summer/fixtures?team=t1")
    assert "Games of Ōsaka 火の鳥" in text(page.text)
    assert 'href="/leagues/summer/fixtures?team=t1&amp;page=2"' in page.text or "?team=t1&page=2" in page.text


@pytest.mark.parametrize("path", ["/leagues/summer/fixtures?page=999", "/leagues/summer/leaders?page=999"])
def test_a_page_beyond_the_end_says_so(guest: TestClient, path: str) -> None:
    page = guest.get(path)
    assert 200 == page.status_code
    assert re.search("There are no (games|players) on this page", page.text)


def test_unicode_names_lead_to_their_pages(guest: TestClient) -> None:
    for name in PLAYERS:
        page = guest.get(f"/leagues/summer/player?team=t3&player={quote(name)}")
        assert 200 == page.status_code
        assert name in text(page.text)
    page = guest.get("/leagues/summer/team?team=t3").text
    links = re.findall(r'href="(/leagues/summer/player[^"]+)"', page)
    assert len(PLAYERS) <= len(set(links))
    assert {200} == {guest.get(link.replace("&amp;", "&")).status_code for link in links}


@pytest.mark.parametrize(
    "path",
    [
        *("nothing", "nothing/fixtures", "nothing/leaders", "nothing/records", "nothing/print", "nothing/export/json"),
        *("summer/team?team=nobody", "summer/player?team=t0&player=Nobody", "summer/player?team=no&player=Pip+Marlowe"),
    ],
)
def test_what_is_not_there(guest: TestClient, path: str) -> None:
    """On pages and in the API."""
    page = guest.get(f"/leagues/{path}")
    assert 404 == page.status_code
    assert "There is no such" in page.text
    if not re.search("print|export", path):
        answer = guest.get(f"/api/leagues/{path.replace('/fixtures', '/games')}")
        assert (404, "unknown") == (answer.status_code, answer.json()["error"])


def test_a_player_elsewhere_has_the_name_of_the_team_there(guest: TestClient) -> None:
    page = guest.get("/leagues/summer/player", params={"team": "t1", "player": PLAYERS[0]}).text
    link = f'<a href="/leagues/small-ball/player?team=t1&amp;player={quote(PLAYERS[0])}"><bdi>Small Ball</bdi></a>'
    assert f'{link}<small class="dot team-orange">{NAMES[1]}</small>' in page


def test_values_that_a_game_does_not_know_are_left_out() -> None:
    """No column of zeros for what a rulebook has not; a rate without an at-bat is a dash."""
    table = league_tables.batting_table([BattingStats(3, 9, 8, 1, 2, home_runs=1), BattingStats(1)])
    assert ["G", "AVG", "OBP", "SLG", "OPS", "PA", "AB", "R", "H", "HR"] == [code for code, _ in table.heads]
    assert ["1", "–", "–", "–", "–", "0", "0", "0", "0", "0"] == table.rows[1]
    assert [] == league_tables.pitching_table([PitchingStats()]).heads


def test_figures_are_printed_as_in_baseball() -> None:
    assert [".333", "1.000", ".000", ""] == [league_tables.rate_text(one) for one in (1 / 3, 1.0, 0.0, None)]
    assert ["–", "½", "3", "12½"] == [league_tables.games_behind_text(one) for one in (0, 0.5, 3.0, 12.5)]
    assert ["7–3", "7–2–1"] == [league_tables.record_text(one) for one in ((7, 3, 0), (7, 2, 1))]
    assert "4.50" == league_tables.rate_text(4.5, 2)
    row = StandingRow(1, "a", 2, 1, 1, 0.625, 0.0, "T1", (2, 1, 1), (1, 0, 1), (1, 1, 0), 9, 11, left=3)
    assert ("1", "−2") == tuple(league_tables.standing_cells(row, has_ties=True)[code] for code in ("T", "DIFF"))
    assert "T" not in league_tables.standing_cells(row, has_ties=False)


def test_a_bracket_of_single_games_shows_runs() -> None:
    """A series shows its wins, as far as its teams are known."""
    games = [
        BookGame(Fixture(1, 1, "a", "b"), "final", "b", "a", 5, 1, 4, 2, "b"),  # lots made home bat first
        BookGame(Fixture(2, 1, "c", "d"), "open", "c", "d"),
        BookGame(Fixture(3, 2, "b", ""), "waiting", "b", ""),
    ]
    first, final = league_tables.bracket_rounds(games, 1)
    assert [("2", False), ("4", True)] == [(first[0].score_text(key, 1), first[0].is_winner(key, 1)) for key in "ab"]
    assert ["", ""] == [first[1].score_text(key, 1) for key in "cd"]
    assert [["b", ""]] == [series.teams for series in final]


def test_a_bracket_has_each_series_of_unknown_teams() -> None:
    """Both semifinals of six teams are there before a quarterfinal has been played, also with several games each."""
    teams = [LeagueTeam(key, key.upper()) for key in "abcdef"]
    for best_of in (1, 3):
        fixtures = league_fixtures(League("cup", "Cup", "small-ball", "knock-out", teams, best_of=best_of), [])
        games = [BookGame(one, "waiting", one.away, one.home) for one in fixtures]
        rounds = league_tables.bracket_rounds(games, best_of)
        assert [[{"d", "e"}, {"c", "f"}], [{"a", ""}, {"b", ""}], [{""}]] == [
            [set(series.teams) for series in one] for one in rounds
        ]


def test_the_wall_has_standings_leaders_and_results(guest: TestClient) -> None:
    words = text(guest.get("/leagues/summer/print").text)
    for heading in ("2026: standings", "2026: leaders", "2026: results"):
        assert f"Summer League ☀ {heading}" in words
    assert "There is nothing to print yet." in guest.get("/leagues/empty/print").text
    assert "bracket" in text(guest.get("/leagues/cup/print").text)


@pytest.mark.parametrize("kind", get_args(ExportKind))
def test_downloads(guest: TestClient, kind: str) -> None:
    answer = guest.get(f"/leagues/summer/export/{kind}")
    assert f"summer {kind}\n" == answer.text
    name = f"summer{'-' if '.' in kind else '.'}{kind}"
    assert f'attachment; filename="{name}"' == answer.headers["content-disposition"]
    assert 422 == guest.get("/leagues/summer/export/exe").status_code


def test_the_api_has_what_the_pages_show(guest: TestClient) -> None:
    book = guest.get("/api/leagues/summer").json()
    assert ("league", 2430, 1620) == (*map(book["summary"].get, ("kind", "fixtures", "games")),)
    assert 30 == len(book["teams"]) == len(book["standings"])
    games = guest.get("/api/leagues/summer/games?page=2&team=t1").json()
    assert (2, 4) == (games["page"], games["pages"])
    assert "t1" in (games["games"][0]["away"], games["games"][0]["home"])
    assert "AVG" == guest.get("/api/leagues/summer/leaders").json()["categories"][0]["code"]
    assert 10 == len(guest.get("/api/leagues/summer/team?team=t1").json()["players"])
    player = guest.get("/api/leagues/summer/player", params={"team": "t1", "player": PLAYERS[1]}).json()
    assert (PLAYERS[1], 10) == (player["total"]["player"], len(player["log"]))
    assert "17" == guest.get("/api/leagues/summer/records").json()["game_records"][0]["value"]


def test_while_computers_play_everybody_sees_how_many_are_left() -> None:
    """The page refreshes; only the operator may stop them."""
    leagues = MadeUpLeagues()
    leagues.simulating = 12
    app = create_app(table_with(leagues).port)
    for who, may_stop in (("spectator", False), ("operator", True)):
        with phone(app, who) as client:
            page = client.get("/leagues/summer")
        assert "Simulating: 12 games left." in text(page.text)
        assert "3" == page.headers["refresh"]
        assert may_stop == ('action="/leagues/stop"' in page.text)


def test_colors_of_teams_are_those_of_the_style_sheet() -> None:
    """Pages may not have styles of their own."""
    sheet = (STATIC_FOLDER / "css" / "league.css").read_text()
    assert dict(TEAM_COLORS) == dict(re.findall(r"\.team-(\w+) \{ --team: (#\w+); \}", sheet))


def test_people_find_leagues_where_they_look() -> None:
    with phone(create_app(small_ball().port), "operator") as client:
        for path in ("/", "/games", "/table", "/decks"):
            assert 'href="/leagues"' in client.get(path).text


def test_templates_have_no_styles_or_scripts_of_their_own() -> None:
    """The policy of pages would refuse them."""
    folder = Path(league_tables.__file__).parents[1] / "templates" / "league"
    assert [] == [one.name for one in folder.iterdir() if re.search(r"style=|onclick|<style|<script>", one.read_text())]


def test_an_odd_summary() -> None:
    """A book of no format and an unknown team is still a page."""
    leagues = MadeUpLeagues()
    book = leagues.books["summer"]
    assert "To be decided" == league_tables.team_name(book.teams, "")
    assert "gone" == league_tables.team_name(book.teams, "gone")
    assert "someday" == league_tables.day_text("someday")
    assert BookSummary("a", "b", "season", GameName("c", "d"), 0).format is None
