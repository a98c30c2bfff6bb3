"""Clips of the throws that counted: stored beside their pictures, deleted with them, never in the way of the game."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from device.storage.decks import house_deck
from device.storage.disk_space import make_room
from device.storage.roll_pictures import MAX_WAITING_CLIPS, RollPictures
from device.storage.store import Store
from device.table.session import GameSession
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from engine.views import json_data
from tests.device.throws import thrown
from tests.vision.tints import row
from vision.clips import ThrowClip

GAME = GAMES["small-ball"]
JPEG = b"\xff\xd8dice\xff\xd9"


def riff(text: bytes = b"WEBPrest") -> bytes:
    return b"RIFF" + len(text).to_bytes(4, "little") + text


class FakeClip(ThrowClip):
    """A clip that is encoded already; with `wait`, not before that is set."""

    def __init__(self, data: bytes | None = None, wait: threading.Event | None = None) -> None:
        super().__init__([])
        self.data, self.wait = data, wait

    def encode_webp(self) -> bytes | None:
        if self.wait is not None:
            self.wait.wait(300)
        return self.data


class BrokenClip(FakeClip):
    def encode_webp(self) -> bytes | None:
        raise ValueError("no such codec")


def test_a_clip_is_found_again(tmp_path: Path) -> None:
    """At once, once it is stored, and by another object, as after a restart."""
    evidence = RollPictures(tmp_path)
    evidence.store_picture(3, 7, JPEG, FakeClip(riff()))
    evidence.store_picture(3, 8, JPEG)
    assert (True, riff()) == (evidence.has_clip(3, 7), evidence.find_clip(3, 7))
    assert evidence.wait_for_clips(30)
    for one in (evidence, RollPictures(tmp_path)):
        assert (True, riff()) == (one.has_clip(3, 7), one.find_clip(3, 7))
        assert (False, None) == (one.has_clip(3, 8), one.find_clip(3, 8))
        assert (False, None) == (one.has_clip(4, 7), one.find_clip(4, 7))
        assert JPEG == one.find_picture(3, 7)


def test_no_answer_waits_for_a_clip(tmp_path: Path) -> None:
    """While one is being encoded, pictures are stored as before; of those that wait only the newest are stored."""
    evidence, go = RollPictures(tmp_path), threading.Event()
    for place in range(6):
        evidence.store_picture(1, place, JPEG, FakeClip(riff(), go))
    assert [True] * 6 == [evidence.has_picture(1, place) for place in range(6)]
    assert [4, 5] == [place for place in range(6) if evidence.has_clip(1, place)]
    assert MAX_WAITING_CLIPS == len(evidence._waiting)
    go.set()
    assert evidence.wait_for_clips(30)
    assert [4, 5] == [place for place in range(6) if evidence.find_clip(1, place)]
    evidence.store_picture(1, 6, JPEG, FakeClip(riff()))
    assert evidence.wait_for_clips(30)
    assert evidence.has_clip(1, 6), "a second thread writes what comes after a pause"


def test_a_clip_goes_with_its_picture(tmp_path: Path) -> None:
    """Both count against the budget; the oldest roll loses both."""
    evidence = RollPictures(tmp_path, budget=72)
    for place in range(5):
        evidence.store_picture(1, place, JPEG, FakeClip(riff()))
        assert evidence.wait_for_clips(30)
    kept = [place for place in range(5) if evidence.has_picture(1, place)]
    assert [2, 3, 4] == kept
    assert kept == [place for place in range(5) if evidence.has_clip(1, place)]
    assert None is evidence.find_clip(1, 1)
    assert {f"000001-0000{place}.{kind}" for place in kept for kind in ("jpg", "webp")} == {
        path.name for path in tmp_path.iterdir()
    }


def test_room_is_made_of_clips_too(tmp_path: Path) -> None:
    """On a full card the oldest pictures go, and their clips with them."""
    folder = tmp_path / "evidence"
    evidence = RollPictures(folder)
    evidence.store_picture(1, 1, JPEG, FakeClip(riff()))
    assert evidence.wait_for_clips(30)
    assert [len(JPEG) + len(riff())] == list(make_room(tmp_path / "journal.db", ()))
    assert [] == list(folder.iterdir())


def test_a_power_cut_leaves_no_half_clip(tmp_path: Path) -> None:
    """A clip without a picture and one that was being written go; one that is cut short is not shown."""
    for name, data in {
        "000001-00001.jpg": JPEG,
        "000001-00001.webp": riff()[:-2],
        "000001-00002.jpg": JPEG,
        "000001-00002.webp": bytes(16),
        "000001-00003.webp": riff(),
        "000001-00004.webp.new": riff(),
    }.items():
        (tmp_path / name).write_bytes(data)
    evidence = RollPictures(tmp_path)
    assert [None, None, None] == [evidence.find_clip(1, place) for place in (1, 2, 3)]
    assert JPEG == evidence.find_picture(1, 1)
    assert not (tmp_path / "000001-00003.webp").exists()
    assert not (tmp_path / "000001-00004.webp.new").exists()


def test_a_full_disk_costs_only_the_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture stays, no part of a file is left, and the next clip is stored once there is room."""
    evidence, write, full = RollPictures(tmp_path), Path.write_bytes, True

    def fails(path: Path, data: bytes) -> int:
        if ".webp" in path.name and full:
            write(path, data[:5])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", fails)
    evidence.store_picture(1, 1, JPEG, FakeClip(riff()))
    assert evidence.wait_for_clips(30)
    assert (False, None, JPEG) == (evidence.has_clip(1, 1), evidence.find_clip(1, 1), evidence.find_picture(1, 1))
    assert ["000001-00001.jpg"] == [path.name for path in tmp_path.iterdir()]
    full = False
    evidence.store_picture(1, 2, JPEG, FakeClip(riff()))
    assert evidence.wait_for_clips(30)
    assert riff() == evidence.find_clip(1, 2)


