"""import-linter reports an import through each wall between the rooms."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "managers", "vision", "device", "web")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the rooms in `folder`."""
    tool = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([tool, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("file", "planted"),
    [
        ("engine/games/small_ball/rules.py", "import random"),
        ("engine/table.py", "import time"),
        ("engine/cards.py", "from device import decks"),
        ("engine/asks.py", "from engine.games import small_ball"),
        ("vision/dice/detect.py", "import engine.dice"),
        ("managers/manager.py", "from engine.table import Table"),
        ("managers/games/small_ball/win_table.py", "import threading"),
        ("web/routes/api.py", "from managers import manager"),
        ("web/routes/api.py", "import cv2"),
        ("device/table/session.py", "from device.display import widgets"),
        ("device/table/notices.py", "import web.errors"),
        ("device/shapes.py", "from vision import reading"),
        ("device/display/lettering.py", "from device.display.games import rallybird"),
        ("device/table/live_game.py", "from device.table import rolls"),
        ("device/storage/store.py", "from device.service import watchdog"),
        ("device/settings.py", "from device.inputs import buttons"),
        ("device/install/host.py", "from device import machine"),
        ("vision/dice/pose.py", "from vision.synthetic import shapes"),
        ("vision/cameras/frames.py", "from vision.tray import outline"),
        ("device/inputs/dice_camera.py", "from vision.synthetic import tray"),
        ("engine/games/small_ball/state.py", "from engine.games.clutch import squad"),
        ("engine/games/clutch/strategy_cards/apply.py", "from engine.games.clutch.running import throws"),
        ("engine/games/clutch/substitutions/bench.py", "from engine.games.clutch.running import stealing"),
        (
            "engine/games/seventh_inning_stretch/innings/pool.py",
            "from engine.games.seventh_inning_stretch import season",
        ),
    ],
)
def test_a_breach_is_seen(tmp_path: Path, file: str, planted: str) -> None:
    """An import through a wall, planted in a copy, breaks a contract that holds without it."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("*.onnx", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    text = (tmp_path / file).read_text("utf-8")
    (tmp_path / file).write_text(f"{text}\n{planted}\n", "utf-8")
    result = lint(tmp_path)
    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout
