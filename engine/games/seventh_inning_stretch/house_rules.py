"""House rules for variants and for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import HouseRuleError
from engine.game import HouseRule

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

RULE_MEANINGS: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("mode", ("season", "extended", "duel"), ""): (
        "A solo season; a solo season with playoff series of up to seven games; or one game between two coaches."
    ),
    ("difficulty", tuple(DIFFICULTIES_BY_VALUE), "A16"): (
        "For a season: the standard rules; a head start in each half; an extra die to call on six times; or runs "
        "behind from the start. You can have more than one only if difficulties can be combined."
    ),
    ("coach", tuple(COACHES_BY_VALUE), "A16"): (
        "For a season: no assistant coach, one who brings a die, or one who removes exhaustion. You can have both "
        "only if difficulties can be combined."
    ),
    ("difficulties", ("single", "combine"), "A16"): (
        "One difficulty and at most one assistant coach; or as many together as you like."
    ),
    ("cards", ("dealt", "real"), ""): "Dugout shuffles and deals; or you draw real cards and enter them.",
    ("stealOutLeadoff", ("same", "next"), "A1"): (
        "After a failed steal for the third out, the same batter leads off the next half, or the next batter does."
    ),
    ("extraBaseOut", ("anyRunner", "preexistingOnly"), "A2"): (
        "A failed extra base can cost any runner, even the batter; or only one who was already on base."
    ),
    ("stealsPerTurn", ("1", "oneOfEach"), "A3"): "One steal attempt per turn, or one for each of the two bases.",
    ("minStealDice", ("1", "0"), "A4"): "The fewest dice for a steal or an extra base; with none it fails.",
    ("tokensPerRoll", ("unlimited", "oneEach"), "A5"): "Any number of tokens on a roll, or at most one of each kind.",
    ("starDieTokens", ("allowed", "none"), "A37"): (
        "Tokens can change the die that decides how many dice a batter brings, or they can't."
    ),
    ("supplyLimit", ("physical", "unlimited"), "A6"): (
        "You have only twelve dice, four tokens of each kind and twelve exhaustion tokens; or only a roll has a limit."
    ),
    ("veteranUses", ("6", "5"), "A7"): "How often a veteran can call on the extra die in a season.",
    ("veteranTiming", ("betweenRolls", "anyTime"), "A14"): (
        "The veteran's die joins the pool only before a roll, or even after the dice are rolled."
    ),
    ("extraInningWalkoff", ("true", "false"), "A11"): (
        "In extra innings a home lead ends the game at once, or only when the inning is over."
    ),
    ("tier2TeamPick", ("top", "choose"), "A12"): (
        "A team bought for the semifinals is the top card of its supply, or any card in it."
    ),
    ("flipBothCost", ("5", "7"), "A13"): "Home Field in both series costs five stars in all, or two plus five.",
    ("coachDiePerRoll", ("true", "false"), "A15"): (
        "The Hitting Coach's die can be used on every roll, or once in a batter's turn."
    ),
    ("subsPerTurn", ("1", "unlimited"), "A17"): "One substitute in a batter's turn, or any number.",
    ("conditionChoice", ("player", "best"), "A19"): (
        "If the dice meet several conditions, the player chooses one, or the best one counts."
    ),
    ("duelFirstBat", ("ask", "agreed"), "A20"): (
        "Dugout asks who bats first before a duel, and a die can decide; or it goes by the seats people took."
    ),
    ("duelEnd", ("walkOff", "bothBat"), "A20"): (
        "A duel ends once the home coach is ahead in the bottom of the last inning; or both always bat equally often."
    ),
    ("duelMinBatters", ("enforce", "shortLineup"), "A21"): (
        "In a duel's last two picks, a coach with eight batters must keep one more if he can; or can play with eight."
    ),
    ("duelPitcher", ("random", "chosen"), "A22"): "In a duel, chance deals the first pitchers, or Visitors choose.",
    ("duelPitcherSub", ("afterBatterSub", "startOfTurn"), "A34"): (
        "In a duel, pitchers change once the batter is known; or as the turn begins, and again after a substitution."
    ),
    ("duelTokenBan", ("thatRoll", "restOfTurn"), "A36"): (
        "After a pitcher's ability, tokens are banned on that roll, or for the rest of the turn."
    ),
    ("scoreToken", ("half", "total"), "A35"): "The board shows the runs of each half, or the running total.",
}
"""Explanation of each rule, by its key, values and ledger number; see `engine.game.HouseRule`."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULE_MEANINGS.items())


def validate_house_rules(house: Mapping[str, str]) -> Mapping[str, str]:
    """Return the house rules. Raises HouseRuleError if they combine more than is allowed (SI-210, A16)."""
    if house["difficulties"] == "single":
        for key, values in (("difficulty", DIFFICULTIES_BY_VALUE), ("coach", COACHES_BY_VALUE)):
            if len(values[house[key]]) > 1:
                raise HouseRuleError(f"{key} can be {house[key]} only with difficulties = combine.")
    return house
