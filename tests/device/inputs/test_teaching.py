"""Custom dice: taught on the terminal, trusted or not, used by the table, deleted, and found damaged."""

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device.commands import calibrate
from device.inputs import calibration, teaching
from device.inputs.calibration import Calibrator
from device.inputs.tray_view import TrayReader
from engine.views import json_data
from tests.device.inputs.scenes import Filmed, Knowing, shots
from tests.device.process import Program
from vision.cameras.frames import Frame
from vision.dice.taught_dice import CROP_SIDE_PX, FaceBank, ShownFace, TaughtDie
from vision.reader import Reader
from vision.synthetic.prints import PrintStyle
from vision.synthetic.tray import SyntheticDie, SyntheticTray

pytestmark = pytest.mark.slow

DIE = SyntheticDie("blue", 16, "white", "pitch", print=PrintStyle(texts=tuple("PX++XP")))
SIZE = (640, 480)
NAME = "Grandfather's die"


def dugout(data: Path, *words: str) -> int:
    top = argparse.ArgumentParser()
    calibrate.add_parser(top.add_subparsers(required=True))
    args = top.parse_args(["calibrate", "--data", str(data), *words])
    return int(args.run(args))


class Person:
    """A person who lays the drawn die as asked; `acts` are what they type or do instead at the nth question."""

    def __init__(self, scene: SyntheticTray, die: SyntheticDie) -> None:
        self.scene, self.die, self.random = scene, die, Random(2)
        self.acts: dict[int, Any] = {}
        self.asked: list[str] = []
        self.trust = "y"

    def __call__(self, words: str) -> str:
        self.asked.append(words.strip())
        act = self.acts.get(len(self.asked))
        if isinstance(act, str):
            return act
        if "Trust it?" in words:
            return self.trust
        if act is not None:
            act()
            return ""
        found = re.search(r"with (\w+) up", words)
        assert found is not None
        self.lay(found[1])
        return ""

    def lay(self, face: str) -> None:
        self.scene.clear_tray()
        x, y = self.random.uniform(-70, 70), self.random.uniform(-50, 50)
        value = int(face) if face.isdecimal() else face
        self.scene.place_die(0.0, self.die, value, x, y, turn=self.random.uniform(0, 6.3))


@pytest.fixture
def scene() -> SyntheticTray:
    return SyntheticTray(seed=4)


