"""Wordings in which the announcer calls the events of Small Ball."""

from __future__ import annotations

from engine.announcer.plate import PLATE_WORDINGS
from engine.events import AnnouncementRules

ANNOUNCEMENT_RULES = AnnouncementRules(
    ways={
        **PLATE_WORDINGS,
        "ground-double-play": (
            "{batter} grounds into a double play, and {runner} is out, too.",
            "Double play! {batter} and {runner} are out.",
        ),
        "line-double-play": ("{batter} lines out, and {runner} is doubled up.",),
        "strike-double-play": ("{batter} strikes out, and {runner} is thrown out.",),
        "comes-home": ("{runners} came in.", "{runners} crossed the plate."),
        "double-steal": ("Double steal, and it works!", "Both runners steal!"),
        "pinch-hitter": ("{pinch} helps {batter} at the plate.", "{pinch} comes in to help {batter}."),
        "bank": ("{team:banks/bank} {runs:run}.", "{team:stops and banks/stop and bank} {runs:run}."),
        "bust": ("Three outs: {team:busts and loses/bust and lose} {lost:run}.",),
    },
    tell_runs=frozenset({"bank", "batted-around"}),
    endings=frozenset({"game-over"}),
)
