"""Names can be seen by everybody, wherever they are typed, and command nothing, wherever they are shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device.cli import main
from device.inputs import teaching
from device.storage import game_list
from device.storage.database import open_read_only
from device.storage.decks import DeckLibrary, house_deck_text
from device.storage.store import Store
from engine.cards import CardField
from engine.errors import DeckError
from engine.games import GAMES
from tests.device.storage import recorded_writer
from tests.web.phones import TestClient, phone
from tests.web.web_table import WebTable
from web.app import create_app

UNSEEN = {
    "joiners": "\u200d\u200c\u200d",
    "a joiner between letters": "An\u200dn",
    "zero width spaces": "\u200b\u200b",
    "a soft hyphen": "An\u00adn",
    "blanks of Braille": "\u2800\u2800",
    "fillers of Hangul": "\u3164",
    "spaces": "\u2003\u00a0",
    "tags": "Ann\U000e0041",
    "an accent without a letter": "\u0301",
    "stacked accents": "A" + "\u0301\u0316" * 9,
    "half a letter": "\ud800",
    "two lines": "Ann\nBob",
}
HIDDEN = "\x1b\x07\x9b\u202e\u2066\u200f"

TEXTS = [
    (game.key, kind, name, field)
    for game in GAMES.values()
    for kind, shape in game.shapes.items()
    for name, field in shape.items()
    if field.form["is"] == "text"
]


@pytest.fixture
def port() -> WebTable:
    return WebTable(GAMES["small-ball"])


@pytest.fixture
def operator(port: WebTable) -> Iterator[TestClient]:
    with phone(create_app(port.port), "operator") as client:
        yield client


@pytest.mark.parametrize("odd", UNSEEN.values(), ids=UNSEEN)
def test_no_card_can_have_it(odd: str) -> None:
    """In no text of any kind of card of any game; there are some in each."""
    assert set(GAMES) == {key for key, *_ in TEXTS}
    for *_, field in TEXTS:
        with pytest.raises(ValueError, match="needs"):
            field(odd)


@pytest.mark.parametrize("field", [field for *_, field in TEXTS], ids=lambda field: str(field.form["longest"]))
def test_what_is_hidden_is_removed_from_cards(field: CardField) -> None:
    assert "Ab" == field(f"{HIDDEN}A{HIDDEN}b")


@pytest.mark.parametrize("odd", UNSEEN.values(), ids=UNSEEN)
def test_no_deck_game_or_die_can_have_it(tmp_path: Path, odd: str) -> None:
    library = DeckLibrary(tmp_path)
    house = house_deck_text(GAMES["small-ball"])
    name = library.create_deck("small-ball", "Mine", None)
    with pytest.raises(DeckError, match="title"):
        library.create_deck("small-ball", odd, None)
    with pytest.raises(DeckError, match="title"):
        library.rename_deck("small-ball", name, odd)
    with pytest.raises(DeckError):
        library.import_deck(house, odd)
    title = next(line for line in house.splitlines() if line.startswith("title"))
    with pytest.raises(DeckError):
        library.import_deck(house.replace(title, f"title = {json.dumps(odd, ensure_ascii=False)}", 1), None)
    assert ["mine.toml"] == [path.name for path in tmp_path.iterdir()]
    for check in (game_list.checked_name, teaching.validate_die_name):
        with pytest.raises(ValueError, match="needs"):
            check(odd.replace("\n", "\u200b") if odd.strip() else "\u2800")


def test_what_is_hidden_is_removed_from_titles_and_names(operator: TestClient) -> None:
    title = f"Ours{HIDDEN}"
    made = operator.post("/api/decks", json={"game": "small-ball", "title": title}).json()
    assert "Ours" == operator.get(f"/api/decks/small-ball/{made['name']}").json()["title"]
    card = {"kind": "team", "fields": {"colour": "red", "name": f"Re{HIDDEN}ds"}}
    assert operator.post(f"/api/decks/small-ball/{made['name']}/card", json=card).is_success
    assert 'name = "Reds"' in operator.get(f"/decks/small-ball/{made['name']}.toml").text
    assert ("Final", "Tim") == (game_list.checked_name(f"Fi{HIDDEN}nal"), teaching.validate_die_name(f"T{HIDDEN}im"))


def test_half_a_letter_in_a_deck_is_refused(operator: TestClient, port: WebTable) -> None:
    """It cannot be written to a file: an error of this request, not of the table."""
    house = house_deck_text(GAMES["small-ball"])
    for text in (house.replace("title = ", "title = \ud800", 1), house + "# \udfff\n", "\ud800"):
        answer = operator.post(
            "/api/decks/import", content=json.dumps({"text": text}), headers={"Content-Type": "application/json"}
        )
        assert (422, "deck") == (answer.status_code, answer.json()["error"])
    assert [] == [deck for one in port.library.all_decks() for deck in one.decks if deck.own]


def test_an_old_file_shows_nothing_hidden(operator: TestClient, port: WebTable, tmp_path: Path) -> None:
    """Someone laid it there: its name must be seen, and what is in it is shown without commands, faulty or not."""
    house = house_deck_text(GAMES["small-ball"])
    port.library.create_deck("small-ball", "Seen", None)
    folder = port.library._folder
    for name in ("a\u202eb", "\u2800", "a\u200db", "a\x1bb"):
        (folder / f"{name}.toml").write_text(house)
    (folder / "odd.toml").write_text(
        '[deck]\ngame = "small-ball"\ntitle = "A\\u001b[2J\\u202eB"\n[[team]]\ncolour = "red\\u202e"\n"k\\u001b" = 1\n'
    )
    assert ["odd", "seen"] == [deck.name for deck in port.library.all_decks()[0].decks if deck.own]
    for path in ("/decks", "/decks/small-ball/odd", "/api/decks", "/api/decks/small-ball/odd"):
        text = operator.get(path).text
        assert "A[2JB" in text
        assert not {"\x1b", "\u202e"} & set(text)
        assert "\\u001b" not in text


def test_an_old_name_shows_nothing_hidden(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game's name in a journal that somebody else wrote, on pages and in the terminal."""
    with closing(Store(tmp_path / "journal.db")) as store:
        game = store.begin_game(recorded_writer.table())
        with closing(open_read_only(store.path)) as db:
            row = game_list.read_rows(db)[0][game]
        with store._db as db:  # as no function of ours would
            game_list.write_row(db, game, type(row)(row.turn, "A\x1b]0;owned\x07\u202eB", row.rev))
    assert 0 == main(["games", "--data", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "A]0;ownedB" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_no_page_sends_what_is_hidden() -> None:
    """Whatever the table tells the pages, as a notice may repeat a name from an old game."""
    port = WebTable(GAMES["small-ball"])
    port.show(notice="Taken back: A\x1b[2J\u202eB\ud800.")
    with phone(create_app(port.port), "operator") as client:
        for path in ("/", "/table", "/api/view"):
            answer = client.get(path)
            assert 200 == answer.status_code
            assert not {"\x1b", "\u202e"} & set(answer.text)
            assert "\\u001b" not in answer.text
        assert "A[2JB\N{REPLACEMENT CHARACTER}." in client.get("/api/view").text
