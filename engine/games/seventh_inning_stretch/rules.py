"""Order of the plays of 7th Inning Stretch, as in the rulebook. Rule IDs are those of rules.md."""

from __future__ import annotations

from collections.abc import Callable

from engine.asks import Play
from engine.games.seventh_inning_stretch.innings.defense import play_team_half
from engine.games.seventh_inning_stretch.innings.offense import play_turn
from engine.games.seventh_inning_stretch.innings.one_game import begin_half
from engine.games.seventh_inning_stretch.season import draft, duel, playoffs, regular_season
from engine.games.seventh_inning_stretch.state import State

SEASON_PLAYS: dict[str, Callable[[State], Play]] = {
    "set-up": draft.new_season,
    "spring": draft.play_draft_step,
    "first": regular_season.play_ball,
    "deadline": draft.play_draft_step,
    "second": regular_season.play_ball,
    "entry": regular_season.enter_playoffs,
    "recovery": playoffs.recover_players,
    "opponents": playoffs.set_opponents,
    "spending": playoffs.spend_stars,
    "semifinals": regular_season.play_ball,
    "finals": regular_season.play_ball,
}
"""Play of each phase between the games of a season (SI-016, SI-152)."""

DUEL_PLAYS: dict[str, Callable[[State], Play]] = {
    "set-up": duel.set_up,
    "first-deal": duel.deal_hands,
    "second-deal": duel.deal_hands,
    "last-deal": duel.deal_hands,
    "selection": duel.play_ball,
}
"""Play of each phase before the game of a duel (SI-192)."""


def next_play(s: State) -> Callable[[State], Play]:
    if s.playing:
        if s.winner:
            return duel.record_duel if s.duel else regular_season.record_game
        if not s.begun:
            return begin_half
        return play_turn if s.is_person_batting else play_team_half
    if s.duel:
        return duel.pick_cards if s.drafted else DUEL_PLAYS[s.phase]
    return SEASON_PLAYS[s.phase]
