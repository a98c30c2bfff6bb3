"""Sources of frames from files, and their errors."""

import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.each import each
from vision.cameras.files import PictureFile, PictureFolder, VideoFile
from vision.cameras.frames import CameraError, Frame, FrameSource, PictureError
from vision.cameras.sources import open_source


def frames(opened: FrameSource) -> list[Frame]:
    found = list(iter(opened.read_frame, None))
    opened.close()
    return [frame for frame in found if frame is not None]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Return six frames at 20 per second, each brighter than the one before."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for step in range(6):
        writer.write(np.full((48, 64, 3), 40 * step, np.uint8))
    writer.release()
    return path


def test_video(film: Path) -> None:
    """A video gives its frames in order, at the times of the video, then None forever."""
    seen = frames(open_source(str(film)))
    assert [frame.number for frame in seen] == [0, 1, 2, 3, 4, 5]
    assert [frame.when for frame in seen] == pytest.approx([0, 0.05, 0.1, 0.15, 0.2, 0.25])
    assert [float(frame.full_picture().mean()) for frame in seen] == pytest.approx([0, 40, 80, 120, 160, 200], abs=3)
    video = VideoFile(film)
    assert len(frames(video)) == 6
    assert video.read_frame() is None


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "none.avi", "none.avi is empty"),
        (b"RIFF" + bytes(200), "torn.avi", "torn.avi is damaged"),
        (b"", "none.png", "none.png is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "torn.png", "torn.png is damaged"),
        (b"words", "words.jpg", "words.jpg is damaged, or not a picture"),
        (b"words", "words", "words is damaged, or not a picture or video"),
    ],
)
def test_damaged_file(tmp_path: Path, data: bytes, name: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    """The error for an empty or damaged file names it in one sentence, and OpenCV adds nothing."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CameraError, match=reason):
        frames(open_source(str(tmp_path / name)))
    assert "WARN" not in capfd.readouterr().err


def test_torn_film(film: Path) -> None:
    data = film.read_bytes()
    film.write_bytes(data[: data.rindex(b"\xff\xd8") - 8])
    assert len(frames(open_source(str(film)))) == 5


def test_torn_picture(tmp_path: Path) -> None:
    path = tmp_path / "half.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(PictureError, match=r"half\.jpg is damaged"):
        open_source(str(path))


def test_missing_files(tmp_path: Path) -> None:
    for name in ("no.jpg", "no.avi"):
        with pytest.raises(PictureError, match=f"There is no file .*{name}"):
            open_source(str(tmp_path / name))
    with pytest.raises(CameraError, match="There is no folder"):
        PictureFolder(tmp_path / "no")
    with pytest.raises(CameraError, match="There are no pictures in the folder"):
        open_source(str(tmp_path))


@each("ending", ["", ".jpg", ".avi"])
@each("bad", ["\udcff", "a" * 300])
def test_a_name_that_no_file_can_have(tmp_path: Path, bad: str, ending: str) -> None:
    """Bytes that are not UTF-8 would end OpenCV, and with it the program."""
    with pytest.raises(CameraError, match=r"There is no file|File name too long\."):
        open_source(str(tmp_path / (bad + ending)))


@each("ending", [".jpg", ".avi", ""])
def test_a_file_whose_name_is_not_utf_8(tmp_path: Path, film: Path, ending: str) -> None:
    path = film.rename(tmp_path / f"\udcff{ending}")
    with pytest.raises(CameraError, match=r"is not UTF-8: rename it|is damaged, or not a picture"):
        open_source(str(path))
    path.rename(film)


def test_a_folder_or_too_large_a_file_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "folder.jpg").mkdir()
    with pytest.raises(PictureError, match=r"folder\.jpg is not a file\."):
        PictureFile(tmp_path / "folder.jpg")
    with (tmp_path / "large.jpg").open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(PictureError, match=r"large\.jpg is larger than 64 MB: make it smaller\."):
        PictureFile(tmp_path / "large.jpg")


def test_a_picture_of_too_many_pixels_is_not_decoded(tmp_path: Path) -> None:
    """Its header says how many: decoding them would take all memory."""
    data = bytearray(cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes())
    data[16:24] = struct.pack(">II", 40_000, 40_000)
    data[29:33] = struct.pack(">I", zlib.crc32(bytes(data[12:29])))
    (tmp_path / "wide.png").write_bytes(data)
    with pytest.raises(PictureError, match=r"wide\.png has more than \d+ million pixels: make it smaller\."):
        PictureFile(tmp_path / "wide.png")


@pytest.mark.parametrize(
    "picture",
    [
        np.full((20, 30), 128, np.uint8),
        np.full((20, 30), 128 * 257, np.uint16),
        np.full((20, 30, 3), 128 * 257, np.uint16),
        np.full((20, 30, 4), 128, np.uint8),
        np.full((20, 30, 4), 128 * 257, np.uint16),
    ],
    ids=["grey", "grey 16", "colour 16", "alpha", "alpha 16"],
)
def test_odd_pictures(tmp_path: Path, picture: np.ndarray[Any, Any]) -> None:
    cv2.imwrite(str(tmp_path / "odd.png"), picture)
    (frame,) = frames(PictureFile(tmp_path / "odd.png"))
    assert frame.picture.dtype == np.uint8
    assert frame.picture.shape == (20, 30, 3)
    assert {128} == set(frame.picture.ravel().tolist())


def test_folder(tmp_path: Path) -> None:
    """A folder gives its pictures by path, including subfolders; a damaged one is named, then skipped."""
    (tmp_path / "more").mkdir()
    for name in ("b.png", "a.JPG", "more/c.png", ".hidden.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "aa.png").write_bytes(b"torn")
    folder = PictureFolder(tmp_path)
    seen: list[str | None] = []
    for _ in range(5):
        try:
            frame = folder.read_frame()
        except PictureError as error:
            seen.append(str(error))
        else:
            seen.append(None if frame is None else Path(frame.name).name)
    assert seen == ["a.JPG", f"{tmp_path / 'aa.png'} is damaged, or not a picture.", "b.png", "c.png", None]


def test_picture_by_its_bytes(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "photo.png"), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "photo.png").rename(tmp_path / "photo")
    assert isinstance(open_source(str(tmp_path / "photo")), PictureFile)
