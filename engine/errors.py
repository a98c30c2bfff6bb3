"""Errors for rejected input. A rejection changes nothing.

Each kind of error has a different remedy. An invalid answer has the wrong shape, an illegal one is well-formed but
against the rules now, and a stale one is for an ask that is no longer open.
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(Exception):
    """Base class of all engine errors. `kind` is a stable code for programs, and `str()` is a sentence for people."""

    kind = "engine"


class InvalidAnswer(EngineError, ValueError):
    """A value that does not have the shape of an answer, such as a word for a die or a missing field."""

    kind = "invalid"


class IllegalAnswer(EngineError, ValueError):
    """A value of the right shape that the rules do not allow now."""

    kind = "illegal"


class StaleAnswer(EngineError, LookupError):
    """No ask with this number is open, or no answer with this number was given."""

    kind = "stale"


class WrongSeat(EngineError, PermissionError):
    """The ask belongs to the other seat."""

    kind = "seat"


class HouseRuleError(EngineError, ValueError):
    """An unknown house rule, or a value that it does not have."""

    kind = "house-rule"


class LeagueError(EngineError, ValueError):
    """A league, fixture list or person that cannot be stored. The sentence names the place and the reason."""

    kind = "league"


@dataclass(frozen=True, slots=True)
class DeckFault:
    """One fault of a deck. `card` is such as "player 3", or "". `field` may be "" too."""

    file: str
    card: str
    field: str
    reason: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.card, self.field) if part)
        return f"{place}: {self.reason}"


class DeckError(EngineError, ValueError):
    """A deck that cannot be played. `faults` has all faults that were found."""

    kind = "deck"

    def __init__(self, *faults: DeckFault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults
