"""Presses as a logic analyzer would record them at the pin: (µs, level), level 0 for a closed contact.

None was recorded on hardware: they are random within the limits of datasheets, those of a worn switch beyond them.
Contacts chatter in bursts of 0.02 to 0.4 ms, most of them early, and never longer than the switch's bounce time.
"""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Switch:
    """A kind of switch: its longest bounce, in milliseconds, when it closes and when it opens."""

    name: str
    closing: float
    opening: float


SWITCHES = (
    # Datasheets of 6 and 12 mm tactile switches allow at most 5 ms, those of cheap ones 10.
    Switch("tactile", 5, 5),
    Switch("cheap tactile", 10, 10),
    # Snap-action switches, as under arcade buttons: a few ms when they close, more when they open.
    Switch("arcade", 5, 12),
    # A worn switch bounces longer than its datasheet allows, but still within the settle time.
    Switch("worn", 18, 18),
)

Trace = list[tuple[int, int]]


def press(switch: Switch, chance: Random, held: float = 0.12) -> Trace:
    """Return the edges of one press, down for `held` seconds: from the first contact at 0 until it stays open."""
    down = chatter(switch.closing, chance, 0)
    up = [(round(held * 1e6) + us, level) for us, level in chatter(switch.opening, chance, 1)]
    return down + up


def chatter(longest: float, chance: Random, level: int) -> Trace:
    """Return the edges of one change to `level`, within `longest` milliseconds."""
    edges, at, end = [(0, level)], 0.0, chance.uniform(0.1, 1) * longest * 1000
    for _ in range(chance.randrange(0, 8)):
        away = at + chance.uniform(20, 400) * (1 + 4 * chance.random() ** 3)
        back = away + chance.uniform(20, 400)
        if back >= end:
            break
        edges += [(round(away), 1 - level), (round(back), level)]
        at = back
    return edges
