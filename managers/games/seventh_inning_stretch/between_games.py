"""Decisions around games: draft, batting order, opponents and purchases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random

from engine.ask_views import ArrangeView, ChooseView, NotedOption
from engine.games.seventh_inning_stretch.cards import (
    OpponentTeam,
    PlayoffCondition,
    StretchBatter,
    StretchBox,
    StretchPitcher,
)
from engine.games.seventh_inning_stretch.dice.conditions import parse_dice, parse_line
from managers.games.seventh_inning_stretch.defense import ability_strength
from managers.games.seventh_inning_stretch.game import team_run_distribution
from managers.games.seventh_inning_stretch.half import BattingRules
from managers.games.seventh_inning_stretch.lines import BLANK_CARD_BATTER
from managers.games.seventh_inning_stretch.outlook import mean_runs
from managers.games.seventh_inning_stretch.position import StretchPosition

BASELINE_BATTER = StretchBatter(
    "", 1, "", parse_dice(2), 0, 0, (parse_line("highest 6: double"), parse_line("highest 5: single")), False
)
"""The batters around a card whose value is measured."""

RUNS_PER_ABILITY_USE = 0.05  # Runs per half that a pitcher saves, per unit of `ability_strength` and use.
MAX_ORDER_SWAPS = 10  # Number of random swaps tried in a batting order.

OptionValues = list[tuple[str, float]]


@lru_cache(maxsize=512)
def batter_run_value(card: StretchBatter) -> float:
    """Return the runs per half of a lineup with this batter among baseline ones."""
    return mean_runs((BLANK_CARD_BATTER if card.blank else card, *[BASELINE_BATTER] * 8), 3, BattingRules(), (0, 0, 0))


def pitcher_run_value(card: StretchPitcher, duel: bool) -> float:
    """Return a pitcher's approximate value on the scale of `batter_run_value`."""
    return batter_run_value(BASELINE_BATTER) + RUNS_PER_ABILITY_USE * ability_strength(card, duel) * card.stamina


def player_run_value(box: StretchBox, name: str, duel: bool) -> float:
    if name in box.batters:
        return batter_run_value(box.batters[name])
    return pitcher_run_value(box.pitchers[name], duel)


def team_mean_runs(team: OpponentTeam, force: PlayoffCondition) -> float:
    """Return a team's mean runs in a half, without abilities."""
    count = min(12, (team.dice if force.dice is None else force.dice) + force.more_dice)
    often = team_run_distribution(team, count, force.more_runs, 8, 0)
    return float(sum(runs * chance for runs, chance in enumerate(often)))


def runs_as_chances(worths: Sequence[tuple[str, float]], scale: float = 0.2) -> OptionValues:
    """Convert runs per half to win probabilities with mean 0.5."""
    middle = sum(value for _, value in worths) / len(worths)
    return [(code, min(0.95, max(0.05, 0.5 + scale * (value - middle)))) for code, value in worths]


def weigh_kept_players(position: StretchPosition, ask: ChooseView) -> OptionValues:
    return runs_as_chances(
        [(one.value, player_run_value(position.box, one.value, position.duel)) for one in ask.options]
    )


def weigh_draft_cards(position: StretchPosition, ask: ChooseView) -> OptionValues:
    """Weigh the two cards of a draft. The one that is not chosen becomes an opponent."""
    found = []
    names = [one.value for one in ask.options]
    for name in names:
        against = [team_mean_runs(position.box.teams[one], position.condition) for one in names if one != name]
        found.append((name, player_run_value(position.box, name, False) - sum(against) / 9))
    return runs_as_chances(found)


def weigh_more_recovery(position: StretchPosition, ask: ChooseView) -> OptionValues:
    base = batter_run_value(BASELINE_BATTER) + 0.15
    some = [
        (one.value, base if one.value == "nobody" else player_run_value(position.box, one.value, False))
        for one in ask.options
    ]
    return runs_as_chances(some)


def weigh_opponents(position: StretchPosition, ask: ChooseView) -> OptionValues:
    """Weigh the opponents. Strong ones are best at home, where we bat last."""
    at_home = bool(position.season and position.season["at_home"])
    sign = 0.02 if at_home else -0.02
    return runs_as_chances(
        [(one.value, sign * team_mean_runs(position.box.teams[one.value], position.condition)) for one in ask.options]
    )


def weigh_bought_teams(position: StretchPosition, ask: ChooseView) -> OptionValues:
    """Weigh the first opponent. The weakest is best."""
    return runs_as_chances(
        [(one.value, -team_mean_runs(position.box.teams[one.value], position.condition)) for one in ask.options]
    )


PURCHASE_PREFERENCE = ("flip-both", "flip-semifinals", "lower-semifinals", "lower-finals", "team", "done")
"""What stars buy, best first."""


def weigh_purchases(ask: ChooseView) -> OptionValues:
    return [(one.value, 0.5 - 0.01 * PURCHASE_PREFERENCE.index(one.value)) for one in ask.options]


def best_nine(position: StretchPosition, names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: -player_run_value(position.box, name, position.duel))[:9]


def weigh_lineups(position: StretchPosition, ask: ArrangeView, search: bool) -> list[tuple[dict[str, str], float]]:
    """Return one lineup of the best nine. With `search`, several orders are tried."""
    names = best_nine(position, (one.value for one in ask.pieces))
    if search:
        names = best_batting_order(position, names, len(ask.pieces) - len(names))
    return [(dict(zip([one.value for one in ask.places], names, strict=False)), 0.5)]


def best_batting_order(position: StretchPosition, names: Sequence[str], bench: int) -> list[str]:
    """Return the order with the highest mean runs that a few swaps find. The search is deterministic."""
    rules, start = position.batting_rules(), position.starting_pool()

    def order_mean_runs(order: Sequence[str]) -> float:
        return mean_runs(tuple(position.batter_card(name) for name in order), bench, rules, start)

    best, most, chance = list(names), order_mean_runs(names), Random(repr(names))
    for _ in range(MAX_ORDER_SWAPS):
        one, two = chance.sample(range(len(best)), 2)
        order = list(best)
        order[one], order[two] = order[two], order[one]
        if (found := order_mean_runs(order)) > most:
            best, most = order, found
    return best


def weigh_lineup_change(position: StretchPosition, ask: ChooseView) -> OptionValues:
    squad = position.squads[position.seat]
    names = best_nine(position, squad.batters)
    note = next((one.note for one in ask.options if isinstance(one, NotedOption) and one.value == "same"), "")
    same = all(name in note for name in names)
    return [("same", 0.5 + 0.01 * same), ("new", 0.505)]


def weigh_leadoff_batters(position: StretchPosition, ask: ChooseView) -> OptionValues:
    return runs_as_chances(
        [(one.value, player_run_value(position.box, one.value, position.duel)) for one in ask.options], 0.02
    )


def weigh_rested_pitchers(position: StretchPosition, ask: ChooseView) -> OptionValues:
    return [
        (
            one.value,
            0.4 if one.value == "nobody" else 0.5 + 0.01 * ability_strength(position.pitcher_card(one.value), False),
        )
        for one in ask.options
    ]
