"""`dugout read`: its output, files and exit status, with a stand-in for the reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cli import main
from vision.cameras.files import load_picture
from vision.reading import DieReading, Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray


class _Reader:
    """Sees as many dice as the picture's corner pixel says; above 4 one lies on another, and 99 refuses the picture."""

    def read_dice(self, frame: np.ndarray[Any, Any]) -> Reading:
        count = int(frame[0, 0, 0])
        if count == 99:
            raise ValueError("A frame of 8x8 pixels is too small to read dice in.")
        if count > 9:
            return Reading((DieReading("d6", 4, "white", (1, 2, 3, 4), 0.9),), None, 1.0)
        dice = tuple(DieReading("d6", value, "red", (value, 0, 1, 1), 0.98765) for value in range(1, count + 1))
        return Reading(dice, "none" if not dice else "stacked" if count > 4 else None, 1.25)


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.Reader", _Reader)
    monkeypatch.setattr("vision.annotate.annotate_reading", lambda frame, reading: np.full_like(frame, 200))


def photo(path: Path, count: int) -> str:
    cv2.imwrite(str(path), np.full((8, 8, 3), count, np.uint8))
    return str(path)


def dugout(*words: str) -> int:
    return main(["read", *words])


def test_line_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each picture gets one line: the values and whether they are sure, or what to do."""
    paths = [photo(tmp_path / f"{count}.png", count) for count in (3, 5, 0)]
    assert dugout(*paths) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{paths[0]}: 1 2 3 — sure",
        f"{paths[1]}: 1 2 3 4 5 — asks: A die is on top of another: put them side by side.",
        f"{paths[2]}: no dice — asks: There are no dice in the tray.",
    ]


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = photo(tmp_path / "one.png", 1)
    assert dugout("--json", path) == 0
    die = {"kind": "d6", "value": 1, "colour": "red", "box": [1, 0, 1, 1], "confidence": 0.9877}
    die |= {"likely": [], "doubt": None, "taught": None}
    sure = {"sure": True, "doubt": None, "advice": None, "why": None, "evidence": None}
    reading = {"path": path, **sure, "ms": 1.25, "dice": [die]}
    assert json.loads(capsys.readouterr().out) == reading


class _Mixed:
    """Sees a d20, a pitching die and one that it cannot read, and records the kinds it looked for."""

    kinds = frozenset({"d6"})
    looked: frozenset[str] = frozenset()

    def read_dice(self, frame: np.ndarray[Any, Any]) -> Reading:
        type(self).looked = self.kinds
        box = (1, 2, 3, 4)
        dice = (
            DieReading("d20", 17, "blue", box, 0.9),
            DieReading("pitch", "S", "orange", box, 0.9),
            DieReading("d8", None, None, box, 0.2),
        )
        return Reading(dice, None, 1.0)


def test_dice_without_pips(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are named by kind and color, and as JSON have kind and value; only the named kinds are looked for."""
    monkeypatch.setattr("vision.reader.Reader", _Mixed)
    path = photo(tmp_path / "one.png", 1)
    assert dugout("--kinds", "d20, pitch", path) == 0
    said = "a blue d20 shows 17, an orange pitching die shows S, a d8 shows ?"
    assert capsys.readouterr().out == f"{path}: {said} — sure\n"
    assert _Mixed.looked == {"d20", "pitch"}
    assert dugout("--json", path) == 0
    dice = json.loads(capsys.readouterr().out)["dice"]
    assert [(die["kind"], die["value"]) for die in dice] == [("d20", 17), ("pitch", "S"), ("d8", None)]
    assert _Mixed.looked == {"d6"}


@pytest.mark.parametrize(("words", "odd"), [("d6,d12", "d12"), ("", "an empty kind"), ("d6,,d8", "an empty kind")])
def test_kinds_that_are_not_read(capsys: pytest.CaptureFixture[str], words: str, odd: str) -> None:
    """An unknown kind is refused with the list of known kinds."""
    with pytest.raises(SystemExit):
        dugout("--kinds", words, "one.png")
    error = capsys.readouterr().err
    assert f"cannot read {odd}; choose from d6, d8, d10, d20, d24, pitch." in error


def test_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo(tmp_path / "b.png", 2)
    photo(tmp_path / "a.png", 1)
    (tmp_path / "notes.txt").write_text("none")
    assert dugout(str(tmp_path)) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path / 'a.png'}: 1 — sure",
        f"{tmp_path / 'b.png'}: 1 2 — sure",
    ]


def test_problems_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = photo(tmp_path / "good.png", 1)
    small = photo(tmp_path / "small.png", 99)
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "torn.jpg").write_bytes(b"no picture")
    (tmp_path / "bare").mkdir()
    wrong = ["missing.jpg", "missing", "empty.jpg", "torn", "bare"]
    assert dugout(*(str(tmp_path / name) for name in wrong), small, good) == 2
    out, err = capsys.readouterr()
    assert out == f"{good}: 1 — sure\n"
    assert err.splitlines() == [
        f"dugout read: There is no file {tmp_path / 'missing.jpg'}.",
        f"dugout read: There is no file {tmp_path / 'missing'}.",
        f"dugout read: {tmp_path / 'empty.jpg'} is empty.",
        f"dugout read: {tmp_path / 'torn' / 'torn.jpg'} is damaged, or not a picture.",
        f"dugout read: There are no pictures or videos in the folder {tmp_path / 'bare'}.",
        f"dugout read: {small}: A frame of 8x8 pixels is too small to read dice in.",
    ]


def test_no_camera(capsys: pytest.CaptureFixture[str]) -> None:
    assert dugout("93") == 2
    assert "There is no camera at /dev/video93" in capsys.readouterr().err


def film(path: Path, *, thrown: bool) -> str:
    """Return a video of a tray, with one throw in it or none."""
    tray = SyntheticTray((160, 120), seed=4)
    if thrown:
        tray.throw_dice(0.5, [SyntheticDie(size=24)])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (160, 120))
    for step in range(50):
        writer.write(tray.render_frame(step / 20))
    writer.release()
    return str(path)


def test_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A video gets one line for each throw, with the frames in which the dice lay still."""
    path = film(tmp_path / "film.avi", thrown=True)
    assert dugout("--json", path) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["path"] == path
    first, last = found["frames"]
    assert 25 < first < 42
    assert last == 49
    assert dugout(path) == 0
    assert capsys.readouterr().out == f"{path} frames {first}–{last}: 4 — sure\n"


def test_film_without_a_throw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = film(tmp_path / "film.avi", thrown=False)
    assert dugout(path) == 0
    assert capsys.readouterr() == ("", f"dugout read: no roll comes to rest in {path}.\n")


def test_annotate(tmp_path: Path) -> None:
    """Annotated copies go to their folder under unique names; the pictures stay unchanged."""
    (tmp_path / "more").mkdir()
    one, two = photo(tmp_path / "a.png", 1), photo(tmp_path / "more" / "a.png", 2)
    before = Path(one).read_bytes()
    assert dugout("--annotate", str(tmp_path / "out"), one, two) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a-read-2.jpg", "a-read.jpg"]
    assert load_picture(tmp_path / "out" / "a-read.jpg").mean() == pytest.approx(200, abs=1)
    assert Path(one).read_bytes() == before


def test_annotate_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that cannot hold the annotated copies is reported before anything is read."""
    one = photo(tmp_path / "a.png", 1)
    assert dugout("--annotate", str(tmp_path / "a.png" / "out"), one) == 2
    words = f"dugout read: {tmp_path}/a.png/out cannot hold pictures: Not a directory.\n"
    assert capsys.readouterr() == ("", words)