@pytest.mark.parametrize("clip", [FakeClip(None), BrokenClip()], ids=["too large", "broken"])
def test_what_cannot_be_encoded_is_not_kept(tmp_path: Path, clip: FakeClip) -> None:
    """The next clip is stored all the same."""
    evidence = RollPictures(tmp_path)
    evidence.store_picture(1, 1, JPEG, clip)
    evidence.wait_for_clips(30)
    evidence.store_picture(1, 2, JPEG, FakeClip(riff()))
    assert evidence.wait_for_clips(30)
    assert [False, True] == [evidence.has_clip(1, place) for place in (1, 2)]
    assert evidence.has_picture(1, 1)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[GameSession]:
    store = Store(tmp_path / "journal.db")
    table = Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})
    clock = count(100.0).__next__  # a second passes between any two looks at it
    yield GameSession(store, lambda: table, show=0, clock=clock, evidence=RollPictures(tmp_path / "evidence"))
    store.close()


def roll(session: GameSession, value: int, clip: ThrowClip | None) -> None:
    """Bat, and let the camera see this die."""
    session.buttons.press_ok("away")
    session.rolls.handle_throw(thrown(row(value), session.game.clock() + 1, picture=JPEG, clip=clip))
    session.rolls.set_camera_state("settled", "The dice are still.", session.game.clock())


def test_plays_say_whether_there_is_a_clip(session: GameSession) -> None:
    """Every play of the roll that a camera filmed; none of a typed one, nor of one without a clip."""
    roll(session, 2, FakeClip(riff()))
    session.buttons.press_ok("away")
    session.seats.answer_ask("away", 3, [4], Source.PHONE)
    roll(session, 5, None)
    shown = {play["n"]: (play["evidence"], play["clip"]) for play in json_data(session.record.plays_page().plays)}
    assert [("1-1", True), (None, False), ("1-5", False)] == [shown[n] for n in (1, 3, 5)]
    seen = {play["n"]: (play["evidence"], play["clip"]) for play in json_data(session.game.view_for(None))["plays"]}
    assert seen.items() <= shown.items()
    assert (riff(), None, None) == (
        session.record.throw_clip("1-1"),
        session.record.throw_clip("1-3"),
        session.record.throw_clip("1-5"),
    )


def test_a_throw_has_no_clip_before_it_counts(session: GameSession) -> None:
    """If the dice are thrown again, the next clip has the same name."""
    session.buttons.press_ok("away")
    session.rolls.handle_throw(thrown(row(2), session.game.clock() + 1, "unclear", picture=JPEG, clip=FakeClip(riff())))
    shown = session.game.view_for(None).proposal
    assert shown is not None
    assert shown.evidence is not None
    assert None is session.record.throw_clip(shown.evidence)
    session.rolls.handle_throw(
        thrown(row(3), session.game.clock() + 1, picture=JPEG, clip=FakeClip(riff(b"WEBPthrown again")))
    )
    session.rolls.set_camera_state("settled", "The dice are still.", session.game.clock())
    assert riff(b"WEBPthrown again") == session.record.throw_clip(shown.evidence)


@pytest.mark.parametrize("name", ["", "1", "1-", "-1", "../x", "1-99", "9-1", "1-2.webp"])
def test_names_that_are_none(session: GameSession, name: str) -> None:
    roll(session, 2, FakeClip(riff()))
    assert session.record.throw_clip(name) is None
