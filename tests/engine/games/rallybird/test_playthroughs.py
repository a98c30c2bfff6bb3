"""The stored playthrough of RallyBird, played again."""

from __future__ import annotations

from engine.games.rallybird import GAME
from tests.engine.games.rallybird.contract import CONTRACT


def test_it_has_everything() -> None:
    """A side that was behind in the ninth comes level with the RallyBird; extra innings, and a walk-off."""
    played = CONTRACT.stories.played("")
    seldom = {"stay-seated", "change-chairs", "shown-blank", "nothing-moves"}
    assert set(GAME.words.events) - seldom <= {event["code"] for event in played.events}
    ninth = [event for event in played.events if event["code"] in ("half-inning", "rallybird", "scores")]
    flown = next(i for i, event in enumerate(ninth) if event["code"] == "rallybird")
    half = [event for event in ninth[:flown] if event["code"] == "half-inning"][-1]
    level = next(event for event in ninth[flown:] if event["code"] == "scores" and event["away"] == event["home"])
    assert (9, ninth[flown]["seat"]) == (half["inning"], level["seat"])
    assert 10 <= max(event["inning"] for event in played.events if event["code"] == "half-inning")
    assert "walk-off" == played.reason
