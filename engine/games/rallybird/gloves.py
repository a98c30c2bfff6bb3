"""What the Gloves are worth where they lie, and which of them an at-bat wears down. Pure: reads the state only."""

from __future__ import annotations

from engine.games.rallybird.state import State


def value(s: State, name: str) -> int:
    """What a Glove shows (RB-009, RB-069)."""
    glove = s.box.gloves[name]
    return glove.back if name in s.backs else glove.front


def worth(s: State, zone: str) -> int:
    """What a zone counts: its Glove, or what is printed where none lies (RB-041)."""
    lying = dict(s.lying)
    return value(s, lying[zone]) if zone in lying else s.box.zones[zone].printed


def worths(s: State, tests: tuple[str, ...]) -> tuple[int, ...]:
    """What the tested zones count, each as often as the card names it (RB-040, RB-050, RB-051)."""
    return tuple(worth(s, zone) for zone in tests)


def worn(s: State, tests: tuple[str, ...]) -> tuple[str, ...]:
    """The Gloves of which Defence must change one; empty where none changes (RB-058 to RB-074).

    Of those in tested zones it is one on its back, to be removed, if there is any, else one to be flipped.
    """
    tested = [glove for zone, glove in s.lying if zone in tests]
    fronts = tuple(glove for glove in tested if glove not in s.backs)
    backs = tuple(glove for glove in tested if glove in s.backs)
    return (fronts if safe(s) else backs) or fronts


def safe(s: State) -> bool:
    """Whether no Glove on its back may be removed now: it is the last one (RB-073, A10)."""
    left = s.gloves if s.house["lastGlove"] == "lastInPlay" else [one for one in s.gloves if one in s.backs]
    return len(left) == 1
