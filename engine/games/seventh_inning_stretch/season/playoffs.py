"""Recovery, opponents and purchases before the playoffs (SI-152 to SI-168, SI-179 to SI-181)."""

from __future__ import annotations

from engine.asks import Play, choose
from engine.games.seventh_inning_stretch.season.draft import draw_from_supply, supply_count
from engine.games.seventh_inning_stretch.season.regular_season import series_length
from engine.games.seventh_inning_stretch.state import MANAGER_SEAT, PLAYOFF_SERIES, State, Step
from engine.games.seventh_inning_stretch.words import player_notes, purchase_labels, team_labels, team_notes
from engine.lazy import LazyFact

RECOVERY_CARD_COUNT = 3
"""Cards drawn for recovery (SI-153)."""

MAX_BOUGHT_TEAMS = 2
"""The most teams that may be bought (SI-160)."""

HOME_FIELD_STARS = 2
"""Price in stars of Home Field in the semifinals (SI-163)."""
LEVEL_STARS = {"semifinals": 1, "finals": 2}
"""Price in stars of each level of a playoff card, by series (SI-165)."""


def recover_players(s: State) -> Play:
    """Ask who of the top three of tier 2 joins. One is free, the others cost a star each (SI-153 to SI-156)."""
    cards: tuple[str, ...] = ()
    for _ in range(RECOVERY_CARD_COUNT):
        cards += ((yield from draw_from_supply(s, 2)),)
    name = yield from choose(MANAGER_SEAT, "recover", cards, notes=LazyFact(player_notes, s, cards))
    while name != "nobody":
        s.update_squad(MANAGER_SEAT, roster=(*s.squad(MANAGER_SEAT).roster, name))
        s.emit("recovered", player=name, stars=s.stars)
        cards = tuple(one for one in cards if one != name)
        if not cards or not s.stars:
            break
        facts = {"notes": LazyFact(player_notes, s, cards), "stars": s.stars}
        name = yield from choose(MANAGER_SEAT, "recover-more", (*cards, "nobody"), **facts)
        s.stars -= name != "nobody"
    s.phase = "opponents"


def set_opponents(s: State) -> Play:
    """Set the piles of both series, three teams each or all that are left (SI-157, SI-158, SI-180)."""
    semifinals = yield from draw_pile(s, 2 if s.has_long_playoffs else 3, s.has_long_playoffs)
    finals = yield from draw_pile(s, 3, s.has_long_playoffs)
    s.schedule, s.finals, s.phase = semifinals, finals, "spending"
    s.emit("opponents", teams=[s.box.teams[name].name for name in semifinals])


def draw_pile(s: State, tier: int, everything: bool) -> Step[tuple[str, ...]]:
    names: list[str] = []
    for _ in range(supply_count(s, tier) if everything else 3):
        names.append((yield from draw_from_supply(s, tier)))
    return tuple(names)


def spend_stars(s: State) -> Play:
    """Ask for one purchase. Stars have no later use (SI-160 to SI-168, SI-171, SI-181)."""
    prices = affordable_purchases(s)
    what = "done"
    if prices:
        facts = {"stars": s.stars, "labels": purchase_labels(prices)}
        what = yield from choose(MANAGER_SEAT, "spend", ("done", *prices), **facts)
    if what == "done":
        s.phase, s.series = "semifinals", ()
        if not s.has_long_playoffs:
            # The manager faces the top three teams, so bought teams push others out (SI-162).
            s.schedule = s.schedule[: series_length(s)]
        s.emit("semifinals", teams=[s.box.teams[name].name for name in s.schedule[: series_length(s)]])
        return
    s.stars -= prices[what]
    if what == "team":
        yield from buy_team(s)
    elif what == "flip-semifinals":
        s.green = (True, False)
    elif what == "flip-both":
        s.green = (True, True)
    else:
        series = PLAYOFF_SERIES.index(what.removeprefix("lower-"))
        s.levels = (s.levels[0] - (series == 0), s.levels[1] - (series == 1))
    s.emit("spent", what=purchase_labels(prices)[what], stars=s.stars)


def affordable_purchases(s: State) -> dict[str, int]:
    """Return the purchases that the remaining stars allow, with prices (SI-168)."""
    all_of: dict[str, int] = {}
    if s.bought < MAX_BOUGHT_TEAMS and supply_count(s, 2):
        # The first costs one star, both cost three (A12). Long playoffs leave none to buy (SI-181).
        all_of["team"] = 1 if s.bought == 0 else 2
    if not s.green[0]:
        all_of["flip-semifinals"] = HOME_FIELD_STARS
    if not s.green[1]:
        all_of["flip-both"] = int(s.house["flipBothCost"]) - (HOME_FIELD_STARS if s.green[0] else 0)
    for series, level in zip(PLAYOFF_SERIES, s.levels, strict=True):
        if level > 1:
            all_of[f"lower-{series}"] = LEVEL_STARS[series]
    return {what: cost for what, cost in all_of.items() if cost <= s.stars}


def buy_team(s: State) -> Step[None]:
    """Put a team of tier 2 on top of the semifinals' pile (SI-160 to SI-162)."""
    name = ""
    if s.house["tier2TeamPick"] == "choose":
        names = (s.tops[2], *s.supplies[2])
        facts = {"labels": LazyFact(team_labels, s, names), "notes": LazyFact(team_notes, s, names)}
        name = names[0] if len(names) == 1 else (yield from choose(MANAGER_SEAT, "team-bought", names, **facts))
    s.schedule = ((yield from draw_from_supply(s, 2, name)), *s.schedule)
    s.bought += 1
