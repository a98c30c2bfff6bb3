"""Announcements of Clutch, the calls for its events."""

from __future__ import annotations

from engine.events import AnnouncementRules

ANNOUNCEMENT_RULES = AnnouncementRules(
    quiet=frozenset(
        {"home-tie", "mulligan", "rotation", "line-up", "at-bat", "draws", "discards", "leaves-play", "is-for"}
        | {"scored-as", "looks", "recovers", "searches", "rested", "rests-longer", "bunt-missed"}
    ),
    ways={
        "pitch": (
            "{pitcher:last} pitches: advantage, {holder:last}.",
            "The pitch from {pitcher:last}: {holder:last} has the advantage.",
        ),
        "swing": ("{batter:last} swings: {called}.",),
        "tires": ("{pitcher} is tired.", "{pitcher} is tiring."),
        "throw-out": ("The throw to {base} gets {runner:last}.", "{runner:last} is thrown out at {base}."),
        "throw-safe": ("{runner:last} beats the throw to {base}.", "The throw to {base} is late: {runner:last} is in."),
        "check-made": ("{fielders} check made.",),
        "check-failed": ("{fielders} check failed.",),
        "strikeout": ("{batter} strikes out.", "{batter} goes down on strikes.", "Strikeout: {batter}."),
        "single": ("{batter} singles{home}.", "Base hit! {batter} singles{home}."),
        "ran": ("{what}.",),
        "ground-out": ("{batter} grounds out{home}.",),
        "fielders-choice": ("{batter} reaches on a fielder's choice{what}.",),
        "double-play": ("{batter} grounds into a double play{home}.", "Double play! {batter} grounds into it{home}."),
        "fly-out": ("{batter} flies out{what}.", "A fly ball: {batter} is out{what}."),
        "sacrifice-fly": ("{batter} hits a sacrifice fly{what}.",),
        "line-out": ("{batter} lines out.", "A line drive: {batter} is out."),
        "caught": ("{what}.",),
        "sacrifice": ("{batter} is out on a sacrifice bunt{what}.",),
        "plays-card": ("{team:plays/play} {card}{on}.",),
        "out-by-card": ("{card}: {runner} is out.",),
    },
    alone=frozenset({"pitch", "swing", "throw-out", "throw-safe", "check-made", "check-failed"}),
    endings=frozenset({"game-over", "series-over"}),
)
