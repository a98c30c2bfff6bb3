"""Decisions around games: the draft, batting orders, opponents, and what stars buy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random

from engine.ask_views import ArrangeView, ChooseView, NotedOption
from engine.games.seventh_inning_stretch.cards import Batter, Box, Force, Pitcher, Team
from engine.games.seventh_inning_stretch.dice.conditions import dice, line
from managers.games.seventh_inning_stretch.defence import strength
from managers.games.seventh_inning_stretch.game import team_runs
from managers.games.seventh_inning_stretch.half import Rules
from managers.games.seventh_inning_stretch.lines import UNREAD
from managers.games.seventh_inning_stretch.outlook import mean_runs
from managers.games.seventh_inning_stretch.position import Position

PLAIN = Batter("", 1, "", dice(2), 0, 0, (line("highest 6: double"), line("highest 5: single")), False)
"""The batters around a card whose worth is measured."""

ARM = 0.05
"""The runs a half that a use of an ability is worth, for each unit of `strength` and use."""

TRIES = 10
"""How many exchanges in a batting order are tried."""

Worths = list[tuple[str, float]]


@lru_cache(maxsize=512)
def batter_worth(card: Batter) -> float:
    """Return the runs a half that a batter is worth among plain ones."""
    return mean_runs((UNREAD if card.blank else card, *[PLAIN] * 8), 3, Rules(), (0, 0, 0))


def pitcher_worth(card: Pitcher, duel: bool) -> float:
    """Return about what a pitcher is worth, on the scale of `batter_worth`."""
    return batter_worth(PLAIN) + ARM * strength(card, duel) * card.stamina


def worth(box: Box, name: str, duel: bool) -> float:
    """Return what a player is worth."""
    if name in box.batters:
        return batter_worth(box.batters[name])
    return pitcher_worth(box.pitchers[name], duel)


def team_worth(team: Team, force: Force) -> float:
    """Return the runs that a team scores in a half on average, without abilities."""
    count = min(12, (team.dice if force.dice is None else force.dice) + force.more_dice)
    often = team_runs(team, count, force.more_runs, 8, 0)
    return float(sum(runs * chance for runs, chance in enumerate(often)))


def scaled(worths: Sequence[tuple[str, float]], scale: float = 0.2) -> Worths:
    """Return runs a half as chances to win, about one half in all."""
    middle = sum(value for _, value in worths) / len(worths)
    return [(code, min(0.95, max(0.05, 0.5 + scale * (value - middle)))) for code, value in worths]


def keep(position: Position, ask: ChooseView) -> Worths:
    """Weigh players to keep, in a draft or after an injury."""
    return scaled([(one.value, worth(position.box, one.value, position.duel)) for one in ask.options])


def draft(position: Position, ask: ChooseView) -> Worths:
    """Weigh the two cards of a draft: who joins, and whom the other card makes an opponent."""
    found = []
    names = [one.value for one in ask.options]
    for name in names:
        against = [team_worth(position.box.teams[one], position.force) for one in names if one != name]
        found.append((name, worth(position.box, name, False) - sum(against) / 9))
    return scaled(found)


def recover_more(position: Position, ask: ChooseView) -> Worths:
    """Weigh another player for a star."""
    base = batter_worth(PLAIN) + 0.15
    some = [
        (one.value, base if one.value == "nobody" else worth(position.box, one.value, False)) for one in ask.options
    ]
    return scaled(some)


def opponent(position: Position, ask: ChooseView) -> Worths:
    """Weigh whom to face: strong ones at home, where the last half is one's own."""
    at_home = bool(position.season and position.season["at_home"])
    sign = 0.02 if at_home else -0.02
    return scaled(
        [(one.value, sign * team_worth(position.box.teams[one.value], position.force)) for one in ask.options]
    )


def team_bought(position: Position, ask: ChooseView) -> Worths:
    """Weigh whom to face first: the weakest."""
    return scaled([(one.value, -team_worth(position.box.teams[one.value], position.force)) for one in ask.options])


SPENDING = ("flip-both", "flip-semifinals", "lower-semifinals", "lower-finals", "team", "done")


def spend(ask: ChooseView) -> Worths:
    """Weigh what stars buy."""
    return [(one.value, 0.5 - 0.01 * SPENDING.index(one.value)) for one in ask.options]


def best_nine(position: Position, names: Iterable[str]) -> list[str]:
    """Return the nine batters who are worth most, the best of them first."""
    return sorted(names, key=lambda name: -worth(position.box, name, position.duel))[:9]


def line_up(position: Position, ask: ArrangeView, search: bool) -> list[tuple[dict[str, str], float]]:
    """Return the best nine in an order; with `search`, in the best of several orders."""
    names = best_nine(position, (one.value for one in ask.pieces))
    if search:
        names = ordered(position, names, len(ask.pieces) - len(names))
    return [(dict(zip([one.value for one in ask.places], names, strict=False)), 0.5)]


def ordered(position: Position, names: Sequence[str], bench: int) -> list[str]:
    """Return the names in the order that scores most on average, as far as a few exchanges find it."""
    rules, start = position.rules(), position.start()

    def runs(order: Sequence[str]) -> float:
        return mean_runs(tuple(position.hitter(name) for name in order), bench, rules, start)

    best, most, chance = list(names), runs(names), Random(repr(names))
    for _ in range(TRIES):
        one, two = chance.sample(range(len(best)), 2)
        order = list(best)
        order[one], order[two] = order[two], order[one]
        if (found := runs(order)) > most:
            best, most = order, found
    return best


def line_up_again(position: Position, ask: ChooseView) -> Worths:
    """Weigh the order of the last game against the best one now."""
    squad = position.squads[position.seat]
    names = best_nine(position, squad.batters)
    note = next((one.note for one in ask.options if isinstance(one, NotedOption) and one.value == "same"), "")
    same = all(name in note for name in names)
    return [("same", 0.5 + 0.01 * same), ("new", 0.505)]


def lead_off(position: Position, ask: ChooseView) -> Worths:
    """Weigh who leads off; it changes little."""
    return scaled([(one.value, worth(position.box, one.value, position.duel)) for one in ask.options], 0.02)


def rest(position: Position, ask: ChooseView) -> Worths:
    """Weigh whom the Pitching Coach rests."""
    return [
        (
            one.value,
            0.4 if one.value == "nobody" else 0.5 + 0.01 * strength(position.arm(one.value), False),
        )
        for one in ask.options
    ]
