"""House rules for variants and for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import HouseRuleError
from engine.game import GamePace, HouseRule

DIFFICULTIES_BY_VALUE: Mapping[str, frozenset[str]] = {
    "hallOfFamer": frozenset(),
    "rookie": frozenset({"rookie"}),
    "veteran": frozenset({"veteran"}),
    "goat": frozenset({"goat"}),
    "rookieVeteran": frozenset({"rookie", "veteran"}),
    "rookieGoat": frozenset({"rookie", "goat"}),
    "veteranGoat": frozenset({"veteran", "goat"}),
    "rookieVeteranGoat": frozenset({"rookie", "veteran", "goat"}),
}
"""The difficulties in each value of `difficulty` (SI-185 to SI-188)."""

COACHES_BY_VALUE: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    "hitting": frozenset({"hitting"}),
    "pitching": frozenset({"pitching"}),
    "both": frozenset({"hitting", "pitching"}),
}
"""The assistant coaches in each value of `coach` (SI-189 to SI-191)."""

HOUSE_RULES = (
    HouseRule(
        "mode",
        "What do you play?",
        {
            "season": "A season, alone",
            "extended": "A season with long playoffs, alone",
            "duel": "A duel, one game for two",
        },
        "",
        "Long playoffs are series of up to seven games.",
        always_shown=True,
    ),
    HouseRule("duelStart", "Which inning does a duel begin in?", {"1": "The 1st", "4": "The 4th", "7": "The 7th"}),
    HouseRule(
        "difficulty",
        "How hard is the season?",
        {
            "hallOfFamer": "Hall of Famer",
            "rookie": "Rookie",
            "veteran": "Veteran",
            "goat": "GOAT",
            "rookieVeteran": "Rookie and Veteran",
            "rookieGoat": "Rookie and GOAT",
            "veteranGoat": "Veteran and GOAT",
            "rookieVeteranGoat": "All three",
        },
        "A16",
        "A Rookie has a head start in each half; a Veteran, an extra die to call on six times; a GOAT is runs behind "
        "from the start. To have more than one, combine difficulties.",
    ),
    HouseRule(
        "coach",
        "Assistant coach",
        {"none": "None", "hitting": "Hitting Coach", "pitching": "Pitching Coach", "both": "Both"},
        "A16",
        "The Hitting Coach brings a die, the Pitching Coach removes exhaustion. To have both, combine difficulties.",
    ),
    HouseRule(
        "difficulties", "Combine difficulties and coaches?", {"single": "No, one of each", "combine": "Yes"}, "A16"
    ),
    HouseRule(
        "cards",
        "Who holds the cards?",
        {"dealt": "Dugout deals", "real": "Real cards on the table"},
        "",
        "With real cards, enter each once it is shown.",
        always_shown=True,
    ),
    HouseRule(
        "stealOutLeadoff",
        "Who leads off after a failed steal for the third out?",
        {"same": "The same batter", "next": "The next batter"},
        "A1",
    ),
    HouseRule(
        "extraBaseOut",
        "Who can be out on a failed extra base?",
        {"anyRunner": "Any runner, even the batter", "preexistingOnly": "Only who was on base before"},
        "A2",
    ),
    HouseRule("stealsPerTurn", "Steal attempts in a turn", {"1": "One", "oneOfEach": "One for each base"}, "A3"),
    HouseRule(
        "minStealDice", "Fewest dice for a steal or an extra base", {"1": "One", "0": "None, and it fails"}, "A4"
    ),
    HouseRule("tokensPerRoll", "Tokens on one roll", {"unlimited": "Any number", "oneEach": "One of each kind"}, "A5"),
    HouseRule(
        "starDieTokens",
        "Can tokens change the die that says how many dice a batter brings?",
        {"allowed": "Yes", "none": "No"},
        "A37",
    ),
    HouseRule(
        "supplyLimit",
        "Dice and tokens",
        {"physical": "As many as in the box", "unlimited": "No limit but a roll's"},
        "A6",
        "The box has twelve dice, four tokens of each kind and twelve exhaustion tokens.",
    ),
    HouseRule("veteranUses", "Uses of the veteran's die in a season", {"6": "Six", "5": "Five"}, "A7"),
    HouseRule(
        "veteranTiming",
        "When does the veteran's die join?",
        {"betweenRolls": "Before a roll", "anyTime": "Even after a roll"},
        "A14",
    ),
    HouseRule(
        "extraInningWalkoff",
        "Does a home lead end an extra inning at once?",
        {"true": "Yes", "false": "No, at the end of the inning"},
        "A11",
    ),
    HouseRule("tier2TeamPick", "Which semifinal team can you buy?", {"top": "The top one", "choose": "Any one"}, "A12"),
    HouseRule("flipBothCost", "Home Field in both series", {"5": "Five stars", "7": "Seven stars"}, "A13"),
    HouseRule(
        "coachDiePerRoll",
        "How often does the Hitting Coach's die help?",
        {"true": "On every roll", "false": "Once in a batter's turn"},
        "A15",
    ),
    HouseRule("subsPerTurn", "Substitutes in a batter's turn", {"1": "One", "unlimited": "Any number"}, "A17"),
    HouseRule(
        "conditionChoice",
        "Several conditions are met",
        {"player": "The player chooses", "best": "The best one counts"},
        "A19",
    ),
    HouseRule(
        "duelFirstBat",
        "Who bats first in a duel?",
        {"ask": "Dugout asks", "agreed": "The away seat"},
        "A20",
        "If Dugout asks, a die can decide.",
    ),
    HouseRule(
        "duelEnd",
        "How does a duel end?",
        {"walkOff": "Once home leads in the last inning", "bothBat": "Both bat equally often"},
        "A20",
    ),
    HouseRule(
        "duelMinBatters",
        "Eight batters late in a duel's draft",
        {"enforce": "One more must be kept", "shortLineup": "Eight are enough"},
        "A21",
        "In the last two picks, if the coach can.",
    ),
    HouseRule(
        "duelPitcher", "Who picks the first pitchers of a duel?", {"random": "Chance", "chosen": "Visitors"}, "A22"
    ),
    HouseRule(
        "duelPitcherSub",
        "When do pitchers change in a duel?",
        {"afterBatterSub": "Once the batter is known", "startOfTurn": "As the turn begins"},
        "A34",
        "As the turn begins, and then again after a substitution.",
    ),
    HouseRule(
        "duelTokenBan",
        "How long does a pitcher's ability ban tokens?",
        {"thatRoll": "For that roll", "restOfTurn": "For the rest of the turn"},
        "A36",
    ),
    HouseRule(
        "scoreToken",
        "What does the score token show?",
        {"half": "The runs of the half", "total": "The running total"},
        "A35",
    ),
)

PACES = (
    GamePace("quick", "A duel of three innings", 190, {"mode": "duel", "duelStart": "7"}),
    GamePace("classic", "A duel of six innings", 370, {"mode": "duel", "duelStart": "4"}),
    GamePace("box", "A season for one", 490, {"mode": "season", "duelStart": "1"}),
)


def validate_house_rules(house: Mapping[str, str]) -> Mapping[str, str]:
    """Return the house rules. Raises HouseRuleError if they combine more than is allowed (SI-210, A16)."""
    rules = {rule.key: rule for rule in HOUSE_RULES}
    if house["difficulties"] == "single":
        for key, values in (("difficulty", DIFFICULTIES_BY_VALUE), ("coach", COACHES_BY_VALUE)):
            if len(values[house[key]]) > 1:
                chosen, needed = rules[key].value_in_words(house[key]), rules["difficulties"].value_in_words("combine")
                raise HouseRuleError(f'"{chosen}" needs "{needed}".')
    return house
