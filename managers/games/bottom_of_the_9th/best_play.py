"""The best play from the model: mixes for every stare-down, and the better answer to every other question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.ask_views import ChooseView
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.cards import PITCHES
from engine.games.bottom_of_the_9th.words import does
from managers.games.bottom_of_the_9th.draft import Ratings
from managers.games.bottom_of_the_9th.half_inning import HalfInning, Match
from managers.games.bottom_of_the_9th.matrix_game import solve
from managers.games.bottom_of_the_9th.pitch_tree import End, Pair
from managers.games.bottom_of_the_9th.seen import Seen
from managers.games.bottom_of_the_9th.values import Values
from managers.manager import Weighed

LATE = ("bonus", "run")
"""The phases after the runners that an ability sends on have moved."""


def stare_down(model: HalfInning, here: Seen, options: Sequence[str], pitching: bool) -> list[Weighed]:
    """Return the mix of throws, or of guesses, that the other side cannot exploit.

    Each `win` is the chance against the best mix of the other side.
    """
    at_bat = model.at_bat(here.match)
    game = 1 - at_bat.games(here.where(at_bat.pair))
    throws, guesses, _ = (found[0] for found in solve(game))
    wins = game[0] @ guesses if pitching else 1 - throws @ game[0]
    shares = throws if pitching else guesses
    places = [PITCHES.index(option) for option in options]
    total = sum(shares[place] for place in places)
    return [
        Weighed(option, _chance(wins[place]), float(shares[place] / total))
        for option, place in zip(options, places, strict=True)
    ]


def relief(model: HalfInning, here: Seen, options: Sequence[str]) -> list[Weighed]:
    """Return the chances with each relief, and with the reliever."""
    match = replace(here.match, lineup=here.match.lineup[1:]) if here.over else here.match
    return [Weighed(option, 1 - _chance(_after_relief(model, here, match, option))) for option in options]


def _after_relief(model: HalfInning, here: Seen, match: Match, option: str) -> float:
    """Return the chance that home wins after a choice of the pitcher."""
    rows = here.rows
    if option == "bench":
        match = model.relieved(match)
        rows = (match.floor, match.floor)
    elif option != "none":
        steps = [int(step) for step in option.split("-")[1:]]
        rows = (rows[0] - steps[0], rows[1] - steps[1])
    at_bat = model.at_bat(match)
    count = (0, 0) if here.over else (here.balls, here.strikes)
    spent = here.spent(at_bat.pair)
    if here.over:
        spent &= (1 << at_bat.pair.game_marks) - 1
    return float(at_bat.values[here.outs, here.bases, count[0], count[1], rows[0], rows[1], spent])


def ability(model: HalfInning, here: Seen, ask: ChooseView) -> list[Weighed] | None:
    """Return the chances with an ability used and kept, in this order; None if the ask fits none of the cards'."""
    at_bat = model.at_bat(here.match)
    pair = at_bat.pair
    s = here.state(pair)
    pair.begin(s)
    for phase in _phases(here):
        if phase in LATE:
            s.now(called=pitch_dice.result(s))
        for place, spot in enumerate(pair.active(phase)):
            card = pair.batter if spot[0] == "home" else pair.pitcher
            said = f"{card.name} {does(spot[3].effect)}. Use it now?"
            if spot[0] == ask.seat and spot[3].may and ask.sentence.startswith(said) and pair.ready(s, spot):
                mixes = [pair.use(s, phase, place), pair.act(s, phase, place + 1)]
                chances = _worth(model, here, pair, Values(mixes, pair.nodes), phase in LATE)
                wins = chances if ask.seat == "home" else [1 - chance for chance in chances]
                return [Weighed(option, _chance(win)) for option, win in zip(("use", "keep"), wins, strict=True)]
    return None


def _worth(model: HalfInning, here: Seen, pair: Pair, values: Values, late: bool) -> list[float]:
    """Return the chances that home wins with some mixes, from the middle of a pitch: what has moved moves no more."""
    at_bat, at = model.at_bat(here.match), here.where(pair)
    tired = [
        sum(
            int(done.effect.value)
            for done in here.pitch.done
            if done.effect.verb == "fatigue" and done.effect.what in (part, "both")
        )
        for part in ("direction", "location")
    ]
    ends = []
    for number in values.ends:
        end = pair.nodes[number]
        assert isinstance(end, End)
        left = (end.tired[0] - tired[0], end.tired[1] - tired[1])
        ends.append(replace(end, tired=left, runners=0 if late else end.runners))
    worth = np.array([at_bat.chances[at_bat.targets(end, (0, 0), at)] for end in ends])
    return [float(chance) for chance in values.of(worth)[:, 0]]


def _phases(here: Seen) -> tuple[str, ...]:
    """Return the phases that the pitch may be in."""
    if here.pitch.bonus is not None:
        return LATE
    if here.pitch.swing is not None:
        return ("swing", "result", "run")
    return ("pitch",) if here.pitch.control is not None else ("reveal",)


def _chance(value: float) -> float:
    return min(1.0, max(0.0, float(value)))


# The draft -------------------------------------------------------------------------------------------------------

FOR_PITCHER, FOR_BATTER = 12.0, 2.0
"""About how much a game turns on a rating of a pitcher, or of one batter."""


def pitchers(ratings: Ratings, options: Sequence[str], lineup: Sequence[str]) -> list[Weighed]:
    """Return about what each pitcher is worth, against batters who are known or not; the mean is even."""
    rated = [ratings.pitcher(option, lineup) for option in options]
    mean = sum(rated) / len(rated)
    return [
        Weighed(option, _chance(0.5 - FOR_PITCHER * (rating - mean)))
        for option, rating in zip(options, rated, strict=True)
    ]


def batters(ratings: Ratings, options: Sequence[str], place: int) -> list[Weighed]:
    """Return about what each batter is worth in a place of the order, 0 to 5; the mean is even."""
    rated = [ratings.place(option, place) for option in options]
    mean = sum(rated) / len(rated)
    return [
        Weighed(option, _chance(0.5 + FOR_BATTER * (rating - mean)))
        for option, rating in zip(options, rated, strict=True)
    ]
