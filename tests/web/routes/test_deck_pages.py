"""Decks as people read them: the shelf, a deck card by card, and what only the operator finds there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest

from device.shapes import CardView, DeckView
from engine.games import GAMES
from tests.web.phones import phone, read, text
from tests.web.web_table import WebTable, with_
from web.app import create_app
from web.render.cards import CardPart, card_face, cards_by_kind, frame_colors, value_in_words

HOUSES = {key: f"/decks/{key}/house" for key in GAMES}


# A card in words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("swing +1", "swing +1"),
        (["A", "D"], "A · D"),
        (["highest 6: home-run"], "highest 6: home run"),
        (True, "yes"),
        ({"second": ["A"], "otherwise": ["E", "E"]}, "second: A; otherwise: E · E"),
        ({"do": "race 4"}, "race 4"),
        (
            {"do": "S as B", "when": {"control": [1, 2], "outs": 2}, "may": True, "uses": "at-bat"},
            "S as B, when control = 1 or 2 and outs = 2 (optional), once an at-bat",
        ),
        (
            {"do": "swing +1", "when": [{"first": "empty"}, {"outs": 2}], "unless": {"direction_row": 0}},
            "swing +1, when first = empty, or outs = 2, unless direction row = 0",
        ),
        (["control -1", {"do": "unopposed", "uses": "game"}], "control -1 · unopposed, once a game"),
    ],
)
def test_said(value: Any, words: str) -> None:
    assert words == value_in_words(value)


SHAPE: dict[str, dict[str, Any]] = {
    "name": {"is": "text"},
    "number": {"is": "whole"},
    "team": {"is": "one-of"},
    "results": {"is": "list"},
    "turns": {"is": "map"},
    "quick": {"is": "flag"},
    "tires": {"is": "flag", "default": True},
    "ace_ability": {"is": "phrase"},
}


def card(kind: str, fields: Mapping[str, Any], place: int = 1) -> CardView:
    return CardView(kind, place, fields, {}, "")


def test_face() -> None:
    """By the look of each field; a flag only if it is unusual."""
    fields = {
        "name": "Basil Ladle",
        "number": 7,
        "team": "red",
        "results": ["SO", "1B"],
        "turns": {"GO": "1B"},
        "quick": True,
        "tires": False,
        "ace_ability": "swing -1",
    }
    shown = card_face(card("player", fields, 3), SHAPE)
    assert ("Basil Ladle", 7, ["quick", "not tires"]) == (shown.name, shown.corner, shown.tags)
    assert [
        CardPart("team", "chip", "red"),
        CardPart("results", "strip", ["SO", "1B"]),
        CardPart("turns", "turns", [("GO", "1B")]),
        CardPart("ace ability", "words", "swing -1"),
    ] == shown.parts
    assert not shown.full


def test_face_of_a_person() -> None:
    """A portrait, what the deck knows of positions and hands below the name, and a chart in columns; the frame has the
    color of the team, or teams take the colors in turn.
    """
    fields = {
        "name": "Ann",
        "team": "Herons",
        "positions": ["CF +3", "LF"],
        "hand": "S",
        "chart": "1-2 SO, 3 FB, 4+ HR",
    }
    shape = {name: {"is": "text" if name == "name" else "words"} for name in fields}
    shown = card_face(card("batter", fields), shape, "blue")
    assert (True, "blue", "CF +3 · LF · bats S") == (shown.person, shown.colour, shown.line)
    pairs = [("1-2", "SO"), ("3", "FB"), ("4+", "HR")]
    assert CardPart("chart", "chart", (fields["chart"], pairs)) == shown.parts[-1]
    assert "throws L" == card_face(card("pitcher", fields | {"hand": "L", "positions": []}), shape).line
    thing = card_face(card("stadium", fields), shape)
    assert (False, "") == (thing.person, thing.line)
    cards = [card("batter", {"team": team}) for team in ("Herons", "Kilns", "green", "Herons")]
    assert {"Herons": "red", "Kilns": "blue", "green": "green"} == frame_colors(cards)
    assert {"every pitcher": "red", "every batter": "blue"} == frame_colors([card("pitcher", {}), card("batter", {})])
    assert {} == frame_colors([card("stadium", {})])


def test_face_of_what_is_usual() -> None:
    """Usual flags are left out; a card without a name has its place."""
    shown = card_face(card("line", {"quick": False, "tires": True}, 2), SHAPE)
    assert ("line 2", "", [], []) == (shown.name, shown.corner, shown.tags, shown.parts)


def test_long_cards_are_set_smaller() -> None:
    """So that they fit on paper."""
    fields = {"name": "A", "ace_ability": "swing +1 " * 20}
    assert card_face(card("player", fields), SHAPE).full


@pytest.mark.parametrize("key", GAMES)
def test_every_card_of_every_game(key: str) -> None:
    """No value of a house deck's card is missing from its page."""
    deck = WebTable().library.deck_view(key, "house")
    assert deck is not None
    page = read(HOUSES[key])
    words = text(page)
    assert [one.place for kind in deck.shapes for one in deck.cards if one.kind == kind] == [
        one.place for group in cards_by_kind(deck) for one in group.cards
    ]
    assert len(deck.cards) == page.count("<article")
    for one in deck.cards:
        (shown,) = re.findall(rf'id="{one.kind}-{one.place}">(.*?)</article>', page, re.S)
        for name, value in one.fields.items():
            if isinstance(value, bool):
                assert not value or name.replace("_", " ") in text(shown) or deck.shapes[one.kind][name]["default"]
            elif deck.shapes[one.kind][name]["is"] == "map":
                assert isinstance(value, dict)
                assert all(old in text(shown) and new in text(shown) for old, new in value.items())
            elif isinstance(value, list):
                assert all(value_in_words(each) in unescape(shown) for each in value)
            else:
                assert value_in_words(value) in unescape(shown)
    assert deck.title in words


