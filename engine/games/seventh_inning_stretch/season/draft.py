"""Supplies and drafts of a season (SI-009 to SI-021, SI-145)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.asks import Choose, Draw, Play, choose
from engine.games.seventh_inning_stretch.state import MANAGER_SEAT, State, Step
from engine.games.seventh_inning_stretch.words import draft_labels, team_labels, two_sided_notes
from engine.lazy import LazyFact
from engine.seats import Seat

FIRST_BATTER_COUNT = 9
"""Batters at the start of a season (SI-009)."""

DRAFT_STEP_COUNT = 3
"""Steps in a draft (SI-017)."""


def draw_card(s: State, seat: Seat, why: str, names: Iterable[str], **facts: Any) -> Step[str]:
    """Return a random card, either dealt by Dugout or drawn from real cards and entered."""
    options = tuple(names)
    if len(options) == 1:
        return options[0]
    name: str = yield (Draw if s.house["cards"] == "dealt" else Choose)(seat, why, options, facts)
    return name


def new_season(s: State) -> Play:
    """Begin a season with a pitcher and nine batters of tier 1. The others leave the game (SI-009 to SI-015)."""
    s.emit("season")
    first = s.box.players_of_tier(1)
    pitcher = yield from draw_card(
        s, MANAGER_SEAT, "roster-pitcher", [name for name in first if name in s.box.pitchers]
    )
    left = [name for name in first if name in s.box.batters]
    batters: list[str] = []
    while len(batters) < FIRST_BATTER_COUNT:
        batters.append((yield from draw_card(s, MANAGER_SEAT, "roster-batter", left, number=len(batters) + 1)))
        left.remove(batters[-1])
    s.update_squad(MANAGER_SEAT, roster=(*batters, pitcher))
    s.emit("roster", batters=batters, pitcher=pitcher)
    for tier in (2, 3):
        s.supplies = {**s.supplies, tier: s.box.players_of_tier(tier)}
        yield from uncover_top(s, tier)
    s.phase = "spring"
    s.emit("spring")


def uncover_top(s: State, tier: int) -> Step[None]:
    """Turn over the next card of a supply, which shows its team (SI-011)."""
    under, top = s.supplies[tier], ""
    if under:
        top = yield from draw_card(s, MANAGER_SEAT, "top", under, tier=tier, labels=LazyFact(team_labels, s, under))
        under = tuple(name for name in under if name != top)
    s.supplies, s.tops = {**s.supplies, tier: under}, {**s.tops, tier: top}


def draw_from_supply(s: State, tier: int, name: str = "") -> Step[str]:
    """Take the top card of a supply, or the one of this `name` (A12), and uncover the next."""
    top = s.tops[tier]
    if name and name != top:
        s.supplies = {**s.supplies, tier: tuple(one for one in s.supplies[tier] if one != name)}
        return name
    yield from uncover_top(s, tier)
    return top


def supply_count(s: State, tier: int) -> int:
    return len(s.supplies[tier]) + bool(s.tops[tier])


def play_draft_step(s: State) -> Play:
    """Draw two cards and make one a player, the other an opponent (SI-017 to SI-019, SI-145)."""
    tier = 2 if s.phase == "spring" else 3
    first = yield from draw_from_supply(s, tier)
    second = yield from draw_from_supply(s, tier)
    pair = (first, second)
    facts = {"labels": LazyFact(draft_labels, s, pair), "notes": LazyFact(two_sided_notes, s, pair)}
    kept = yield from choose(MANAGER_SEAT, "draft", pair, **facts, step=s.drafted + 1)
    other = second if kept == first else first
    s.update_squad(MANAGER_SEAT, roster=(*s.squad(MANAGER_SEAT).roster, kept))
    s.schedule = (*s.schedule, other)
    s.drafted += 1
    s.emit("drafted", player=kept, team=s.box.teams[other].name)
    if s.drafted == DRAFT_STEP_COUNT:
        s.drafted = 0
        s.phase = "first" if s.phase == "spring" else "second"
        s.emit(f"{s.phase}-half", teams=[s.box.teams[name].name for name in s.schedule])
