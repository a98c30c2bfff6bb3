"""Exact outcome distributions of plate appearances, from the cards of a batter and a pitcher or from a game's state.

Distributions are arrays over `OUTCOME_CODES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.card_types import ClutchBatter, ClutchPitcher
from engine.games.clutch.cards.effects import CardRules
from engine.games.clutch.cards.result_chart import RESULT_CODES, ResultChart
from engine.games.clutch.numbers import pitch_numbers, swing_numbers
from engine.games.clutch.numbers.conditions import SideView, are_conditions_met
from engine.games.clutch.numbers.modifiers import die_with_cards, effects_in_force, is_switched_off
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards.playable import has_matching_trigger, result_tags, tags_for

OUTCOME_CODES = (*RESULT_CODES, "E")  # Outcomes of a plate appearance. An error comes only from cards.

OUTCOME_INDEXES = {code: at for at, code in enumerate(OUTCOME_CODES)}

OutcomeDistribution = NDArray[np.float64]


@lru_cache(maxsize=4096)
def chart_distribution(chart: ResultChart, kind: str, plus: int = 0) -> OutcomeDistribution:
    """Return the distribution of a swing with this die on a chart."""
    odds = np.zeros(len(OUTCOME_CODES))
    for face in FACES_BY_KIND[kind]:
        odds[OUTCOME_INDEXES[chart[int(face) + plus]]] += 1 / len(FACES_BY_KIND[kind])
    odds.setflags(write=False)
    return odds


@lru_cache(maxsize=65536)
def advantage_chances(command: int, on_base: int, x_zone: int) -> tuple[float, float]:
    """Return the chances of a Mistake Pitch and of the pitcher's Advantage, without cards (CL-175, CL-189)."""
    faces = range(1, 21)
    mistakes = sum(face <= x_zone for face in faces)
    pitchers = sum(face > x_zone and face + command > on_base for face in faces)
    return mistakes / 20, pitchers / 20


def matchup_distribution(
    batter: ClutchBatter, pitcher: ClutchPitcher, penalty: int = 0, tired: bool = False
) -> OutcomeDistribution:
    """Return the distribution of a batter against a pitcher, without cards. Fatigue lowers Command by `penalty`."""
    side = batter.hand if batter.hand != "S" else "R" if pitcher.hand == "L" else "L"
    command = pitcher.command + (pitcher.left if side == "L" else pitcher.right) - penalty
    on_base = batter.on_base + (batter.left if pitcher.hand == "L" else batter.right)
    mistake, good = advantage_chances(max(0, command), on_base, pitcher.x_zone)
    kind = "d24" if tired else "d20"
    odds = mistake * chart_distribution(batter.chart, "d24") + good * chart_distribution(pitcher.chart, kind)
    return odds + (1 - mistake - good) * chart_distribution(batter.chart, kind)


@lru_cache(maxsize=512)
def _results_by_swing(chart: ResultChart) -> tuple[str, ...]:
    """Return the result of each Swing from 0 on. Beyond both ends a chart is constant."""
    return tuple(chart[swing] for swing in range(max(low for low, _ in chart.rows) + 1))


def face_chances(s: State, what: str, kind: str) -> Iterator[tuple[int, float]]:
    """Yield the faces of a future roll with their probabilities, under the cards that affect it."""
    faces = [int(face) for face in FACES_BY_KIND[kind]]
    fixed = list(effects_in_force(s, "face", what))
    if fixed:
        yield fixed[-1].effect.amount, 1.0
        return
    twice = list(effects_in_force(s, "twice", what))
    if not twice or list(effects_in_force(s, "reroll", what)):
        yield from ((face, 1 / len(faces)) for face in faces)
        return
    best = twice[-1].effect.of == "best"
    for one, two in product(faces, faces):
        yield (max if best else min)(one, two), 1 / len(faces) ** 2


def current_distribution(s: State) -> OutcomeDistribution:
    """Return the distribution of the current plate appearance, given the dice thrown so far and the cards in force."""
    at, odds = s.at, np.zeros(len(OUTCOME_CODES))
    if at.result in OUTCOME_INDEXES:
        odds[OUTCOME_INDEXES[at.result]] = 1.0
        return odds
    if at.swing_natural is not None:
        odds[OUTCOME_INDEXES[result_reader(s)(at.swing_natural)]] = 1.0
        return odds
    if at.advantage:
        return swing_distribution(s)
    judged = pitch_numbers.pitch_evaluator(s, pitch_numbers.current_command(s), pitch_numbers.current_on_base(s))
    if at.pitch_natural is not None:
        ways = {(judged(at.pitch_natural).advantage, judged(at.pitch_natural).mistake): 1.0}
    else:
        ways = {}
        for face, chance in face_chances(s, "pitch", die_with_cards(s, "pitch")):
            came = judged(face)
            key = (came.advantage, came.mistake)
            ways[key] = ways.get(key, 0.0) + chance
    twin = s.copy()
    for (advantage, mistake), chance in ways.items():
        twin.at = at._replace(advantage=advantage, mistake=mistake)
        odds += chance * swing_distribution(twin)
    return odds


def swing_distribution(s: State) -> OutcomeDistribution:
    """Return the distribution of the next swing. The Advantage must be known."""
    odds = np.zeros(len(OUTCOME_CODES))
    kind, fields = swing_numbers.swing_die(s), _chart_rules(s)
    waits = any(one.effect.verb in ("alter", "face", "twice") for one in s.standing)
    if not (fields or waits or s.at.infield_in):
        total = swing_numbers.swing_by_face(s)
        plus = total(1) - 1
        if total(20) == 20 + plus:
            of = swing_numbers.chart_owner(s)
            return chart_distribution(s.batter_card.chart if of == "batter" else s.pitcher_card.chart, kind, plus)
    code = result_reader(s)
    for face, chance in face_chances(s, "swing", kind):
        odds[OUTCOME_INDEXES[code(face)]] += chance
    return odds


def result_reader(s: State) -> Callable[[int], str]:
    """Return a function from swing face to result (CL-184, CL-343), including changes by cards and stadium."""
    of, total = swing_numbers.chart_owner(s), swing_numbers.swing_by_face(s)
    results = _results_by_swing(s.batter_card.chart if of == "batter" else s.pitcher_card.chart)
    alters = [one.effect for one in effects_in_force(s, "alter")]
    fields = _chart_rules(s)

    def result_code(face: int) -> str:
        swing = total(face)
        found = results[min(len(results) - 1, max(0, swing))]
        acting = [
            one for play in fields if _can_alter_result(s, play, found, of) for one in play.do if one.verb == "alter"
        ]
        for effect in (*alters, *acting):
            if effect.can_alter_result(of, swing, found):
                found = effect.to
        return "1B" if s.at.infield_in and of == "batter" and found == "GB" else found

    return result_code


def _chart_rules(s: State) -> list[CardRules]:
    """Return the rules of stadium and weather that apply when a chart is read (CL-063)."""
    plays = []
    if s.stadium and not is_switched_off(s, s.stadium):
        plays.append(s.box.stadiums[s.stadium].main)
    if s.weather and not is_switched_off(s, s.weather):
        plays.append(s.box.weather[s.weather].play)
    return [play for play in plays if any(one.window == "chart" for one in play.when)]


def _can_alter_result(s: State, play: CardRules, code: str, of: str) -> bool:
    tags = tags_for(s, s.offense, "chart", result_tags(s, code) | {of})
    if not has_matching_trigger(play.when, "chart", tags) or (play.clutch and not s.is_clutch_moment):
        return False
    return not play.conditions or are_conditions_met(play.conditions, SideView(s, s.offense, tags))
