"""The analysis of a stored game: a page that works without scripts, and a part of it for the page of the game."""

from __future__ import annotations

import re

import pytest

from device.shapes import GameAnalysis
from engine.views import WinProbabilityView
from tests.web.phones import over, phone, read
from tests.web.web_table import WebTable
from web.app import create_app

TRACE = {-1: 0.5, 3: 0.7, 9: 1.0}
FOUND = GameAnalysis(WinProbabilityView(1.0, 0.0, list(TRACE.values()), [0, 2]), TRACE, None, None)


@pytest.fixture
def table() -> WebTable:
    return over()


def test_it_is_a_page_and_a_part_of_one(table: WebTable) -> None:
    table.analysis = FOUND
    page, part = read("/games/1/analysis", port=table), read("/games/1/analysis?part=true", port=table)
    assert '<a href="/games/1">' in page
    assert "http-equiv" not in page
    assert "<html" not in part
    assert part.strip()
    assert part.strip() in page


def test_while_it_is_computed_the_page_asks_again(table: WebTable) -> None:
    """The part is then 202 without a body, so that the script asks again."""
    table.analysis = None
    assert '<meta http-equiv="refresh" content="2">' in read("/games/1/analysis", port=table)
    with phone(create_app(table.port)) as client:
        answer = client.get("/games/1/analysis?part=true")
    assert (202, b"", "no-store") == (answer.status_code, answer.content, answer.headers["Cache-Control"])


def test_a_game_without_chances_says_so(table: WebTable) -> None:
    assert "no chances to win" in read("/games/1/analysis", port=table)


@pytest.mark.parametrize("path", ["/games/99/analysis", "/games/99/analysis?part=true"])
def test_no_such_game(table: WebTable, path: str) -> None:
    with phone(create_app(table.port)) as client:
        assert 404 == client.get(path).status_code


def test_the_page_of_a_game_has_a_place_for_it(table: WebTable) -> None:
    """With a link for those who have no scripts."""
    page = read("/games/1", port=table)
    assert re.search(r'id="analysis" data-game="1">.*<a href="/games/1/analysis">', page)
    assert "/static/js/analysis.js" in page
