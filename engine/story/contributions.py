"""Win probability added (WPA): what the plays of each player changed for his side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.seats import SEATS, Seat, opposite_seat
from engine.story.swings import PlayChange, batting_seat, ends_plate_appearance, is_steal, play_changes
from engine.story_views import PlayerContribution, WinTrace
from engine.table import Table

STARTER_CODES = ("pitches", "starter", "opener")
"""Codes of the events with which a side names its first pitcher."""


@dataclass(frozen=True, slots=True)
class SideContribution:
    """What changed the win probability of one side. Players and `others` make the whole change."""

    players: Mapping[str, float]
    """By name, in the order of first plays."""
    others: float
    """What no player with a name did, such as choices before the game and plays against unnamed players."""


def side_contributions(table: Table, trace: WinTrace) -> dict[Seat, SideContribution]:
    """Return the contributions to the last game at a table, by side.

    A play counts for the batter, or the runner of a steal, and against the pitcher. Two who both steal share it.
    """
    added: dict[Seat, dict[str, float]] = {seat: {} for seat in SEATS}
    others: dict[Seat, float] = dict.fromkeys(SEATS, 0.0)
    mound: dict[Seat, str] = {}
    for play in play_changes(table, trace):
        update_pitchers(mound, play)
        batting = batting_seat(play.key.line) if play.key else None
        for seat in SEATS:
            change = play.home_change if seat == "home" else -play.home_change
            names: Sequence[str] = ()
            if play.key and batting:
                pitcher = play.key.event.facts.get("pitcher") or mound.get(seat, "")
                names = offense_names(play) if seat == batting else (pitcher,) if pitcher else ()
            for name in names:
                added[seat][name] = added[seat].get(name, 0.0) + change / len(names)
            if not names:
                others[seat] += change
    return {seat: SideContribution(added[seat], others[seat]) for seat in SEATS}


def player_contributions(table: Table, trace: WinTrace) -> dict[Seat, Sequence[PlayerContribution]]:
    """Return the players of each side, greatest first. Empty for a game whose players have no names."""
    sides = side_contributions(table, trace)
    if not any(side.players for side in sides.values()):
        return {}
    return {
        seat: sorted((PlayerContribution(*one) for one in side.players.items()), key=lambda one: -one.added)
        for seat, side in sides.items()
    }


def offense_names(play: PlayChange) -> Sequence[str]:
    """Return the name of the batter of a play, or of the runners of a steal; () if they have none."""
    if play.key is None:
        return ()
    facts = play.key.event.facts
    if is_steal(play.key.event):
        names: tuple[Any, ...] = (facts.get("runner") or next(iter(facts.get("retired", ())), ""), facts.get("behind"))
    else:
        ended = (one.event.facts.get("batter", "") for one in reversed(play.events) if ends_plate_appearance(one.event))
        names = (facts.get("batter") or next(ended, ""),)
    return [str(name) for name in names if name]


def update_pitchers(mound: dict[Seat, str], play: PlayChange) -> None:
    """Set the pitcher of each side from a play: one in the field, or the first that a side names."""
    for one in play.events:
        if pitcher := one.event.facts.get("pitcher", ""):
            own = one.event.code in STARTER_CODES
            mound[one.event.facts["seat"] if own else opposite_seat(batting_seat(one.line))] = pitcher
