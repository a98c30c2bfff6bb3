"""Photographs that a phone sends: which are refused and in which words, and what becomes of the others."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from device.inputs import photographs
from device.inputs.photographs import PhotographError, Photographs, decode_photograph
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table.session import GameSession
from engine.asks import Roll
from engine.errors import IllegalAnswer, StaleAnswer
from tests.device.inputs.drawn_photographs import container, drawn_dice, file_bytes, photograph
from tests.device.stored_games import Clock, answer, board, duel, proposal, table, wait
from tests.vision.tints import die
from vision.reading import DOUBT_ADVICE, Reading

HALVES = Image.new("RGB", (64, 48), (255, 0, 0))
HALVES.paste((0, 0, 255), (0, 0, 32, 48))


@pytest.fixture
def session(store: Store, clock: Clock, tmp_path: Any) -> GameSession:
    """A table without a camera, where a die is asked for."""
    pictures = RollPictures(tmp_path / "evidence")
    return answer(GameSession(store, table, clock=clock, evidence=pictures), "bat")


def send(session: GameSession, data: bytes) -> Any:
    """Send a photograph for the open roll; return the roll that is shown."""
    n, _ = session.game.table.open_asks()[0]
    Photographs(session).propose_photograph(n, data)
    return proposal(session)


# Refused -------------------------------------------------------------------------------------------------------------

PNG = file_bytes(HALVES, "PNG")
REFUSED = {
    "nothing": (b"", "is empty"),
    "HEIC": (container(b"heic"), "iPhone: choose Settings > Camera > Formats > Most Compatible"),
    "HEIF of an Android phone": (container(b"mif1"), "turn off high-efficiency"),
    "AVIF": (container(b"avif"), "AVIF"),
    "an iPhone's video": (container(b"qt  "), "video. Switch the camera to photo"),
    "an Android phone's video": (container(b"mp42"), "video"),
    "a WebM video": (b"\x1aE\xdf\xa3" + bytes(64), "video"),
    "an AVI video": (b"RIFF\0\0\0\0AVI LIST" + bytes(64), "video"),
    "PDF": (b"%PDF-1.7\n", "PDF"),
    "GIF": (file_bytes(HALVES, "GIF"), "GIF"),
    "a raw picture": (b"II*\0" + bytes(64), "Set the camera to JPEG"),
    "Canon's raw picture": (container(b"crx "), "raw"),
    "BMP, which is not decoded": (file_bytes(HALVES, "BMP"), "It reads JPEG, PNG and WebP"),
    "a text": (b"Two dice: 3 and 5", "It reads JPEG, PNG and WebP"),
    "half a JPEG": (photograph(3)[:9000], "damaged or incomplete"),
    "half a PNG": (PNG[: len(PNG) // 2], "damaged or incomplete"),
    "a tiny picture": (file_bytes(HALVES.resize((31, 90))), "only 31 × 90 pixels"),
}


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(data: bytes, words: str) -> None:
    """Each says what it is, and ends with what helps."""
    with pytest.raises(PhotographError, match=words) as refused:
        decode_photograph(data)
    assert str(refused.value).lower().endswith("take a new picture, or type the roll.")


@pytest.mark.parametrize(
    ("size", "form", "more"),
    [
        ((9000, 8000), "JPEG", {}),
        ((4000, 3500), "JPEG", {"progressive": True}),
        ((4000, 3500), "PNG", {}),
        ((4000, 3500), "WEBP", {"lossless": True, "method": 0}),
        ((16000, 9000), "PNG", {}),
    ],
)
def test_too_many_pixels(
    size: tuple[int, int], form: str, more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header says so: no pixel is decoded."""
    data = file_bytes(Image.new("L" if form != "WEBP" else "RGB", size), form, **more)

    def load(*_: object) -> None:
        raise AssertionError("the picture was decoded")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", load)
    with pytest.raises(PhotographError, match="million pixels"):
        decode_photograph(data)


def test_many_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file may hold thousands of scans, each of which takes as long as a picture."""
    scans = file_bytes(HALVES, progressive=True)
    assert decode_photograph(scans).shape == (48, 64, 3)
    monkeypatch.setattr(photographs, "MAX_JPEG_SCANS", 2)
    with pytest.raises(PhotographError, match="can't open this file"):
        decode_photograph(scans)


def test_no_dice(session: GameSession) -> None:
    with pytest.raises(PhotographError, match="No dice were found"):
        send(session, file_bytes(Image.new("RGB", (640, 480), (90, 120, 60))))
    assert proposal(session) is None


# Opened --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_turned(form: str) -> None:
    """A phone held upright stores its picture lying on its side, and says how to turn it."""
    more = {"lossless": True} if form == "WEBP" else {}
    upright, turned = (decode_photograph(file_bytes(HALVES, form, way, **more)) for way in (1, 6))
    assert ((48, 64, 3), (64, 48, 3)) == (upright.shape, turned.shape)
    assert (True, True) == (bool(turned[4, 24, 0] > 200), bool(turned[-4, 24, 2] > 200))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_any_colors(mode: str) -> None:
    opened = decode_photograph(file_bytes(Image.new(mode, (40, 50)), "PNG"))
    assert ((50, 40, 3), "uint8") == (opened.shape, opened.dtype.name)


@pytest.mark.parametrize(("form", "more"), [("JPEG", {}), ("JPEG", {"progressive": True}), ("PNG", {})])
def test_reduced(form: str, more: dict[str, Any]) -> None:
    """A phone's 12 million pixels are reduced before they are read, but not below what the reader uses."""
    assert (1512, 2016, 3) == decode_photograph(file_bytes(Image.new("L", (4032, 3024)), form, **more)).shape


