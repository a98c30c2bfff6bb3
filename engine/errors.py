"""Errors for refused input. A refusal changes nothing.

Invalid (not the shape of an answer), illegal (well-formed, but against the rules now) and stale (the ask is no longer
open) are different errors, because people fix each in a different way.
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(Exception):
    """The base of all engine errors. `kind` is a stable word for programs; `str()` is a sentence for people."""

    kind = "engine"


class InvalidAnswer(EngineError, ValueError):
    """The value does not have the shape of an answer: a word instead of a die, a missing field."""

    kind = "invalid"


class IllegalAnswer(EngineError, ValueError):
    """The value has the right shape, but the rules do not allow it now."""

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


@dataclass(frozen=True, slots=True)
class DeckFault:
    """One fault of a deck: `file`, `card` (such as "player 3"), `field` and `reason`; card and field may be ""."""

    file: str
    card: str
    field: str
    reason: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.card, self.field) if part)
        return f"{place}: {self.reason}"


class DeckError(EngineError, ValueError):
    """A deck that cannot be played; `faults` has every fault, not only the first."""

    kind = "deck"

    def __init__(self, *faults: DeckFault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults
