"""Stored seasons and a duel, replayed entry by entry and compared with their files; then what happens in them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.games.seventh_inning_stretch import GAME
from tests.golden.seasons import STORIES


def events_of(story: str) -> list[dict[str, Any]]:
    """Return the events that the current rules give, in order: those of the file."""
    return list(STORIES.replayed(story).events)


@pytest.mark.rule("SI-007", "SI-016", "SI-178")
def test_a_season_is_won() -> None:
    """Six games, stars for each win, three of them spent on the playoffs, and two series of two wins each."""
    events = events_of("won")
    count = Counter(event["code"] for event in events)
    assert (6, "season-won") == (3 + 3, STORIES.replayed("won").reason)
    assert (3 + 3, 1, 1, 1, 1) == (
        count["drafted"],
        count["deadline"],
        count["playoffs"],
        count["semifinals"],
        count["finals"],
    )
    assert [2, 2] == [max(one) for one in wins(events)]
    regular = next(event for event in events if event["code"] == "regular-season")
    assert regular["stars"] == sum(int(str(event["earned"])) for event in events if event["code"] == "stars")


@pytest.mark.rule("SI-150")
def test_a_season_is_lost_before_the_playoffs() -> None:
    events = events_of("lost")
    assert "no-playoffs" == STORIES.replayed("lost").reason
    regular = next(event for event in events if event["code"] == "regular-season")
    assert int(str(regular["stars"])) < 3
    assert not {"playoffs", "recovered", "semifinals"} & {event["code"] for event in events}


@pytest.mark.rule("SI-179", "SI-182")
def test_long_playoffs_are_played() -> None:
    events = events_of("extended")
    assert "recovered" not in {event["code"] for event in events}
    semifinals, finals = wins(events)
    assert 4 == max(semifinals)
    assert 4 in (max(finals), len(finals) - max(finals))
    assert STORIES.replayed("extended").reason in ("season-won", "finals-lost")


@pytest.mark.rule("SI-196", "SI-198", "SI-212")
def test_a_duel_is_drafted_and_played() -> None:
    """Fourteen cards each, nine innings for both teams, and every event of a duel except the rarest."""
    events = events_of("duel")
    assert {"away": 14, "home": 14} == Counter(event["seat"] for event in events if event["code"] == "picked")
    innings = {event["inning"] for event in events if event["code"] == "half-inning"}
    assert set(range(1, 10)) <= innings
    assert {"ability", "relieves", "rerolls", "nudges", "home-run"} <= {event["code"] for event in events}
    assert STORIES.replayed("duel").reason in ("nine-innings", "extra-innings")


def wins(events: list[dict[str, Any]]) -> list[list[int]]:
    series: list[list[int]] = []
    for event in events:
        if event["code"] in ("semifinals", "finals"):
            series.append([])
        if event["code"] == "series":
            series[-1].append(int(str(event["wins"])))
    return series


def test_the_playthroughs_cover_nearly_every_event() -> None:
    """Only the very first event and those of other house rules are missing."""
    other = {"season", "veteran", "rookie", "goat", "refreshed", "stay-seated", "change-chairs"}
    assert set(GAME.words.events) - other <= {event["code"] for story in STORIES.houses for event in events_of(story)}
