"""A die of one's own is taught at the terminal, trusted or not, used by the table, forgotten and found damaged."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device.inputs import calibration, teaching
from device.inputs.calibration import Calibrator
from device.inputs.tray_view import TrayView
from tests.device.inputs.scenes import Filmed, Knowing, shots
from tests.device.process import Program
from vision.cameras.frames import Frame
from vision.dice.taught import GRAIN, FaceBank, ShownFace, Taught
from vision.drawn.letters import Print
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader

DIE = DrawnDie("blue", 16, "white", "pitch", print=Print(texts=tuple("PX++XP")))
SIZE = (640, 480)
NAME = "Grandfather's die"


def dugout(data: Path, *words: str) -> int:
    """Run `dugout calibrate` with these words; gives its exit status."""
    top = argparse.ArgumentParser()
    calibration.add(top.add_subparsers(required=True))
    args = top.parse_args(["calibrate", "--data", str(data), *words])
    return int(args.run(args))


class Person:
    """Lays the drawn die as it is asked for; `acts` says what is typed or done instead at the nth question."""

    def __init__(self, scene: DrawnTray, die: DrawnDie) -> None:
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
        self.scene.clear()
        x, y = self.random.uniform(-70, 70), self.random.uniform(-50, 50)
        value = int(face) if face.isdecimal() else face
        self.scene.lay(0.0, self.die, value, x, y, turn=self.random.uniform(0, 6.3))


@pytest.fixture
def scene() -> DrawnTray:
    return DrawnTray(seed=4)


@pytest.fixture
def person(scene: DrawnTray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Someone at the terminal, before a calibrated tray."""
    Calibrator(tmp_path / "trays", Knowing(scene)).empty("drawn", shots(scene))
    somebody, source = Person(scene, DIE), Filmed(scene)
    monkeypatch.setattr("builtins.input", somebody)
    monkeypatch.setattr("vision.cameras.sources.open_source", lambda where: source)
    monkeypatch.setattr(calibration, "WARM", 0.0)
    monkeypatch.setattr(calibration.take, "__defaults__", (0.0, time.monotonic))
    yield somebody
    assert not somebody.asked or source.closed


def kept(data: Path) -> tuple[list[str], list[str]]:
    """The names of the dice that are kept, and what is said of damaged ones."""
    dice, odd = teaching.load(teaching.home(data / "trays", "drawn", SIZE))
    return [die.name for die in dice], odd


def sight(data: Path) -> tuple[TrayView, Reader]:
    """What the table sees through this camera once it has started."""
    reader, scene = Reader(kinds=frozenset({"pitch"})), DrawnTray(seed=4)
    seeing = TrayView(reader, data / "trays", lambda words: None)
    seeing.meet(Frame(scene.frame(0.0), 0.0, 0, "drawn"))
    return seeing, reader


