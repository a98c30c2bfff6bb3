"""The owner's decks: made, typed in card by card, copied, taken from elsewhere, removed; and what is refused."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.app import App
from device.settings import parse_settings
from device.storage import deck_editor
from device.storage.deck_editor import DeckText
from device.storage.decks import MAX_OWN_DECKS, DeckLibrary, house_deck, house_deck_text, read_deck
from engine.cards import parse_deck
from engine.errors import DeckError, StaleAnswer
from engine.game import Rulebook
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from engine.views import json_data

SMALL = GAMES["small-ball"]
BARE = "[camera]\nsource = 'none'\n[buttons]\nfactory = 'none'\n[display]\ndriver = 'none'\n"
EACH = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)


@pytest.fixture
def library(tmp_path: Path) -> DeckLibrary:
    return DeckLibrary(tmp_path / "decks")


def deck(library: DeckLibrary, game: str, name: str) -> dict[str, Any]:
    """One deck, as a phone gets it: JSON knows all of it."""
    found = library.deck_view(game, name)
    assert found is not None
    shown: dict[str, Any] = json_data(found)
    assert json.loads(json.dumps(shown)) == shown
    return shown


def typed(card: dict[str, Any]) -> dict[str, Any]:
    """A card as a phone sends it: what the game reads by itself as a text."""
    return {**card["fields"], **card["typed"]}


@pytest.mark.slow
@EACH
def test_the_house_deck_typed_in_card_by_card_is_the_house_deck(game: Rulebook, library: DeckLibrary) -> None:
    """Into an empty deck, phrases and their tables as texts: every card reads as the one it was read from."""
    house = deck(library, game.key, "house")
    name = library.create_deck(game.key, "Mine", None)
    for card in house["cards"]:
        library.save_card(game.key, name, card["kind"], None, typed(card), None)
    mine = deck(library, game.key, name)
    assert ([card["fields"] for card in house["cards"]], []) == (
        [card["fields"] for card in mine["cards"]],
        mine["lacks"],
    )
    assert ("Mine", True, False) == (mine["title"], mine["own"], house["own"])
    text = library.deck_text(game.key, name)
    assert text is not None
    kinds = list(game.shapes)
    ours = sorted(house_deck(game).cards, key=lambda card: kinds.index(card.kind))
    theirs = sorted(
        parse_deck(text, "house.toml", game.key, game.shapes).cards, key=lambda card: kinds.index(card.kind)
    )
    assert ours == theirs


@pytest.mark.slow
@EACH
def test_a_copy_written_over_card_by_card_stays_as_it_is(game: Rulebook, library: DeckLibrary) -> None:
    """Letter by letter: comments, order and how a value was typed."""
    name = library.create_deck(game.key, "Copy", "house")
    text = library.deck_text(game.key, name)
    for card in deck(library, game.key, name)["cards"]:
        assert card["place"] == library.save_card(
            game.key, name, card["kind"], card["place"], typed(card), card["mark"]
        )
    assert text == library.deck_text(game.key, name)
    assert text is not None
    assert (
        deck_editor.parse_draft(text, "copy.toml").data
        == deck_editor.parse_draft(library.deck_text(game.key, "house") or "", "house.toml").data
    )


# Files -----------------------------------------------------------------------------------------------------------

CARD = {"team": "red", "number": 1, "name": "Pip", "results": ["SO", "1B", "GO", "FO", "BB", "1B"]}
HEAD = '[deck]\ngame = "small-ball"\ntitle = "By hand"\n'


def lay(library: DeckLibrary, name: str, text: str | bytes = HEAD) -> Path:
    """A file that somebody put into the folder."""
    path = library._folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def names(library: DeckLibrary) -> list[str]:
    """The owner's decks in the list."""
    return [deck.name for game in library.all_decks() for deck in game.decks if deck.own]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["By hand", "grün & 100%", "a.b", "...", "-rf", "x" * 240, "house (own)"])
