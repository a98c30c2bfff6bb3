"""Wordings in which the announcer calls the events of Bottom of the 9th."""

from __future__ import annotations

from engine.announcer.plate import PLATE_WORDINGS
from engine.events import AnnouncementRules

ANNOUNCEMENT_RULES = AnnouncementRules(
    quiet=frozenset({"lineup", "exhausted", "relief", "next-batter"}),
    ways={
        **PLATE_WORDINGS,
        "single": ("{batter} is safe at first.", "{batter} beats it out for a single."),
        "pitchers": ("{starter} pitches for the visitors.",),
        "guessed": (
            "{pitcher:last} throws {pitch}, and {batter:last} saw it coming.",
            "{pitch} from {pitcher:last}, just what {batter:last} looked for.",
        ),
        "half-guessed": ("{pitcher:last} throws {pitch}, and {batter:last} is half right.",),
        "fooled": (
            "{pitcher:last} throws {pitch}, and {batter:last} is fooled.",
            "{pitch} from {pitcher:last}, and {batter:last} is fooled.",
        ),
        "ball": ("Ball.", "That's a ball."),
        "strike": ("Strike.", "That's a strike."),
        "foul": ("Foul.", "Fouled off."),
        "contact": ("Contact!", "It's in play!"),
        "thrown-out": ("{batter} is thrown out.", "The throw gets {batter}."),
    },
    alone=frozenset({"ability", "unopposed"}),
    endings=frozenset({"game-over"}),
)
