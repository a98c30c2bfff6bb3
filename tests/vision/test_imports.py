"""A running table loads OpenCV late, and no drawing code."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def loaded(modules: str) -> list[str]:
    code = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_opencv_is_imported_late() -> None:
    """The command line, the web and the engine start without OpenCV: it takes seconds on a Pi."""
    assert not {"cv2", "numpy"} & set(loaded("engine, web, device.commands.read, vision.cameras.sources"))


def test_reading_loads_nothing_drawn() -> None:
    """Dice, boards and cameras are read without `vision.synthetic`, which only the simulator needs."""
    modules = loaded(
        "vision.reader, vision.throws, vision.annotate, vision.board.read, vision.tray.tracker, "
        "vision.tray.drift, vision.tray.tray_reader, vision.tray.saved_trays, vision.tray.calibration_sheet, "
        "vision.cameras.sources, vision.cameras.files, vision.cameras.v4l2, vision.cameras.picamera"
    )
    assert "vision.dice.dice_finder" in modules
    assert [] == [name for name in modules if name.startswith("vision.synthetic")]
