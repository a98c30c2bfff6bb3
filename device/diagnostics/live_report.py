"""The doctor inside the running table, for its page: `web.port.DoctorPort`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from device.diagnostics import bundle, recent, report
from device.diagnostics.facts import Facts
from device.diagnostics.running_table import TableReport
from device.display.oled import Oled
from device.machine import Machine
from device.shapes import Figures, Finding, JournalFigures, RefusalSummary
from device.storage.store import Store


class LiveReport:
    """Checks the machine from inside the program that owns the parts. Any thread may call it.

    `parts` returns the figures of the devices, `where` the port of the pages and whether the service manager passed it,
    and `refusals` what the gates refused. `file` is the table's settings file, if one is named.
    """

    def __init__(
        self,
        parts: Callable[[], Figures],
        store: Store,
        oled: Oled,
        press_log: recent.PressLog,
        where: Callable[[], tuple[int, bool]],
        refusals: Callable[[], RefusalSummary],
        file: Path | None = None,
    ) -> None:
        self._parts, self._store, self._oled, self._press_log, self._where = parts, store, oled, press_log, where
        self._refusals, self._file = refusals, file

    def figures(self) -> Figures:
        """Return the figures of the devices, and what else only this program knows."""
        port, given = self._where()
        journal = JournalFigures(*self._store.synced(), self._store.trouble, self._store.restored)
        parts, presses = replace(self._parts(), display=self._oled.pace), self._press_log.presses()
        refusals = self._refusals()
        return replace(parts, journal=journal, port=port, given=given, presses=presses, refusals=refusals)

    def findings(self) -> list[Finding]:
        """Run the checks; return what is wrong and what to do."""
        return report.examine(self._facts())

    def for_doctor(self) -> TableReport:
        """Return what `dugout doctor` asks for."""
        return TableReport(self.figures(), list(recent.log.lines))

    def bundle(self) -> bytes:
        """Return the support bundle."""
        facts = self._facts()
        return bundle.pack(facts, report.examine(facts), list(recent.log.lines))

    def _facts(self) -> Facts:
        facts = report.gather(Machine(), self._file, self._store.path.parent)
        return replace(facts, figures=self.figures(), running=True)
