"""House rules for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import NO_OR_YES, YES_OR_NO, GamePace, HouseRule, RaceRules

HOUSE_RULES = (
    HouseRule(
        "crushNeedsContact",
        "What does a natural 6 crush?",
        {"false": "Any pitch", "true": "Only one that would be contact"},
        "A1",
    ),
    HouseRule(
        "aceNeedsBothParts",
        "When does the ace ability work?",
        {"true": "On the whole ace pitch", "false": "On either part of it"},
        "A2",
    ),
    HouseRule(
        "bottomRow", "Rows of the fatigue track below row 0", {"3": "Three", "2": "Two", "4": "Four", "5": "Five"}, "A3"
    ),
    HouseRule(
        "reliefRow",
        "Where does a reliever's fatigue start?",
        {"1": "In row 1", "0": "In row 0"},
        "A3",
        "Rest never takes it any higher.",
    ),
    HouseRule(
        "runnersOnHit",
        "How far do runners go on a hit?",
        {"equalBases": "As far as the batter", "forcedOnly": "Only when forced"},
        "A4",
    ),
    HouseRule("runnersOnOut", "Runners on an out", {"hold": "They hold"}, "A5"),
    HouseRule(
        "raceDecidedBy",
        "What wins the race?",
        {"call": "The first right call", "die": "The first winning die"},
        "A7",
        "A call is right if a winning die backs it. A die wins at rest, called or not.",
    ),
    HouseRule("falseCallPenalty", "Cost of a false call", {"none": "None"}, "A7"),
    HouseRule(
        "raceReferee",
        "Who sees who won the race?",
        {"buttons": "The players call it", "camera": "The camera alone"},
        "A7",
        "The camera or a question confirms a call. By the camera alone, the first winning die it sees at rest wins.",
    ),
    HouseRule(
        "raceTieWindowMs",
        "How close is a tie?",
        {
            "40": "40 milliseconds",
            "0": "No ties",
            "20": "20 milliseconds",
            "80": "80 milliseconds",
            "120": "120 milliseconds",
        },
        "A8",
        "Calls at most this far apart are a tie, and the batter is safe.",
    ),
    HouseRule(
        "dieBounds",
        "A die changed past 1 or 6",
        {"clamp": "It stops there", "refuse": "The change doesn't count"},
        "A9",
    ),
    HouseRule(
        "abilityTriggers",
        "Which dice do abilities look at?",
        {"natural": "As they were rolled", "final": "As other abilities changed them"},
        "A10",
    ),
    HouseRule("relief", "Rest between at-bats", {"optional": "Any part of it", "compulsory": "All that fits"}, "A11"),
    HouseRule(
        "benchTiming",
        "When can the pitcher be benched?",
        {"atBatEnd": "After an at-bat", "everyPitch": "After any pitch"},
        "A12",
    ),
    HouseRule(
        "infieldPositions",
        "Can infield and utility players catch?",
        {"withoutCatcher": "No", "withCatcher": "Yes"},
        "A13",
    ),
    HouseRule(
        "draft",
        "How are players picked?",
        {"open": "In the open, home first", "simultaneous": "Hidden until all are picked"},
        "A14",
    ),
    HouseRule(
        "tokens",
        "How are pitch and guess chosen?",
        {"secret": "In secret, on Dugout", "open": "With real tokens"},
        "A14",
        "With real tokens, reveal them first and enter them in the open.",
        always_shown=True,
    ),
    HouseRule("solo", "Solo game", {"off": "Not available"}, "A15"),
    HouseRule(
        "bothUnopposed",
        "Unopposed roll fails for the batter",
        {"sequential": "The pitcher rolls alone", "raceAtOnce": "The race begins"},
        "A16",
    ),
    HouseRule("traitsOnUnopposed", "Do abilities to win with a 4 count for an unopposed roll?", YES_OR_NO, "A17"),
    HouseRule(
        "modOrder",
        "Several changes to one die",
        {"sumThenClamp": "Added up first", "clampEachStep": "One by one, its owner's first"},
        "A19",
        "A sum is kept within 1 to 6.",
    ),
    HouseRule(
        "pitchingDie",
        "Faces of the pitching die",
        {
            "BBSSSC": "B B S S S C",
            "BBSSCC": "B B S S C C",
            "BBBSSC": "B B B S S C",
        },
        "A20",
        "For a die that Dugout rolls. A real die has its own.",
    ),
    HouseRule(
        "strictPitcherRoles",
        "Are starters and relievers kept apart?",
        YES_OR_NO,
        "A22",
        "A pitcher marked for one role is then barred from the other.",
    ),
    HouseRule("fatigueStep", "How much does a pitch tire?", {"1": "One row", "2": "Two rows"}, "A23"),
    HouseRule("sideSelection", "Who bats?", {"seats": "The home seat"}, "A25"),
    HouseRule(
        "raceMode",
        "How is the race rolled?",
        {"realtime": "Both at once", "alternate": "By turns"},
        "A27",
        "By turns, there is no rush: both roll in turn until only one of the two dice wins.",
    ),
    HouseRule(
        "bonusModifiers",
        "What changes the bonus roll?",
        {"cardOnly": "Only cards that name it", "swingToo": "Whatever changes the swing"},
        "A28",
    ),
    HouseRule(
        "traitsNeedToken",
        "Do traits need a token?",
        NO_OR_YES,
        "A29",
        "Traits then work only while their player holds a token.",
    ),
)

PACES = (
    GamePace("quick", "The race goes by turns", 50, {"raceMode": "alternate"}),
    GamePace("classic", "The same as in the box, which is short", 50, {"raceMode": "realtime"}),
    GamePace("box", "One half-inning, and a race that the faster call wins", 50, {"raceMode": "realtime"}),
)

FORMER_HOUSE_RULES = {("solo", "houseBot"): {"solo": "off", "raceMode": "alternate"}}
"""Replacements for old solo games, in which the table pitched for the away seat and races went by turns."""


def race_rules(house: Mapping[str, str]) -> RaceRules:
    """Return the rules that decide the race at first base (A7, A8)."""
    silent = house["raceReferee"] == "camera"
    return RaceRules(float(house["raceTieWindowMs"]) / 1000, silent or house["raceDecidedBy"] == "die", silent)
