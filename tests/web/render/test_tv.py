"""The television's page: its regions, its last plays, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from engine.events import Moment
from engine.innings import Outcome
from engine.journal import Source
from engine.scoreboard import SideScore
from engine.views import PlayView, json_data
from tests.web.phones import WHO, over, peek, phone, small_ball, text
from tests.web.stream_client import Listener, looped
from web.app import create_app
from web.render.templates import (
    TV_REGIONS,
    label_size,
    last_plays,
    name_length_class,
    render_tv_panel,
    side_abbreviations,
)


def line(n: int, code: str, sentence: str, moment: Moment | None = None, scored: int = 0) -> PlayView:
    """Return a line of the play log."""
    return PlayView(n, code, 1, 3, "top", "away", sentence, scored, None, False, moment)


@pytest.mark.parametrize(
    ("away", "home", "short"),
    [
        ("Lanterns", "Owls", ["LAN", "OWL"]),
        ("Dairy Road Nine", "Your team", ["DRN", "YOU"]),
        ("Visitors", "Visigoths", ["VIA", "VIH"]),
        ("", "Öl", ["", "ÖL"]),
    ],
)
def test_abbreviations_differ(away: str, home: str, short: list[str]) -> None:
    """First letters, or initials; if both were the same, the seat's letter ends them."""
    assert short == list(side_abbreviations({"away": SideScore(away, "red"), "home": SideScore(home, "blue")}).values())


def test_the_third_out_stays_until_the_next_half_innings_first_play() -> None:
    """A card drawn, for example, does not push it away."""
    out = line(4, "strikeout", "Ann strikes out.", "strikeout")
    begun = [line(4, "half-inning", "Inning 3, bottom.", "half-inning"), line(5, "draws", "Owls draw 1 card.")]
    assert ["Ann strikes out."] == [play.sentence for play in last_plays((begun, [out]))]
    hit = line(6, "single", "Bo singles.", "hit")
    assert ["Bo singles.", "Ann strikes out."] == [play.sentence for play in last_plays(([*begun, hit], [out]))]


def test_one_answer_is_one_play_with_its_greatest_moment() -> None:
    """Sentences and runs of an answer are joined."""
    hit, run = line(7, "home-run", "It is gone!", "home-run"), line(7, "scores", "2 runs in.", "lead", 2)
    (play,) = last_plays(([hit, run], []))
    assert ("It is gone! 2 runs in.", 2, "home-run") == (play.sentence, play.scored, play.moment)


@pytest.mark.parametrize("length", [1, 12, 40, 80])
def test_a_runners_name_fits_beside_its_base(length: int) -> None:
    """Letters of 0.6 of their size take at most 90 units, and never more than 13 high."""
    assert label_size("W" * length) <= 13
    assert 0.6 * length * label_size("W" * length) <= 91


@looped
async def test_the_stream_has_the_pages_regions_and_follows() -> None:
    """With the same view as for every spectator."""
    port = small_ball()
    app = create_app(port.port)
    async with app.router.lifespan_context(app), Listener(app, "/stream?page=tv") as listener:
        heard = await listener.until("panel")
        panel = heard[-1].data
        assert set(TV_REGIONS) == set(panel)
        assert "Pip Marlowe" in panel["duel"]
        assert json_data(port.game.view_for(None)) == heard[0].data
        port.seats.answer_ask("away", 1, "bat", Source.PHONE)
        heard = await listener.until("panel", port.game.version)
        assert "Roll for Pip Marlowe." in heard[-1].data["ask"]


def test_the_stream_is_for_spectators() -> None:
    """A seat's secrets are for other pages."""
    app = create_app(small_ball().port)
    with phone(app, "away") as client:
        assert 422 == client.get("/stream?page=tv&seat=away").status_code


def test_secrets_change_nothing() -> None:
    """What a seat has chosen in secret is on no region."""
    first, second = (render_tv_panel(peek(chosen).game.view_for(None)) for chosen in ("one", "three"))
    assert first == second
    assert "ready" in first["ask"]
    assert "choosing" in first["ask"]


def test_before_a_game_and_after_it_a_cover_lies_over_the_middle() -> None:
    """During the game there is none."""
    view = small_ball().game.view_for(None)
    assert "" == render_tv_panel(view)["cover"]
    table: Any = replace(view.table, outcome=Outcome("home", "walk-off", "Owls win."))
    over = render_tv_panel(replace(view, table=table))["cover"]
    assert "Owls win." in over
    assert "on a walk-off" in over


def test_between_half_innings_the_line_score_and_three_batters_are_ready() -> None:
    """The region is always filled; the page shows it when a half-inning begins."""
    found = render_tv_panel(small_ball().game.view_for(None))["between"]
    assert "Top of the 1st Lanterns at bat" in text(found)
    assert ["Pip Marlowe", "Juno Sable", "Otis Fenwick"] == re.findall(r"<b class=\"\w*\">([^<]*)</b>", found)
    assert 'class="linescore"' in found


def test_after_the_game_line_score_totals_and_star() -> None:
    """The star has a portrait in the color of the team."""
    view = over().game.view_for(None)
    found = render_tv_panel(view)["cover"]
    assert view.table.star is not None
    assert f"Star of the game {view.table.star.name}" in text(found)
    assert (1, 2) == (found.count("/portrait.svg?name="), found.count('<tr><th scope="row">'))
    for seat, side in view.table.scoreboard.sides.items():
        assert view.table.box is not None
        all_ = view.table.box[seat].total
        assert f"{side.runs} {all_.hits} {all_.walks} {all_.strikeouts}" in text(found)


@pytest.mark.parametrize(("name", "size"), [("Ann Lee", ""), ("Fairweather", "long"), ("A Longbottomsworth", "longer")])
def test_long_words_have_smaller_letters(name: str, size: str) -> None:
    """So that a name does not break inside a word."""
    assert size == name_length_class(name)


def test_the_page_is_the_same_for_everybody() -> None:
    """Seats and the operator too see what spectators see."""
    app = create_app(peek("one").port)
    pages = set()
    for who in WHO:
        with phone(app, who) as client:
            pages.add(client.get("/tv").text)
    assert 1 == len(pages)


def test_a_pinch_hitter_is_named_until_the_roll() -> None:
    """In the question, and beside the batter on the television."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "pinch-1", Source.PHONE)
    while port.game.view_for(None).table.asks[0].why != "at-bat":
        port.seats.answer_ask("away", port.game.view_for(None).table.asks[0].n, "bat", Source.PHONE)
    found = render_tv_panel(port.game.view_for(None))
    assert "Roll for Pip Marlowe, helped by Tug Barlow." in text(found["ask"])
    assert "Helped by Tug Barlow" in text(found["duel"])
    port.seats.answer_ask("away", port.game.view_for(None).table.asks[0].n, [1], Source.PHONE)
    assert "Barlow" not in text(render_tv_panel(port.game.view_for(None))["duel"])


def test_the_chart_is_told_once() -> None:
    """Its odds are in its cells, once for each result, so neither the question nor a list of chances repeats them."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    view = port.game.view_for(None)
    found = render_tv_panel(view, port.port.record.outcome_chances())
    odds = re.findall(r"<small>(\d+)%</small>", found["duel"])
    assert (["17", "17", "17", "17", "33"], 100) == (sorted(odds), round(sum(map(int, odds)), -1))
    assert "chances" not in found["ask"]
    assert "Waiting for Lanterns Roll for Pip Marlowe." in text(found["ask"])
