"""Facts for the checks (`DoctorFacts`), and constructors of their findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from device.machine import Machine
from device.settings import Settings
from device.shapes import Figures, Finding

UNKNOWN_HERE = "Unknown here."

ok_finding = partial(Finding, "", "ok")
look_finding = partial(Finding, "", "look")
wrong_finding = partial(Finding, "", "wrong")
"""Build a finding from what was seen and what to do, for each verdict. The report adds the name of the check."""


@dataclass(frozen=True, slots=True)
class DoctorFacts:
    """A machine and the table on it.

    file: the table's settings file, if named.
    fault: fault of that file. Then `settings` are the defaults.
    data: folder of the journal.
    figures: from the running table if `running`, else from a test of the parts. None if neither was possible.
    unreachable: why a running table cannot be asked.
    """

    machine: Machine
    settings: Settings = field(default_factory=Settings)
    file: Path | None = None
    fault: str = ""
    data: Path = Path()
    figures: Figures | None = None
    running: bool = False
    unreachable: str = ""

    @property
    def is_demo(self) -> bool:
        """True if all parts are simulated."""
        return self.figures is not None and self.figures.demo

    @property
    def is_table_running(self) -> bool:
        """True if a table is running, even one that cannot be asked."""
        return self.running or bool(self.unreachable)
