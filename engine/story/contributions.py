"""Win probability added (WPA): what the plays of each player changed for his side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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

    A play counts for the batter, or the runner of a steal, and against the pitcher.
    """
    added: dict[Seat, dict[str, float]] = {seat: {} for seat in SEATS}
    others: dict[Seat, float] = dict.fromkeys(SEATS, 0.0)
    mound: dict[Seat, str] = {}
    for play in play_changes(table, trace):
        update_pitchers(mound, play)
        batting = batting_seat(play.key.line) if play.key else None
        for seat in SEATS:
            change = play.home_change if seat == "home" else -play.home_change
            name = ""
            if play.key and batting:
                event = play.key.event
                name = batter_name(play) if seat == batting else event.facts.get("pitcher") or mound.get(seat, "")
            if name:
                added[seat][name] = added[seat].get(name, 0.0) + change
            else:
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


def batter_name(play: PlayChange) -> str:
    """Return the name of the batter of a play, or of the runner of a steal; "" if it has none."""
    if play.key is None:
        return ""
    facts = play.key.event.facts
    if is_steal(play.key.event):
        return str(facts.get("runner") or next(iter(facts.get("retired", ())), ""))
    ended = (one.event.facts.get("batter", "") for one in reversed(play.events) if ends_plate_appearance(one.event))
    return str(facts.get("batter") or next(ended, ""))


def update_pitchers(mound: dict[Seat, str], play: PlayChange) -> None:
    """Set the pitcher of each side from a play: one in the field, or the first that a side names."""
    for one in play.events:
        if pitcher := one.event.facts.get("pitcher", ""):
            own = one.event.code in STARTER_CODES
            mound[one.event.facts["seat"] if own else opposite_seat(batting_seat(one.line))] = pitcher