def test_a_file_by_hand_may_have_any_name(name: str, library: DeckLibrary) -> None:
    """It is listed, read, and changed where it is."""
    path = lay(library, "house.toml" if name == "house (own)" else f"{name}.toml")
    assert [name] == names(library)
    assert 1 == library.save_card("small-ball", name, "player", None, CARD, None)
    assert CARD == deck(library, "small-ball", name)["cards"][0]["fields"]
    assert [path] == list(path.parent.iterdir())
    assert ("Harbor Lanterns and Orchard Owls", False) == (
        deck(library, "small-ball", "house")["title"],
        deck(library, "small-ball", "house")["own"],
    )
    library.delete_deck("small-ball", name)
    assert [] == list(path.parent.iterdir())


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "..",
        ".",
        "",
        "/etc/passwd",
        "inside/../../outside",
        "inside/deck",
        "link",
        "loop",
        "a\x00b",
        "\udcff",
    ],
)
def test_a_name_leads_nowhere_else(name: str, library: DeckLibrary, tmp_path: Path) -> None:
    """Not out of the folder, not into one in it, not along a link: no such deck is read, and nothing is written."""
    lay(library, "mine.toml")
    outside = tmp_path / "outside.toml"
    outside.write_text(HEAD)
    (library._folder / "link.toml").symlink_to(outside)
    (library._folder / "loop.toml").symlink_to("loop.toml")
    (library._folder / "inside").mkdir()
    (library._folder / "inside" / "deck.toml").write_text(HEAD)
    (library._folder / "folder.toml").mkdir()
    os.mkfifo(library._folder / "pipe.toml")
    (library._folder / os.fsdecode(b"\xff.toml")).write_text(HEAD)
    before = contents(tmp_path)
    assert ["mine"] == names(library)
    assert (None, None) == (library.deck_view("small-ball", name), library.deck_text("small-ball", name))
    changes: tuple[Callable[[], Any], ...] = (
        lambda: library.save_card("small-ball", name, "player", None, CARD, None),
        lambda: library.remove_card("small-ball", name, "player", 1, None),
        lambda: library.rename_deck("small-ball", name, "Other"),
        lambda: library.delete_deck("small-ball", name),
        lambda: library.create_deck("small-ball", "Copy", name),
    )
    for change in changes:
        with pytest.raises(StaleAnswer):
            change()
    with pytest.raises(DeckError):
        library.load_decks(GAMES["small-ball"], [name])
    assert before == contents(tmp_path)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kitchen League", "kitchen-league"),
        ("  Große Öhrchen é! ", "groe-ohrchen-e"),
        ("../../etc/passwd", "etc-passwd"),
        ("日本", "deck"),
        ("...", "deck"),
        ("House", "house-2"),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_title_becomes_a_name(title: str, name: str, library: DeckLibrary) -> None:
    """Of plain letters; none that is taken, by whatever file."""
    assert name == library.create_deck("small-ball", title, None)
    assert title.strip() == deck(library, "small-ball", name)["title"]
    (library._folder / f"{name}.toml").rename(library._folder / f"{name.upper()}.TOML")
    taken = lay(library, f"{name}.toml")
    again = library.create_deck("small-ball", title, None)
    assert re.fullmatch(r"[a-z0-9-]{1,40}", again)
    assert again != name
    assert HEAD == taken.read_text()


def test_line_ends_of_windows_stay(library: DeckLibrary) -> None:
    """What an editor there wrote is read and written as that editor writes it; its mark at the front goes."""
    path = lay(library, "win.toml", ("\ufeff" + HEAD + "# End.\n").replace("\n", "\r\n").encode())
    library.save_card("small-ball", "win", "player", None, CARD, None)
    library.rename_deck("small-ball", "win", "Windows")
    raw = path.read_bytes()
    assert (raw.count(b"\n"), 0) == (raw.count(b"\r\n"), raw.count(b"\r\r"))
    assert raw.startswith(b"[deck]\r\n")
    assert "Windows" == read_deck(SMALL, path).title
    assert CARD == deck(library, "small-ball", "win")["cards"][0]["fields"]


def test_a_file_that_no_game_reads_is_left_alone(library: DeckLibrary) -> None:
    """It is not listed, and what can be listed is; put right, it is listed too."""
    bad: dict[str, str | bytes] = {
        "a": b"\xff\xfe",
        "b": "[deck",
        "c": "",
        "d": '[deck]\ngame = "chess"',
        "e": b"#" * (256 * 1024 + 1),
    }
    bad |= {"f": "x = 0x" + "f" * 9000, "g": "x = " + "[" * 9000, "h": HEAD + "\x00", "i": "[deck]\ngame = []"}
    for name, text in bad.items():
        lay(library, f"{name}.toml", text)
    lay(library, "mine.toml")
    assert ["mine"] == names(library)
    for name in bad:
        assert library.deck_view("small-ball", name) is None
    lay(library, "b.toml")
    assert ["b", "mine"] == names(library)


