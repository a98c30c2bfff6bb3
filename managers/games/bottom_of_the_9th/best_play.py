"""Optimal play from the model, with mixed strategies for stare-downs and the better answer to other asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.ask_views import ChooseView
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.cards import PITCH_CODES
from engine.games.bottom_of_the_9th.words import describe_effect
from managers.games.bottom_of_the_9th.draft import DraftRatings
from managers.games.bottom_of_the_9th.half_inning import HalfInningModel, LineupMatchup
from managers.games.bottom_of_the_9th.matrix_game import solve_matrix_games
from managers.games.bottom_of_the_9th.pitch_tree import PitchEnd
from managers.games.bottom_of_the_9th.values import NodeDistribution, TreeValues
from managers.games.bottom_of_the_9th.visible_position import NinthPosition
from managers.manager import WeighedAnswer

LATE_PHASES = ("bonus", "run")  # Phases after the advance of runners that an ability causes.


def weigh_stare_down(
    model: HalfInningModel, here: NinthPosition, options: Sequence[str], pitching: bool
) -> list[WeighedAnswer]:
    """Return the equilibrium strategy of the pitcher or of the batter.

    Each `win` is the chance against the other side's equilibrium strategy.
    """
    at_bat = model.at_bat_model(here.match)
    game = 1 - at_bat.payoff_matrices(here.at_bat_positions(at_bat.pair))
    throws, guesses, _ = (found[0] for found in solve_matrix_games(game))
    wins = game[0] @ guesses if pitching else 1 - throws @ game[0]
    shares = throws if pitching else guesses
    places = [PITCH_CODES.index(option) for option in options]
    total = sum(shares[place] for place in places)
    return [
        WeighedAnswer(option, _clamped_chance(wins[place]), float(shares[place] / total))
        for option, place in zip(options, places, strict=True)
    ]


def weigh_relief(model: HalfInningModel, here: NinthPosition, options: Sequence[str]) -> list[WeighedAnswer]:
    match = replace(here.match, lineup=here.match.lineup[1:]) if here.is_at_bat_over else here.match
    return [
        WeighedAnswer(option, 1 - _clamped_chance(_win_probability_after_relief(model, here, match, option)))
        for option in options
    ]


def _win_probability_after_relief(
    model: HalfInningModel, here: NinthPosition, match: LineupMatchup, option: str
) -> float:
    rows = here.rows
    if option == "bench":
        match = model.with_reliever(match)
        rows = (match.floor, match.floor)
    elif option != "none":
        steps = [int(step) for step in option.split("-")[1:]]
        rows = (rows[0] - steps[0], rows[1] - steps[1])
    at_bat = model.at_bat_model(match)
    count = (0, 0) if here.is_at_bat_over else (here.balls, here.strikes)
    spent = here.spent_ability_bits(at_bat.pair)
    if here.is_at_bat_over:
        spent &= (1 << at_bat.pair.game_mark_count) - 1
    return float(at_bat.win_probabilities[here.outs, here.bases, count[0], count[1], rows[0], rows[1], spent])


def weigh_ability(model: HalfInningModel, here: NinthPosition, ask: ChooseView) -> list[WeighedAnswer] | None:
    """Return the chances with the ability used and kept, in this order, or None if no active ability fits the ask."""
    at_bat = model.at_bat_model(here.match)
    pair = at_bat.pair
    s = here.pitch_state(pair)
    pair.begin_pitch(s)
    for phase in possible_phases(here):
        if phase in LATE_PHASES:
            s.update_pitch(called=pitch_dice.pitch_result(s))
        for place, spot in enumerate(pair.active_abilities(phase)):
            card = pair.batter if spot[0] == "home" else pair.pitcher
            said = f"{card.name} {describe_effect(spot[3].effect)}. Use it now?"
            if spot[0] == ask.seat and spot[3].may and ask.sentence.startswith(said) and pair.is_ready(s, spot):
                mixes = [pair.use_distribution(s, phase, place), pair.phase_distribution(s, phase, place + 1)]
                chances = win_probabilities_during_pitch(model, here, mixes, phase in LATE_PHASES)
                wins = chances if ask.seat == "home" else [1 - chance for chance in chances]
                return [
                    WeighedAnswer(option, _clamped_chance(win))
                    for option, win in zip(("use", "keep"), wins, strict=True)
                ]
    return None


def win_probabilities_during_pitch(
    model: HalfInningModel, here: NinthPosition, mixes: Sequence[NodeDistribution], late: bool
) -> list[float]:
    """Return home's win probabilities from the middle of a pitch, one for each distribution of its outcome.

    What is already applied is not applied twice. `late` means after the advance of runners that an ability causes.
    """
    at_bat = model.at_bat_model(here.match)
    pair, at, values = at_bat.pair, here.at_bat_positions(at_bat.pair), TreeValues(mixes, at_bat.pair.nodes)
    tired = [
        sum(
            int(done.effect.value)
            for done in here.pitch.done
            if done.effect.verb == "fatigue" and done.effect.what in (part, "both")
        )
        for part in ("direction", "location")
    ]
    ends = []
    for number in values.leaves:
        end = pair.nodes[number]
        assert isinstance(end, PitchEnd)
        left = (end.fatigue[0] - tired[0], end.fatigue[1] - tired[1])
        ends.append(replace(end, fatigue=left, runners=0 if late else end.runners))
    worth = np.array([at_bat.target_values[at_bat.target_indexes(end, (0, 0), at)] for end in ends])
    return [float(chance) for chance in values.distribution_values(worth)[:, 0]]


def possible_phases(here: NinthPosition) -> tuple[str, ...]:
    """Return the phases of the pitch that may be under way."""
    if here.pitch.bonus is not None:
        return LATE_PHASES
    if here.pitch.swing is not None:
        return ("swing", "result", "run")
    return ("pitch",) if here.pitch.control is not None else ("reveal",)


def _clamped_chance(value: float) -> float:
    return min(1.0, max(0.0, float(value)))


# The draft -------------------------------------------------------------------------------------------------------

PITCHER_RATING_WEIGHT = 12.0  # Effect of the pitcher's rating on the win probability, roughly.
BATTER_RATING_WEIGHT = 2.0  # Effect of one batter's rating on the win probability, roughly.


def weigh_pitchers(ratings: DraftRatings, options: Sequence[str], lineup: Sequence[str]) -> list[WeighedAnswer]:
    """Weigh pitchers by rating, with 0.5 for a mean one. The lineup may be incomplete."""
    rated = [ratings.pitcher_rating(option, lineup) for option in options]
    mean = sum(rated) / len(rated)
    return [
        WeighedAnswer(option, _clamped_chance(0.5 - PITCHER_RATING_WEIGHT * (rating - mean)))
        for option, rating in zip(options, rated, strict=True)
    ]


def weigh_batters(ratings: DraftRatings, options: Sequence[str], place: int) -> list[WeighedAnswer]:
    """Weigh batters by rating for a slot of the order, 0 to 5, with 0.5 for a mean one."""
    rated = [ratings.batter_rating(option, place) for option in options]
    mean = sum(rated) / len(rated)
    return [
        WeighedAnswer(option, _clamped_chance(0.5 + BATTER_RATING_WEIGHT * (rating - mean)))
        for option, rating in zip(options, rated, strict=True)
    ]
