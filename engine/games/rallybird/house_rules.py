"""House rules for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from engine.game import NO_OR_YES, GamePace, HouseRule

HOUSE_RULES = (
    HouseRule(
        "startInning",
        "Which inning does the game begin in?",
        {
            "7": "The 7th",
            "1": "The 1st",
            "2": "The 2nd",
            "3": "The 3rd",
            "4": "The 4th",
            "5": "The 5th",
            "6": "The 6th",
            "8": "The 8th",
            "9": "The 9th",
        },
        "A20",
    ),
    HouseRule(
        "visitor",
        "Who bats first?",
        {"ask": "Dugout asks", "agreed": "The away seat"},
        "A19",
        "If Dugout asks, a die can decide.",
    ),
    HouseRule("beginner", "Leave out the card that isn't for beginners?", NO_OR_YES, "A15"),
    HouseRule(
        "cards",
        "Who holds the At Bat cards?",
        {"secret": "Phones", "real": "Real cards on the table"},
        "A18",
        "With real cards, enter each once it is shown.",
        always_shown=True,
    ),
    HouseRule(
        "glovePlacement",
        "How many Gloves are placed?",
        {"oneEachAll": "All in play", "oneEachOptional": "As many as you like"},
        "A5",
        "Never two on one zone.",
    ),
    HouseRule(
        "needsRunner",
        "A card that needs a runner who isn't there",
        {"refuse": "It can't be played", "skip": "That part is skipped"},
        "A6",
    ),
    HouseRule(
        "stealIntoOccupied",
        "Steal an occupied base?",
        {"refuse": "No", "doubleSteal": "Yes, the runner there moves up"},
        "A23",
    ),
    HouseRule("runOnThirdOut", "Do runs count on the third out?", NO_OR_YES, "A16"),
    HouseRule(
        "gloveChangeOn",
        "When does a Glove change?",
        {"cardSuccess": "When the card advances somebody", "anyAdvance": "When anybody advances"},
        "A8",
    ),
    HouseRule(
        "lastGlove",
        "Which Glove is never removed?",
        {"lastInPlay": "The last one in play", "lastBackSide": "The last with its back up"},
        "A10",
    ),
    HouseRule(
        "bottomNinth",
        "When is the bottom of the ninth skipped?",
        {"homeLeadOnly": "When home leads", "anyLead": "When either side leads"},
        "A1",
    ),
    HouseRule(
        "walkOff",
        "Does a home lead in the last bottom half end the game at once?",
        {"true": "Yes", "false": "No, at the end of the half"},
        "A2",
    ),
    HouseRule("rallyBird", "Play with the RallyBird?", {"on": "Yes", "off": "No"}, "A17"),
    HouseRule(
        "rallyOn", "What can the RallyBird reroll?", {"any": "Any roll", "failedOnly": "Only a failed roll"}, "A17"
    ),
    HouseRule("rallyExtraInnings", "Does the RallyBird fly in extra innings?", NO_OR_YES, "A13"),
    HouseRule(
        "rallyHomeRun",
        "The RallyBird on a card with two rolls",
        {"failedRoll": "Rerolls the last one", "bothRolls": "Starts over with the first"},
        "A11",
    ),
)

PACES = (
    GamePace("quick", "The ninth inning alone", 70, {"startInning": "9"}),
    GamePace("classic", "The last two innings", 90, {"startInning": "8"}),
    GamePace("box", "Three innings", 110, {"startInning": "7"}),
)
