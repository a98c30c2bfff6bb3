"""The engines by name: what each needs, and how it starts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.browser.engines import old_chromium
from tests.browser.engines.marionette import Firefox
from tests.browser.engines.old_chromium import OldChromium
from tests.browser.engines.tab import Engine
from tests.browser.engines.webdriver import WebKitGtk, Wpe


class Kind(NamedTuple):
    """One engine: the commands or files that it needs, how to get them, and how it starts in a folder."""

    needs: tuple[str, ...]
    get: str
    start: Callable[[Path], Engine]

    def missing(self) -> str:
        """Say what is missing and how to get it; "" if all is here."""
        lacks = [one for one in self.needs if shutil.which(one) is None]
        return f"There is no {lacks[0]} here ({self.get})." if lacks else ""


def old(version: int) -> Kind:
    path = old_chromium.binary(version)
    return Kind((str(path),), "python -m tests.browser.engines.old_chromium", lambda folder: OldChromium(path, folder))


ENGINES = {
    "chromium-72": old(72),
    "chromium-88": old(88),
    "wpe": Kind(("WPEWebDriver", "cog"), "Debian 12: apt install wpewebkit-driver cog", Wpe),
    "webkit": Kind(("WebKitWebDriver", "Xvfb"), "Debian: apt install webkit2gtk-driver xvfb", WebKitGtk),
    "firefox": Kind(("firefox-esr",), "Debian: apt install firefox-esr", Firefox),
}
"""The oldest first."""
