"""7th Inning Stretch: which play comes next, in the order of the rulebook. Rule IDs are those of rules.md."""

from __future__ import annotations

from collections.abc import Callable

from engine.asks import Play
from engine.games.seventh_inning_stretch.innings.defence import team_half
from engine.games.seventh_inning_stretch.innings.offence import turn
from engine.games.seventh_inning_stretch.innings.one_game import begin_half
from engine.games.seventh_inning_stretch.season import draft, duel, playoffs, regular_season
from engine.games.seventh_inning_stretch.state import State

SEASON: dict[str, Callable[[State], Play]] = {
    "set-up": draft.new_season,
    "spring": draft.draft,
    "first": regular_season.play_ball,
    "deadline": draft.draft,
    "second": regular_season.play_ball,
    "entry": regular_season.enter,
    "recovery": playoffs.recover,
    "opponents": playoffs.opponents,
    "spending": playoffs.spend,
    "semifinals": regular_season.play_ball,
    "finals": regular_season.play_ball,
}
"""The play of each phase between the games of a season (SI-016, SI-152)."""

DUEL: dict[str, Callable[[State], Play]] = {
    "set-up": duel.set_up,
    "first-deal": duel.deal,
    "second-deal": duel.deal,
    "last-deal": duel.deal,
    "selection": duel.play_ball,
}
"""The play of each phase before the game of a duel (SI-192)."""


def next_play(s: State) -> Callable[[State], Play]:
    """Return the next play."""
    if s.playing:
        if s.winner:
            return duel.record if s.duel else regular_season.record
        if not s.begun:
            return begin_half
        return turn if s.batting else team_half
    if s.duel:
        return duel.pick if s.drafted else DUEL[s.phase]
    return SEASON[s.phase]
