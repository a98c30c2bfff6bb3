"""Wordings in which the announcer calls the events of RallyBird."""

from __future__ import annotations

from engine.events import AnnouncementRules

ANNOUNCEMENT_RULES = AnnouncementRules(
    quiet=frozenset(
        {"card-removed", "glove-left-out", "card-laid", "runners-go", "scores", "flipped", "removed", "third-out"}
    ),
    ways={
        "shown": ("{card}: {target} to beat.", "The card is {card}, {target} to beat."),
        "single": ("A single.", "Base hit!"),
        "double": ("A double!", "The batter doubles."),
        "triple": ("A triple!", "The batter triples!"),
        "home-run": ("A home run!", "The batter hits a home run!"),
        "walk": ("The batter walks.", "A walk."),
        "ground-out": ("The batter is thrown out at first.", "Thrown out at first."),
        "fly-out": ("The ball is caught.", "The fly ball is caught."),
    },
    endings=frozenset({"game-over"}),
)
