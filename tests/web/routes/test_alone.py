"""One phone for one person: the seat's page of the operator, who is warned of it, and the end of the game."""

from __future__ import annotations

import re
from functools import cache

import pytest

from engine.table import Table
from tests.web.phones import begun, phone, play, small_ball, text
from tests.web.web_table import WebTable
from web.app import create_app

TOOLS = ('id="undo"', 'id="throw"', 'id="start-rematch"')
"""What only the operator may do, on the page of a seat."""


@cache
def result() -> Table:
    """A game that is over."""
    *_, last = play(begun())
    return last


@pytest.mark.parametrize(("demo", "who", "tools"), [(True, "both", 3), (False, "both", 2), (True, "away", 0)])
def test_the_operators_own_seat_has_a_few_tools(demo: bool, who: str, tools: int) -> None:
    """Undo and the virtual dice of a demo; a seat without the operator's pass has none of them."""
    with phone(create_app(small_ball(demo).port), who) as client:
        page = client.get("/seat").text
    assert tools == sum(tool in page for tool in TOOLS)
    assert (tools == 0) == ("The operator can correct older rolls." in page)


def seated(made: WebTable, seat: str) -> str:
    """The warnings after the operator took this seat."""
    with phone(create_app(made.port), "operator") as client:
        assert 303 == client.post("/seat", data={"seat": seat}).status_code
    return " ".join(made.game.view_for(None).warnings)


def test_who_plays_alone_is_not_warned_of_the_own_phone() -> None:
    """But of a second phone at the seat, at a computer's seat, and at any between two people."""
    made = small_ball()
    made.managed.assign_manager("home", "rookie")
    before = list(made.game.view_for(None).warnings)
    seated(made, "away")
    assert before == list(made.game.view_for(None).warnings)
    assert "took a seat: Lanterns" in seated(made, "away")
    assert "took a seat: Owls" in seated(made, "home")
    assert "took a seat: Lanterns" in seated(small_ball(), "away")


def test_every_page_shows_the_star_and_who_is_ready() -> None:
    """A seat has the button, too; without scripts it is a form. Spectators have none."""
    made = WebTable(table=result().clone())
    made.games.agree_to_rematch("home", True)
    for who, buttons in (("away", ["true"]), ("home", ["false"]), ("spectator", [])):
        with phone(create_app(made.port), who) as client:
            page = client.get("/" if who == "spectator" else "/seat").text
        assert "Owls: ready for a rematch." in text(page)
        assert "of the game" in page
        assert 'data-share="1"' in page
        forms = re.findall(r'action="/seat/rematch">.*?</form>', page, re.DOTALL)
        assert buttons == [value for form in forms for value in re.findall(r'name="on" value="(\w+)"', form)]


def test_a_rematch_is_only_for_its_own_seat() -> None:
    made = WebTable(table=result().clone())
    with phone(create_app(made.port), "away") as client:
        assert 403 == client.post("/api/seat/rematch", json={"seat": "home", "on": True}).status_code
        assert client.post("/api/seat/rematch", json={"seat": "away", "on": True}).is_success
    with phone(create_app(made.port), "home") as client:
        assert 303 == client.post("/seat/rematch", data={"on": "true"}).status_code
        assert 422 == client.post("/api/seat/rematch", json={"seat": "home", "on": True}).status_code, "a new game"
    assert 2 == made.game.number


def test_a_page_says_which_dice_the_table_rolled() -> None:
    made = small_ball()
    made.managed.assign_manager("away", "rookie")
    made.managed.set_table_rolls(True)
    version = len(made.game.table.journal)
    made.managed.accept_decision("away", 1, "bat", version, "")
    made.rolls.propose_table_roll("away", 2, [4], version + 1)
    with phone(create_app(made.port), "home") as client:
        assert "The table rolled 4:" in text(client.get("/").text)
        assert 422 == client.post("/api/reject", json={"n": 2}).status_code
        assert "rolled by the table" not in client.get("/seat").text
        made.time.now += 5
        made.tick()
        assert "rolled by the table" in client.get("/seat").text
