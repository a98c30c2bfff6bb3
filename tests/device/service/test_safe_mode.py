"""Safe mode: after failed starts, or with undo held, the table opens with as few parts as possible and says so."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device import cli, pins
from device.app import App
from device.commands import run
from device.display import screens_64
from device.display.oled import Oled
from device.display.table_display import UNATTENDED_PAGE_TIME_S
from device.service import safe_mode
from device.service.safe_mode import StartCounter
from device.service.systemd import Systemd
from device.settings import Settings, parse_settings
from engine.journal import Source
from engine.views import json_data
from tests.device.display.views import looked
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
    """A mock pin; the undo button's is held down from the start."""

    def drive_high(self) -> None:
        if self.info.name != "GPIO5":
            super().drive_high()


class Held(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    def __init__(self) -> None:
        super().__init__(pin_class=Pressed)


def test_starts_are_counted_until_one_succeeds(tmp_path: Path) -> None:
    """A start succeeds when the table has been open for a while; then the count starts over."""
    assert [0, 1, 2] == [StartCounter(tmp_path).count_start() for _ in range(3)]
    StartCounter(tmp_path).mark_success()
    assert 0 == StartCounter(tmp_path).count_start()


def test_only_a_service_counts_its_starts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Started by hand, a person reads the error; an unwritable folder never stops a table from opening."""
    nowhere = StartCounter.from_environment({})
    assert [0, 0] == [nowhere.count_start(), nowhere.count_start()]
    nowhere.mark_success()
    (tmp_path / "file").touch()
    spoiled = StartCounter.from_environment({"RUNTIME_DIRECTORY": str(tmp_path / "file")})
    assert [0, 0] == [spoiled.count_start(), spoiled.count_start()]
    assert "Starts are not counted" in caplog.text
    service = StartCounter.from_environment({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/other"})
    assert [0, 1] == [service.count_start(), service.count_start()]


def test_safe_mode_leaves_out_parts_that_may_fail() -> None:
    """Games, name and display keep their settings; after more failures the display is left out too."""
    full = parse_settings(FULL, "my.toml")
    modest = safe_mode.safe_mode_settings(full, safe_mode.MAX_FAILED_STARTS)
    assert (full.data, full.web, full.display, True) == (modest.data, modest.web, modest.display, modest.poweroff)
    assert ("none", "none", "none") == (modest.camera.source, modest.board.camera, modest.buttons.factory)
    assert Settings().game == modest.game
    assert "none" == safe_mode.safe_mode_settings(full, 2 * safe_mode.MAX_FAILED_STARTS).display.driver


def test_a_start_that_fails_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Invalid settings fail three times; the fourth start is tested below."""
    (tmp_path / "dugout.toml").write_text("[camera]\nsorce = 1\n")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    for _ in range(safe_mode.MAX_FAILED_STARTS):
        assert 2 == cli.main(["run", "--settings", str(tmp_path / "dugout.toml"), "--data", str(tmp_path)])
    assert safe_mode.MAX_FAILED_STARTS == StartCounter(tmp_path).count_start()


def test_after_three_failed_starts_the_table_opens_with_any_settings(tmp_path: Path) -> None:
    """The page says what is left out, why, and what to fix."""
    (tmp_path / "my.toml").write_text("[display]\ndriver = 'none'\n[camera]\nsorce = 1\n")
    options = ["--settings", str(tmp_path / "my.toml"), "--data", str(tmp_path), "--host", "127.0.0.1"]
    settings, unsafe = run.choose_settings(
        cli.build_parser().parse_args(["run", *options]), safe_mode.MAX_FAILED_STARTS
    )
    app = App(settings, demo=False, unsafe=unsafe, oled=Oled(None, draw=screens_64))
    try:
        words, *_ = json_data(app.session.game.view_for(None))["missing"]
        health = {part.part: part for part in app.devices.component_health()}
    finally:
        app.stop()
    assert words.startswith("Safe mode: the table failed 3 times in a row.")
    assert "turn the table off and on" in words
    assert "The settings: …, line 4, camera.sorce: there is no such setting" in words
    assert not health["safe mode"].ok
    assert "line 4, camera.sorce: there is no such setting" in health["safe mode"].words


WRONG = {
    "decks": ("[game]\ndecks = ['mine.toml']\n", "mine.toml: cannot be read"),
    "host": ("[web]\nhost = 'nowhere.invalid'\n", "Cannot serve the pages at nowhere.invalid port 8000: "),
}


@pytest.mark.parametrize("what", WRONG)
def test_safe_mode_shows_why_the_starts_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Also errors other than invalid settings; otherwise people would not know what to fix."""
    settings, words = WRONG[what]
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    (tmp_path / "my.toml").write_text("[display]\ndriver = 'none'\n[buttons]\nfactory = 'none'\n" + settings)
    for _ in range(safe_mode.MAX_FAILED_STARTS):
        assert 2 == cli.main(["run", "--settings", str(tmp_path / "my.toml"), "--data", str(tmp_path)])
    starts = StartCounter(tmp_path)
    args = cli.build_parser().parse_args(["run", "--settings", str(tmp_path / "my.toml"), "--data", str(tmp_path)])
    _, unsafe = run.choose_settings(args, starts.count_start(), starts.failure_reason)
    assert unsafe is not None
    assert " The last time: " in unsafe
    assert words in unsafe
    starts.mark_success()
    assert "" == starts.failure_reason


def test_a_hung_part_is_named_at_the_next_start(tmp_path: Path) -> None:
    """The watchdog kills the program without a last message, so it records the hung part before."""
    starts = StartCounter(tmp_path)
    service = Systemd({}, hangs=starts.store_reason)
    service.ping_watchdog(("camera", "display"))
    assert "Not responding: camera, display." == starts.failure_reason
    service.ping_watchdog(())
    assert "" == starts.failure_reason


def test_an_unexpected_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(*_: object, **__: object) -> None:
        raise RuntimeError("out of the blue")

    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    (tmp_path / "my.toml").write_text(SETTINGS.format(port=free_port(), show=1))
    for place in ("GameSession", "App.serve"):
        monkeypatch.setattr(f"device.app.{place}", fall)
        with pytest.raises(RuntimeError):
            cli.main(["run", "--settings", str(tmp_path / "my.toml"), "--data", str(tmp_path)])
        assert "RuntimeError: out of the blue" == StartCounter(tmp_path).failure_reason
        assert not any(thread.name == "oled" for thread in threading.enumerate())
        monkeypatch.undo()
        monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
        (tmp_path / "why").unlink()


def test_safe_mode_lets_the_display_sleep(tmp_path: Path) -> None:
    """Turning its pages does not count as news: the display dims and sleeps as usual."""
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False, unsafe="Safe mode: it is tried. Twice.")
    try:
        app._update_components(new=True)
        app.oled._active -= settings.display.sleep
        for turn in range(1, 5):
            app._display._started_at -= turn * UNATTENDED_PAGE_TIME_S
            app._update_components()
        assert app.oled.is_asleep
        app.session.game.notices.show_notice("Somebody came.", 5)
        app._update_components()
        assert not app.oled.is_asleep
    finally:
        app.stop()


def picture(app: App, at: float) -> bytes:
    app._display._started_at = time.monotonic() - at
    return looked(app).tobytes()


@pytest.mark.parametrize("held", [True, False])
def test_undo_held_at_the_start_starts_safe_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bool) -> None:
    """Its pins are released, no camera is opened, and the display alternates the reason with the join screen."""
    monkeypatch.setitem(
        pins.PIN_FACTORIES, "lgpio", (__name__ if held else "gpiozero.pins.mock", "Held" if held else "MockFactory")
    )
    source = SETTINGS.format(port=1, show=1).replace('factory = "none"', 'factory = "lgpio"')
    settings = parse_settings(source.replace('source = "none"', 'source = "/dev/video77"'), "my.toml")
    app = App(settings.model_copy(update={"data": tmp_path}), demo=False)
    try:
        missing = app.session.game.notices.current_faults()
        opened: Any = (app.devices.buttons is not None, app.devices.camera is not None)
        glass = [picture(app, at) for at in range(4, 8 * 6, 8)]
    finally:
        app.stop()
    if not held:
        assert ({}, (True, True)) == (missing, opened)
        return
    assert (safe_mode.BUTTON_HELD_TEXT, (False, False)) == (missing["safe mode"], opened)
    parts = [
        "Undo was held down at the start, or its wires touch.",
        "The camera, buttons and settings are off: play on phones.",
        "To get them back, turn the table off and on.",
    ]
    told = [screens_64.draw_message("Safe mode", part).tobytes() for part in parts]
    invites = app.join_screen.code_info()
    assert "/in#" in invites[0], "nobody can press OK for an invitation"
    join = screens_64.draw_join_screen(*invites).tobytes()
    assert [*told, join, *told[:2]] == glass


def test_safe_mode_continues_the_game(tmp_path: Path) -> None:
    """It does not need the cards and house rules of the settings."""
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False)
    app.session.seats.answer_ask("away", 0, "red", Source.PHONE)
    app.stop()
    app = App(safe_mode.safe_mode_settings(settings), demo=False, unsafe="Safe mode: it failed.")
    version = json_data(app.session.game.view_for(None))["table"]["version"]
    app.stop()
    assert 1 == version
