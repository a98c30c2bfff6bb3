"""What stands below the clip of a throw, and the file to save."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from device.shapes import ThrowCaption
from device.storage.decks import house_deck
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table import saved_clip
from device.table.saved_clip import encode_captioned_gif
from device.table.session import GameSession
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from tests.device.throws import thrown
from tests.vision.tints import row
from vision.clips import ThrowClip, encode_animation
from vision.synthetic.tray import SyntheticTray

GAME = GAMES["small-ball"]
JPEG = b"\xff\xd8dice\xff\xd9"
WORDS = ThrowCaption("Lanterns 3, Owls 2 · Bottom of the 9th", "Pip Marlowe singles.")
LONG = ThrowCaption("Łódź " * 40, "Wordsandwordswithoutanyspacebetweenthemthatgoonandon" + " and on" * 90)


def film() -> list[tuple[float, np.ndarray]]:
    """Frames of a small blue die that moves over green felt."""
    import cv2

    found, tray = [], cv2.resize(SyntheticTray(seed=3).render_frame(0.0), (320, 240), interpolation=cv2.INTER_AREA)
    for at in range(6):
        felt = tray.copy()
        felt[105:117, 40 * at + 20 : 40 * at + 32] = (190, 70, 20)
        found.append((at / 10, cv2.cvtColor(felt, cv2.COLOR_BGR2YUV_I420)))
    return found


@pytest.fixture
def session(tmp_path: Path) -> Iterator[GameSession]:
    store = Store(tmp_path / "journal.db")
    table = Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})
    clock = count(100.0).__next__  # a second passes between any two looks at it
    evidence = RollPictures(tmp_path / "evidence")
    yield GameSession(store, lambda: table, show=0, clock=clock, evidence=evidence)
    evidence.wait_for_clips(30)
    store.close()


def roll(session: GameSession, value: int) -> None:
    """Bat, and let the camera see and film this die."""
    session.buttons.press_ok("away")
    session.rolls.handle_throw(thrown(row(value), session.game.clock() + 1, picture=JPEG, clip=ThrowClip(film())))
    session.rolls.set_camera_state("settled", "The dice are still.", session.game.clock())


def test_the_caption_is_of_its_own_moment(session: GameSession) -> None:
    """The score after that throw, whatever was scored since, and what came of it; a correction changes it."""
    roll(session, 2)
    first = session.record.clip_caption("1-1")
    assert first is not None
    assert ("Lanterns 0, Owls 0 · Top of the 1st", "Pip Marlowe singles.") == (first.score, first.play)
    for _ in range(4):
        session.seats.answer_ask("away", session.game.view_for(None).table.asks[0].n, "bat", Source.PHONE)
        session.seats.answer_ask("away", session.game.view_for(None).table.asks[0].n, [2], Source.PHONE)
    session.seats.answer_ask("away", session.game.view_for(None).table.asks[0].n, "bank", Source.PHONE)
    assert session.game.view_for(None).table.scoreboard.sides["away"].runs > 0
    assert first == session.record.clip_caption("1-1")
    session.game.correct_roll(1, [5])
    walked = session.record.clip_caption("1-1")
    assert walked is not None
    assert "singles" not in walked.play


def test_the_caption_has_what_a_later_choice_settles(session: GameSession) -> None:
    """The throw brought the runs home, and the bank makes them count: the clip tells both, with the score after it."""
    for _ in range(4):
        session.seats.answer_ask("away", session.game.view_for(None).table.asks[0].n, "bat", Source.PHONE)
        session.seats.answer_ask("away", session.game.view_for(None).table.asks[0].n, [2], Source.PHONE)
    roll(session, 2)
    name = f"1-{session.game.view_for(None).table.version - 1}"
    before = session.record.clip_caption(name)
    session.seats.answer_ask("away", session.game.view_for(None).table.asks[0].n, "bank", Source.PHONE)
    banked, runs = session.record.clip_caption(name), session.game.view_for(None).table.scoreboard.sides["away"].runs
    assert before is not None
    assert banked is not None
    assert banked.play.startswith(before.play)
    assert len(banked.play) > len(before.play)
    assert (runs > 0, f"Lanterns {runs}, Owls 0 · Top of the 1st") == (True, banked.score)


@pytest.mark.parametrize("name", ["", "1-3", "2-1", "x", "1-1.webp"])
def test_no_caption(session: GameSession, name: str) -> None:
    roll(session, 2)
    assert session.record.clip_caption(name) is None
    assert session.record.captioned_clip(name) is None


def test_what_was_taken_back_has_none(session: GameSession) -> None:
    """Its clip stays until it is the oldest, without a score that never was."""
    roll(session, 2)
    session.game.undo_answers()
    assert session.record.clip_caption("1-1") is None
    assert session.record.throw_clip("1-1") is not None


def test_the_saved_clip_has_every_frame_and_the_words() -> None:
    """It moves as the clip does, in its colors, and the strip below is the same in each frame."""
    webp = ThrowClip(film()).encode_webp()
    assert webp is not None
    gif = encode_captioned_gif(webp, WORDS)
    assert gif is not None
    with Image.open(io.BytesIO(gif)) as shown:
        lasts = [one.info["duration"] for one in ImageSequence.Iterator(shown)]
        frames = [np.asarray(one.convert("RGB")).astype(int) for one in ImageSequence.Iterator(shown)]
    assert ("GIF", 6, [300] * 5 + [2000]) == (shown.format, len(frames), lasts)
    for at, frame in enumerate(frames):
        assert np.abs(frame[110, 40 * at + 26] - (20, 70, 190)).max() < 40, "the die lost its color"
        assert np.array_equal(frames[0][240:], frame[240:])
    strip = frames[0][240:]
    assert 0.02 < (strip.min(axis=2) > 150).mean() < 0.3


def test_the_caption_never_leaves_its_strip() -> None:
    """Long names, long words and long plays are cut; the strip stays lower than the clip."""
    webp = ThrowClip(film()).encode_webp()
    assert webp is not None
    gif = encode_captioned_gif(webp, LONG)
    assert gif is not None
    with Image.open(io.BytesIO(gif)) as shown:
        strip = np.asarray(shown.convert("RGB"))[240:]
    assert strip.shape[0] < 200
    assert (strip[:, -4:] < 100).all(), "letters run over the edge"


def test_a_damaged_clip_is_not_saved() -> None:
    assert encode_captioned_gif(b"RIFFnothing", WORDS) is None


def test_a_still_clip_is_saved() -> None:
    """One frame is enough."""
    webp = encode_animation([np.full((240, 320, 3), 90, np.uint8)], [200])
    assert webp is not None
    assert encode_captioned_gif(webp, WORDS) is not None


def test_it_is_drawn_once(session: GameSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second phone gets the same file; a correction draws another."""
    roll(session, 2)
    first = session.record.captioned_clip("1-1")
    assert first is not None
    drawn: list[ThrowCaption] = []

    def draw(webp: bytes, words: ThrowCaption) -> bytes:
        drawn.append(words)
        return b"anew"

    monkeypatch.setattr(saved_clip, "encode_captioned_gif", draw)
    assert session.record.captioned_clip("1-1") is first
    assert [] == drawn
    session.game.correct_roll(1, [5])
    assert b"anew" == session.record.captioned_clip("1-1")
