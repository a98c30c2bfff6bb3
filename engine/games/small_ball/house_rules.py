"""House rules: points where the rulebook is silent. The first value is the default."""

from __future__ import annotations

from engine.game import HouseRule

HOUSE_RULES = (
    HouseRule("bankWithZero", ("allow", "refuse"), "A1", "May a manager stop with no runs? It is asked twice."),
    HouseRule(
        "bankTiming", ("betweenRolls", "afterAtBat"), "A2", "Bank between any two rolls, or only after an at-bat."
    ),
    HouseRule("stealIntoOccupied", ("refuse",), "A5", "Nobody steals a base that a standing runner holds."),
    HouseRule(
        "doubleStealLoaded",
        ("refuse", "allow"),
        "A6",
        "With the bases full a double steal may push the lead runner home.",
    ),
    HouseRule("sacrificeEmpty", ("refuse", "allow"), "A7", "May a batter sacrifice with nobody on base?"),
    HouseRule(
        "sacrificeTwoOuts", ("allow", "refuse"), "A7", "May a batter sacrifice with two outs, which always busts?"
    ),
    HouseRule(
        "pinchOrder",
        ("pinchFirst", "playFirst"),
        "A10",
        "Under a hit-and-run the pinch hitter changes the printed result, or the play's own result.",
    ),
    HouseRule(
        "pinchTiming", ("beforeRoll", "afterRoll"), "A11", "A pinch hitter is called before the die, or after it."
    ),
    HouseRule(
        "reactivation",
        ("oncePerGame", "everyExtraInning"),
        "A14",
        "One used pinch hitter comes back at the tenth inning, or at every extra inning.",
    ),
    HouseRule(
        "skipBottomWhenAhead", ("true", "false"), "A15", "A home lead after the top of the ninth ends the game at once."
    ),
    HouseRule("awayTeam", ("ask", "red", "blue"), "A17", "Who bats first: asked before the game, or always this team."),
    HouseRule("extraCodes", ("false", "true"), "A19", "Cards may also print 3B and HR."),
    HouseRule(
        "pinchWithSacrifice",
        ("refuse", "allow"),
        "A20",
        "May a pinch hitter serve in a sacrifice? Then ON-BASE saves its strikeout.",
    ),
    HouseRule("pinchStack", ("refuse", "allow"), "A21", "Both pinch hitters may serve one at-bat."),
)
