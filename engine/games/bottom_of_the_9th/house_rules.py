"""House rules: points where the rulebook is silent. The first value is the default."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import HouseRule, RaceRules

RULES: Mapping[tuple[str, tuple[str, ...], str], str] = {
    ("crushNeedsContact", ("false", "true"), "A1"): (
        "A natural 6 crushes any pitch, or only one that would be contact without it."
    ),
    ("aceNeedsBothParts", ("true", "false"), "A2"): "The ace ability needs the whole ace pitch, or either part of it.",
    ("bottomRow", ("3", "2", "4", "5"), "A3"): "How many rows the fatigue tokens have below the top one, row 0.",
    ("reliefRow", ("1", "0"), "A3"): "The row where a reliever's fatigue begins, and above which it never goes.",
    ("runnersOnHit", ("equalBases", "forcedOnly"), "A4"): (
        "On a hit runners go as many bases as the batter, or only where they are pushed."
    ),
    ("runnersOnOut", ("hold",), "A5"): "On an out runners stay where they are.",
    ("raceDecidedBy", ("call", "die"), "A7"): (
        "The first call that a winning die backs wins the race; or the first winning die to lie still, called or not."
    ),
    ("falseCallPenalty", ("none",), "A7"): "A call that no winning die backs costs nothing: roll again.",
    ("raceReferee", ("buttons", "camera"), "A7"): (
        "Players call, and the camera backs it, or the table is asked; or nobody calls, and the first winning die "
        "wins that the camera sees lie still."
    ),
    ("raceTieWindowMs", ("40", "0", "20", "80", "120"), "A8"): (
        "Calls this many thousandths of a second apart, or fewer, are simultaneous, and the batter is safe."
    ),
    ("dieBounds", ("clamp", "refuse"), "A9"): "A die changed beyond 1 or 6 stops there, or that change does not count.",
    ("abilityTriggers", ("natural", "final"), "A10"): (
        "Abilities look at dice as they fell, or as they are after other abilities."
    ),
    ("relief", ("optional", "compulsory"), "A11"): "The pitcher takes any part of the relief, or all that fits.",
    ("benchTiming", ("atBatEnd", "everyPitch"), "A12"): (
        "The pitcher may be benched after an at-bat, or after any pitch."
    ),
    ("infieldPositions", ("withoutCatcher", "withCatcher"), "A13"): (
        "Whether a card marked infield, or utility, may also catch."
    ),
    ("draft", ("open", "simultaneous"), "A14"): (
        "Home picks in the open and first, or both sides' picks stay hidden until all are made."
    ),
    ("tokens", ("secret", "open"), "A14"): (
        "Pitch and guess are entered in secret; or real tokens are turned over first, and entered openly."
    ),
    ("solo", ("off",), "A15"): "Both seats play; the published solo game is not in Dugout.",
    ("bothUnopposed", ("sequential", "raceAtOnce"), "A16"): (
        "When the batter's unopposed roll fails, the pitcher's comes next, or the race."
    ),
    ("traitsOnUnopposed", ("true", "false"), "A17"): "Whether what lets a 4 win the race counts for an unopposed roll.",
    ("modOrder", ("sumThenClamp", "clampEachStep"), "A19"): (
        "Changes of one die are added up and then kept within 1 to 6; or one by one, its owner's first."
    ),
    ("pitchingDie", ("BBSSSC", "BBSSCC", "BBBSSC"), "A20"): (
        "The faces of the pitching die, where Dugout throws it. A real die shows what it shows."
    ),
    ("strictPitcherRoles", ("true", "false"), "A22"): "Whether a pitcher marked for one role may not fill the other.",
    ("fatigueStep", ("1", "2"), "A23"): "How many rows a throw moves a fatigue token.",
    ("sideSelection", ("seats",), "A25"): "Who sits at home bats; agree before you sit down.",
    ("raceMode", ("realtime", "alternate"), "A27"): (
        "First to call; or without haste: both roll in turn until only one of the two dice wins."
    ),
    ("bonusModifiers", ("cardOnly", "swingToo"), "A28"): (
        "The bonus roll is changed only by cards that name it, or by whatever changes the swing."
    ),
    ("traitsNeedToken", ("false", "true"), "A29"): "Whether traits work only while their player holds a token.",
}
"""The key, values and ledger number of each rule, and what each value does; see engine.game.HouseRule."""

HOUSE_RULES = tuple(HouseRule(*rule, meaning) for rule, meaning in RULES.items())

FORMER = {("solo", "houseBot"): {"solo": "off", "raceMode": "alternate"}}
"""Games for one, whose away seat a pitcher of the table played; who played alone raced in turn."""


def race_rules(house: Mapping[str, str]) -> RaceRules:
    """Return how the race at first base is decided (A7, A8)."""
    silent = house["raceReferee"] == "camera"
    return RaceRules(float(house["raceTieWindowMs"]) / 1000, silent or house["raceDecidedBy"] == "die", silent)
