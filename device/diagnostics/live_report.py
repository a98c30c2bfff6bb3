"""The doctor inside the running table, for its page: `web.port.DoctorPort`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from device.diagnostics import bundle, recent_log, report
from device.diagnostics.facts import Facts, Figures
from device.diagnostics.press_log import PressLog
from device.display.oled import Oled
from device.machine import Machine
from device.storage.store import Store


class LiveReport:
    """Checks the machine from inside the program that owns the parts. Any thread may call it.

    `parts` returns the figures of the devices, and `where` the port of the pages and whether the service manager passed
    it. `file` is the table's settings file, if one is named.
    """

    def __init__(
        self,
        parts: Callable[[], Figures],
        store: Store,
        oled: Oled,
        press_log: PressLog,
        where: Callable[[], tuple[int, bool]],
    ) -> None:
        self._parts, self._store, self._oled, self._press_log, self._where = parts, store, oled, press_log, where
        self.file: Path | None = None

    def figures(self) -> dict[str, Any]:
        """Return what only this program knows about its parts."""
        return asdict(self._figures())

    def findings(self) -> list[dict[str, str]]:
        """Run the checks; return what is wrong and what to do."""
        return [one.data for one in report.examine(self._facts())]

    def bundle(self) -> bytes:
        """Return the support bundle."""
        facts = self._facts()
        return bundle.pack(facts, report.examine(facts), recent_log.lines())

    def _figures(self) -> Figures:
        (mode, sync), (port, given) = self._store.synced(), self._where()
        return replace(
            self._parts(),
            display=self._oled.pace,
            journal={"mode": mode, "sync": sync, "trouble": self._store.trouble},
            port=port,
            given=given,
            presses=self._press_log.presses(),
        )

    def _facts(self) -> Facts:
        facts = report.gather(Machine(), self.file, self._store.path.parent)
        return replace(facts, figures=self._figures(), running=True)