def test_a_die_is_taught_and_read(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each face is asked for twice, what came of it is told before it is trusted, and then the table reads the die."""
    assert dugout(tmp_path, "--die", f"  {NAME} ", "--kind", "pitch") == 0
    faces = [found[1] for words in person.asked if (found := re.search(r"with (\w+) up", words))]
    assert faces == ["B", "S", "C", "B", "S", "C"]
    assert person.asked[-1] == "Trust it? [y/N]"
    said = capsys.readouterr().out
    assert "Of 6 faces shown, 6 were read right by the other round alone" in said
    assert "none wrong without asking" in said
    assert f"Kept. Taught: {NAME} (as a pitching die)." in said
    seeing, _ = sight(tmp_path)
    assert seeing.dice == [(True, f"Taught: {NAME} (as a pitching die).")]
    right = 0
    for face in "BSCBSCBSC":
        person.lay(face)
        reading = seeing.read(person.scene.frame(0.0))
        assert reading.values == (face,) or not reading.sure
        right += reading.sure
    assert right >= 6


def test_what_is_not_trusted_is_not_kept(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither where Enter alone is pressed, nor where it was stopped on the way."""
    person.trust = ""
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 1
    assert "It is not kept." in capsys.readouterr().out
    person.acts[len(person.asked) + 3] = "q"
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 1
    assert "Stopped: nothing is kept." in capsys.readouterr().out
    assert kept(tmp_path) == ([], [])


def test_a_poor_picture_is_taken_again(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty tray is refused and asked for again; so is the last face, if one says so."""
    person.acts = {1: person.scene.clear, 4: "a"}
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 0
    assert "No die is seen" in capsys.readouterr().out
    faces = [found[1] for words in person.asked if (found := re.search(r"with (\w+) up", words))]
    assert faces == ["B", "B", "S", "C", "S", "C", "B", "S", "C"]
    assert kept(tmp_path) == ([NAME], [])


def test_faces_that_cannot_be_told_apart_are_told(
    person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The trial of a die that shows the same everywhere is no good, and says so."""
    person.die = DrawnDie("blue", 16, "white", "pitch", print=Print(texts=tuple("XXXXXX")))
    person.trust = "n"
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 1
    found = re.search(r"Of 6 faces shown, (\d) were read right", capsys.readouterr().out)
    assert found is not None
    assert int(found[1]) < 6


def test_a_die_is_forgotten(person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name, however it is written; the other stays, and goes with the calibration."""
    for name in (NAME, "House"):
        assert dugout(tmp_path, "--die", name, "--kind", "pitch") == 0
    assert kept(tmp_path)[0] == [NAME, "House"]
    capsys.readouterr()
    assert dugout(tmp_path, "--forget", "--die", NAME.upper()) == 0
    assert dugout(tmp_path, "--forget", "--die", NAME) == 1
    assert kept(tmp_path)[0] == ["House"]
    assert dugout(tmp_path, "--forget") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{NAME.upper()} is forgotten.",
        f"No die was taught as {NAME}.",
        "1 calibration deleted. 1 taught die is forgotten.",
    ]


def test_the_operators_page_forgets_it_too(person: Person, tmp_path: Path) -> None:
    """The table that runs no longer knows it, and says so."""
    assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 0
    seeing, reader = sight(tmp_path)
    told = seeing.calibrate("forget", "drawn", [])
    assert "1 taught die is forgotten." in [check["words"] for check in told["checks"]]
    assert (reader.taught, seeing.dice, kept(tmp_path)) == ((), [], ([], []))


def test_a_die_taught_anew_takes_the_place_of_the_old(
    person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said before, and there is one of the name."""
    for _ in range(2):
        assert dugout(tmp_path, "--die", NAME, "--kind", "pitch") == 0
    assert f"{NAME} was taught before: this one will take its place." in capsys.readouterr().out
    assert kept(tmp_path) == ([NAME], [])


def test_a_damaged_file_is_named(person: Person, tmp_path: Path) -> None:
    """The table goes on with the other dice."""
    for name in (NAME, "House"):
        assert dugout(tmp_path, "--die", name, "--kind", "pitch") == 0
    (broken,) = (tmp_path / "trays").glob("*/dice/house-*.die")
    broken.write_bytes(broken.read_bytes()[:-100])
    seeing, reader = sight(tmp_path)
    (bank,) = reader.taught
    assert isinstance(bank, FaceBank)
    assert bank.die.name == NAME
    assert [ok for ok, _ in seeing.dice] == [True, False]
    assert str(broken) in seeing.dice[1][1]
    assert "teach it again" in seeing.dice[1][1]


def test_the_running_table_says_what_it_was_taught(tmp_path: Path) -> None:
    """Beside how its other parts are; what is damaged is not well, and the doctor tells of it."""
    random = np.random.default_rng(1)
    crops = random.integers(0, 255, (3, GRAIN, GRAIN, 3), np.uint8)
    shown = tuple(ShownFace(face, 0, crop, (50.0, 0.0, 0.0)) for face, crop in zip("BSC", crops, strict=True))
    folder = teaching.home(tmp_path / "trays", "drawn", SIZE)
    teaching.save(folder, Taught(NAME, "pitch", shown))
    (folder / "torn.die").write_bytes(b"torn")
    with Program(tmp_path, command="demo") as program:
        until = time.monotonic() + 40
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
        (("--die", " "), "A die's name has 1 to 40 letters."),
        (("--die", "x" * 41), "A die's name has 1 to 40 letters."),
        (("--die", NAME, "--kind", "d7"), "No camera reads a d7"),
        (("--kind", "d20"), "--kind goes with --die NAME."),
    ],
)
def test_what_cannot_be_taught(
    person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    """A name that is none, a kind that no camera reads, and a kind without a die are refused before anything else."""
    assert dugout(tmp_path, *words) == 2
    assert reason in capsys.readouterr().err
    assert not person.asked


def test_faces_are_asked_for_in_order() -> None:
    """Numbers from the lowest, letters as on the die."""
    assert teaching.order("pitch") == ["B", "S", "C"]
    assert teaching.order("d10") == list(range(1, 11))
    assert teaching.order("d6") == list(range(1, 7))
