"""Clutch, a full card game of baseball played at-bat by at-bat.

`rules` picks the next play. The folders are the chapters of the rulebook, and each imports only those below it: at_bat;
running, substitutions; strategy_cards; numbers, records; pitching; cards. import-linter checks that order.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import GameVariant, Rulebook
from engine.games.clutch import scoreboard
from engine.games.clutch.ask_topics import ASK_TOPICS
from engine.games.clutch.cards.card_fields import CARD_SHAPES
from engine.games.clutch.cards.card_set import deck_warnings
from engine.games.clutch.house_rules import HOUSE_RULES, PACES
from engine.games.clutch.lesson import LESSON
from engine.games.clutch.rules import initial_state, next_play
from engine.games.clutch.words import GAME_WORDS


def game_variants(house: Mapping[str, str]) -> tuple[GameVariant, ...]:
    """Return the levels of play to choose from if strategy cards are dealt, since dealt hands need phones."""
    if (house["level"], house["hands"]) != ("full", "dealt"):
        return ()
    return (
        GameVariant("Full: a phone each", {}),
        GameVariant("Full: real cards", {"hands": "real"}),
        GameVariant("Players: no phones", {"level": "players"}),
        GameVariant("Basic: no phones", {"level": "basic"}),
    )


QUIET_ANSWERS = {
    "pass": ("OK passes, or use a phone", "OK: pass"),
    "keep": ("OK keeps the hand, or use a phone", "OK: keep"),
    "seen": ("OK continues; see a phone", "OK: continue"),
}
"""Answers to secret choices that a button may give, with the text and the short label of OK."""

PHONE_ONLY_ASKS = frozenset({"to-bottom", "over-limit", "discard", "pay", "search"})
"""Asks about the cards of a hand, which may show on phones only."""

FIRST_OPTION_RATES = {
    "mulligan": 0.9, "line-up": 1.0, "defence": 0.97, "changes": 0.97, "offence": 0.85, "infield": 0.8,
    "take-back": 0.8,
}  # fmt: skip
"""How often a manager without a plan takes the first option of an ask, 0 to 1, where half would not do."""

GAME = Rulebook(
    key="clutch",
    title="Clutch",
    version=2,
    shapes=CARD_SHAPES,
    house_rules=HOUSE_RULES,
    paces=PACES,
    words=GAME_WORDS,
    start=initial_state,
    next_play=next_play,
    scoreboard=scoreboard.build_scoreboard,
    standing=ASK_TOPICS,
    order=5,
    players="1 or 2",
    minutes=60,
    notes=deck_warnings,
    ways=game_variants,
    quiet=QUIET_ANSWERS,
    on_phones=PHONE_ONLY_ASKS,
    plain=FIRST_OPTION_RATES,
    lesson=LESSON,
    team_cards="roster",
    single={"series": "1"},
)
