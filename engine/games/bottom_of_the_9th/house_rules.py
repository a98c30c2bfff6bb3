"""House rules for the gaps in the rulebook. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import HouseRule, RaceRules

RULE_MEANINGS: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("crushNeedsContact", ("false", "true"), "A1"): (
        "A natural 6 crushes any pitch, or only one that would be contact anyway."
    ),
    ("aceNeedsBothParts", ("true", "false"), "A2"): "The ace ability needs the whole ace pitch, or either part of it.",
    ("bottomRow", ("3", "2", "4", "5"), "A3"): "How many rows the fatigue track has below the top one, row 0.",
    ("reliefRow", ("1", "0"), "A3"): "The row where a reliever's fatigue starts. Rest never takes it any higher.",
    ("runnersOnHit", ("equalBases", "forcedOnly"), "A4"): (
        "On a hit, runners advance as many bases as the batter, or only when forced."
    ),
    ("runnersOnOut", ("hold",), "A5"): "On an out, runners hold.",
    ("raceDecidedBy", ("call", "die"), "A7"): (
        "The first call that a winning die backs wins the race; or the first winning die at rest, called or not."
    ),
    ("falseCallPenalty", ("none",), "A7"): "A false call costs nothing: roll again.",
    ("raceReferee", ("buttons", "camera"), "A7"): (
        "Players call, and the camera or a question confirms it; or nobody calls, and the first winning die that the "
        "camera sees at rest wins."
    ),
    ("raceTieWindowMs", ("40", "0", "20", "80", "120"), "A8"): (
        "Calls at most this many milliseconds apart are a tie, and the batter is safe."
    ),
    ("dieBounds", ("clamp", "refuse"), "A9"): "A die changed past 1 or 6 stops there, or the change doesn't count.",
    ("abilityTriggers", ("natural", "final"), "A10"): (
        "Abilities look at the dice as rolled, or as changed by other abilities."
    ),
    ("relief", ("optional", "compulsory"), "A11"): "The pitcher takes any part of the relief, or all that fits.",
    ("benchTiming", ("atBatEnd", "everyPitch"), "A12"): (
        "The pitcher can be benched after an at-bat, or after any pitch."
    ),
    ("infieldPositions", ("withoutCatcher", "withCatcher"), "A13"): (
        "Whether a card marked infield or utility can also catch."
    ),
    ("draft", ("open", "simultaneous"), "A14"): (
        "Home picks first, in the open; or both sides' picks stay hidden until all are made."
    ),
    ("tokens", ("secret", "open"), "A14"): (
        "Pitch and guess are entered in secret; or you reveal real tokens first and enter them in the open."
    ),
    ("solo", ("off",), "A15"): "Both seats play. Dugout doesn't have the published solo game.",
    ("bothUnopposed", ("sequential", "raceAtOnce"), "A16"): (
        "When the batter's unopposed roll fails, the pitcher's comes next, or the race does."
    ),
    ("traitsOnUnopposed", ("true", "false"), "A17"): "Whether an ability to win with a 4 counts for an unopposed roll.",
    ("modOrder", ("sumThenClamp", "clampEachStep"), "A19"): (
        "Changes to one die are added up, then kept within 1 to 6; or applied one by one, its owner's first."
    ),
    ("pitchingDie", ("BBSSSC", "BBSSCC", "BBBSSC"), "A20"): (
        "The faces of the pitching die when Dugout rolls it. A real die has its own."
    ),
    ("strictPitcherRoles", ("true", "false"), "A22"): "Whether a pitcher marked for one role is barred from the other.",
    ("fatigueStep", ("1", "2"), "A23"): "How many rows a pitch moves a fatigue token.",
    ("sideSelection", ("seats",), "A25"): "The home seat bats. Agree on who takes it before you sit down.",
    ("raceMode", ("realtime", "alternate"), "A27"): (
        "The first to call wins; or, with no rush, both take turns rolling until only one of the two dice wins."
    ),
    ("bonusModifiers", ("cardOnly", "swingToo"), "A28"): (
        "The bonus roll is changed only by cards that name it, or by anything that changes the swing."
    ),
    ("traitsNeedToken", ("false", "true"), "A29"): "Whether traits work only while their player holds a token.",
}
"""Explanation of each rule, by its key, values and ledger number; see `engine.game.HouseRule`."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULE_MEANINGS.items())

FORMER_HOUSE_RULES = {("solo", "houseBot"): {"solo": "off", "raceMode": "alternate"}}
"""Replacements for old solo games, in which the table pitched for the away seat and races went by turns."""


def race_rules(house: Mapping[str, str]) -> RaceRules:
    """Return the rules that decide the race at first base (A7, A8)."""
    silent = house["raceReferee"] == "camera"
    return RaceRules(float(house["raceTieWindowMs"]) / 1000, silent or house["raceDecidedBy"] == "die", silent)
