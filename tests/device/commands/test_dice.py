"""`dugout dice` prints the dice report, whether or not a table is running."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.cli import main
from tests.device.analysis.rolled import Stored, batted


def test_the_report_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = Stored(tmp_path)
    stored.put(batted(5, 2), "camera")
    stored.put(batted(6))
    stored.change("update entry set body = '' where game = 2")
    assert 0 == main(["dice", "--data", str(tmp_path)])
    told, *more = capsys.readouterr().out.split("\n\n")
    assert [
        "d6, read by the camera, rolled 2 times",
        "  1: 0  2: 1  3: 0  4: 0  5: 1  6: 0",
        "  Too few rolls to say: about 90 more would probably show a face that comes up twice as often.",
    ] == told.splitlines()
    assert more[0].startswith("Left out: game 2. This game is damaged")
    assert more[0].endswith("Games counted: 1. Explained on a table's page /dice.\n")


def test_a_folder_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["dice", "--data", str(tmp_path)])
    assert "there are no games" in capsys.readouterr().err
