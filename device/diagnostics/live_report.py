"""The doctor inside the running table, for its page: `web.port.DoctorPort`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from device.diagnostics import bundle, recent, report
from device.diagnostics.facts import DoctorFacts
from device.diagnostics.running_table import TableReport
from device.display.oled import Oled
from device.machine import Machine
from device.shapes import Figures, Finding, JournalFigures, RejectionSummary
from device.storage.store import Store


class LiveReport:
    """Check the machine from inside the program that owns the parts. Any thread may call it.

    parts: returns the figures of the devices.
    where: returns the port of the pages, and whether the service manager passed it.
    refusals: returns the requests that were rejected.
    evaluation: returns the seconds that the chance to win in a position takes, None if unknown.
    table_id: the table's public ID.
    file: the table's settings file, if named.
    """

    def __init__(
        self,
        parts: Callable[[], Figures],
        store: Store,
        oled: Oled,
        press_log: recent.PressLog,
        where: Callable[[], tuple[int, bool]],
        refusals: Callable[[], RejectionSummary],
        evaluation: Callable[[], float | None],
        table_id: str,
        file: Path | None = None,
    ) -> None:
        self._parts, self._store, self._oled, self._press_log, self._where = parts, store, oled, press_log, where
        self._refusals, self._evaluation, self._table_id, self._file = refusals, evaluation, table_id, file

    def current_figures(self) -> Figures:
        """Figures of the devices, and others that only this program knows."""
        port, given = self._where()
        journal = JournalFigures(*self._store.sync_settings(), self._store.trouble, self._store.restored)
        parts, presses = replace(self._parts(), display=self._oled.frame_time_s), self._press_log.recent_presses()
        refusals = self._refusals()
        return replace(
            parts,
            journal=journal,
            port=port,
            given=given,
            presses=presses,
            refusals=refusals,
            evaluation=self._evaluation(),
            table_id=self._table_id,
        )

    def run_checks(self) -> list[Finding]:
        return report.run_checks(self._gather_facts())

    def table_report(self) -> TableReport:
        """Report for `dugout doctor`."""
        return TableReport(self.current_figures(), list(recent.recent_log.lines))

    def support_bundle(self) -> bytes:
        facts = self._gather_facts()
        return bundle.pack_bundle(facts, report.run_checks(facts), list(recent.recent_log.lines))

    def _gather_facts(self) -> DoctorFacts:
        facts = report.gather_facts(Machine(), self._file, self._store.path.parent)
        return replace(facts, figures=self.current_figures(), running=True)
