"""House rules: points where the rulebook is silent. The first value is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import HouseRule

RULES: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("startInning", ("7", "1", "2", "3", "4", "5", "6", "8", "9"), "A20"): "The inning in which the game begins.",
    ("visitor", ("ask", "agreed"), "A19"): (
        "Who is the visitor is asked before the game, and a die may say; or the seats people took decide."
    ),
    ("beginner", ("false", "true"), "A15"): "A first game leaves out the one card that is not for beginners.",
    ("cards", ("secret", "real"), "A18"): (
        "The machine deals and hides the At Bat cards; or real ones lie on the table and are named once shown."
    ),
    ("glovePlacement", ("oneEachAll", "oneEachOptional"), "A5"): (
        "Every Glove in play must be laid, or zones may be left bare on purpose. Never two on one zone."
    ),
    ("needsRunner", ("refuse", "skip"), "A6"): (
        "A card about a runner cannot be played without him; or it can, and what concerns a missing runner is skipped."
    ),
    ("stealIntoOccupied", ("refuse", "doubleSteal"), "A23"): (
        "Nobody steals a base that is taken; or he may, and pushes the runner there on."
    ),
    ("runOnThirdOut", ("false", "true"), "A16"): "Whether runs count that come in on a play that makes the third out.",
    ("gloveChangeOn", ("cardSuccess", "anyAdvance"), "A8"): (
        "A Glove changes when the card's own result moves somebody, or whenever anybody goes forward."
    ),
    ("lastGlove", ("lastInPlay", "lastBackSide"), "A10"): (
        "The last Glove in play is never removed; or the last one that lies on its back."
    ),
    ("bottomNinth", ("homeLeadOnly", "anyLead"), "A1"): (
        "After the top of the ninth only a home lead ends the game, or any lead."
    ),
    ("walkOff", ("true", "false"), "A2"): "A home lead in the last bottom ends the game at once, or when it is over.",
    ("rallyBird", ("on", "off"), "A17"): "Whether you play with the RallyBird, which is optional.",
    ("rallyOn", ("any", "failedOnly"), "A17"): "The RallyBird may roll any roll again, or only one that failed.",
    ("rallyExtraInnings", ("false", "true"), "A13"): "Whether the RallyBird flies in extra innings too.",
    ("rallyHomeRun", ("failedRoll", "bothRolls"), "A11"): (
        "Where a card needs two rolls, the RallyBird rolls the last one again, or begins with the first."
    ),
}
"""The key, values and ledger number of each rule, and what each value does; see engine.game.HouseRule."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULES.items())
