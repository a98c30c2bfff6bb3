"""Stored games of Clutch, replayed entry by entry and compared with their files; then what happens in them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.games.clutch.pitching import pitcher_record
from tests.engine.games.clutch.field import state
from tests.golden.clutch import STORIES


def events_of(story: str) -> list[dict[str, Any]]:
    """Return the events that the current rules give, in order: those of the file."""
    return list(STORIES.replayed(story).events)


@pytest.mark.rule("CL-023", "CL-146", "CL-148")
def test_a_basic_game() -> None:
    """Nine innings with player cards only: no cards drawn or played, and no bunts or intentional walks."""
    codes = Counter(str(event["code"]) for event in events_of("basic"))
    assert not {"draws", "plays-card", "sacrifice", "intentional-walk", "infield-in"} & set(codes)
    assert codes["half-inning"] in (17, 18)
    assert {"stolen", "caught", "double-play", "sacrifice-fly", "new-pitcher"} <= set(codes)


@pytest.mark.rule("CL-070", "CL-075", "CL-218", "CL-232")
def test_a_full_game_with_cards() -> None:
    """Hands of five, a card for each manager after every half-inning, cards played, results changed and cards negated.

    At the end every card of both decks is in a zone.
    """
    codes = Counter(str(event["code"]) for event in events_of("full"))
    assert codes["plays-card"] > 10
    assert {"changed", "negated", "leaves-play", "mistake", "pinch-hitter", "new-pitcher"} <= set(codes)
    s = state(STORIES.replayed("full").table)
    for squad in s.squads:
        held = [one.peek() for pile in (squad.bottom, squad.top, squad.hand) for one in pile]
        kept = [one.name for one in s.kept if one.kind == "strategy" and s.squad(one.side) is squad]
        assert Counter(squad.roster.deck) == Counter([*squad.deck, *held, *squad.discard, *kept])


@pytest.mark.rule("CL-059", "CL-065", "CL-117", "CL-118", "CL-347")
def test_a_series_with_tired_pitchers() -> None:
    """Three games, alternating home; nobody starts twice; a pitcher who owes rest comes in and is worse for it."""
    STORIES.replayed("series")
    table, tired = STORIES.new("series"), set()
    for entry in STORIES.entries("series"):
        table.write(entry)
        s = state(table)
        tired |= {
            (s.game, arm.name, pitcher_record.penalty(arm, s.house) > 0, arm.tired)
            for side in s.arms
            for arm in side.values()
            if arm.owes and arm.pitched
        }
    events = [one.event for one in table.log]
    homes = [event.facts["home"] for event in events if event.code == "new-game"]
    starts = Counter(event.facts["pitcher"] for event in events if event.code == "starter")
    assert tired
    assert all(worse and noted for _, _, worse, noted in tired)
    assert 3 == sum(state(table).won)
    assert homes[0] == homes[2] != homes[1]
    assert {1} == set(starts.values())
    assert table.outcome.reason == "series"
