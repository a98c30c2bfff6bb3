"""The pin library: the named one is loaded, or the error says what to do."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
from gpiozero.pins import local

from device.inputs.buttons import GpioButtons, MockButtons
from device.pins import PinError, close_factory, open_factory

AWAY = """\
import os
os.chdir(os.environ["LG_WD"])
open(".lgd-nfy0", "w").close()
from tests.pi.lgpio import *
"""
"""A stand-in for lgpio that changes to its folder on import, as the real one does."""


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget any library loaded before."""
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    for name in ("LG_WD", "RUNTIME_DIRECTORY"):
        monkeypatch.setenv(name, "")  # so that monkeypatch restores it
        monkeypatch.delenv(name)
    yield
    sys.modules.pop("gpiozero.pins.lgpio", None)


def library(monkeypatch: pytest.MonkeyPatch, folder: Path, source: str) -> None:
    """Install this as the module lgpio."""
    (folder / "lgpio.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "lgpio")


def test_an_empty_lgpio_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip installs an empty module without a wheel; the error differs from that of a Pi without pins."""
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(PinError, match="is empty: remove it, and install python3-lgpio"):
        open_factory("lgpio")


def test_lgpio_gets_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service's own folder, or else one for temporary files; never the working directory."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    with pytest.raises(PinError, match="lgpio is not installed"):
        open_factory("lgpio")
    assert str(tmp_path) == os.environ["LG_WD"]


@pytest.mark.parametrize("name", ["XDG_RUNTIME_DIR", "TMPDIR"])
def test_the_temporary_folder_is_private(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no folder is named, no other user can write to it or have left anything there."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path if name == "XDG_RUNTIME_DIR" else tmp_path / "gone"))
    for _ in range(2):
        monkeypatch.delenv("LG_WD", raising=False)
        with pytest.raises(PinError, match="lgpio is not installed"):
            open_factory("lgpio")
        folder = Path(os.environ["LG_WD"])
        assert (folder.parent, 0o700) == (tmp_path, stat.S_IMODE(folder.stat().st_mode))


def test_the_working_directory_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio changes the working directory on import; relative paths must still mean the old one."""
    fifos = tmp_path / "fifos"
    fifos.mkdir()
    library(monkeypatch, tmp_path, AWAY)
    monkeypatch.setattr(local, "get_pi_revision", lambda: 0xC03111)
    monkeypatch.setenv("LG_WD", str(fifos))
    monkeypatch.chdir(tmp_path)
    close_factory(open_factory("lgpio"))
    assert (tmp_path, [".lgd-nfy0"]) == (Path.cwd(), os.listdir(fifos))


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        ("FileNotFoundError(2, 'No such file', '.lgd-nfy-3')", r"remove .*/\.lgd-nfy\*, left by another user\."),
        ("PermissionError(13, 'Permission denied', '.lgd-nfy0')", r"remove .*/\.lgd-nfy\*, left by another user\."),
        ("FileNotFoundError(2, 'No such file', '/dev/gpiochip0')", r"this machine has no GPIO chip\."),
    ],
)
def test_leftovers_of_another_user(raised: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a missing /dev/gpiochip0 is reported as a missing chip."""
    library(monkeypatch, tmp_path, f"raise {raised}")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    with pytest.raises(PinError, match=words):
        open_factory("lgpio")


def test_an_unwritable_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio would report a missing chip."""
    monkeypatch.setenv("LG_WD", str(tmp_path / "gone"))
    with pytest.raises(PinError, match=r"it cannot write in .*gone, which LG_WD names\."):
        open_factory("lgpio")


def test_gpiozero_does_not_choose_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Pi 5 its choice would be a broken one."""

    def chosen() -> None:
        raise AssertionError("gpiozero chose for itself")

    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", chosen, raising=False)
    board = MockButtons()
    GpioButtons(lambda name, when: None, board.factory).close()
    board.close()
    with pytest.raises(PinError, match="lgpio is not installed"):
        GpioButtons(lambda name, when: None)
    assert gpiozero.Device.pin_factory is None
