"""What the checks know (`DoctorFacts`), and how they return what they found."""

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
"""Make a finding of this verdict from what was seen and what to do; the report fills in the check's name."""


@dataclass(frozen=True, slots=True)
class DoctorFacts:
    """A machine and the table on it.

    `file` holds the table's settings, if one is named; `fault` says what is wrong with it, and then `settings` are the
    defaults. `data` is the folder of the journal. `figures` come from the running table if `running`, else from trying
    the parts; None if neither was possible. `unreachable` says why a table that is running cannot be asked.
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
        """True if a table is running, whether or not it can be asked."""
        return self.running or bool(self.unreachable)
