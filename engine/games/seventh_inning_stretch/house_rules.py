"""House rules of 7th Inning Stretch: variants, and rulings where the rulebook is silent. Defaults come first."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import HouseRuleError
from engine.game import HouseRule

LEVELS: Mapping[str, frozenset[str]] = {
    "hallOfFamer": frozenset(),
    "rookie": frozenset({"rookie"}),
    "veteran": frozenset({"veteran"}),
    "goat": frozenset({"goat"}),
    "rookieVeteran": frozenset({"rookie", "veteran"}),
    "rookieGoat": frozenset({"rookie", "goat"}),
    "veteranGoat": frozenset({"veteran", "goat"}),
    "rookieVeteranGoat": frozenset({"rookie", "veteran", "goat"}),
}
"""The difficulties that each value of `difficulty` stands for (SI-185 to SI-188)."""

COACHES: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    "hitting": frozenset({"hitting"}),
    "pitching": frozenset({"pitching"}),
    "both": frozenset({"hitting", "pitching"}),
}
"""The assistant coaches that each value of `coach` stands for (SI-189 to SI-191)."""

RULES: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("mode", ("season", "extended", "duel"), ""): (
        "A season alone; a season with playoffs of up to seven games a series; or one game of two coaches."
    ),
    ("difficulty", tuple(LEVELS), "A16"): (
        "Of a season: the standard rules; a start in each half; a die to call on six times; or runs behind from the "
        "start. More than one together only where difficulties can be combined."
    ),
    ("coach", tuple(COACHES), "A16"): (
        "Of a season: no assistant coach, one with a die that is always there, or one who takes exhaustion off. Both "
        "only where difficulties can be combined."
    ),
    ("difficulties", ("single", "combine"), "A16"): (
        "One difficulty and at most one assistant coach; or as many together as you like."
    ),
    ("cards", ("dealt", "real"), ""): "The machine shuffles and deals; or real cards are drawn on the table and named.",
    ("stealOutLeadoff", ("same", "next"), "A1"): (
        "After a failed steal for the third out the same batter leads off the next half, or the next one does."
    ),
    ("extraBaseOut", ("anyRunner", "preexistingOnly"), "A2"): (
        "A failed extra base costs any runner, the batter too; or only one who was on base before."
    ),
    ("stealsPerTurn", ("1", "oneOfEach"), "A3"): "One attempt to steal in a turn, or one for each of the two bases.",
    ("minStealDice", ("1", "0"), "A4"): "The fewest dice for a steal or an extra base; with none it fails.",
    ("tokensPerRoll", ("unlimited", "oneEach"), "A5"): "Any number of tokens on a roll, or one of each kind at most.",
    ("starDieTokens", ("allowed", "none"), "A37"): (
        "Tokens may change the die that says how many dice a batter brings, or they may not."
    ),
    ("supplyLimit", ("physical", "unlimited"), "A6"): (
        "Twelve dice, four tokens of each kind and twelve of exhaustion are all there are; or only a roll has a limit."
    ),
    ("veteranUses", ("6", "5"), "A7"): "How often in a season a veteran can call on the extra die.",
    ("veteranTiming", ("betweenRolls", "anyTime"), "A14"): (
        "The veteran's die joins the pool before a roll, or also while a roll lies there."
    ),
    ("extraInningWalkoff", ("true", "false"), "A11"): (
        "In extra innings a home lead ends the game at once, or only when the inning is over."
    ),
    ("tier2TeamPick", ("top", "choose"), "A12"): (
        "A team bought for the semi-finals is the top card of its supply, or any of them."
    ),
    ("flipBothCost", ("5", "7"), "A13"): "What Home Field in both series costs in all: five stars, or two and five.",
    ("coachDiePerRoll", ("true", "false"), "A15"): (
        "The Hitting Coach's die can be used in every roll, or once in a batter's turn."
    ),
    ("subsPerTurn", ("1", "unlimited"), "A17"): "One substitute in a batter's turn, or as many as you like.",
    ("conditionChoice", ("player", "best"), "A19"): (
        "Where dice meet several conditions the player chooses one, or the best counts."
    ),
    ("duelFirstBat", ("ask", "agreed"), "A20"): (
        "Who bats first is asked before a duel, and a die may say; or the seats people took decide."
    ),
    ("duelEnd", ("walkOff", "bothBat"), "A20"): (
        "A duel ends when the home coach is ahead in the last bottom; or both always bat equally often."
    ),
    ("duelMinBatters", ("enforce", "shortLineup"), "A21"): (
        "In a duel's last two picks whoever has eight batters keeps a batter if he holds one; or may play with eight."
    ),
    ("duelPitcher", ("random", "chosen"), "A22"): "In a duel chance gives out the first pitchers, or Visitors choose.",
    ("duelPitcherSub", ("afterBatterSub", "startOfTurn"), "A34"): (
        "In a duel pitchers change once it is known who bats; or as the turn begins, and again after a substitution."
    ),
    ("duelTokenBan", ("thatRoll", "restOfTurn"), "A36"): (
        "After a pitcher's ability tokens are banned on that roll, or for the rest of the turn."
    ),
    ("scoreToken", ("half", "total"), "A35"): "The board shows the runs of each half, or what they add up to.",
}
"""The key, values and ledger number of each rule, and what each value does; see engine.game.HouseRule."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULES.items())


def checked(house: Mapping[str, str]) -> Mapping[str, str]:
    """Return the house rules. Raises HouseRuleError if they combine more than is allowed (SI-210, A16)."""
    if house["difficulties"] == "single":
        for key, values in (("difficulty", LEVELS), ("coach", COACHES)):
            if len(values[house[key]]) > 1:
                raise HouseRuleError(f"{key} can be {house[key]} only where difficulties is combine.")
    return house
