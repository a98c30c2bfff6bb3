"""The story of a game on pages: after the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from engine.games import GAMES
from engine.seats import Seat
from engine.story_views import GameStory, PlayerContribution, WinSwing
from engine.table import Table
from engine.views import AudienceView
from tests.web.phones import port
from web.render.printed_log import FIRST_SHEET_TOP_MM, log_sheets
from web.render.templates import render_panel, render_seat_panel, render_tv_panel, wpa_text

NAMES: dict[Seat, str] = {"away": "Night <Owls>", "home": "Day Larks"}
"""What the sides are called in the story; the board of a season has no name of the opponent."""

HOUSES = {"seventh-inning-stretch": {"mode": "duel", "cards": "dealt"}}


def views_after(game: Table) -> tuple[AudienceView, AudienceView]:
    """Return the views of the home seat and of spectators, with a made-up story."""
    mine, view = (port(game).game.view_for(seat) for seat in ("home", None))
    assert view.table.outcome is not None
    assert view.table.box is not None
    players = [*view.table.box["home"].batters][:1]
    swing = WinSwing(1, 9, "bottom", "home", "Somebody singles.", 0.5, 0.75)
    added = [PlayerContribution(name, -0.254) for name in players]
    told = GameStory("Home <wins> it", ["One.", "Two."], [swing], NAMES, {"home": added} if added else {})
    return replace(mine, story=told), replace(view, story=told)


def whole_game(key: str) -> Table:
    """Return a random game that is over."""
    game, chance = Table(GAMES[key], [house_deck(GAMES[key])], HOUSES.get(key)), Random(2)
    while game.open_asks():
        n, ask = game.open_asks()[0]
        game.answer_ask(ask.seat, n, pick_answer(game.ask_view(n, ask, ask.seat, dealer=True), chance))
    return game


@pytest.mark.parametrize("key", GAMES)
def test_the_story_stands_on_every_page(key: str) -> None:
    """Spectators and seats read it, the television its headline, and the box score has what players added."""
    mine, view = views_after(whole_game(key))
    panel, seat, tv = render_panel(view), render_seat_panel(mine, view), render_tv_panel(view)
    for html in (panel["outcome"], seat["rematch"]):
        assert "Home &lt;wins&gt; it" in html
        assert "One. Two." in html
        assert "Day Larks 50% → 75%" in html
    assert "Home &lt;wins&gt; it" in tv["cover"]
    named = bool(view.story and view.story.contributions)
    assert named == ("WPA" in panel["box"]) == ("−.25" in panel["box"])


def test_nothing_is_shown_before_it_is_told() -> None:
    """Without a story the pages are those of a game without win probabilities."""
    view = replace(views_after(whole_game("small-ball"))[1], story=None)
    assert "recap" not in render_panel(view)["outcome"]
    assert "WPA" not in render_panel(view)["box"]


@pytest.mark.parametrize(
    ("added", "text"),
    [(0.314, "+.31"), (-0.05, "−.05"), (1.02, "+1.02"), (0.001, ".00"), (-0.001, ".00"), (0.1, "+.10")],
)
def test_wpa_is_printed_as_statistics_are(added: float, text: str) -> None:
    """With its sign, two digits and no zero before the point."""
    assert text == wpa_text(added)


def test_a_printed_sheet_has_headline_and_recap() -> None:
    """They stand between the line score and the plays, which begin below them and lose no line."""
    view = views_after(whole_game("small-ball"))[1]
    assert view.story
    log = [*view.before, *view.plays]
    plain, told = log_sheets(log), log_sheets(log, story=replace(view.story, recap=["One long sentence."] * 12))
    rows = told[0].story
    assert "Home <wins> it" == rows[0].words
    assert " ".join(["One long sentence."] * 12) == " ".join(row.words for row in rows[1:])
    assert FIRST_SHEET_TOP_MM < rows[0].y < rows[-1].y < min(row.y for row in told[0].rows) - 2
    assert [row.words for one in plain for row in one.rows] == [row.words for one in told for row in one.rows]