# The pages ----------------------------------------------------------------------------------------------------------


def test_shelf() -> None:
    page = read("/decks")
    for key, game in GAMES.items():
        assert game.title in page
        assert f'href="{HOUSES[key]}"' in page
    assert page.count("ships with Dugout") == page.count("ready to play</small>") == len(GAMES)


def test_every_page_leads_there() -> None:
    for path in ("/", "/plays", "/games", "/seat", "/table"):
        assert '<a href="/decks">Decks</a>' in read(path)
    assert 'href="/decks"' in read("/table", "operator").partition("New game</h2>")[2].partition("help-title")[0]


@pytest.mark.parametrize("who", ["spectator", "away", "home"])
def test_only_the_operator_changes(who: str) -> None:
    """Anybody may read, print and download; nobody else gets a form."""
    for path in ("/decks", HOUSES["small-ball"]):
        page = read(path, who)
        for offer in ("<form", "data-add", "data-change", "data-out", "editor.js", "decks.js", "/table#"):
            assert offer not in page
    assert 'id="print"' in page
    assert f'href="{HOUSES["small-ball"]}.toml"' in page


def test_house_deck_is_copied_not_changed() -> None:
    page = read(HOUSES["small-ball"], "operator")
    assert 'id="copy"' in page
    assert 'href="/table#game=small-ball&amp;deck=house"' in page
    for offer in ('id="rename"', 'id="remove"', "data-add", "data-change", "data-out"):
        assert offer not in page


def own(monkeypatch: pytest.MonkeyPatch, **changed: Any) -> WebTable:
    """A table with one own deck: a changed copy of the house deck."""
    port = WebTable()
    house = port.library.deck_view("small-ball", "house")
    assert house is not None
    mine: DeckView = with_(house, **{"name": "über uns", "own": True} | changed)
    monkeypatch.setattr(port.library, "deck_view", lambda game, name: mine if name == mine.name else None)
    return port


