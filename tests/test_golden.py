"""The stored playthrough of every game is what its rules give now."""

from __future__ import annotations

import json

import pytest

from engine.game import Game
from engine.games import GAMES
from engine.games.rallybird import GAME as RALLYBIRD
from engine.games.small_ball import GAME as SMALL_BALL
from engine.journal import Amend, Undo
from tests.golden import entries_of, lines, path, stored


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_stored_game_plays_again(game: Game) -> None:
    """Each game has one; entry by entry it tells the same, scores the same and ends the same."""
    assert path(game).exists(), f"no golden playthrough of {game.title}: python -m tests.golden --write"
    for expected, actual in zip(stored(game), lines(game, entries_of(game)), strict=True):
        assert expected == json.loads(json.dumps(actual))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_stored_game_is_whole(game: Game) -> None:
    """It ends, and has a correction and an answer taken back in it."""
    assert stored(game)[-1]["outcome"]
    assert {Amend, Undo} <= {type(entry) for entry in entries_of(game)}


def test_the_stored_game_of_small_ball_has_everything() -> None:
    """Every event there is, extra innings, and every pinch hitter used."""
    told = [event for line in stored(SMALL_BALL) for event in line.get("events", ())]
    assert set(SMALL_BALL.words.events) - {"play-ball"} <= {event["code"] for event in told}
    assert 10 <= max(event["inning"] for event in told if event["code"] == "half-inning")
    assert {"POWER", "ON-BASE"} == {event["kind"] for event in told if event["code"] == "pinch-hitter"}
    assert "extra-innings" == stored(SMALL_BALL)[-1]["outcome"]["reason"]


def test_the_stored_game_of_rallybird_has_everything() -> None:
    """A side that was behind in the ninth comes level with the RallyBird; extra innings, and a walk-off."""
    told = [event for line in stored(RALLYBIRD) for event in line.get("events", ())]
    seldom = {"stay-seated", "change-chairs", "shown-blank", "nothing-moves"}
    assert set(RALLYBIRD.words.events) - seldom <= {event["code"] for event in told}
    ninth = [event for event in told if event["code"] in ("half-inning", "rallybird", "scores")]
    flown = next(i for i, event in enumerate(ninth) if event["code"] == "rallybird")
    (half,) = [event for event in ninth[:flown] if event["code"] == "half-inning"][-1:]
    level = next(event for event in ninth[flown:] if event["code"] == "scores" and event["away"] == event["home"])
    assert (9, ninth[flown]["seat"]) == (half["inning"], level["seat"])
    assert 10 <= max(event["inning"] for event in told if event["code"] == "half-inning")
    assert "walk-off" == stored(RALLYBIRD)[-1]["outcome"]["reason"]


def test_a_changed_rule_is_seen() -> None:
    """A playthrough that differs in one run somewhere is told apart."""
    wrong = stored(SMALL_BALL)
    wrong[len(wrong) // 2]["score"][0] += 1
    assert wrong != json.loads(json.dumps(list(lines(SMALL_BALL, entries_of(SMALL_BALL)))))
