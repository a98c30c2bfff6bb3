"""The review of a finished game on its page."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace

from device.shapes import GameAnalysis, GameSummary, ReviewedDecision, SeatReview
from engine.seats import Seat
from engine.views import GameName, WinProbabilityView
from tests.web.render.test_story import views_after, whole_game
from web.render.templates import render_page, render_panel

ROW = GameSummary(
    7, GameName("small-ball", "Small Ball"), "", "", "", False, False, False, None, None, None, 9, None, False
)

BAD = ReviewedDecision(4, 3, "top", "Two out.", "What will you do?", "Sacrifice", "Bat <now>", 0.104, "An out is dear.")

OWLS = SeatReview("Owls", 5, 4, 0.874, 0.106, [BAD], 0.12)
"""One bad decision, and good luck."""


def shown(review: Mapping[Seat, SeatReview] | None, row: GameSummary = ROW) -> str:
    """Return the words of the page."""
    analysis = GameAnalysis(WinProbabilityView(0.5, 0.0, (0.5,), ()), {-1: 0.5}, None, review)
    page = render_page("analysis/review.html", analysis=analysis, row=row, sides={}).body
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", bytes(page).decode())).split())


def test_a_side() -> None:
    words = shown({"away": OWLS})
    assert "87% accuracy: 4 of 5 decisions were the best, or as good." in words
    assert "The others gave away 11 points of winning chance." in words
    assert "The dice gave Owls 12 points of winning chance more than expected." in words
    assert "Two out. What will you do? Given Sacrifice Better Bat <now>. An out is dear." in words
    assert "Cost 10 points of winning chance" in words


def test_a_decision_of_a_season_names_its_game() -> None:
    words = shown({"away": replace(OWLS, worst=[replace(BAD, game=12), replace(BAD, game=2, situation="")])})
    assert "Game 12. Two out. What will you do?" in words
    assert "Game 2. What will you do?" in words
    assert "Game" not in shown({"away": OWLS})


def test_a_computer_is_named() -> None:
    found = shown({"away": OWLS, "home": replace(OWLS, name="Bats")}, replace(ROW, computers={"home": "Ruth Santoro"}))
    assert "Bats Ruth Santoro, computer" in found
    assert "Owls 87%" in found


def test_little_and_nothing() -> None:
    """Nothing is "0 points", and bad luck is less than expected."""
    words = shown(
        {"away": SeatReview("Owls", 0, 0, 1.0, 0.0, [], -0.01), "home": SeatReview("Bats", 1, 1, 1.0, 0.001, [], 0.001)}
    )
    assert "No decision made a difference. The dice gave Owls 1 point of winning chance less than expected." in words
    assert "100% accuracy: 1 of 1 decision was the best, or as good. The dice gave Bats what was expected." in words
    assert " 0 points" not in words


def test_no_review() -> None:
    """During a game, or with less of it in the settings."""
    assert shown(None) == shown({}) == ""


def test_the_end_of_a_game_leads_to_it() -> None:
    """As soon as there is a story, which the same setting allows."""
    _, view = views_after(whole_game("small-ball"))
    link = f'href="/games/{view.number}/analysis#review"'
    assert link in render_panel(view)["outcome"]
    assert link not in render_panel(replace(view, story=None))["outcome"]
