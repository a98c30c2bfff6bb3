"""Wordings of the events that all games share. All wordings of an event with a `batter` use the same facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

PLATE_WORDINGS: Mapping[str, Sequence[str]] = {
    "single": ("{batter} singles.", "Base hit, {batter}!", "A single for {batter}."),
    "double": ("{batter} doubles.", "A double for {batter}!", "{batter} is in with a double."),
    "triple": ("{batter} triples!", "A triple for {batter}!"),
    "home-run": ("{batter} hits a home run!", "Home run, {batter}!", "{batter} hits one out of the park!"),
    "walk": ("{batter} walks.", "A walk for {batter}."),
    "strikeout": ("{batter} strikes out.", "{batter} goes down on strikes.", "Strikeout: {batter}."),
    "fly-out": ("{batter} flies out.", "A fly ball from {batter} is caught."),
    "ground-out": ("{batter} grounds out.", "A ground ball, and {batter} is out."),
}
"""Sentences by event code, for `AnnouncementRules.ways`."""
