"""Open the display named by the settings before most of the program is loaded, and select its screens."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from device.display import panel, screens_32, screens_64
from device.display.oled import DisplayCare, Oled, Screens
from device.settings import DisplaySettings

SCREENS_BY_HEIGHT: Mapping[int, Screens] = {
    64: screens_64,
    32: screens_32,
}  # the screens by the height of the display in pixels


def build_display(wanted: DisplaySettings, demo: bool) -> Oled:
    """Build the display of these settings. A demo and the driver "none" have no panel and appear on pages only."""
    care, draw = DisplayCare(dim=wanted.dim, sleep=wanted.sleep), SCREENS_BY_HEIGHT[wanted.height]
    if demo or wanted.driver == "none":
        return Oled(None, care, draw=draw)
    if wanted.wires == "spi":
        spi = partial(panel.Spi, wanted.chip, wanted.dc, wanted.reset)
        opener = panel.panel_opener(wanted.driver, height=wanted.height, spi=spi, upside_down=wanted.upside_down)
        return Oled(opener, care, partial(panel.describe_fault, bus=None), draw=draw)
    opener = panel.panel_opener(
        wanted.driver, wanted.bus, wanted.address, wanted.height, upside_down=wanted.upside_down
    )
    return Oled(opener, care, partial(panel.describe_fault, bus=wanted.bus, address=wanted.address), draw=draw)


def start_with_greeting(wanted: DisplaySettings, demo: bool) -> Oled:
    """Build the display, start it, and show a greeting while the rest is loaded."""
    oled = build_display(wanted, demo)
    oled.show_picture(oled.draw.draw_message("Dugout", "Starting..."))
    oled.start()
    return oled