@pytest.fixture
def person(scene: SyntheticTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    Calibrator(tmp_path / "trays", Knowing(scene)).store_empty_tray("drawn", shots(scene))
    somebody, source = Person(scene, DIE), Filmed(scene)
    monkeypatch.setattr("builtins.input", somebody)
    monkeypatch.setattr("vision.cameras.sources.open_source", lambda where, used: source)
    monkeypatch.setattr(calibration, "WARM_UP_S", 0.0)
    monkeypatch.setattr(calibration.capture_pictures, "__defaults__", (0.0, time.monotonic))
    yield somebody
    assert not somebody.asked or source.closed


def kept(data: Path) -> tuple[list[str], list[str]]:
    dice, odd = teaching.load_dice(teaching.taught_dice_folder(data / "trays", "drawn", SIZE))
    return [die.name for die in dice], odd


def view(data: Path) -> tuple[TrayReader, Reader]:
    reader, scene = Reader(kinds=frozenset({"pitch"})), SyntheticTray(seed=4)
    seeing = TrayReader(reader, data / "trays", lambda words: None)
    seeing.load_camera_data(Frame(scene.render_frame(0.0), 0.0, 0, "drawn"))
    return seeing, reader


def test_a_die_is_taught_and_read(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each face is asked for twice, the result is printed before the question, and then the table reads the die."""
    assert dugout(tmp_path, "--die", f"  {NAME} ", "--kind", "pitch") == 0
    faces = [found[1] for words in person.asked if (found := re.search(r"with (\w+) up", words))]
    assert faces == ["B", "S", "C", "B", "S", "C"]
    assert person.asked[-1] == "Trust it? [y/N]"
    said = capsys.readouterr().out
    assert "Of 6 faces, 6 were read right from the other round alone" in said
    assert "none wrong without a question" in said
    assert f"Saved. Taught: {NAME} (as a pitching die)." in said
    seeing, _ = view(tmp_path)
    assert seeing.dice == [(True, f"Taught: {NAME} (as a pitching die).")]
    right = 0
    for face in "BSCBSCBSC":
        person.lay(face)
        reading = seeing.read_dice(person.scene.render_frame(0.0))
        assert reading.dice_values == (face,) or not reading.is_sure
        right += reading.is_sure
    assert right >= 6


def test_an_untrusted_die_is_not_saved(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not after just Enter, and not after quitting."""
    person.trust = ""
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 1
    assert "Not saved." in capsys.readouterr().out
    person.acts[len(person.asked) + 3] = "q"
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 1
    assert "Stopped. Nothing was saved." in capsys.readouterr().out
    assert kept(tmp_path) == ([], [])


def test_a_poor_picture_is_taken_again(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After an empty tray the same face is asked for again; so is the last one, if the person says so."""
    person.acts = {1: person.scene.clear_tray, 4: "a"}
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 0
    assert "No die found" in capsys.readouterr().out
    faces = [found[1] for words in person.asked if (found := re.search(r"with (\w+) up", words))]
    assert faces == ["B", "B", "S", "C", "S", "C", "B", "S", "C"]
    assert kept(tmp_path) == ([NAME], [])


def test_identical_faces_fail_the_trial(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person.die = SyntheticDie("blue", 16, "white", "pitch", print=PrintStyle(texts=tuple("XXXXXX")))
    person.trust = "n"
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 1
    found = re.search(r"Of 6 faces, (\d) were read right", capsys.readouterr().out)
    assert found is not None
    assert int(found[1]) < 6


def test_a_die_is_deleted(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name, in upper or lower case; the other die stays until the calibration is deleted."""
    for name in (NAME, "House"):
        assert dugout(tmp_path, "--die", name, "--kind", "pitch") == 0
    assert kept(tmp_path)[0] == [NAME, "House"]
    capsys.readouterr()
    assert dugout(tmp_path, "--forget", "--die", NAME.upper()) == 0
    assert dugout(tmp_path, "--forget", "--die", NAME) == 1
    assert kept(tmp_path)[0] == ["House"]
    assert dugout(tmp_path, "--forget") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{NAME.upper()} is deleted.",
        f"There is no taught die called {NAME}.",
        "1 calibration deleted. 1 taught die is deleted.",
    ]


def test_the_operators_page_deletes_it_too(person: Person, tmp_path: Path) -> None:
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 0
    seeing, reader = view(tmp_path)
    told = seeing.run_calibration_step("forget", "drawn", [])
    assert "1 taught die is deleted." in [check["words"] for check in json_data(told)["checks"]]
    assert (reader.taught, seeing.dice, kept(tmp_path)) == ((), [], ([], []))


def test_teaching_a_die_again_replaces_it(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 0
    assert f"{NAME} was taught before: this replaces it." in capsys.readouterr().out
    assert kept(tmp_path) == ([NAME], [])


def test_a_damaged_file_is_reported(person: Person, tmp_path: Path) -> None:
    for name in (NAME, "House"):
        assert dugout(tmp_path, "--die", name, "--kind", "pitch") == 0
    (broken,) = (tmp_path / "trays").glob("*/dice/house-*.die")
    broken.write_bytes(broken.read_bytes()[:-100])
    seeing, reader = view(tmp_path)
    (bank,) = reader.taught
    assert isinstance(bank, FaceBank)
    assert bank.die.name == NAME
    assert [ok for ok, _ in seeing.dice] == [True, False]
    assert str(broken) in seeing.dice[1][1]
    assert "teach it again" in seeing.dice[1][1]


def test_the_running_table_lists_its_taught_dice(tmp_path: Path) -> None:
    """The health page lists them and reports a damaged one."""
    random = np.random.default_rng(1)
    crops = random.integers(0, 255, (3, CROP_SIDE_PX, CROP_SIDE_PX, 3), np.uint8)
    shown = tuple(ShownFace(face, 0, crop, (50.0, 0.0, 0.0)) for face, crop in zip("BSC", crops, strict=True))
    folder = teaching.taught_dice_folder(tmp_path / "trays", "drawn", SIZE)
    teaching.save_die(folder, TaughtDie(NAME, "pitch", shown))
    (folder / "torn.die").write_bytes(b"torn")
    with Program(tmp_path, command="demo") as program:
        until = time.monotonic() + 120
        while program.view()["watching"]["state"] not in ("empty", "unsure"):
            assert time.monotonic() < until
            time.sleep(0.1)
        health = [part for part in program.client.get("/api/health").json() if part["part"] == "taught dice"]
    assert [(part["ok"], part["words"].split(" is ")[0]) for part in health] == [
        (True, f"Taught: {NAME} (as a pitching die)."),
        (False, f"The taught die in {folder / 'torn.die'}"),
    ]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--die", " "), "A die's name needs a text."),
        (("--die", "x" * 41), "A die's name can have at most 40 characters; these are 41."),
        (("--die", NAME, "--kind", "d7"), "The camera can't read a d7"),
        (("--kind", "d20"), "--kind needs --die NAME."),
    ],
)
def test_errors(
    person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    assert dugout(tmp_path, *words) == 2
    assert reason in capsys.readouterr().err
    assert not person.asked


def test_faces_are_asked_for_in_order() -> None:
    assert teaching.faces_to_teach("pitch") == ["B", "S", "C"]
    assert teaching.faces_to_teach("d10") == list(range(1, 11))
    assert teaching.faces_to_teach("d6") == list(range(1, 7))
