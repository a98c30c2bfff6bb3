"""Plays, their swings and what players added, over whole games of every rulebook."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.seats import SEATS
from engine.story.contributions import offense_names, player_contributions, side_contributions
from engine.story.swings import (
    biggest_swing,
    ends_plate_appearance,
    is_steal,
    play_changes,
    swing_size,
    turning_points,
)
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS, every_game
from tests.engine.story.told_games import random_games, stored_games


@every_game()
def test_plays_make_the_whole_change(contract: Contract) -> None:
    """The changes of all plays add up to the change of the last game, and each player's and the rest to his side's."""
    for table, trace in [*random_games(contract, 4), *stored_games(contract)]:
        plays = play_changes(table, trace)
        assert all(before.after == after.before for before, after in pairwise(plays))
        opened = table.log[table.log.games[-1]].n if table.log.games else -1
        start = next(trace[n] for n in sorted(trace) if n >= opened)
        whole = plays[-1].after - start
        for seat, side in side_contributions(table, trace).items():
            assert sum(side.players.values()) + side.others == pytest.approx(whole if seat == "home" else -whole)


@every_game()
def test_a_plate_appearance_is_one_play(contract: Contract) -> None:
    """A play has at most one plate appearance or steal, so two turning points are never the same moment."""
    for table, trace in [*random_games(contract, 4), *stored_games(contract)]:
        for play in play_changes(table, trace):
            ends = [one for one in play.events if ends_plate_appearance(one.event)]
            steals = {one.line.n for one in play.events if is_steal(one.event)}
            assert len(ends) + len(steals) <= 1 + (len(ends) == 1 and bool(steals & {ends[0].line.n}))


@every_game()
def test_turning_points_are_the_largest(contract: Contract) -> None:
    """There are at most three, in order, each a gain of its side; the biggest swing is among them."""
    for table, trace in stored_games(contract):
        points, biggest = turning_points(table, trace), biggest_swing(table, trace)
        assert 1 <= len(points) <= 3
        assert points == sorted(points, key=lambda swing: swing.n)
        assert all(swing.after > swing.before and swing.sentence[-1] in ".!?" for swing in points)
        assert biggest in points
        assert max(abs(play.home_change) for play in play_changes(table, trace) if play.key) == pytest.approx(
            swing_size(biggest) if biggest else 0
        )


def test_a_throw_after_a_hit_belongs_to_it() -> None:
    """In Clutch, pitch, swing and a throw at another runner are one play."""
    told = []
    for table, trace in stored_games(CONTRACTS["clutch"]):
        told += [[one.event.code for one in play.events] for play in play_changes(table, trace)]
    assert any("pitch" in codes and "ran" in codes and codes.index("pitch") < codes.index("ran") for codes in told)
    assert any("tries" in codes and "stolen" in codes and "pitch" not in codes for codes in told)


def test_players_without_names_add_nothing() -> None:
    """RallyBird names no batter, so nobody added anything."""
    for table, trace in random_games(CONTRACTS["rallybird"], 3):
        assert {} == player_contributions(table, trace)


@pytest.mark.parametrize("key", ["small-ball", "bottom-of-the-9th", "clutch", "seventh-inning-stretch"])
def test_players_with_names_add_something(key: str) -> None:
    """The players of both sides are listed, greatest first, in games that name them."""
    table, trace = next(stored_games(CONTRACTS[key]))
    found = player_contributions(table, trace)
    assert any(found[seat] for seat in SEATS)
    for players in found.values():
        assert players == sorted(players, key=lambda one: -one.added)


@pytest.mark.parametrize("key", ["small-ball", "clutch"])
def test_a_double_steal_counts_for_both_runners(key: str) -> None:
    """Each gets half of it."""
    found = 0
    for table, trace in stored_games(CONTRACTS[key]):
        for play in play_changes(table, trace):
            if play.key and play.key.event.facts.get("behind"):
                facts, found = play.key.event.facts, found + 1
                assert [facts["runner"], facts["behind"]] == offense_names(play)
                assert facts["runner"] != facts["behind"]
    assert found


def test_without_probabilities_there_are_no_swings() -> None:
    """An empty trace has no plays, and a trace of one value no swing."""
    table, _ = next(stored_games(CONTRACTS["small-ball"]))
    assert None is biggest_swing(table, {})
    assert [] == turning_points(table, {})
    assert {} == player_contributions(table, {})
