"""The sequence of plays in Clutch, in the order of the rulebook. Rule IDs are those of rules.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.asks import Play
from engine.cards import Card
from engine.games.clutch import half_innings, series
from engine.games.clutch.cards.card_set import build_box
from engine.games.clutch.running import throws
from engine.games.clutch.state import CardActions, State
from engine.games.clutch.substitutions import substitutions

RULES_EDITION = "8.0.4"  # Version of the 2024 rulebook (CL-391).

PHASE_PLAYS: Mapping[str, Callable[[State], Play]] = {
    "rosters": series.choose_rosters,
    "home": series.roll_for_home,
    "new-game": series.begin_new_game,
    "starters": series.name_starters,
    "line-ups": series.set_lineups,
    "hands": series.deal_opening_hands,
    "play": half_innings.play_half,
}
"""The play of each phase (3.2, 3.6)."""

CARD_ACTIONS = CardActions(
    throw=throws.make_throw,
    check=throws.make_check,
    replies=substitutions.late_changes,
    substitute=substitutions.make_change,
    remove=substitutions.remove_person,
)
"""Plays of other chapters that cards set off."""


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before the first roll. Raise DeckError with every violation of 2.1 to 2.4."""
    return State(box=build_box(cards, house), house=house, actions=CARD_ACTIONS)


def next_play(s: State) -> Callable[[State], Play]:
    return series.record_game if s.ended else PHASE_PLAYS[s.phase]
