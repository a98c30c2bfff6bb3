"""People: their page, their names beside the sides, and the league of a stored game."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from engine.league.league import LeagueGame
from tests.web.leagues import SummerLeague
from tests.web.phones import over, phone, read, small_ball, text
from tests.web.web_table import WebTable
from web.app import create_app


def with_league(made: WebTable) -> tuple[WebTable, SummerLeague]:
    """The table with people and a league."""
    league = SummerLeague()
    made.leagues = league
    return made, league


def test_the_page_of_people() -> None:
    """Records for everybody; forms for the operator only."""
    port, _ = with_league(small_ball())
    page = read("/people", port=port)
    words = text(page)
    assert "Names are stored on this machine only." in words
    assert "Ann By game Won–lost Small Ball 3–1 Head to head Won–lost–tied Ben 2–1–1" in re.sub(
        r"(By game|Head to head) \1", r"\1", words
    )
    assert "Ben No finished game yet." in words
    assert "<form" not in page
    operators = read("/people", "operator", port=port)
    assert ["", "ann", "ben"] == re.findall(r'class="person-form" data-person="([^"]*)"', operators)
    assert "Ann becomes “somebody” in every game and league." in text(operators)


def test_names_on_the_page_cannot_become_markup() -> None:
    port, league = with_league(small_ball())
    league.save_person("ann", "<b>&\"'", "red")
    page = read("/people", "operator", port=port)
    assert "<b>&" not in page
    assert "<b>&\"'" in unescape(page)


CHANGES: list[tuple[str, dict[str, Any], int, str]] = [
    ("/api/people", {"name": "Cleo", "colour": "blue"}, 200, ""),
    ("/api/people", {"key": "ann", "name": "Anna", "colour": "gray"}, 200, ""),
    ("/api/people", {"key": "nobody", "name": "Anna", "colour": "gray"}, 422, "There is no such person."),
    ("/api/people", {"name": "", "colour": "blue"}, 422, "name: "),
    ("/api/people", {"name": "x" * 25, "colour": "blue"}, 422, "name: "),
    ("/api/people", {"name": "Cleo", "colour": "pink"}, 422, "colour: "),
    ("/api/people", {"key": "../ann", "name": "Cleo", "colour": "red"}, 422, "key: "),
    ("/api/people/ann/merge", {"into": "ben"}, 200, ""),
    ("/api/people/ann/merge", {}, 422, "into: is missing"),
    ("/api/people/ann/forget", {}, 200, ""),
    ("/api/people/Ann/forget", {}, 422, "key: "),
    ("/api/games/1/people", {"people": {"away": "ann"}}, 200, ""),
    ("/api/games/1/people", {"people": {"umpire": "ann"}}, 422, "people"),
    ("/api/games/9/people", {"people": {}}, 404, "There is no such game."),
]


@pytest.mark.parametrize(("path", "body", "status", "sentence"), CHANGES)
def test_changes_of_people(path: str, body: dict[str, Any], status: int, sentence: str) -> None:
    """Bad input gets a reason, and then nothing has changed."""
    port, league = with_league(small_ball())
    before = dict(league.known), dict(league.games), list(league.done)
    with phone(create_app(port.port), "operator") as client:
        answer = client.post(path, json=body)
    assert status == answer.status_code
    if status == 200:
        assert before != (league.known, league.games, league.done)
    else:
        assert sentence in answer.json()["sentence"]
        assert before == (league.known, league.games, league.done)


def test_a_new_game_names_who_manages() -> None:
    """Keys of people, stored with the game; an unknown one is refused, and nobody needs one."""
    port, _ = with_league(small_ball())
    with phone(create_app(port.port), "operator") as client:
        refused = client.post("/api/game", json={"game": "small-ball", "people": {"away": "zoe"}})
        assert (422, "people: there is nobody with the key 'zoe'.") == (refused.status_code, refused.json()["sentence"])
        assert 200 == client.post("/api/game", json={"game": "small-ball", "people": {"home": "ann"}}).status_code
        assert {"home": "ann"} == port.game.settings.people
        assert 200 == client.post("/api/game", json={"game": "small-ball"}).status_code
    assert {} == port.game.settings.people


def test_fixtures_to_begin() -> None:
    """With the names of teams and of who manages them."""
    port, _ = with_league(small_ball())
    with phone(create_app(port.port)) as client:
        (offer,) = client.get("/api/fixtures").json()
    assert ("summer", 2, "Herons", "Ben", 0) == (
        *(offer["book"], offer["fixture"]["number"], offer["away"]["name"]),
        *(offer["away"]["person"], offer["paused"]),
    )


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_the_names_of_people_stand_beside_their_sides(path: str) -> None:
    port = small_ball()
    assert "Summer league" not in read(path, port=port)
    port.show(people={"away": "Ann", "home": "somebody"}, league="Summer league, round 3")
    words = text(read(path, port=port))
    dot = " ·" if path == "/tv" else ""
    assert f"Lanterns{'' if dot else ' ·'} Ann{dot} away · at bat" in words
    assert f"Owls{'' if dot else ' ·'} somebody{dot} home" in words
    assert 1 == words.count("Summer league, round 3")


def test_a_seat_reads_them_too() -> None:
    port = small_ball()
    port.show(people={"away": "Ann"}, league="Summer league, round 3")
    words = text(read("/seat", "home", port=port))
    assert "Lanterns · Ann away" in words
    assert 1 == words.count("Summer league, round 3")


def test_after_the_game_a_link_leads_to_the_standings() -> None:
    """For a game of a league only."""
    port = over()
    assert "/leagues/" not in read("/", port=port)
    port.show(league="Summer league, round 3", league_key="summer")
    assert '<a class="button quiet" href="/leagues/summer">Standings</a>' in read("/", port=port)


GAME = LeagueGame("summer", 1, "owls", "bears", True)


def test_a_stored_game_names_its_league_and_people() -> None:
    """Text for readers; a forgotten person is somebody, and a deleted league is none."""
    port, league = with_league(over())
    assert "League and people" not in read("/games/1", port=port)
    league.games[1] = GAME, {"away": "ann", "home": "zoe"}
    page = read("/games/1", port=port)
    assert '<a href="/leagues/summer">Summer league</a>' in page
    words = text(page)
    assert "Summer league : Owls at Bears, fixture 1. A friendly game: it doesn’t count." in words
    assert "Away: Ann · Home: somebody" in words
    assert 'id="game-league"' not in page
    league.games[1] = replace(GAME, league="gone"), {}
    assert "League and people" not in read("/games/1", port=port)


def test_the_operator_changes_the_league_of_a_stored_game() -> None:
    """The form offers the leagues of this rulebook, with their teams and next fixtures, and that of the game itself."""
    port, league = with_league(over())
    page = read("/games/1", "operator", port=port)
    (choices,) = re.findall(r"data-leagues='([^']*)'", page)
    (choice,) = json.loads(unescape(choices))
    assert ("summer", [2], ["owls", "Owls"]) == (
        *(choice["key"], [one["number"] for one in choice["fixtures"]]),
        choice["teams"][0],
    )
    league.games[1] = GAME, {}
    page = read("/games/1", "operator", port=port)
    assert '"fixture": 1' in unescape(page.partition("data-now='")[2].partition("'")[0])
    assert [1, 2] == [
        one["number"] for one in json.loads(unescape(re.findall(r"data-leagues='([^']*)'", page)[0]))[0]["fixtures"]
    ]
