"""Wordings in which the announcer calls the events of 7th Inning Stretch."""

from __future__ import annotations

from engine.announcer.plate import PLATE_WORDINGS
from engine.events import AnnouncementRules

ANNOUNCEMENT_RULES = AnnouncementRules(
    quiet=frozenset(
        {"roster", "line-up", "lead-off", "deal", "rookie", "gathers", "veteran", "scores", "half-over"}
        | {"goes-on", "stars", "refreshed"}
    ),
    ways={
        **PLATE_WORDINGS,
        "out": ("{batter} is out.", "{batter} makes an out."),
        "caught": ("{runner} is caught stealing.", "They get {runner} trying to steal."),
        "sacrifice": ("{batter} sacrifices.", "A sacrifice by {batter}."),
        "thrown-out": ("{runner} is thrown out.", "The throw gets {runner}."),
        "team-rolled": ("{team:rolls/roll}: {what}.",),
        "ability": ("{pitcher}: {what}.",),
    },
    alone=frozenset({"rolled", "rerolls", "nudges", "dice-now"}),
    endings=frozenset({"season-over", "duel-over", "game-won"}),
)