MINE = "/decks/small-ball/%C3%BCber%20uns"


def test_own_deck_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses of odd names work."""
    port = own(monkeypatch)
    page = read(MINE, "operator", port)
    count = page.count("<article")
    assert count == page.count("data-change=") == page.count("data-out=") > 20
    assert ["team", "player", "pinch"] == re.findall(r'data-add="(\w+)"', page)
    assert f'href="{MINE}.toml"' in page
    assert "deck=%C3%BCber%20uns" in page
    assert 'id="remove"' in page
    assert "data-change" not in read(MINE, port=port)


def test_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first reasons at once, the rest folded; no new game with it."""
    lacks = [f"red team, player: number {n} is <missing>." for n in range(1, 10)]
    page = read(MINE, "operator", own(monkeypatch, lacks=lacks, cards=[]))
    assert "Not ready to play. Fix first:" in page
    assert all(one in unescape(page) and one not in page for one in lacks)
    assert "5 more" in page
    assert "/table#" not in page
    assert "No cards yet." in read(MINE, port=own(monkeypatch, lacks=lacks, cards=[]))


def test_a_deck_for_one_house_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule it needs is shown, and passed to the new game."""
    page = read(
        MINE,
        "operator",
        own(monkeypatch, house={"extraCodes": "true"}, house_words=["Triples and home runs on cards? Yes"]),
    )
    assert "Ready to play with the house rule “Triples and home runs on cards? Yes”." in page
    assert "&amp;extraCodes=true" in page


def test_names_are_only_text(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "<b>&\"'"
    cards = [card("team", {"colour": "red", "name": odd})]
    page = read(MINE, "operator", own(monkeypatch, title=odd, cards=cards))
    assert "<b>&" not in page
    assert unescape(page).count(odd) >= 4


@pytest.mark.parametrize("path", ["/decks/small-ball/none", "/decks/chess/house", "/decks/chess/house.toml"])
def test_no_such_deck(path: str) -> None:
    with phone(create_app(WebTable().port)) as client:
        answer = client.get(path)
    assert (404, True) == (answer.status_code, "There is no such deck." in answer.text)


def test_file_to_keep() -> None:
    """The deck's own text, under its name."""
    port = WebTable()
    with phone(create_app(port.port)) as client:
        answer = client.get("/decks/small-ball/house.toml")
    assert port.library.deck_text("small-ball", "house") == answer.text
    assert "attachment; filename*=UTF-8''house.toml" == answer.headers["content-disposition"]
    assert "application/toml" == answer.headers["content-type"].partition(";")[0]


def test_cards_of_many_rows_are_set_smaller() -> None:
    """A portrait takes the place of a row, and so does a chart of two."""
    for kind, many, full in (("line", 9, False), ("line", 10, True), ("player", 8, False), ("player", 9, True)):
        shape = {f"field-{i}": {"is": "whole"} for i in range(many)}
        shown = card_face(card(kind, dict.fromkeys(shape, 1)), shape)
        assert full == shown.full


def test_names_are_no_faces_of_a_die() -> None:
    """A list of names is shown in words; a team is a list, and not printed as a card."""
    shape = {"name": {"is": "text"}, "order": {"is": "list"}}
    fields = {"name": "Owls", "order": ["Ezra Finch", "Nan Quill"]}
    (order,) = card_face(card("roster", fields), shape).parts
    assert ("words", "Ezra Finch · Nan Quill") == (order.style, order.value)
    for many, sheet in ((2, False), (17, True), (18, False)):
        of = {f"field-{i}": {"is": "whole"} for i in range(many)}
        empty = DeckView("mine", "Mine", True, [], {}, [], [], "any", "Any", {"roster": of}, [])
        assert [sheet] == [kind.sheet for kind in cards_by_kind(empty)]
