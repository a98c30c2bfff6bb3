"""The display that the settings name. It is opened before most is loaded: nobody is to wait in the dark."""

from __future__ import annotations

from device.display import panel, spi
from device.display.oled import DisplayCare, Oled
from device.display.sizes import HEIGHTS
from device.display.spi import Spi
from device.settings import DisplaySettings


def display(wanted: DisplaySettings, demo: bool) -> Oled:
    """The display of these settings; in a demo, or for the driver "none", only its twin on the pages."""
    care, draw = DisplayCare(dim=wanted.dim, sleep=wanted.sleep), HEIGHTS[wanted.height]
    if demo or wanted.driver == "none":
        return Oled(None, care, draw=draw)
    if wanted.wires == "spi":
        opener = panel.opener(
            wanted.driver, height=wanted.height, spi=lambda: Spi(wanted.chip, wanted.dc, wanted.reset)
        )
        return Oled(opener, care, spi.words, draw=draw)
    i2c = panel.opener(wanted.driver, wanted.bus, wanted.address, wanted.height)
    return Oled(i2c, care, lambda error: panel.words(error, wanted.bus, wanted.address), draw=draw)


def greeting(wanted: DisplaySettings, demo: bool) -> Oled:
    """The same, started, with a word for those who wait."""
    oled = display(wanted, demo)
    oled.show(oled.draw.message("Dugout", "Good evening. One moment."))
    oled.start()
    return oled
