"""Presses as a logic analyser would see them at the pin: (µs, level), level 0 for a closed contact.

None was recorded on hardware: they are drawn by chance within what makers of switches promise, a worn one's beyond it.
Contacts chatter for some bursts of 0.02 to 0.4 ms, most of them early, and never longer than the switch's bounce time.
"""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Switch:
    """A kind of switch: the most milliseconds that it bounces as it closes and as it opens."""

    name: str
    closing: float
    opening: float


SWITCHES = (
    # Tactile switches of 6 and 12 mm are sold with 5 ms at most, the cheaper ones with 10.
    Switch("tactile", 5, 5),
    Switch("cheap tactile", 10, 10),
    # Snap-action switches, as under arcade buttons: some ms as they close, more as they open.
    Switch("arcade", 5, 12),
    # After years: beyond what was promised, and still inside the time for which edges are ignored.
    Switch("worn", 18, 18),
)

Trace = list[tuple[int, int]]


def press(switch: Switch, chance: Random, held: float = 0.12) -> Trace:
    """One press, down for `held` seconds: it begins with the first touch at 0 and ends open."""
    down = chatter(switch.closing, chance, 0)
    up = [(round(held * 1e6) + us, level) for us, level in chatter(switch.opening, chance, 1)]
    return down + up


def chatter(longest: float, chance: Random, level: int) -> Trace:
    """The edges of one change to `level`, within `longest` milliseconds."""
    edges, at, end = [(0, level)], 0.0, chance.uniform(0.1, 1) * longest * 1000
    for _ in range(chance.randrange(0, 8)):
        away = at + chance.uniform(20, 400) * (1 + 4 * chance.random() ** 3)
        back = away + chance.uniform(20, 400)
        if back >= end:
            break
        edges += [(round(away), 1 - level), (round(back), level)]
        at = back
    return edges
