"""Clutch: which play comes next, in the order of the rulebook. Rule IDs are those of rules.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.asks import Play
from engine.cards import Card
from engine.games.clutch import half_innings, series
from engine.games.clutch.cards.card_set import unpack
from engine.games.clutch.running import throws
from engine.games.clutch.state import CardActions, State
from engine.games.clutch.substitutions import substitutions

EDITION = "8.0.4"  # The version of the rulebook, from 2024 (CL-391).

PHASES: Mapping[str, Callable[[State], Play]] = {
    "rosters": series.rosters,
    "home": series.home,
    "new-game": series.new_game,
    "starters": series.starters,
    "line-ups": series.line_ups,
    "hands": series.opening_hands,
    "play": half_innings.half,
}
"""The play of each phase (3.2, 3.6)."""

ACTIONS = CardActions(
    throw=throws.throw,
    check=throws.check,
    replies=substitutions.late,
    substitute=substitutions.change,
    remove=substitutions.remove,
)
"""What cards set off in the other chapters."""


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before the first roll. Raises DeckError with every violation of 2.1 to 2.4."""
    return State(box=unpack(cards, house), house=house, actions=ACTIONS)


def next_play(s: State) -> Callable[[State], Play]:
    """Return the next play."""
    return series.record if s.ended else PHASES[s.phase]
