"""Pictures of the rolls that counted: kept within a budget, never in the way of the game."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from PIL import Image

from device.storage.decks import house_deck
from device.storage.roll_pictures import RollPictures, jpeg_comment, with_comment
from device.storage.store import Store
from device.table.session import GameSession
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from engine.views import json_data
from tests.device.throws import thrown
from tests.vision.tints import row

GAME = GAMES["small-ball"]


def test_a_picture_is_found_again(tmp_path: Path) -> None:
    """Also by another object, as after a restart."""
    RollPictures(tmp_path).store_picture(3, 7, b"dice")
    again = RollPictures(tmp_path)
    assert (again.has_picture(3, 7), again.find_picture(3, 7)) == (True, b"dice")
    assert (again.has_picture(3, 8), again.find_picture(3, 8)) == (False, None)


def test_the_oldest_go_first(tmp_path: Path) -> None:
    """The folder never holds more than its budget, and the newest picture always stays."""
    evidence = RollPictures(tmp_path, budget=25)
    for place in range(12):
        evidence.store_picture(1, place, b"0123456789")
    evidence.store_picture(2, 0, b"0123456789")
    assert [(1, 11), (2, 0)] == [
        (game, place) for game in (1, 2) for place in range(12) if evidence.has_picture(game, place)
    ]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) == 20
    evidence.store_picture(3, 0, b"x" * 99)
    assert (evidence.has_picture(3, 0), len(list(tmp_path.iterdir()))) == (True, 1)


def test_a_picture_torn_by_a_power_cut_is_not_shown(tmp_path: Path) -> None:
    """One that was being written goes, one that is cut short or zeros is not shown; the others stay."""
    whole = b"\xff\xd8dice\xff\xd9"
    names = {"000001-00001": whole, "000001-00002": b"", "000001-00003": whole[:-3], "000001-00004": bytes(9)}
    names |= {"000001-00005": b"\xff"}
    for name, data in names.items():
        (tmp_path / f"{name}.jpg").write_bytes(data)
    (tmp_path / "000001-00006.new").write_bytes(b"\xff\xd8")
    evidence = RollPictures(tmp_path)
    assert [whole, None, None, None, None] == [evidence.find_picture(1, place) for place in (1, 2, 3, 4, 5)]
    assert not evidence.has_picture(1, 2)
    assert not list(tmp_path.glob("*.new"))


def test_a_folder_that_cannot_be_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file")
    evidence = RollPictures(tmp_path / "evidence")
    evidence.store_picture(1, 1, b"dice")
    assert evidence.find_picture(1, 1) is None


@pytest.fixture
def session(tmp_path: Path) -> Iterator[GameSession]:
    store = Store(tmp_path / "journal.db")
    table = Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})
    clock = count(100.0).__next__  # a second passes between any two looks at it
    yield GameSession(store, lambda: table, show=0, clock=clock, evidence=RollPictures(tmp_path / "evidence"))
    store.close()


def roll(session: GameSession, value: int, picture: bytes) -> None:
    """Bat, and let the camera see this die."""
    session.buttons.press_ok("away")
    session.rolls.handle_throw(thrown(row(value), session.game.clock() + 1, picture=picture))
    session.rolls.set_camera_state("settled", "The dice are still.", session.game.clock())


def proofs(session: GameSession) -> list[bytes | None]:
    """The pictures of the rolls that stand, oldest first."""
    names = [found["evidence"] for found in reversed(json_data(session.record.current_rolls()))]
    return [None if name is None else session.record.dice_picture(name) for name in names]


def test_each_roll_keeps_its_own_picture(session: GameSession) -> None:
    """Rolls and plays name the picture they were read from; a typed roll has none."""
    roll(session, 2, b"first")
    session.buttons.press_ok("away")
    session.seats.answer_ask("away", 3, [4], Source.PHONE)
    roll(session, 5, b"third")
    assert [b"first", None, b"third"] == proofs(session)
    plays = {play["n"]: play["evidence"] for play in json_data(session.record.plays_page().plays)}
    assert session.record.dice_picture(plays[1]) == b"first"
    assert plays[3] is None


def test_a_correction_keeps_picture_and_value(session: GameSession) -> None:
    """The picture shows what was read, the roll its correction: both stay."""
    roll(session, 2, b"a two, they said")
    session.game.correct_roll(1, [3])
    assert [[3]] == [found["value"] for found in json_data(session.record.current_rolls())]
    assert [b"a two, they said"] == proofs(session)


def test_a_corrected_roll_says_so(session: GameSession) -> None:
    """A play whose picture shows other dice says so: of a roll put right later, and of one typed instead of read."""
    roll(session, 2, b"a two")
    assert [False] == [play["corrected"] for play in json_data(session.record.plays_page().plays) if play["n"] == 1]
    session.game.correct_roll(1, [3])
    assert [True] == [play["corrected"] for play in json_data(session.record.plays_page().plays) if play["n"] == 1]
    session.game.correct_roll(1, [2])
    assert [False] == [play["corrected"] for play in json_data(session.record.plays_page().plays) if play["n"] == 1]
    session.buttons.press_ok("away")
    session.rolls.handle_throw(thrown(row(5), session.game.clock() + 1, "unclear", picture=b"a five"))
    session.seats.answer_ask("away", 3, [4], Source.PHONE)
    assert [True] == [play["corrected"] for play in json_data(session.record.plays_page().plays) if play["n"] == 3]


def test_a_roll_thrown_again_shows_the_new_picture(session: GameSession) -> None:
    """What was taken back does not come up again, although it stays in the folder."""
    roll(session, 2, b"old")
    session.game.undo_answers()
    assert [] == proofs(session)
    session.rolls.handle_throw(thrown(row(6), session.game.clock() + 1, picture=b"new"))
    session.rolls.set_camera_state("settled", "The dice are still.", session.game.clock())
    assert [b"new"] == proofs(session)


def test_a_reading_that_was_not_used_is_no_evidence(session: GameSession) -> None:
    """A doubtful reading that a person overruled by phone on another ask is not shown with it."""
    session.buttons.press_ok("away")
    session.rolls.handle_throw(thrown((), session.game.clock() + 1, "cocked", picture=b"leaning"))
    session.game.undo_answers()
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    session.seats.answer_ask("away", 1, [4], Source.PHONE)
    assert [None] == proofs(session)


def test_a_comment_leaves_the_picture_as_it_is() -> None:
    """Other programs read both; one that is too long for a JPEG is left out."""
    out = io.BytesIO()
    Image.new("RGB", (9, 7), (200, 30, 30)).save(out, "JPEG")
    plain = out.getvalue()
    found = with_comment(plain, "unclear: ½")
    with Image.open(io.BytesIO(found)) as image, Image.open(out) as before:
        assert ("unclear: ½".encode(), before.tobytes()) == (image.info["comment"], image.tobytes())
    assert ("unclear: ½", None, None) == (jpeg_comment(found), jpeg_comment(plain), jpeg_comment(b""))
    assert with_comment(plain, "x" * 0xFFFF) == plain


@pytest.mark.parametrize("name", ["", "1", "1-", "-1", "../x", "1-99", "9-1"])
def test_names_that_are_none(session: GameSession, name: str) -> None:
    roll(session, 2, b"first")
    assert session.record.dice_picture(name) is None
