"""The pins' library: the named one, or a sentence that says what to do."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest

from device.hands.buttons import Buttons, MockBoard
from device.pins import PinError, open_factory


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library was loaded before."""
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    for name in ("LG_WD", "RUNTIME_DIRECTORY"):
        monkeypatch.setenv(name, "")  # so that it is put back as it was
        monkeypatch.delenv(name)


def test_empty_lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    """The empty module that pip takes where there is no wheel is told from a Pi without pins."""
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(PinError, match="is an empty one: remove it, and install python3-lgpio"):
        open_factory("lgpio")


def test_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio is given the service's own folder, or else the one for temporary files; never the working directory."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    with pytest.raises(PinError, match="lgpio is not installed"):
        open_factory("lgpio")
    assert str(tmp_path) == os.environ["LG_WD"]


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named, instead of what lgpio would say: that there is no chip."""
    monkeypatch.setenv("LG_WD", str(tmp_path / "gone"))
    with pytest.raises(PinError, match=r"it cannot write in .*gone, which LG_WD names\."):
        open_factory("lgpio")


def test_no_other_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero is never asked for a library of its own choice, which on a Pi 5 would be a broken one."""

    def chosen() -> None:
        raise AssertionError("gpiozero chose for itself")

    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", chosen, raising=False)
    board = MockBoard()
    Buttons(lambda name, when: None, board.factory).close()
    board.close()
    with pytest.raises(PinError, match="lgpio is not installed"):
        Buttons(lambda name, when: None)
    assert gpiozero.Device.pin_factory is None
