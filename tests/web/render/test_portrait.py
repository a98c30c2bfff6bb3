"""Portraits: always the same for a name, never alike among the house decks, and safe for any name."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.games import GAMES
from tests.web.phones import phone, read, small_ball
from web.app import create_app
from web.render.cards import PERSON_KINDS
from web.render.portrait import MAX_NAME_LENGTH, SKIN_TONES, TEAM_COLORS, player_look, portrait_address, portrait_svg

HOUSE = sorted(
    {
        str(card.fields["name"])
        for game in GAMES.values()
        for card in house_deck(game).cards
        if card.kind in PERSON_KINDS and "name" in card.fields
    }
)


def test_no_two_of_the_house_decks_look_alike() -> None:
    """Every two differ in at least three features, and so do the drawings, in the same color."""
    assert len(HOUSE) > 100
    assert len(HOUSE) == len({portrait_svg(name, "red") for name in HOUSE})
    looks = [tuple(getattr(player_look(name), one.name) for one in fields(player_look(name))) for name in HOUSE]
    for one, other in combinations(looks, 2):
        assert sum(a != b for a, b in zip(one, other, strict=True)) >= 3


def test_they_are_diverse() -> None:
    """No skin, hair or cap is on more than a third of the house decks' players, and every skin is there."""
    for part in ("skin", "hair", "cut", "eyes", "jersey", "stance", "ground"):
        counted = Counter(getattr(player_look(name), part) for name in HOUSE)
        assert max(counted.values()) < len(HOUSE) / 3, part
        assert len(counted) > 3
    assert set(SKIN_TONES) == {player_look(name).skin for name in HOUSE}


def test_the_same_name_has_the_same_face() -> None:
    """Whatever its capitals and spaces; the color of the team changes the clothes alone."""
    assert portrait_svg("Ann  Bly", "red") == portrait_svg(" ann bly", "red")
    assert player_look("Ann Bly") != player_look("Ann Blythe")
    drawings = {portrait_svg("Ann Bly", colour) for colour in (*TEAM_COLORS, "")}
    assert len(TEAM_COLORS) + 1 == len(drawings)
    assert portrait_svg("Ann Bly", "mauve") == portrait_svg("Ann Bly")
    skin = player_look("Ann Bly").skin
    assert all(skin in drawn for drawn in drawings)


@given(st.text(max_size=90), st.sampled_from([*TEAM_COLORS, "", "nothing"]))
def test_any_name_is_drawn(name: str, colour: str) -> None:
    """As well-formed SVG of a few kB without any text or address; none of the name is in it."""
    drawn = portrait_svg(name, colour)
    tags = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(drawn).iter()}
    assert tags <= {"svg", "g", "path", "circle", "ellipse"}
    assert len(drawn) < 5000
    assert drawn == portrait_svg(name, colour)


def test_lone_surrogates_have_a_portrait() -> None:
    assert portrait_svg("\ud800") == portrait_svg("\ud800")
    assert "/portrait.svg?name=%3F&colour=red" == portrait_address("\ud800", "red")


def test_served_and_kept() -> None:
    """With any Unicode name of at most 80 letters; phones keep it for a day."""
    with phone(create_app(small_ball().port)) as client:
        for name in ("Ann Bly", "Łukasz Żółć", "山田", "<b>&\"'", "x" * MAX_NAME_LENGTH, "a\nb", "  "):
            answer = client.get("/portrait.svg", params={"name": name, "colour": "blue"})
            assert (200, "image/svg+xml") == (answer.status_code, answer.headers["content-type"])
            assert "public, max-age=86400" == answer.headers["cache-control"]
            assert portrait_svg(name, "blue") == answer.text
            assert portrait_svg(name, "blue") == client.get(portrait_address(name, "blue")).text
        assert portrait_svg("x" * MAX_NAME_LENGTH) == client.get(portrait_address("x" * 200, "<script>")).text


@pytest.mark.parametrize("query", ["", "name=", "name=" + "x" * 81, "name=Ann&colour=RED", "name=Ann&colour=%3Cb%3E"])
def test_refused(query: str) -> None:
    with phone(create_app(small_ball().port)) as client:
        assert 422 == client.get(f"/portrait.svg?{query}").status_code


def test_beside_the_batter() -> None:
    """In the color of the side at bat, as a picture that phones load once; the page stays small."""
    port = small_ball()
    board = port.game.table.scoreboard()
    assert board.batter
    assert board.batting
    address = portrait_address(board.batter, board.sides[board.batting].colour).replace("&", "&amp;")
    page = read("/", port=port)
    assert f'<img class="mug" src="{address}" alt=""' in page
    assert "<path" not in page.partition('class="batter"')[2].partition("</h2>")[0]
