"""The stored playthrough of Small Ball, played again."""

from __future__ import annotations

from engine.games.small_ball import GAME
from tests.engine.games.small_ball.contract import CONTRACT


def test_it_has_everything() -> None:
    played = CONTRACT.stories.played("")
    assert set(GAME.words.events) - {"play-ball"} <= {event["code"] for event in played.events}
    assert 10 <= max(event["inning"] for event in played.events if event["code"] == "half-inning")
    assert {"POWER", "ON-BASE"} == {event["kind"] for event in played.events if event["code"] == "pinch-hitter"}
    assert "extra-innings" == played.reason
