"""The supplies and the drafts of a season (SI-009 to SI-021, SI-145)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.asks import Choose, Draw, Play, choose
from engine.games.seventh_inning_stretch.state import MANAGER, State, Step
from engine.games.seventh_inning_stretch.words import draft_labels, team_labels, twosided
from engine.lazy import Lazy
from engine.seats import Seat

BATTERS = 9
"""Batters at the start of a season (SI-009)."""

STEPS = 3
"""Steps in a draft (SI-017)."""


def draw(s: State, seat: Seat, why: str, names: Iterable[str], **facts: Any) -> Step[str]:
    """Return a random card: the machine deals it, or people draw a real one and name it."""
    options = tuple(names)
    if len(options) == 1:
        return options[0]
    name: str = yield (Draw if s.house["cards"] == "dealt" else Choose)(seat, why, options, facts)
    return name


def new_season(s: State) -> Play:
    """Begin a season with a pitcher and nine batters of tier 1; the others leave the game (SI-009 to SI-015)."""
    s.tell("season")
    first = s.box.tier(1)
    pitcher = yield from draw(s, MANAGER, "roster-pitcher", [name for name in first if name in s.box.pitchers])
    left = [name for name in first if name in s.box.batters]
    batters: list[str] = []
    while len(batters) < BATTERS:
        batters.append((yield from draw(s, MANAGER, "roster-batter", left, number=len(batters) + 1)))
        left.remove(batters[-1])
    s.change(MANAGER, roster=(*batters, pitcher))
    s.tell("roster", batters=batters, pitcher=pitcher)
    for tier in (2, 3):
        s.supplies = {**s.supplies, tier: s.box.tier(tier)}
        yield from uncover(s, tier)
    s.phase = "spring"
    s.tell("spring")


def uncover(s: State, tier: int) -> Step[None]:
    """Turn over the next card of a supply, which shows its team (SI-011)."""
    under, top = s.supplies[tier], ""
    if under:
        top = yield from draw(s, MANAGER, "top", under, tier=tier, labels=Lazy(team_labels, s, under))
        under = tuple(name for name in under if name != top)
    s.supplies, s.tops = {**s.supplies, tier: under}, {**s.tops, tier: top}


def take(s: State, tier: int, name: str = "") -> Step[str]:
    """Take the top card of a supply, or the one of this `name` (A12), and uncover the next."""
    top = s.tops[tier]
    if name and name != top:
        s.supplies = {**s.supplies, tier: tuple(one for one in s.supplies[tier] if one != name)}
        return name
    yield from uncover(s, tier)
    return top


def left(s: State, tier: int) -> int:
    """Return how many cards a supply still has."""
    return len(s.supplies[tier]) + bool(s.tops[tier])


def draft(s: State) -> Play:
    """Play one step: of the top two cards one becomes a player, the other an opponent (SI-017 to SI-019, SI-145)."""
    tier = 2 if s.phase == "spring" else 3
    first = yield from take(s, tier)
    second = yield from take(s, tier)
    pair = (first, second)
    facts = {"labels": Lazy(draft_labels, s, pair), "notes": Lazy(twosided, s, pair)}
    kept = yield from choose(MANAGER, "draft", pair, **facts, step=s.drafted + 1)
    other = second if kept == first else first
    s.change(MANAGER, roster=(*s.squad(MANAGER).roster, kept))
    s.schedule = (*s.schedule, other)
    s.drafted += 1
    s.tell("drafted", player=kept, team=s.box.teams[other].name)
    if s.drafted == STEPS:
        s.drafted = 0
        s.phase = "first" if s.phase == "spring" else "second"
        s.tell(f"{s.phase}-half", teams=[s.box.teams[name].name for name in s.schedule])
