"""The doctor of a running table, as its page asks for it: `web.port.Doctor`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from device.devices import Devices
from device.diagnostics import recent_log, report
from device.diagnostics.checks.case import Case
from device.diagnostics.press_log import PressLog
from device.display.oled import Oled
from device.machine import Machine
from device.storage.store import Store


class LiveReport:
    """Looks at the machine from inside the program that has its parts; any thread may ask it.

    `where` gives the port of the pages, and whether the service manager handed it over. `file` holds the table's
    settings, where one was named.
    """

    def __init__(
        self,
        demo: bool,
        store: Store,
        oled: Oled,
        devices: Devices,
        heard: PressLog,
        where: Callable[[], tuple[int, bool]],
    ) -> None:
        self._demo, self._store, self._oled, self._devices = demo, store, oled, devices
        self._heard, self._where = heard, where
        self.file: Path | None = None

    def figures(self) -> dict[str, Any]:
        """What only this program knows of its parts."""
        (mode, sync), (port, given), camera = self._store.synced(), self._where(), self._devices.camera
        return {
            "demo": self._demo,
            "health": self._devices.health(),
            "display": self._oled.pace,
            "camera": None if camera is None else camera.figures(),
            "journal": {"mode": mode, "sync": sync, "trouble": self._store.trouble},
            "unsafe": self._devices.unsafe,
            "port": port,
            "given": given,
            "presses": self._heard.told(),
        }

    def findings(self) -> list[dict[str, str]]:
        """What is wrong, and what to do."""
        return [one.data for one in report.examine(Machine(), self._case())]

    def bundle(self) -> bytes:
        """All of it as a file to send."""
        return report.packed(Machine(), self._case(), recent_log.lines())

    def _case(self) -> Case:
        return report.case(self.file, self._store.path.parent, self.figures())
