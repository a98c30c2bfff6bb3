"""A batter's line in the box score (CL-380 to CL-384)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A batter's counts in the game. `spot` is his place in the order, from 0; `positions` are those he has played."""

    name: str
    spot: int
    positions: tuple[str, ...] = ()
    pa: int = 0
    ab: int = 0
    r: int = 0
    h: int = 0
    doubles: int = 0
    triples: int = 0
    hr: int = 0
    rbi: int = 0
    bb: int = 0
    ibb: int = 0
    hbp: int = 0
    so: int = 0
    sf: int = 0
    sac: int = 0
    fc: int = 0
    e: int = 0
    """Times that he reached on an error."""
    gdp: int = 0
    sb: int = 0
    cs: int = 0
