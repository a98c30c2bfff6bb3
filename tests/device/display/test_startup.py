"""The display that the settings name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from device.display import screens_32
from device.display.startup import build_display
from device.settings import DisplaySettings, SettingsError, parse_settings
from tests.device.display.panel_model import Bus, Glass, Lgpio


def test_a_small_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `height = 32` the panel is set up for 32 lines, and the screens are those drawn for it."""
    bus = Bus(Glass(height=32))
    monkeypatch.setattr("smbus2.SMBus", bus)
    monkeypatch.setattr("smbus2.i2c_msg.write", lambda address, data: data)
    oled = build_display(DisplaySettings(height=32, bus=3), demo=False)
    oled.show_picture(hello := oled.draw.draw_message("Dugout", "Good evening."))
    oled.update_panel()
    assert (oled.draw, 3) == (screens_32, bus.port)
    assert hello.tobytes() == bus.glass.picture().tobytes()


def test_by_spi(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `wires = "spi"` it is on the SPI bus and the lines of the settings, and errors name that bus."""
    lgpio = Lgpio(Glass(), dc=20, reset=21)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setattr("device.display.panel.open_factory", lambda name, what: lgpio.factory)
    oled = build_display(DisplaySettings(wires="spi", dc=20, reset=21), demo=False)
    oled.show_picture(hello := oled.draw.draw_message("Dugout", "Good evening."))
    oled.update_panel()
    assert hello.tobytes() == lgpio.glass.picture().tobytes()
    lgpio.fault = lambda write: RuntimeError("it is gone")
    oled.show_picture(oled.draw.draw_message("Dugout", "Good night."))
    oled.update_panel(still=True)
    assert "No display: writing to it by SPI failed: it is gone." == oled.missing


def test_none() -> None:
    """In a demo, and without a display, the twin has the size of the settings."""
    for wanted, demo in ((DisplaySettings(height=32), True), (DisplaySettings(height=32, driver="none"), False)):
        oled = build_display(wanted, demo)
        oled.update_panel()
        assert ((128, 32), None) == (oled.displayed_picture.size, oled.missing)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("height = 48", "must be 64 or 32, not 48"),
        ('wires = "usb"', "must be 'i2c' or 'spi', not 'usb'"),
        ("dc = 40", "must be 27 or less, not 40"),
    ],
)
def test_settings(line: str, words: str) -> None:
    """An impossible display is refused with its line."""
    with pytest.raises(SettingsError, match=rf"t.toml, line 2, display\.\w+: {words}\."):
        parse_settings(f"[display]\n{line}\n", "t.toml")


FIRST = """
import subprocess
import sys
from device.cli import main
from device.display import startup
late = {"device.app", "device.storage.store", "engine.games", "fastapi", "numpy", "cv2"}
def look(*given):
    print(*late & set(sys.modules))
    raise SystemExit(7)
startup.start_with_greeting = look
main(["run"])
"""


def test_the_display_comes_first() -> None:
    """It greets before anything that takes long on a small Pi is loaded."""
    run = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert (7, "\n", "") == (run.returncode, run.stdout, run.stderr)
