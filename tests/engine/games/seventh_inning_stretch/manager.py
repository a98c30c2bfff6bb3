"""A sensible manager who plays whole seasons by the odds of the dice."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine.asks import Arrange, Ask, Choose, Draw, Reroll, Roll
from engine.games.seventh_inning_stretch.cards import StretchBatter
from engine.games.seventh_inning_stretch.dice.abilities import ability_uses
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts, outcome_chances
from engine.games.seventh_inning_stretch.dice.goals import RollGoal, dice_after_nudge, runner_goal
from engine.games.seventh_inning_stretch.state import State
from tests.engine.tables import inside

WORTH = {"home-run": 1.6, "triple": 1.15, "double": 0.85, "single": 0.55, "walk": 0.4, "sacrifice": 0.1, "safe": 1.0}
"""The approximate worth of an outcome, in runs."""

DIE = 0.13
"""The worth of a die that stays in the pool."""


def value(card: StretchBatter) -> float:
    """Return a batter's worth, including what he brings."""
    brings = float(card.dice.dice_count(GuardFacts(bases=(True, False, False)), 4)) if not card.blank else 1
    return brings * DIE + (card.rerolls + card.nudges) * 0.1 + gain(RollGoal(card.lines), 2, GuardFacts())


def gain(goal: RollGoal, count: int, at: GuardFacts) -> float:
    """Return the worth of this many dice at bat: each outcome's chance times its worth, best outcome first."""
    chances = outcome_chances(goal.lines, count, at) if count else {}
    left, total = 1.0, 0.0
    for outcome, chance in sorted(chances.items(), key=lambda one: -WORTH[one[0]]):
        some = min(left, float(chance))
        total, left = total + some * WORTH[outcome], left - some
    return total


SPENDING = ("flip-both", "flip-semifinals", "lower-semifinals", "lower-finals", "done")
"""Purchases with stars, the most wanted first."""


class Manager:
    """Answers every question in the game of `look`; dice and draws are random, seeded by `seed`.

    An `eager` manager also steals, substitutes and changes pitchers now and then to exercise those rules.
    """

    def __init__(self, look: Callable[[], State], seed: int, eager: bool = False) -> None:
        self._look, self._random, self._eager = look, random.Random(seed), eager

    def __call__(self, ask: Ask) -> Any:
        """Return a legal answer."""
        inner = inside(ask)
        match inner:
            case Roll(dice=dice):
                return tuple(self._random.choice(die.faces) for die in dice)
            case Draw(options=options):
                return self._random.choice(options)
            case Reroll():
                return self._reroll(inner)
            case Arrange(pieces=pieces, places=places):
                best = sorted(pieces, key=lambda name: -value(self._look().box.batters[name]))
                return dict(zip(places, best, strict=False))
            case Choose():
                return self._choose(inner)
        raise AssertionError(ask)

    def _reroll(self, ask: Reroll) -> tuple[int | None, ...]:
        """Reroll as many low dice as allowed, or an opponent's high dice."""
        high = ask.why == "ability-reroll"
        order = sorted(ask.free, key=lambda place: ask.faces[place], reverse=high)
        again = set(order[: ask.most] if high else [p for p in order[: ask.most] if int(ask.faces[p]) < 4] or order[:1])
        return tuple(self._random.randint(1, 6) if place in again else None for place in range(len(ask.faces)))

    def _choose(self, ask: Choose) -> str:
        s, options = self._look(), ask.options
        if self._eager and ask.why in ("at-bat", "batter", "relief", "extra-base") and self._random.random() < 0.06:
            return options[-1] if ask.why != "at-bat" else self._random.choice(options)
        match ask.why:
            case "at-bat":
                goal = RollGoal(s.batter_card.lines, blank=s.batter_card.blank)
                return max(
                    (one for one in options if one.isdigit()),
                    key=lambda one: gain(goal, int(one), s.guard_facts) - DIE * int(one),
                )
            case "extra-base":
                return "3" if s.bases[2] is not None and "3" in options else "hold"
            case "outcome":
                return max(options, key=lambda one: WORTH[one])
            case "tokens":
                return self._token(s, options)
            case "ability":
                return self._ability(s, options)
            case "before":
                return options[1] if s.opponent_team.tier == 3 else options[0]
            case "batter":
                return options[0]
            case "draft" | "recover" | "pick":
                return max(options, key=self._player)
            case "pitcher":
                return max(options, key=lambda name: self._fresh(s, name))
            case "relief":
                # A spent pitcher makes room for the freshest one.
                return max(options, key=lambda name: self._fresh(s, name)) if self._fresh(s, "stays") < 1 else "stays"
            case "recover-more":
                return "nobody"
            case "spend":
                return next(one for one in SPENDING if one in options)
        return options[0]

    def _player(self, name: str) -> float:
        box = self._look().box
        return value(box.batters[name]) if name in box.batters else 0.2 * box.pitchers[name].stamina

    def _fresh(self, s: State, name: str) -> int:
        """Return how often a pitcher can still use his ability; "stays" is the current one."""
        card = s.pitcher_card if name == "stays" else s.box.pitchers[name]
        return card.stamina - s.tired.get(card.name, 0)

    def _ability(self, s: State, options: tuple[str, ...]) -> str:
        """Use the ability that takes most off, if any; reroll at two runs or more."""
        ability = s.pitcher_card.ability
        if ability is None:
            return options[0]
        goal = RollGoal(s.batter_card.lines) if s.is_person_batting else None

        def worth(faces: tuple[int, ...]) -> float:
            if goal is not None:
                return max((WORTH[one] for one in goal.met_outcomes(faces, s.guard_facts)), default=0.0)
            return float(s.opponent_team.runs(faces, s.guard_facts)) if s.opponent_team.runs else 0.0

        now = worth(s.dice)
        after = {"enough": now}
        for use in ability_uses(ability, s.dice, 0, 0):
            if use.code in options:
                less = now - use.less if use.cap is None else min(now, use.cap)
                after[use.code] = worth(use.faces) if use.faces else now - (now >= 2) if use.again else less
        best = min(after, key=lambda code: after[code])
        return best if after[best] < now - 0.3 else "enough"

    def _token(self, s: State, options: tuple[str, ...]) -> str:
        goal = runner_goal(6) if s.threw != "swing" else RollGoal(s.batter_card.lines, blank=s.batter_card.blank)

        def worth(faces: tuple[int, ...]) -> float:
            return max((WORTH[one] for one in goal.met_outcomes(faces, s.guard_facts)), default=0.0)

        now = worth(s.dice)
        turned = {code: worth(dice_after_nudge(s.dice, code)) for code in options if code[0].isdigit()}
        best = max(turned, key=lambda code: turned[code], default="keep")
        if turned and turned[best] > now + 0.1:
            return best
        return "reroll" if not now and "reroll" in options else "keep"
