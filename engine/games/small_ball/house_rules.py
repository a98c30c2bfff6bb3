"""House rules for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from engine.game import NO_OR_YES, YES_OR_NO, GamePace, HouseRule

HOUSE_RULES = (
    HouseRule("innings", "How many innings?", {"9": "Nine", "6": "Six", "3": "Three"}),
    HouseRule("bankWithZero", "Can you bank no runs?", {"allow": "Yes, Dugout asks twice", "refuse": "No"}, "A1"),
    HouseRule(
        "bankTiming",
        "When can you bank?",
        {"betweenRolls": "Between any two rolls", "afterAtBat": "Only after an at-bat"},
        "A2",
    ),
    HouseRule("stealIntoOccupied", "Steal an occupied base?", {"refuse": "No"}, "A5"),
    HouseRule("doubleStealLoaded", "Double steal with the bases loaded?", {"refuse": "No", "allow": "Yes"}, "A6"),
    HouseRule("sacrificeEmpty", "Sacrifice with nobody on base?", {"refuse": "No", "allow": "Yes"}, "A7"),
    HouseRule(
        "sacrificeTwoOuts",
        "Sacrifice with two outs?",
        {"allow": "Yes", "refuse": "No"},
        "A7",
        "Such a sacrifice always busts.",
    ),
    HouseRule(
        "pinchOrder",
        "What does a pinch hitter change on a hit-and-run?",
        {"pinchFirst": "The printed result", "playFirst": "The result of the play"},
        "A10",
    ),
    HouseRule(
        "pinchTiming",
        "When is a pinch hitter called?",
        {"beforeRoll": "Before the roll", "afterRoll": "After the roll"},
        "A11",
    ),
    HouseRule(
        "reactivation",
        "When does a used pinch hitter come back?",
        {"oncePerGame": "In the first extra inning", "everyExtraInning": "In every extra inning"},
        "A14",
    ),
    HouseRule("skipBottomWhenAhead", "Skip the last bottom half if home is ahead?", YES_OR_NO, "A15"),
    HouseRule(
        "awayTeam", "Who bats first?", {"ask": "Dugout asks", "red": "The red team", "blue": "The blue team"}, "A17"
    ),
    HouseRule("extraCodes", "Triples and home runs on cards?", NO_OR_YES, "A19"),
    HouseRule(
        "pinchWithSacrifice",
        "Pinch hitter on a sacrifice?",
        {"refuse": "No", "allow": "Yes"},
        "A20",
        "ON-BASE then saves a failed one.",
    ),
    HouseRule("pinchStack", "Both pinch hitters in one at-bat?", {"refuse": "No", "allow": "Yes"}, "A21"),
)

PACES = (
    GamePace("quick", "Three innings", 50, {"innings": "3"}),
    GamePace("classic", "Six innings", 100, {"innings": "6"}),
    GamePace("box", "Nine innings", 150, {"innings": "9"}),
)
