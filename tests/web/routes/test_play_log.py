"""For late spectators: scoring plays only, and the box score at the end."""

from __future__ import annotations

import re

import pytest

from engine.game import Rulebook
from engine.games import GAMES
from engine.innings import Outcome
from engine.journal import Source
from tests.golden import entries_of, new
from tests.web.phones import phone, port, small_ball, text
from tests.web.secret_number_game import PEEK
from tests.web.web_table import WebTable
from web.app import create_app
from web.render.templates import WIN_DESCRIPTIONS, game_template, render_panel, win_description


def over(key: str) -> WebTable:
    """A table whose stored game has ended."""
    table = new(GAMES[key])
    for entry in entries_of(GAMES[key]):
        table.apply_entry(entry)
    return port(table)


def box(made: WebTable) -> str:
    return render_panel(made.game.view_for(None))["box"]


def test_the_filter_stands_beside_what_the_stream_replaces() -> None:
    """One labeled checkbox, outside all regions."""
    with phone(create_app(over("small-ball").port)) as client:
        for path in ("/", "/plays"):
            page = client.get(path).text
            assert ["Scoring plays only"] == [text(one) for one in re.findall(r"<label.*?</label>", page)]
            assert '<input type="checkbox" id="only">' in page
            assert "/static/css/story.css" in page
            assert not re.search(r'<section class="region[^>]*>(?:(?!</section>).)*id="only"', page, re.DOTALL)


def test_scoring_plays_are_marked() -> None:
    with phone(create_app(over("small-ball").port)) as client:
        page = client.get("/plays").text
    (scoring,) = re.findall(r'<li class="scoring">(.*?)</li>', page)
    assert "Nine have batted: Lanterns bank 6 runs." in scoring
    assert "+6" in scoring
    with phone(create_app(over("rallybird").port)) as client:
        assert 5 == client.get("/plays").text.count('<li class="scoring">')


def test_the_style_sheet_hides_the_others() -> None:
    """A rule of the style sheet, so new plays follow at once; it says if there is no run yet."""
    with phone(create_app(small_ball().port)) as client:
        sheet = client.get("/static/css/story.css").text
        assert "No runs yet." in text(client.get("/").text)
    assert not re.search(r"^\.batting {", sheet, re.MULTILINE)  # the side at bat is called so, too
    for rule in (
        "#only:checked ~ * li:not(.scoring)",
        "#only:checked ~ .half:not(.with-runs)",
        "#only:checked ~ .none",
    ):
        assert rule in sheet


def test_no_box_score_before_the_end() -> None:
    """Nor after the last answer was taken back."""
    assert "" == box(small_ball())
    made = over("small-ball")
    assert box(made)
    made.game.undo_answers(None)
    assert "" == box(made)


def test_box_score_by_player() -> None:
    """Who won and how, then a table for each side."""
    html = box(over("small-ball"))
    words = text(html)
    assert (
        "Box score Lanterns win 6 to 0. Won in extra innings. Owls Batter AB R H RBI BB SO Ezra Finch 4 0 1 0 1 3"
        in words
    )
    assert "Total 21 0 10 0 9 6 Lanterns Batter" in words
    assert words.endswith("Nan Quill 4 1 1 1 0 3 Total 29 6 16 6 6 4")
    assert 2 == html.count("<caption>")
    assert html.count("<tr>") == html.count('<th scope="row">') + html.count("<thead>")
    assert '<abbr title="Runs batted in">RBI</abbr>' in html


def test_box_score_of_one_half() -> None:
    """A side that never batted has no table."""
    words = text(box(over("bottom-of-the-9th")))
    assert "Home wins with a run in the ninth. Won on a walk-off hit. Home Batter" in words
    assert "Visitors" not in words


def test_box_score_of_teams() -> None:
    """One table if batters have no names, without columns that nobody can know."""
    words = text(box(over("rallybird")))
    assert "Won on a walk-off. Both teams Team AB R H BB Visitors 19 2 9 2 Home 16 6 7 1" in words
    assert "RBI" not in words


def test_nobody_won() -> None:
    """A game without a winner does not say how it was won."""
    made = WebTable(PEEK, [])
    for n in (0, 3):
        made.seats.answer_ask("away", n, 4, Source.PHONE)
        made.seats.answer_ask("away", n + 1, "one", Source.PHONE)
        made.seats.answer_ask("home", n + 2, "two", Source.PHONE)
    assert "Nobody wins. Both teams" in text(box(made))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_how_it_was_won(game: Rulebook) -> None:
    view = over(game.key).game.view_for(None)
    assert view.table.outcome is not None
    reason = view.table.outcome.reason
    board = view.table.scoreboard
    own = game_template(game.key, {"view": view, "table": view.table, "board": board, "sides": board.sides})
    assert reason in (*WIN_DESCRIPTIONS, *getattr(own, "how", {}), "extra-innings")
    assert "in extra innings" == win_description(Outcome("away", "extra-innings", "Won."))
