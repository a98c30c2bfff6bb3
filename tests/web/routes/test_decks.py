"""The API of the decks: reading, the operator's changes, and each refusal."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from device.shapes import DeckList, DeckView
from device.storage.decks import house_deck_text
from engine.games import GAMES
from tests.web.documented import same
from tests.web.phones import TestClient, phone, small_ball
from tests.web.web_table import WebTable
from web.app import create_app
from web.security import admission

JSON = {"Content-Type": "application/json"}
MINE = "/api/decks/small-ball/mine"
PIP = {"team": "red", "number": 1, "name": "Pip", "results": ["SO", "1B", "GO", "FO", "BB", "1B"]}


@pytest.fixture
def port() -> WebTable:
    """A table with a copy of the house deck."""
    port = small_ball()
    assert "mine" == port.library.create_deck("small-ball", "Mine", "house")
    return port


@pytest.fixture
def operator(port: WebTable) -> Iterator[TestClient]:
    with phone(create_app(port.port), "operator") as client:
        yield client


def refusal(answer: Any) -> tuple[int, str, list[tuple[str, str]]]:
    """The status and kind of a refusal, and the card and field of each fault."""
    body = answer.json()
    TypeAdapter(list[dict[str, str]]).validate_python(body.get("faults", []))
    assert body["sentence"].endswith((".", "…"))
    return answer.status_code, body["error"], [(fault["card"], fault["field"]) for fault in body.get("faults", [])]


def test_anyone_reads(port: WebTable) -> None:
    """All decks, and one deck with the looks of its fields, as documented."""
    with phone(create_app(port.port)) as client:
        shelves = client.get("/api/decks").json()
        same(list[DeckList], shelves)
        assert list(GAMES) == [shelf["game"] for shelf in shelves]
        assert [("house", False), ("mine", True)] == [(one["name"], one["own"]) for one in shelves[0]["decks"]]
        for game in GAMES:
            found = client.get(f"/api/decks/{game}/house").json()
            same(DeckView, found)
            assert GAMES[game].title == found["of"]
        for lost in ("/api/decks/small-ball/lost", "/api/decks/chess/house", "/api/decks/rallybird/mine"):
            assert (404, "unknown", []) == refusal(client.get(lost))


def test_the_operator_types_a_card_in(operator: TestClient) -> None:
    """A wrong card is refused with each fault by its field."""
    wrong = PIP | {"number": "seven", "results": ["SO"], "hat": "red", "name": "  "}
    answer = operator.post(f"{MINE}/card", json={"kind": "player", "fields": wrong})
    named = [("player 19", field) for field in ("hat", "number", "name", "results")]
    assert (422, "deck", named) == refusal(answer)
    reasons = {fault["field"]: fault["reason"] for fault in answer.json()["faults"]}
    assert "needs a whole number from 1 to 9, not 'seven'." == reasons["number"]
    assert ("is missing.", "needs a list of 6; there is 1.") == (reasons["name"], reasons["results"])
    assert {"ok": True, "place": 19} == operator.post(f"{MINE}/card", json={"kind": "player", "fields": PIP}).json()
    deck = operator.get(MINE).json()
    assert PIP == [card["fields"] for card in deck["cards"] if card["kind"] == "player"][-1]
    assert ["Player 19, number: the red team has two players 1."] == deck["lacks"]
    assert {"ok": True} == operator.post(f"{MINE}/card/remove", json={"kind": "player", "place": 19}).json()
    assert [] == operator.get(MINE).json()["lacks"]


def test_two_phones_change_one_card(operator: TestClient) -> None:
    """A change of a card that has changed or gone is stale, and changes nothing."""
    first, second = [card for card in operator.get(MINE).json()["cards"] if card["kind"] == "player"][:2]
    change = {"kind": "player", "place": 1, "fields": PIP, "mark": first["mark"]}
    assert operator.post(f"{MINE}/card", json=change).is_success
    assert (409, "stale", []) == refusal(operator.post(f"{MINE}/card", json=change | {"fields": second["fields"]}))
    assert operator.post(f"{MINE}/card/remove", json={"kind": "player", "place": 1}).is_success
    gone = {"kind": "player", "place": 1, "mark": first["mark"]}
    assert (409, "stale", []) == refusal(operator.post(f"{MINE}/card/remove", json=gone))
    assert (409, "stale", []) == refusal(operator.post(f"{MINE}/card/remove", json={"kind": "player", "place": 18}))
    cards = [card for card in operator.get(MINE).json()["cards"] if card["kind"] == "player"]
    assert (17, second["fields"]) == (len(cards), cards[0]["fields"])
    assert operator.post(f"{MINE}/remove").is_success
    for path, body in {"card": change, "card/remove": gone, "title": {"title": "x"}, "remove": {}}.items():
        assert (409, "stale", []) == refusal(operator.post(f"{MINE}/{path}", json=body))


def test_making_renaming_removing(operator: TestClient, port: WebTable) -> None:
    """The house deck stays as it is."""
    made = operator.post("/api/decks", json={"game": "rallybird", "title": "Mine"}).json()
    assert {"ok": True, "game": "rallybird", "name": "mine-2"} == made
    assert operator.post("/api/decks/rallybird/mine-2/title", json={"title": "Our box"}).is_success
    assert "Our box" == operator.get("/api/decks/rallybird/mine-2").json()["title"]
    assert [True] == [bool(one.lacks) for one in port.library.owner_decks("rallybird")]
    again = operator.post("/api/decks", json={"game": "rallybird", "title": "", "copy": "house"})
    assert (422, "deck", [("deck", "title")]) == refusal(again)
    assert (409, "stale", []) == refusal(
        operator.post("/api/decks", json={"game": "rallybird", "title": "A", "copy": "mine"})
    )
    assert (422, "deck", [("deck", "game")]) == refusal(
        operator.post("/api/decks", json={"game": "chess", "title": "A"})
    )
    house = "/api/decks/small-ball/house"
    text = port.library.deck_text("small-ball", "house")
    for path, body in {
        "card": {"kind": "player", "fields": PIP},
        "card/remove": {"kind": "player", "place": 1},
        "title": {"title": "x"},
        "remove": {},
    }.items():
        assert (422, "deck", [("", "")]) == refusal(operator.post(f"{house}/{path}", json=body))
    assert text == port.library.deck_text("small-ball", "house")


def test_a_file_is_taken_or_refused_with_all_its_faults(operator: TestClient) -> None:
    """An export can be imported; nothing of a wrong file is stored."""
    text = house_deck_text(GAMES["small-ball"])
    taken = operator.post("/api/decks/import", json={"text": text, "title": "From a friend"}).json()
    assert {"ok": True, "game": "small-ball", "name": "from-a-friend"} == taken
    wrong = text.replace("number = 2", "number = 12", 1).replace('name = "Pip', 'nam = "Pip', 1)
    answer = operator.post("/api/decks/import", json={"text": wrong})
    faults = [("player 1", "nam"), ("player 1", "name"), ("player 2", "number")]
    assert (422, "deck", faults) == refusal(answer)
    for rest, card in {"": "", '[deck]\ngame = "chess"\n': "deck", "[deck": "", "\ud800": ""}.items():
        status, error, told = refusal(
            operator.post("/api/decks/import", content=json.dumps({"text": rest}), headers=JSON)
        )
        assert 422 == status
        assert error == "malformed" or told[0][0] == card
    many = "[deck]\ngame='small-ball'\ntitle='x'\n" + "[[player]]\n" * 400
    answer = operator.post("/api/decks/import", json={"text": many})
    assert (422, 200) == (answer.status_code, len(answer.json()["faults"]))
    assert ["mine", "from-a-friend"] == sorted(
        (one["name"] for one in operator.get("/api/decks").json()[0]["decks"] if one["own"]), reverse=True
    )


def test_a_deck_may_be_larger_than_any_other_body(operator: TestClient) -> None:
    """256 kB, at that one address only."""
    text = house_deck_text(GAMES["small-ball"])
    left = 256 * 1024 - len(text.encode())
    full = text + "#\n" * (left // 2) + "#" * (left % 2)
    assert operator.post("/api/decks/import", json={"text": full}).is_success
    answer = operator.post("/api/decks/import", json={"text": full + "#"})
    assert (422, "deck", [("", "")]) == refusal(answer)
    assert "is larger than 256 kB" in answer.json()["sentence"]
    answer = operator.post("/api/decks/import", content=b"x" * (admission.LARGE_UPLOAD.limit * 1024 + 1))
    assert (413, "That is too large. The limit is 512 kB.") == (answer.status_code, answer.json()["sentence"])
    answer = operator.post("/api/decks", content=b"x" * (16 * 1024 + 1))
    assert (413, "That is too large. The limit is 16 kB.") == (answer.status_code, answer.json()["sentence"])


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "\ud800"},
        {"\ud800": 1},
        {"number": "LONG"},
        {"number": float("nan")},
        {"name": None, "number": [[[[[[[[[[[[1]]]]]]]]]]]]},
        {"results": "x" * 12_000},
        {"team": {"red": "blue"}},
        {"name": 'a"\n[[player]]\nteam = "red"'},
    ],
)
def test_rubbish_is_refused_in_words(operator: TestClient, port: WebTable, fields: dict[str, Any]) -> None:
    """With a sentence that a phone can show; the file stays as it was."""
    before = port.library.deck_text("small-ball", "mine")
    body = json.dumps({"kind": "player", "fields": PIP | fields}).replace('"LONG"', "1" * 5000)
    answer = operator.post(f"{MINE}/card", content=body, headers=JSON)
    assert answer.status_code in (400, 422)
    refusal(answer)
    assert len(answer.text) < 4000
    assert before == port.library.deck_text("small-ball", "mine")


def test_a_number_may_nest_as_deep_as_a_body_is_long(operator: TestClient) -> None:
    gc.collect()  # tables of other tests remove their folders when they are collected: not so deep in a parser
    for depth in (20, 500, 900, 3000, 7000):
        body = '{"kind": "player", "fields": {"name": ' + "[" * depth + "]" * depth + "}}"
        assert operator.post(f"{MINE}/card", content=body, headers=JSON).status_code in (400, 422)
        text = "[deck]\ngame='small-ball'\ntitle='x'\nplayer = " + "[" * depth + "]" * depth
        assert 422 == operator.post("/api/decks/import", json={"text": text}).status_code


def test_the_catalogue_says_which_deck_is_whole(operator: TestClient) -> None:
    """An incomplete deck cannot begin a game; completed, it can."""

    def whole() -> dict[str, bool]:
        games = operator.get("/api/catalogue").json()["games"]
        return {deck["name"]: not deck["lacks"] for deck in games[0]["decks"] if deck["name"] != "house"}

    assert {"mine": True} == whole()
    card = operator.get(MINE).json()["cards"][-1]
    assert operator.post(f"{MINE}/card/remove", json={"kind": "pinch", "place": 4}).is_success
    assert {"mine": False} == whole()
    assert 422 == operator.post("/api/game", json={"game": "small-ball", "decks": ["mine"]}).status_code
    assert operator.post(f"{MINE}/card", json={"kind": "pinch", "fields": card["fields"]}).is_success
    assert {"mine": True} == whole()
    assert operator.post("/api/game", json={"game": "small-ball", "decks": ["mine"]}).is_success


def test_half_a_character_is_refused_as_anything_else(operator: TestClient) -> None:
    """A lone surrogate can be sent, and the refusal leaves it out."""
    body = '{"kind": "player", "fields": {"\\ud800": "\\ud800"}}'
    answer = operator.post(f"{MINE}/card", content=body, headers=JSON)
    assert (422, "deck") == (answer.status_code, answer.json()["error"])
