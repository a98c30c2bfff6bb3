"""The values of Gloves and zones, and the Gloves that an at-bat wears down. Reads the state, changes nothing."""

from __future__ import annotations

from engine.games.rallybird.state import State


def value(s: State, name: str) -> int:
    """Return the value that a Glove shows (RB-009, RB-069)."""
    glove = s.box.gloves[name]
    return glove.back if name in s.backs else glove.front


def worth(s: State, zone: str) -> int:
    """Return the value of a zone: its Glove's, or the printed one without a Glove (RB-041)."""
    lying = dict(s.lying)
    return value(s, lying[zone]) if zone in lying else s.box.zones[zone].printed


def worths(s: State, tests: tuple[str, ...]) -> tuple[int, ...]:
    """Return the value of each tested zone, as often as the card names it (RB-040, RB-050, RB-051)."""
    return tuple(worth(s, zone) for zone in tests)


def worn(s: State, tests: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Gloves of which Defence must change one; empty if none changes (RB-058 to RB-074).

    They are in tested zones: those on their back, to be removed, if there are any; otherwise those to be flipped.
    """
    tested = [glove for zone, glove in s.lying if zone in tests]
    fronts = tuple(glove for glove in tested if glove not in s.backs)
    backs = tuple(glove for glove in tested if glove in s.backs)
    return (fronts if safe(s) else backs) or fronts


def safe(s: State) -> bool:
    """True if no Glove on its back may be removed now, because it is the last one (RB-073, A10)."""
    left = s.gloves if s.house["lastGlove"] == "lastInPlay" else [one for one in s.gloves if one in s.backs]
    return len(left) == 1
