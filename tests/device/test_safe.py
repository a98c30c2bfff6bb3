"""Safe mode: after starts that failed, or with undo held down, a table opens with next to nothing and says so."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device import cli, safe
from device.app import App
from device.faces import screens
from device.hands import buttons
from device.safe import Starts
from device.settings import Settings, parse
from tests.device.manager import Manager
from tests.device.process import SETTINGS, free_port

FULL = """\
poweroff = true
data = "/games"
[game]
decks = ["mine.toml"]
[camera]
source = "none"
[display]
driver = "sh1106"
[web]
name = "dugout.local"
"""


class Pressed(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose button is held down from the beginning, where it is undo's."""

    def drive_high(self) -> None:
        if self.info.name != "GPIO5":
            super().drive_high()


class Held(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """The pins of a table whose undo button is held."""

    def __init__(self) -> None:
        super().__init__(pin_class=Pressed)


def test_starts_are_counted_until_one_goes_well(tmp_path: Path) -> None:
    """Each is a failure until the table was open for a while; then all before it are forgotten."""
    assert [0, 1, 2] == [Starts(tmp_path).begin() for _ in range(3)]
    Starts(tmp_path).good()
    assert 0 == Starts(tmp_path).begin()


def test_only_a_service_counts_its_starts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Elsewhere somebody reads what went wrong; a folder that cannot be written keeps no table from opening."""
    nowhere = Starts.here({})
    assert [0, 0] == [nowhere.begin(), nowhere.begin()]
    nowhere.good()
    (tmp_path / "file").touch()
    spoiled = Starts.here({"RUNTIME_DIRECTORY": str(tmp_path / "file")})
    assert [0, 0] == [spoiled.begin(), spoiled.begin()]
    assert "Starts are not counted" in caplog.text
    service = Starts.here({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/other"})
    assert [0, 1] == [service.begin(), service.begin()]


def test_a_modest_table_keeps_its_place_and_nothing_else() -> None:
    """Games, name and display stay as they are set; what may fail is left out, in the end the display too."""
    full = parse(FULL, "my.toml")
    modest = safe.modest(full, safe.ENOUGH)
    assert (full.data, full.web, full.display, True) == (modest.data, modest.web, modest.display, modest.poweroff)
    assert ("none", "none", "none") == (modest.camera.source, modest.board.camera, modest.buttons.factory)
    assert Settings().game == modest.game
    assert "none" == safe.modest(full, 2 * safe.ENOUGH).display.driver


def test_a_start_that_fails_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings that cannot be used fail three times; what the fourth does is below."""
    (tmp_path / "dugout.toml").write_text("[camera]\nsorce = 1\n")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    for _ in range(safe.ENOUGH):
        assert 2 == cli.main(["run", "--settings", str(tmp_path / "dugout.toml"), "--data", str(tmp_path)])
    assert safe.ENOUGH == Starts(tmp_path).begin()


def test_after_three_failed_starts_the_table_opens_whatever_the_settings_are(tmp_path: Path) -> None:
    """The page says what is left out, why, what is wrong in the settings, and how to have it back; ended in order, the
    next start is a whole one."""
    (tmp_path / "starts").write_bytes(b"...")
    broken = "[display]\ndriver = 'none'\n[camera]\nsorce = 1\n"
    with Manager(tmp_path, "--host", "127.0.0.1", "--port", str(free_port()), settings=broken) as manager:
        url = manager.ready().partition("Open: ")[2].split()[0]
        with httpx.Client(base_url=url, timeout=20) as phone:
            words, *_ = phone.get("/api/view").json()["missing"]
            health = {part["part"]: part for part in phone.get("/api/health").json()}
        assert words.startswith("Safe mode: the table could not stay open, 3 times in a row.")
        assert "switch the table off and on" in words
        assert "dugout.toml, line 4, camera.sorce: there is no such setting" in words
        assert (False, words) == (health["safe mode"]["ok"], health["safe mode"]["words"])
        assert manager.end() == 0
    assert 0 == Starts(tmp_path).begin()


def picture(app: App, at: float) -> bytes:
    app._born = time.monotonic() - at
    return app._picture().tobytes()


@pytest.mark.parametrize("held", [True, False])
def test_undo_held_at_the_start_leads_to_safe_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bool) -> None:
    """Its pins are let go, no camera is opened, and the glass says so, in turn with how phones join."""
    monkeypatch.setitem(
        buttons.FACTORIES, "lgpio", (__name__ if held else "gpiozero.pins.mock", "Held" if held else "MockFactory")
    )
    source = SETTINGS.format(port=1, show=1).replace('factory = "none"', 'factory = "lgpio"')
    settings = parse(source.replace('source = "none"', 'source = "/dev/video77"'), "my.toml")
    app = App(settings.model_copy(update={"data": tmp_path}), demo=False)
    try:
        missing = app.keeper.health()
        opened: Any = (app._rig.buttons is not None, app._rig.camera is not None)
        glass = [picture(app, at) for at in range(4, 8 * 6, 8)]
    finally:
        app.stop()
    if not held:
        assert ({}, (True, True)) == (missing, opened)
        return
    assert (safe.HELD, (False, False)) == (missing["safe mode"], opened)
    parts = [
        "Undo was held down at the start, or its wires touch.",
        "Camera, buttons and settings are left out: play on phones.",
        "To have them back, switch the table off and on.",
    ]
    told = [screens.message("Safe mode", part).tobytes() for part in parts]
    join = screens.join(*app._join_screen()).tobytes()
    assert [*told, join, *told[:2]] == glass


def test_a_table_in_safe_mode_goes_on_with_its_game(tmp_path: Path) -> None:
    """What was played is there; cards and house rules of the settings are not needed for it."""
    settings = parse(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False)
    app.answer("away", 0, "red", "phone")
    app.stop()
    app = App(safe.modest(settings), demo=False, unsafe="Safe mode: it failed.")
    version = app.view(None)["table"]["version"]
    app.stop()
    assert 1 == version
