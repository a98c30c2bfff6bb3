"""Shapes that the web shows beside the game's own views (`engine.views`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.clock import Outcome
from engine.scoreboard import Scoreboard
from engine.views import PlayView


@dataclass(frozen=True, slots=True)
class Health:
    """How one part of the machine is."""

    part: str
    ok: bool
    words: str


@dataclass(frozen=True, slots=True)
class CalibrationCheck:
    """One thing the calibration looked at, and what was found or what to do."""

    name: str
    ok: bool
    words: str


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What came of one step of the calibration; `ok` if every check passed."""

    step: str
    ok: bool
    checks: Sequence[CalibrationCheck]


@dataclass(frozen=True, slots=True)
class Join:
    """How a phone finds the table: a URL by name, that name, and the address with the port."""

    url: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """What spectators saw at one moment of a game; `lines` are those it added to the play log."""

    scoreboard: Scoreboard
    outcome: Outcome | None
    lines: Sequence[PlayView]
