"""What a check is given beside the machine, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.settings import Settings

OK, LOOK, WRONG = "ok", "look", "wrong"
"""Nothing to do; worth a look; the table lacks something until it is put right."""

UNTOLD = "Cannot be told here."


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: its name, `OK`, `LOOK` or `WRONG`, what was seen, and what to do ("" where that is
    nothing), each in plain sentences."""

    name: str
    verdict: str
    seen: str
    todo: str = ""

    @property
    def data(self) -> dict[str, str]:
        """As `web.port.Port.doctor` has it."""
        return {"name": self.name, "verdict": self.verdict, "seen": self.seen, "todo": self.todo}


@dataclass(frozen=True, slots=True)
class Case:
    """The table that is looked at.

    `file` holds its settings, if one is named, and `fault` says what is wrong in it: `settings` are the defaults then.
    `data` is where its journal lives. `figures` are those of the running table (`device.figures`), None while none is
    known; `held` says that one runs all the same and could not be asked, and why. `tries` open a part themselves, by
    the part's name, where no table has it: what came of it, as a finding.
    """

    settings: Settings = field(default_factory=Settings)
    file: Path | None = None
    fault: str = ""
    data: Path = Path()
    figures: Mapping[str, Any] | None = None
    held: str = ""
    tries: Mapping[str, Callable[[], Finding]] = field(default_factory=dict)

    def health(self, part: str) -> tuple[bool, str] | None:
        """How the running table says this part is; None where it says nothing of it."""
        for one in (self.figures or {}).get("health", ()):
            if one["part"] == part:
                return bool(one["ok"]), str(one["words"])
        return None

    @property
    def demo(self) -> bool:
        """Whether all parts are simulated."""
        return bool((self.figures or {}).get("demo"))

    def tried(self, part: str) -> Finding:
        """What comes of trying a part; why it is not tried where a table has it, or nobody may."""
        if part in self.tries:
            return self.tries[part]()
        return Finding(part, OK, f"Not tried: {self.held or 'the running table has it.'}")
