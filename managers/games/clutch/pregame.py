"""Decisions before a game: roster, rotation, starter and lineup. They depend only on the cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.ask_views import ArrangeView, ChooseView
from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION_RATING, Roster
from managers.games.clutch.ask_context import RatedAnswers, prefer_first, rate_equally
from managers.games.clutch.expectancy import RUN_VALUES, WinExpectancyModel

EVEN_CHANCE = 0.5  # Win probability where nothing is known.


def pitcher_run_value(study: WinExpectancyModel, name: str) -> float:
    """Return the runs per batter that a pitcher saves, averaged over all batters of the decks."""
    odds = [study.matchup_distribution(batter, name) for batter in study.box.batters]
    return -float(np.mean(odds, axis=0) @ RUN_VALUES)


def batter_run_value(study: WinExpectancyModel, name: str) -> float:
    """Return the runs per plate appearance that a batter adds, averaged over all pitchers of the decks."""
    odds = [study.matchup_distribution(name, pitcher) for pitcher in study.box.pitchers]
    return float(np.mean(odds, axis=0) @ RUN_VALUES)


def roster_run_value(study: WinExpectancyModel, roster: Roster) -> float:
    """Return a roster's runs per game above average, from its lineup, first starters and bullpen."""
    bats = sum(batter_run_value(study, name) for name in roster.fielders.values()) * 4.3
    arms = [pitcher_run_value(study, name) for name in (*roster.rotation[:2], *roster.bullpen)]
    return bats + float(np.mean(arms)) * 38


def rate_pregame_choice(study: WinExpectancyModel, ask: ChooseView) -> RatedAnswers:
    options = [one.value for one in ask.options]
    match ask.why:
        case "roster":
            return {
                name: (_chance_with_edge(roster_run_value(study, study.box.rosters[name]) / 40), "The stronger roster.")
                for name in options
            }
        case "starter" | "opener":
            return rate_starters(study, options)
        case "line-up":
            return prefer_first(options, EVEN_CHANCE)
        case "two-way":
            return prefer_first(sorted(options, key=("bats", "sits", "never-mind").index), EVEN_CHANCE)
        case "strays":
            return prefer_first(sorted(options, key=("take-it", "lay-again").index), EVEN_CHANCE)
        case "lay":
            return prefer_first(sorted(options, key=("never-mind", "lay").index), EVEN_CHANCE)
    return rate_equally(options, EVEN_CHANCE)


def rate_starters(study: WinExpectancyModel, options: Sequence[str]) -> RatedAnswers:
    rated: RatedAnswers = {}
    for name in options:
        card = study.box.pitchers[name]
        long = card.innings.get("SP") or card.innings.get("BP") or card.innings.get("OP") or 1
        rated[name] = (
            _chance_with_edge(pitcher_run_value(study, name) * 4.3 * long / 10 + long / 40),
            "Our best rested starter.",
        )
    return rated


def _chance_with_edge(more: float) -> float:
    return min(0.95, max(0.05, EVEN_CHANCE + more))


def choose_arrangement(study: WinExpectancyModel, ask: ArrangeView) -> dict[str, str]:
    pieces, places = [one.value for one in ask.pieces], [one.value for one in ask.places]
    match ask.why:
        case "rotation":
            best = sorted(pieces, key=lambda name: -rate_starters(study, [name])[name][0])
            return dict(zip(places, best, strict=False))
        case "field":
            return choose_fielders(study, pieces, places)
        case "order":
            return dict(zip(places, choose_batting_order(study, pieces), strict=False))
    count = min(len(pieces), len(places))
    return dict(zip(places[:count], pieces[:count], strict=True))


def choose_batting_order(study: WinExpectancyModel, names: Sequence[str]) -> list[str]:
    """Return a batting order, best bats first, led by the fastest of the top four."""
    best = sorted(names, key=lambda name: -batter_run_value(study, name))
    top = best[:4]
    if not top:
        return best
    first = max(top, key=lambda name: study.box.batters[name].baserunning)
    rest = [name for name in best if name != first]
    return [first, *rest]


def choose_fielders(study: WinExpectancyModel, pieces: Sequence[str], places: Sequence[str]) -> dict[str, str]:
    """Assign batters to positions by batting and fielding value, improved by swaps."""
    bats = {name: batter_run_value(study, name) * 4.3 for name in pieces}

    def fielder_value(name: str, spot: str) -> float:
        card = study.box.batters[name]
        glove = 0.0 if spot == DH else card.gloves.get(spot, OUT_OF_POSITION_RATING - 3) * 0.06
        return bats[name] + glove

    found: dict[str, str] = {}
    free = list(pieces)
    for spot in sorted(places, key=lambda spot: sum(spot in study.box.batters[name].gloves for name in pieces)):
        best = max(free, key=lambda name: fielder_value(name, spot))
        found[spot] = best
        free.remove(best)
    for _ in range(20):
        better = _improve_by_swap(found, free, fielder_value)
        if not better:
            break
    return {spot: found[spot] for spot in places}


def _improve_by_swap(found: dict[str, str], free: list[str], worth: object) -> bool:
    assert callable(worth)
    for spot, name in list(found.items()):
        for other in list(free):
            if worth(other, spot) > worth(name, spot) + 1e-9:
                found[spot] = other
                free.remove(other)
                free.append(name)
                return True
        for place, two in list(found.items()):
            swapped = worth(name, place) + worth(two, spot)
            if place != spot and swapped > worth(name, spot) + worth(two, place) + 1e-9:
                found[spot], found[place] = two, name
                return True
    return False
