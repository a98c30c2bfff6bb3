"""House rules for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import HouseRule

RULE_MEANINGS: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("bankWithZero", ("allow", "refuse"), "A1"): "Can a manager stop with no runs? Dugout asks to confirm it.",
    ("bankTiming", ("betweenRolls", "afterAtBat"), "A2"): "Bank between any two rolls, or only after an at-bat.",
    ("stealIntoOccupied", ("refuse",), "A5"): "Nobody steals a base held by a runner who stays put.",
    ("doubleStealLoaded", ("refuse", "allow"), "A6"): (
        "With the bases loaded, a double steal can push the lead runner home."
    ),
    ("sacrificeEmpty", ("refuse", "allow"), "A7"): "Can a batter sacrifice with nobody on base?",
    ("sacrificeTwoOuts", ("allow", "refuse"), "A7"): "Can a batter sacrifice with two outs, which always busts?",
    ("pinchOrder", ("pinchFirst", "playFirst"), "A10"): (
        "On a hit-and-run, the pinch hitter changes the printed result, or the result of the play."
    ),
    ("pinchTiming", ("beforeRoll", "afterRoll"), "A11"): "A pinch hitter is called before the roll, or after it.",
    ("reactivation", ("oncePerGame", "everyExtraInning"), "A14"): (
        "One used pinch hitter comes back in the tenth inning, or in every extra inning."
    ),
    ("skipBottomWhenAhead", ("true", "false"), "A15"): "A home lead after the top of the ninth ends the game at once.",
    ("awayTeam", ("ask", "red", "blue"), "A17"): "Who bats first: asked before the game, or always this team.",
    ("extraCodes", ("false", "true"), "A19"): "Cards can also print 3B and HR.",
    ("pinchWithSacrifice", ("refuse", "allow"), "A20"): (
        "Can a pinch hitter be used on a sacrifice? ON-BASE then saves a failed one."
    ),
    ("pinchStack", ("refuse", "allow"), "A21"): "Both pinch hitters can be used in one at-bat.",
}
"""Explanation of each rule, by its key, values and ledger number; see `engine.game.HouseRule`."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULE_MEANINGS.items())