def test_a_faulty_deck_can_be_put_right(library: DeckLibrary) -> None:
    """A wrong card in a file by hand is shown as it is with what is wrong, and a right one takes its place."""
    lay(library, "mine.toml", HEAD + "[[player]]\nteam = 7\nwhen = 1979-05-27\nodds = nan\n\n[[umpire]]\n")
    found = deck(library, "small-ball", "mine")
    assert {"team": 7, "when": "1979-05-27", "odds": "nan"} == found["cards"][0]["fields"]
    assert "Player 1, team: needs red or blue, not 7." in found["lacks"]
    library.save_card("small-ball", "mine", "player", 1, CARD, found["cards"][0]["mark"])
    assert ["Umpire: no such kind of card; there are team, player, pinch."] == deck(library, "small-ball", "mine")[
        "lacks"
    ]


def test_another_hand_is_not_written_over(library: DeckLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file became another one while a card was being written, the card is refused and the file stays."""
    path = lay(library, "mine.toml")
    with_card = deck_editor.with_card

    def meanwhile(*given: Any) -> str:
        path.write_text(HEAD.replace("By hand", "By another hand"))
        return with_card(*given)

    monkeypatch.setattr(deck_editor, "with_card", meanwhile)
    with pytest.raises(
        StaleAnswer, match=r"mine\.toml was changed by somebody else in the meantime: load the deck again\."
    ):
        library.save_card("small-ball", "mine", "player", None, CARD, None)
    assert "By another hand" in path.read_text()
    assert "By another hand" == deck(library, "small-ball", "mine")["title"]


def test_phones_that_write_at_once(library: DeckLibrary) -> None:
    """No card is lost, and each has a place of its own."""
    library.create_deck("small-ball", "Mine", None)

    def add(number: int) -> int:
        return library.save_card("small-ball", "mine", "player", None, {**CARD, "number": number}, None)

    with ThreadPoolExecutor(8) as phones:
        places = list(phones.map(add, [1 + i % 9 for i in range(27)]))
    assert list(range(1, 28)) == sorted(places)
    assert 27 == len(deck(library, "small-ball", "mine")["cards"])


def test_a_disk_that_fails_leaves_the_file(library: DeckLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """No half-written file takes its place or is left over."""
    path = lay(library, "mine.toml")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        library.save_card("small-ball", "mine", "player", None, CARD, None)
    assert ([path], HEAD) == (list(path.parent.iterdir()), path.read_text())


def test_a_change_is_on_the_disk_before_the_call_returns(library: DeckLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the new text, whole, then its name, then the folder that has the name."""
    path = lay(library, "mine.toml")
    path.chmod(0o640)
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(file: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")
        fsync(file)

    def replaced(a: Path, b: Path) -> None:
        done.append(f"name, {b.stat().st_size}")
        replace(a, b)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    library.rename_deck("small-ball", "mine", "Other")
    assert ["file", f"name, {len(HEAD)}", "folder"] == done
    assert 0o640 == stat.S_IMODE(path.stat().st_mode)
    library.delete_deck("small-ball", "mine")
    assert "folder" == done[-1]


def test_the_number_of_decks_is_limited(library: DeckLibrary) -> None:
    """Removing one makes room; files beyond the limit are ignored."""
    for number in range(MAX_OWN_DECKS + 5):
        lay(library, f"deck-{number:03}.toml")
    assert MAX_OWN_DECKS == len(names(library))
    with pytest.raises(DeckError, match="there are 200 decks; remove one before you make another"):
        library.create_deck("small-ball", "One more", None)
    for number in range(6):
        (library._folder / f"deck-{number:03}.toml").unlink()
    assert "one-more" == library.create_deck("small-ball", "One more", None)


def test_a_list_sees_what_was_changed_by_hand(library: DeckLibrary) -> None:
    """Nothing of an earlier text is shown."""
    assert [] == names(library)
    path = lay(library, "mine.toml", house_deck_text(SMALL))
    assert [("mine", [])] == [(one.name, one.lacks) for one in library.owner_decks("small-ball")]
    assert [] == library.owner_decks("rallybird")
    path.write_text(HEAD)
    assert [True] == [bool(one.lacks) for one in library.owner_decks("small-ball")]
    path.write_text(house_deck_text(GAMES["rallybird"]))
    assert [] == library.owner_decks("small-ball")
    assert [("mine", [])] == [(one.name, one.lacks) for one in library.owner_decks("rallybird")]
    assert library.deck_view("small-ball", "mine") is None
    path.unlink()
    assert [] == names(library)


@pytest.mark.slow
@EACH
@given(data=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rubbish_leaves_the_file_byte_for_byte(game: Rulebook, library: DeckLibrary, data: st.DataObject) -> None:
    """Whatever is sent for a card: it is refused and the file stays, or the card is right and the others stay."""
    if "copy" not in names(library):
        library.create_deck(game.key, "Copy", "house")
    path = library._folder / "copy.toml"
    before, old = path.read_bytes(), deck(library, game.key, "copy")["cards"]
    one = data.draw(st.sampled_from(old))
    name = data.draw(st.sampled_from(list(one["fields"])) | st.text())
    rubbish = data.draw(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers()))
    try:
        library.save_card(game.key, "copy", one["kind"], one["place"], typed(one) | {name: rubbish}, one["mark"])
    except DeckError as error:
        refused = {(fault.card, fault.field) for fault in error.faults}
    else:
        refused = set()
    if refused:
        assert ({(f"{one['kind']} {one['place']}", name)}, before) == (refused, path.read_bytes())
    else:
        new = deck(library, game.key, "copy")["cards"]
        assert [card for card in old if card["mark"] != one["mark"]] == [
            card for card in new if (card["kind"], card["place"]) != (one["kind"], one["place"])
        ]
        path.write_bytes(before)


# Games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fate", ["changed", "removed", "spoiled"])
def test_a_game_goes_on_whatever_becomes_of_its_deck(fate: str, tmp_path: Path) -> None:
    """The game on the table, after a restart too, and the one before it in the history, have their cards with them."""
    wanted = parse_settings(BARE, "my.toml").model_copy(update={"data": tmp_path})
    app = App(wanted, demo=False)
    assert "mine" == app.library.create_deck("small-ball", "Mine", "house")
    card = next(card for card in deck(app.library, "small-ball", "mine")["cards"] if card["kind"] == "player")
    app.library.save_card("small-ball", "mine", "player", 1, card["fields"] | {"name": "Ann Uncommon"}, card["mark"])
    assert ["mine"] == [one.name for one in app.games.game_catalog().games[0].decks]
    for _ in range(2):
        app.games.begin_game("small-ball", ["mine"], {"awayTeam": "red"})
        for n, value in enumerate(("bat", [2])):
            app.session.seats.answer_ask("away", n, value, Source.PHONE)
    if fate == "changed":
        app.library.save_card("small-ball", "mine", "player", 1, card["fields"] | {"name": "Bob Ordinary"}, None)
    elif fate == "removed":
        app.library.delete_deck("small-ball", "mine")
    else:
        (tmp_path / "decks" / "mine.toml").write_bytes(b"\xff[[")
    before = (
        json_data(app.session.record.plays_page().plays),
        json_data(app.session.game.view_for(None))["table"]["scoreboard"],
    )
    app.session.game.undo_answers(1)
    app.session.seats.answer_ask("away", 1, [2], Source.PHONE)
    assert before == (
        json_data(app.session.record.plays_page().plays),
        json_data(app.session.game.view_for(None))["table"]["scoreboard"],
    )
    app.stop()
    app = App(wanted, demo=False)
    try:
        assert before == (
            json_data(app.session.record.plays_page().plays),
            json_data(app.session.game.view_for(None))["table"]["scoreboard"],
        )
        assert "Ann Uncommon" in json.dumps(json_data(app.session.record.plays_page().plays))
        app.session.seats.answer_ask("away", 2, "bat", Source.PHONE)
        older = app.past.game_record(2)
        assert older is not None
        assert older.trouble is None
        assert "Ann Uncommon" in json.dumps(json_data(older.log))
        assert app.past.replay_part(2)
        app.games.begin_rematch()
        assert "Ann Uncommon" in app.session.game.table.decks[0].source
        with pytest.raises(DeckError) if fate != "changed" else contextlib.nullcontext():
            app.games.begin_game("small-ball", ["mine"], {})
    finally:
        app.stop()


def test_two_files_make_a_set(library: DeckLibrary) -> None:
    """A file for each team: neither is whole by itself, both are offered, and together they are played."""
    parts = re.split(r"(?m)^(?=\[\[)", house_deck_text(SMALL))
    for colour in ("red", "blue"):
        lay(library, f"{colour}.toml", HEAD + "".join(part for part in parts if f'"{colour}"' in part))
    assert [("blue", True), ("red", True)] == [(one.name, bool(one.lacks)) for one in library.owner_decks(SMALL.key)]
    assert [] == Table(SMALL, library.load_decks(SMALL, ["red", "blue"]), {}).answers
    with pytest.raises(DeckError, match=r"^By hand.*blue team"):
        Table(SMALL, library.load_decks(SMALL, ["red"]), {})


def test_what_the_settings_begin_with_is_not_removed(tmp_path: Path) -> None:
    """Else the table might not start again."""
    library = DeckLibrary(tmp_path, ["mine.toml"])
    for name in ("mine", "other"):
        lay(library, f"{name}.toml")
    with pytest.raises(DeckError, match="the settings begin games with"):
        library.delete_deck("small-ball", "mine")
    library.delete_deck("small-ball", "other")
    assert ["mine"] == names(library)


def test_a_deck_is_read_again_when_its_file_was_changed(library: DeckLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """And only then: a large one takes long."""
    path = lay(library, "mine.toml", house_deck_text(SMALL))
    read: list[str] = []
    draft = deck_editor.parse_draft

    def noted(source: str, file: str) -> DeckText:
        read.append(file)
        return draft(source, file)

    monkeypatch.setattr(deck_editor, "parse_draft", noted)
    seen = [library.deck_view("small-ball", "mine") for _ in range(3)]
    assert (["mine.toml"], 24) == (read, len(seen[2].cards if seen[2] else []))
    path.write_text(HEAD)
    assert [] == deck(library, "small-ball", "mine")["cards"]
    assert library.deck_view("rallybird", "mine") is None


@pytest.mark.parametrize(
    "text", [HEAD + "[" + ".".join("a" * 60) + "]\n", HEAD + "x = { " + ".".join("a" * 60) + " = 1 }\n"]
)
def test_what_would_take_python_long_is_no_deck(library: DeckLibrary, text: str) -> None:
    """Many dots outside of texts; inside of texts and comments they are nobody's concern."""
    lay(library, "mine.toml", text)
    assert ([], None) == (names(library), library.deck_view("small-ball", "mine"))
    lay(library, "mine.toml", f"{HEAD}# {'.' * 60}\n")
    assert ["mine"] == names(library)


def test_tables_in_tables_without_end_are_no_deck(library: DeckLibrary) -> None:
    lay(library, "mine.toml", HEAD + "".join(f"[{'.'.join('a' * 30)}.{'.'.join('b' * n)}]\n" for n in range(1, 9)))
    assert ([], None) == (names(library), library.deck_view("small-ball", "mine"))


def test_a_file_with_two_endings_has_a_page(library: DeckLibrary) -> None:
    lay(library, "mine.toml.toml")
    assert ["mine"] == names(library)
    assert library.deck_view("small-ball", "mine") is not None


def test_what_may_be_mistyped_is_noted(tmp_path: Path) -> None:
    """It is not a fault, and is noted beside the card; while a card is faulty, nothing is noted."""
    library = DeckLibrary(tmp_path)
    house = library.deck_text("clutch", "house")
    assert house
    assert [] == deck(library, "clutch", "house")["notes"]
    _, name = library.import_deck(re.sub(r"baserunning = \d+", "baserunning = 39", house, count=1), "Fast")
    found = deck(library, "clutch", name)
    assert ([], [{"card": "batter 1", "sentence": "Batter 1, baserunning: is 39; speeds are mostly 11 to 25."}]) == (
        found["lacks"],
        found["notes"],
    )
    path = tmp_path / "fast.toml"
    path.write_text(path.read_text("utf-8").replace('hand = "R"', 'hand = "X"', 1), "utf-8")
    assert [] == deck(library, "clutch", name)["notes"]
