"""What the checks know (`Facts`) and what they return (`Finding`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from device.machine import Machine
from device.settings import Settings

OK, LOOK, WRONG = "ok", "look", "wrong"
"""Nothing to do; worth a look; something does not work until it is fixed."""

UNKNOWN = "Cannot be told here."


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: its name, `OK`, `LOOK` or `WRONG`, what was seen, and what to do ("" if nothing)."""

    name: str
    verdict: str
    seen: str
    todo: str = ""

    @property
    def data(self) -> dict[str, str]:
        """The finding as `web.port.Doctor.findings` has it."""
        return asdict(self)


def ok(seen: str, todo: str = "") -> Finding:
    """Return a finding that needs no action; the report fills in the check's name."""
    return Finding("", OK, seen, todo)


def look(seen: str, todo: str) -> Finding:
    """Return a finding that is worth a look; the report fills in the check's name."""
    return Finding("", LOOK, seen, todo)


def wrong(seen: str, todo: str) -> Finding:
    """Return a finding of something that does not work; the report fills in the check's name."""
    return Finding("", WRONG, seen, todo)


@dataclass(frozen=True, slots=True)
class Figures:
    """The state of the parts: from the running table, or from trying the parts while no table runs.

    `health` is a list of {part, ok, words}; `display` the seconds one picture takes, None if unknown; `camera` None or
    {fps, locks}. The rest only a running table has: `journal` {mode, sync, trouble}, `unsafe` the reason for safe mode,
    `port` and whether the service manager passed it (`given`), and the last `presses` [{n, event, ago}].
    """

    demo: bool = False
    health: Sequence[Mapping[str, Any]] = ()
    display: float | None = None
    camera: Mapping[str, Any] | None = None
    journal: Mapping[str, Any] | None = None
    unsafe: str | None = None
    port: int | None = None
    given: bool = False
    presses: Sequence[Mapping[str, Any]] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Figures:
        """Read the figures of a running table, which may be of another version."""
        return cls(**{one.name: data[one.name] for one in fields(cls) if one.name in data})

    def fault(self, part: str) -> str:
        """Return what is wrong with this part, "" if nothing."""
        return next((str(one["words"]) for one in self.health if one["part"] == part and not one["ok"]), "")


@dataclass(frozen=True, slots=True)
class Facts:
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
    def demo(self) -> bool:
        """True if all parts are simulated."""
        return self.figures is not None and self.figures.demo

    @property
    def in_use(self) -> bool:
        """True if a table is running, whether or not it can be asked."""
        return self.running or bool(self.unreachable)
