"""House rules for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import HouseRule

RULE_MEANINGS: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("startInning", ("7", "1", "2", "3", "4", "5", "6", "8", "9"), "A20"): "The inning in which the game begins.",
    ("visitor", ("ask", "agreed"), "A19"): (
        "Dugout asks who the visitor is before the game, and a die can decide; or it goes by the seats people took."
    ),
    ("beginner", ("false", "true"), "A15"): "A first game leaves out the one card that isn't for beginners.",
    ("cards", ("secret", "real"), "A18"): (
        "Dugout deals and hides the At Bat cards; or you use real ones and enter each once it is shown."
    ),
    ("glovePlacement", ("oneEachAll", "oneEachOptional"), "A5"): (
        "Every Glove in play must be placed, or some can be held back. Never two on one zone."
    ),
    ("needsRunner", ("refuse", "skip"), "A6"): (
        "A card that needs a runner can't be played without him; or it can, and its part about him is skipped."
    ),
    ("stealIntoOccupied", ("refuse", "doubleSteal"), "A23"): (
        "Nobody can steal an occupied base; or he can, and the runner there moves up."
    ),
    ("runOnThirdOut", ("false", "true"), "A16"): "Whether runs count on the play that makes the third out.",
    ("gloveChangeOn", ("cardSuccess", "anyAdvance"), "A8"): (
        "A Glove changes when the card's own result advances somebody, or whenever anybody advances."
    ),
    ("lastGlove", ("lastInPlay", "lastBackSide"), "A10"): (
        "The last Glove in play is never removed; or the last one with its back up isn't."
    ),
    ("bottomNinth", ("homeLeadOnly", "anyLead"), "A1"): (
        "After the top of the ninth only a home lead ends the game, or any lead."
    ),
    ("walkOff", ("true", "false"), "A2"): "A home lead in the last bottom half ends the game at once, or at its end.",
    ("rallyBird", ("on", "off"), "A17"): "Whether you play with the RallyBird, which is optional.",
    ("rallyOn", ("any", "failedOnly"), "A17"): "The RallyBird can reroll any roll, or only one that failed.",
    ("rallyExtraInnings", ("false", "true"), "A13"): "Whether the RallyBird also flies in extra innings.",
    ("rallyHomeRun", ("failedRoll", "bothRolls"), "A11"): (
        "If a card needs two rolls, the RallyBird rerolls the last one, or starts over with the first."
    ),
}
"""Explanation of each rule, by its key, values and ledger number; see `engine.game.HouseRule`."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULE_MEANINGS.items())