def test_several_pictures_in_one_file() -> None:
    """Some phones add a second picture to a JPEG; the first one counts."""
    data = BytesIO()
    HALVES.save(data, "MPO", save_all=True, append_images=[HALVES.resize((640, 480))])
    assert (48, 64, 3) == decode_photograph(data.getvalue()).shape


# Read ----------------------------------------------------------------------------------------------------------------


def test_the_dice_wait_for_a_tap(session: GameSession, clock: Clock) -> None:
    """A sure reading is shown with its picture, and counts when somebody says so: never by itself."""
    shown = send(session, photograph(2))
    assert ([2], True, None, "photo") == (shown["faces"], shown["sure"], shown["seconds"], shown["source"])
    wait(session, clock, 1000)
    assert proposal(session)["faces"] == [2]
    picture = session.record.dice_picture(shown["evidence"])
    session.rolls.accept_roll()
    assert board(session)["bases"] == ["Pip Marlowe", None, None]
    assert picture is None or picture == session.record.dice_picture(shown["evidence"])
    assert session.record.dice_picture(shown["evidence"]) is not None


def test_a_die_too_many_is_asked_about(session: GameSession) -> None:
    shown = send(session, photograph(2, 5))
    assert ([], False, "I see 2 dice but expected 1.") == (shown["faces"], shown["sure"], shown["advice"])
    assert [[2, 5]] == [likely[:2] for likely in shown["likely"]]


def test_another_picture_replaces_the_first(session: GameSession) -> None:
    send(session, photograph(2, 5))
    assert [6] == send(session, photograph(6))["faces"]


@pytest.mark.parametrize("state", ["moving", "hand", "empty", "off"])
def test_what_the_table_s_camera_sees_is_another_matter(session: GameSession, state: str) -> None:
    """The photographed dice may lie anywhere."""
    before = send(session, photograph(2, 5))
    session.rolls.set_camera_state(state, "…", 2000.0)
    assert before == proposal(session)


def test_an_answered_roll(session: GameSession) -> None:
    """Somebody typed it while the picture was on its way."""
    n, _ = session.game.table.open_asks()[0]
    answer(session, [2])
    with pytest.raises(StaleAnswer, match="no longer asked for"):
        Photographs(session).propose_photograph(n, photograph(2))


def test_a_choice_needs_no_dice(session: GameSession) -> None:
    answer(session, [2])
    with pytest.raises(StaleAnswer):
        send(session, photograph(2))


def test_dice_that_cannot_be_read(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    session = answer(GameSession(store, table, clock=clock), "bat")
    monkeypatch.setattr("device.table.rolls.READABLE_KINDS", frozenset({"d20"}))
    with pytest.raises(IllegalAnswer, match=r"I can't read a d6: enter it\."):
        send(session, photograph(2))


@pytest.mark.parametrize("sure", [True, False])
def test_only_of_cubes_a_picture_shows_the_top(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, sure: bool
) -> None:
    """Taken at an angle, it shows another side of a d10 as if it were on top: a person checks it."""
    session = duel(store, clock)
    n, ask = session.game.table.open_asks()[0]
    assert isinstance(ask, Roll), ask
    dice = (die(3, "red"), die(7, x=60, kind="d10"), die("B", x=120, kind="pitch"))
    reading = Reading(dice, None if sure else "glare", 1.0)
    monkeypatch.setattr("vision.reader.Reader.read_dice", lambda *_: reading)
    monkeypatch.setattr("vision.tray.tray_reader.is_blurred", lambda *_: False)
    Photographs(session).propose_photograph(n, photograph(3))
    shown = proposal(session)
    assert ([3, 7, "B"], False) == (shown["faces"], shown["sure"])
    assert DOUBT_ADVICE["angle" if sure else "glare"] == shown["advice"]


def test_a_photograph_out_of_focus(session: GameSession) -> None:
    from PIL import ImageFilter

    shown = send(session, file_bytes(drawn_dice(3).filter(ImageFilter.GaussianBlur(5))))
    assert (False, True) == (shown["sure"], shown["doubt"] in ("blur", "unclear", "symbol"))
