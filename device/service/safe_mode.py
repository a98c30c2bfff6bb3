"""Safe mode: after several failed starts in a row, or with undo held down, the table opens without most parts.

A start counts as failed until the table has been open for a while or was stopped properly. The count is in the
service's runtime folder in memory, so a power cut clears it and is not a failure.
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

MAX_FAILED_STARTS = 3
"""Failed starts in a row after which the next one uses safe mode."""

STABLE_AFTER_S = 300.0
"""Seconds after which a start counts as successful, longer than any part may hang."""

SAFE_MODE_BUTTON = "undo"
"""Held during the start, this button opens safe mode."""

RECOVERY_TEXT = "The camera, buttons and settings are off: play on phones. To get them back, turn the table off and on."
BUTTON_HELD_TEXT = f"Safe mode: {SAFE_MODE_BUTTON} was held down at the start, or its wires touch. {RECOVERY_TEXT}"
FAILED_STARTS_TEXT = f"Safe mode: the table failed {{failed}} times in a row. {RECOVERY_TEXT}"


MAX_PAGE_CHARACTERS = 60
"""Characters that fit on the smallest display."""


def reason_pages(words: str) -> list[str]:
    """Split the reason for safe mode into at most eight pages for the display. Each sentence starts a page."""
    words = words.removeprefix("Safe mode: ")
    sentences = re.split(r"(?<=[.:])\s+(?=[A-Z])", words[:1].upper() + words[1:])
    return [part for sentence in sentences for part in textwrap.wrap(sentence, MAX_PAGE_CHARACTERS)][:8]


class StartCounter:
    """Counts failed starts in a row, in `folder`. With None it counts nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / "starts" if folder else None
        self._why = folder / "why" if folder else None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> StartCounter:
        """Build the counter of this service. Outside a service it counts nothing."""
        folder = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        return cls(Path(folder) if folder else None)

    def count_start(self) -> int:
        """Begin a start, which counts as failed until `mark_success`. Returns the failed starts in a row before it."""
        if self._file is None:
            return 0
        try:
            failed = len(self._file.read_bytes()) if self._file.exists() else 0
            # One byte each, because a power cut could tear a number.
            with self._file.open("ab") as file:
                file.write(b".")
        except OSError as error:
            log.warning("Starts are not counted: %s.", error)
            return 0
        return failed

    def store_reason(self, why: str) -> None:
        """Store why this start fails, in a sentence that safe mode shows later."""
        try:
            if self._why is not None:
                self._why.write_text(why, "utf-8")
        except OSError as error:
            log.warning("The reason of a failed start is not stored: %s.", error)

    @property
    def failure_reason(self) -> str:
        try:
            return self._why.read_text("utf-8") if self._why is not None else ""
        except (OSError, ValueError):
            return ""

    def mark_success(self) -> None:
        """Mark this start as successful, which resets the count."""
        try:
            for file in (self._file, self._why):
                if file is not None:
                    file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("The count of failed starts is not reset: %s.", error)


def safe_mode_settings(settings: Settings, failed: int = 0) -> Settings:
    """Settings for safe mode, which keep the data folder, the web section, poweroff, and the display.

    After enough `failed` starts to include failures of safe mode, the display is left out too.
    """
    display = settings.display if failed < 2 * MAX_FAILED_STARTS else DisplaySettings(driver="none")
    return Settings(
        poweroff=settings.poweroff,
        data=settings.data,
        camera=CameraSettings(source="none"),
        display=display,
        buttons=ButtonSettings(factory="none"),
        web=settings.web,
    )
