"""Safe mode: the table opens with next to nothing after starts that failed in a row, or with undo held down.

A start has failed until the table was open for a while or ended in order. Failed starts are counted in the service's
runtime folder, in memory: pulling the plug forgets them, and is no failure itself.
"""

from __future__ import annotations

import logging
import os
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

from device.settings import ButtonSettings, CameraSettings, DisplaySettings, Settings

log = logging.getLogger("dugout.safe")

ENOUGH = 3
"""Failed starts in a row after which the next one is safe."""

STEADY = 300.0
"""Seconds the table must be open for its start to have gone well: longer than any part may hang."""

BUTTON = "undo"
"""The button that asks for safe mode while the table starts."""

BACK = "Camera, buttons and settings are left out: play on phones. To have them back, switch the table off and on."
HELD = f"Safe mode: {BUTTON} was held down at the start, or its wires touch. {BACK}"
FAILED = f"Safe mode: the table could not stay open, {{failed}} times in a row. {BACK}"


PART = 60
"""Letters that the smallest display holds."""


def parts(words: str) -> list[str]:
    """Why a table is in safe mode, in parts for the display: each sentence from its beginning, eight parts at most."""
    words = words.removeprefix("Safe mode: ")
    sentences = re.split(r"(?<=[.:])\s+(?=[A-Z])", words[:1].upper() + words[1:])
    return [part for sentence in sentences for part in textwrap.wrap(sentence, PART)][:8]


class StartCounter:
    """The starts that failed in a row. `folder` None: they are not counted."""

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / "starts" if folder else None
        self._why = folder / "why" if folder else None

    @classmethod
    def here(cls, environ: Mapping[str, str] = os.environ) -> StartCounter:
        """Those of this service, where there is one."""
        folder = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        return cls(Path(folder) if folder else None)

    def begin(self) -> int:
        """A start begins, and has failed until it is `good`. Returns how many in a row did so before it."""
        if self._file is None:
            return 0
        try:
            failed = len(self._file.read_bytes()) if self._file.exists() else 0
            # One byte each: a number could be torn.
            with self._file.open("ab") as file:
                file.write(b".")
        except OSError as error:
            log.warning("Starts are not counted: %s.", error)
            return 0
        return failed

    def note(self, why: str) -> None:
        """Keep why this one fails, a sentence: once it is safe, that is all anybody is told of it."""
        try:
            if self._why is not None:
                self._why.write_text(why)
        except OSError as error:
            log.warning("Why a start failed is not kept: %s.", error)

    @property
    def why(self) -> str:
        """What was noted last, or nothing."""
        try:
            return self._why.read_text() if self._why is not None else ""
        except (OSError, ValueError):
            return ""

    def good(self) -> None:
        """It went well: those before it are forgotten."""
        try:
            for file in (self._file, self._why):
                if file is not None:
                    file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("Starts that failed are not forgotten: %s.", error)


def modest(settings: Settings, failed: int = 0) -> Settings:
    """All left out that a table can be without: what stays is where the games are, how phones find the table, whether
    it switches the machine off, and the display, unless safe mode `failed` too."""
    display = settings.display if failed < 2 * ENOUGH else DisplaySettings(driver="none")
    return Settings(
        poweroff=settings.poweroff,
        data=settings.data,
        camera=CameraSettings(source="none"),
        display=display,
        buttons=ButtonSettings(factory="none"),
        web=settings.web,
    )
