"""The dice report as a page and as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from device.shapes import DiceReport, DieReport, FaceCount, SkippedGame
from engine.journal import Source
from tests.device.analysis.rolled import complete
from tests.web.phones import phone, text
from tests.web.web_table import WebTable
from web.app import create_app

FACES = [FaceCount("B", 10, 20.0), FaceCount("S", 50, 30.0), FaceCount("C", 0, 10.0)]
DIE = DieReport(
    "taught", "pitch", None, tuple("BBSSSC"), "Mine <3", 60, FACES, "uneven", 0.001, "It showed S more often."
)


def shown(monkeypatch: pytest.MonkeyPatch, report: DiceReport) -> tuple[str, dict[str, str], Any]:
    """Return the page, its headers, and the JSON for a report."""
    port = WebTable()
    monkeypatch.setattr(port.dice, "dice_report", lambda: report)
    with phone(create_app(port.port)) as guest:
        page, data = guest.get("/dice"), guest.get("/api/dice-report")
    assert (200, 200) == (page.status_code, data.status_code)
    return page.text, dict(page.headers), data.json()


def test_a_game_on_the_table_is_counted() -> None:
    """The page of a table says so at once, and counts it soon."""
    port = WebTable()
    port.seats.answer_ask("away", 0, "red", Source.PHONE)
    with phone(create_app(port.port)) as guest:
        assert "Dice report" in guest.get("/dice").text
        complete(port.dice)
        page = guest.get("/dice")
        assert "Refresh" not in page.headers
        assert "Nobody has rolled dice at this table yet." in page.text
        assert {"dice": [], "games": 1, "skipped": [], "done": 1, "total": 1} == guest.get("/api/dice-report").json()


def test_each_die_has_its_words_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    page, headers, data = shown(monkeypatch, DiceReport([DIE], 3, [], 3, 3))
    words = text(page)
    assert "refresh" not in headers
    assert "3 games." in words
    assert "Taught dice" in words
    assert "Mine &lt;3 <small>60 rolls</small>" in page
    assert '<p class="note">It showed S more often.</p>' in page
    assert "S came up 50 times, 30.0 expected" in words
    assert {"face": "C", "count": 0, "expected": 10.0} == data["dice"][0]["faces"][2]


def test_while_games_are_counted_the_page_says_so_and_refreshes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scripts. What was counted before is shown meanwhile."""
    page, headers, data = shown(monkeypatch, DiceReport([DIE], 3, [], 2, 4))
    assert "2" == headers["refresh"]
    assert "Counting game 3 of 4 …" in text(page)
    assert "It showed S more often." in page
    assert (2, 4) == (data["done"], data["total"])


def test_a_game_that_is_left_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    page, _, _ = shown(monkeypatch, DiceReport([DIE], 1, [SkippedGame(7, "This game is damaged: its cards.")], 2, 2))
    assert 'Left out: <a href="/games/7">game 7</a>. This game is damaged: its cards.' in page
