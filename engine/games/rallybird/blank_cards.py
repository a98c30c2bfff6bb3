"""Blank cards, which have only a name, so the players enter zones and result from those that are possible now."""

from __future__ import annotations

from engine.games.rallybird.cards import MAX_TESTED_ZONES, ZONE_LETTERS
from engine.games.rallybird.results import ALL_RUNNERS, CardResult, apply_result, has_named_runners, parse_result
from engine.games.rallybird.state import State

NO_MORE_ZONES = "enough"
"""Option that ends the list of tested zones."""

BLANK_CARD_RESULTS = tuple(
    parse_result(text)
    for text in (
        "batter out",
        "batter grounds out",
        "double play",
        "batter out, lead runner out",
        "batter grounds out, lead runner out",
        "runner on first out, batter to first",
        "runner on first out, batter to first, runners +1",
        "runner on second out, batter to first",
        "runner on third out, batter to first",
        "batter out, runner on third scores",
        "batter out, runners +1",
        "batter out, runners +2",
        "batter out, runner on second +1",
        "batter out, runner on first +1",
        "batter out, runner on first holds, runners +1",
        "batter walks",
        "batter to first",
        "batter to first, runner on third scores",
        "batter to first, runners +1",
        "batter to first, runners +2",
        "batter to first, runners +3",
        "batter to first, lead runner scores",
        "batter to second, runners +1",
        "batter to second, runners +2",
        "batter to second, runners +3",
        "batter to second",
        "batter to third, runners +3",
        "batter to third",
        "batter to home, runners +3",
        "batter to home",
        "runner on first +1",
        "runner on first +2",
        "runner on second +1",
        "runner on third scores",
        "runners +1",
        "runner on first out",
        "runner on second out",
        "runner on third out",
        "batter stays",
    )
)
"""Results that real cards may have. The kind of an out is given only where it decides whether runners are forced."""


def zone_options(tests: tuple[str, ...]) -> tuple[str, ...]:
    """Return the choices after these zones, or () when the card has as many as it can have."""
    if len(tests) == MAX_TESTED_ZONES:
        return ()
    return (*ZONE_LETTERS, NO_MORE_ZONES) if tests else ZONE_LETTERS


def possible_results(s: State) -> tuple[CardResult, ...]:
    """Return the results that the card may have in this position."""
    found: dict[object, CardResult] = {}
    for result in BLANK_CARD_RESULTS:
        if has_named_runners(result, s.bases) and (any(s.bases) or ALL_RUNNERS not in dict(result.runners)):
            ran = apply_result(result, s.bases, s.batter, s.outs, s.house["runOnThirdOut"] == "true")
            found.setdefault((ran.bases, ran.outs, ran.home, ran.moved, result.batter == "walk"), result)
    return tuple(found.values())
