"""House rules of Clutch, for variants and where the rulebook is silent. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.game import NO_OR_YES, YES_OR_NO, GamePace, HouseRule


def no_limit_or(limits: Iterable[int]) -> Mapping[str, str]:
    """Return the labels of a rule with these limits, and with none by default."""
    return {"none": "No limit"} | {str(most): str(most) for most in limits}


_RULES_BY_HEADING: Mapping[str, tuple[HouseRule, ...]] = {
    "What you play": (
        HouseRule(
            "level",
            "What do you play with?",
            {"full": "The full game", "players": "Player cards only", "basic": "The basic game"},
            "",
            "The basic game leaves out intentional walks, bunts, infield in and fatigue between games.",
        ),
        HouseRule(
            "startInning",
            "Which inning does the game begin in?",
            {"1": "The 1st", "4": "The 4th", "7": "The 7th"},
        ),
        HouseRule(
            "hands",
            "Who holds the strategy cards?",
            {"dealt": "Phones", "real": "Real cards on the table"},
            "",
            "Dugout shuffles and deals to the phones. With real cards, enter each card played.",
            always_shown=True,
        ),
        HouseRule(
            "windows",
            "Who is asked about cards?",
            {"usable": "Anyone who can play one", "always": "Everybody, every time"},
            "",
            "If everybody is asked every time, nobody learns anything from who is asked.",
        ),
        HouseRule(
            "format",
            "Rosters",
            {
                "26-man": "26 players for 6000",
                "20-man": "20 players for 5000",
                "all-star": "30 players at any price",
                "open": "Any roster",
            },
        ),
        HouseRule(
            "leagueOnly",
            "Card sets",
            {"off": "All", "on": "League sets only"},
            "",
            "League sets are those that a league allows.",
        ),
        HouseRule(
            "series",
            "How many games?",
            {
                "1": "One",
                "2": "Up to 2",
                "3": "Best of 3",
                "4": "Up to 4",
                "5": "Best of 5",
                "6": "Up to 6",
                "7": "Best of 7",
            },
            "",
            "A series ends once a manager has won more than half of its games.",
            always_shown=True,
        ),
        HouseRule(
            "weather",
            "Weather",
            {"off": "None", "on": "A card before the game"},
            "AM-51",
            "The card says how long the weather lasts.",
        ),
    ),
    "Timing and substitutions": (
        HouseRule(
            "ibbWindow",
            "When is an intentional walk decided?",
            {"afterSubs": "Once the batter is known", "beforeBox": "Before the batter steps in"},
            "AM-01",
        ),
        HouseRule("buntAfterStealCards", "Bunt after a steal with cards?", YES_OR_NO, "AM-02"),
        HouseRule(
            "lateSubReplies",
            "Substitutions in reply to a card",
            {"oneEach": "One each", "unlimited": "Any number", "none": "None"},
            "AM-03",
            "In each at-bat, after the other side plays a card.",
        ),
        HouseRule("returnedCardCountsAsPlayed", "Does a card taken back count as played?", NO_OR_YES, "AM-04"),
        HouseRule("subLockInning", "When do substitutions begin?", {"4": "The fourth", "0": "From the start"}, "AM-05"),
        HouseRule(
            "subLockExempt",
            "Who can come out before substitutions begin?",
            {"opAndAnyTired": "Openers and all tired pitchers", "opAndTiredSp": "Openers and tired starters"},
            "AM-05",
        ),
        HouseRule(
            "positionMovesBefore4th", "Can fielders swap positions before substitutions begin?", YES_OR_NO, "AM-06"
        ),
        HouseRule(
            "ibbCountsAsFaced",
            "Does an intentional walk count as a batter faced?",
            YES_OR_NO,
            "AM-07",
            "A pitcher has to face three.",
        ),
        HouseRule("opRequiresBp", "Must a bulk pitcher follow an opener?", YES_OR_NO, "AM-08"),
        HouseRule(
            "rotationMayRelieve",
            "Can a pitcher of the rotation relieve?",
            {"never": "No", "ifRpRole": "If his card has an inning limit for it"},
            "AM-09",
        ),
        HouseRule(
            "emptyBullpen",
            "A pitcher is removed and nobody can relieve him",
            {"stays": "He stays in", "forfeit": "Forfeit"},
        ),
        HouseRule("positionPlayerPitching", "Can a position player pitch?", {"false": "No"}, "AM-10"),
        HouseRule("outOfPositionRating", "Fielding out of position", {"-3": "−3"}, "AM-11"),
        HouseRule(
            "dhMayField",
            "Can the designated hitter take the field?",
            {"never": "Never", "toAvoidForfeit": "Only to avoid a forfeit"},
            "AM-12",
        ),
        HouseRule("twoWay", "Two-way players", {"linkedFaces": "Two cards, one player"}, "AM-13"),
        HouseRule(
            "tiredStarter",
            "Can a tired pitcher start?",
            {"onlyIfNoneFresh": "Only if no starter is rested", "always": "Any time"},
            "AM-14",
        ),
    ),
    "Setup": (
        HouseRule(
            "starter", "Who names the starter?", {"agree": "The manager names him", "d20": "A d20 picks him"}, "AM-16"
        ),
        HouseRule(
            "maxMulligans",
            "How many mulligans?",
            {"5": "Five", "4": "Four", "3": "Three", "2": "Two", "1": "One", "0": "None"},
            "AM-18",
        ),
        HouseRule(
            "drawPerHalf",
            "Who draws after a half-inning?",
            {"each": "Both", "sideThatBatted": "The side that batted"},
            "AM-19",
        ),
        HouseRule("minBullpen", "Smallest bullpen", {"0": "Any number", "7": "Seven"}, "AM-21"),
        HouseRule(
            "maxBattery",
            "Highest battery rating",
            no_limit_or(range(8, 17)),
            "AM-23",
            "Catcher plus pitcher, before cards.",
        ),
        HouseRule("maxInfield", "Highest infield rating", no_limit_or(range(6, 15)), "AM-23", "Before cards."),
        HouseRule("maxOutfield", "Highest outfield rating", no_limit_or(range(4, 13)), "AM-23", "Before cards."),
    ),
    "Numbers and fatigue": (
        HouseRule(
            "cap",
            "How far can cards move a number?",
            {"3": "By 3", "none": "No limit"},
            "AM-26",
            "The cards of one manager.",
        ),
        HouseRule("capSingleCard", "Is a single card capped, too?", YES_OR_NO, "AM-26"),
        HouseRule("capCountsStadium", "Do stadium and weather count toward the cap?", NO_OR_YES, "AM-26"),
        HouseRule(
            "capMode", "What is capped?", {"perDirection": "Bonuses and penalties apart", "net": "Their total"}, "AM-26"
        ),
        HouseRule(
            "commandFloorAfterCards",
            "When does command stop at 0?",
            {"false": "Before cards change it", "true": "After cards change it"},
            "AM-28",
        ),
        HouseRule(
            "tiredStep",
            "When does a tired pitcher get worse?",
            {"byOuts": "Every three outs", "byInning": "Every inning started"},
            "AM-29",
        ),
        HouseRule(
            "ipCardUntires",
            "Can a card with innings help a tired pitcher?",
            YES_OR_NO,
            "AM-31",
            "He is already past his limit.",
        ),
        HouseRule(
            "enterTiredStack",
            "A pitcher comes in tired and passes his limit",
            {"add": "Both penalties", "zeroIp": "Past his limit at once", "max": "Only the worse penalty"},
            "AM-32",
            "The penalties are for both reasons to be tired.",
        ),
        HouseRule("qaInCap", "Does a Quality Appearance count toward the cap on innings?", NO_OR_YES, "AM-33"),
        HouseRule(
            "ipCapScope", "Cap on innings from cards", {"pitcher": "Per pitcher", "manager": "Per side"}, "AM-33"
        ),
        HouseRule(
            "qaRuns",
            "Which runs does a Quality Appearance look at?",
            {"allCharged": "All runs charged", "earned": "Earned runs"},
            "AM-34",
        ),
    ),
    "Cards": (
        HouseRule(
            "changeLimitScope",
            "What can a manager change once in an at-bat?",
            {"atBatResult": "The at-bat's result", "anyResult": "Any result"},
            "AM-39",
            "Any result includes throws and checks.",
        ),
        HouseRule(
            "changePriority",
            "Who can change a result first?",
            {"defense": "The side in the field", "sideHarmed": "The side it hurts"},
            "AM-40",
        ),
        HouseRule("negatedCostReturned", "Is the cost of a negated card returned?", NO_OR_YES, "AM-46"),
        HouseRule("hbpIsWalk", "Does a hit batter count as walked?", YES_OR_NO),
        HouseRule(
            "benchCoachHalves",
            "How long does a bench coach help?",
            {"currentPlusOne": "This half and the next", "twoFull": "This half and the next two"},
            "AM-41",
        ),
        HouseRule("coachUses", "Uses of a coach in a game", {"1": "Once", "unlimited": "Any number of times"}, "AM-42"),
    ),
    "Fielding and running": (
        HouseRule("extraBaseLimit", "Extra bases to try for on a hit", {"1": "One"}, "AM-53"),
        HouseRule(
            "thirdOutRuns",
            "A runner is thrown out for the third out",
            {"timePlay": "Other runs count", "none": "No runs count"},
            "AM-59",
        ),
        HouseRule(
            "gbThirdOutScores",
            "Does a run count on a ground ball that ends the inning?",
            NO_OR_YES,
            "AM-60",
            "The out is made at first base or with a double play.",
        ),
        HouseRule(
            "dpAuto",
            "When is a double play tried?",
            {"true": "Whenever possible", "false": "The defense decides"},
            "AM-61",
        ),
        HouseRule("infieldInHomeBonus", "Speed bonus toward home with the infield in", {"3": "3", "6": "6"}, "AM-63"),
    ),
    "Steals, walks, bunts, infield in": (
        HouseRule(
            "csLeadoff",
            "Who leads off after a failed steal for the third out?",
            {"sameBatter": "The same batter", "nextBatter": "The next batter"},
            "AM-68",
        ),
        HouseRule("stealsPerAtBat", "Steals in an at-bat", {"1": "Once", "unlimited": "Any number of times"}, "AM-69"),
        HouseRule(
            "ibbRowBonusGrows",
            "Does the bonus grow with intentional walks in a row?",
            NO_OR_YES,
            "AM-70",
            "From the third in a row on.",
        ),
        HouseRule(
            "buntNeedsAdvance",
            "When is a bunt allowed?",
            {"true": "With fewer than two outs and a runner who can move up", "false": "Always"},
            "AM-72",
        ),
        HouseRule("buntSoChangeable", "Can cards change the strikeout of a missed bunt?", YES_OR_NO, "AM-73"),
        HouseRule(
            "infieldInConcede",
            "The batter, if the infield doesn't throw home",
            {"batterOut": "Out", "batterSafe": "Safe"},
            "AM-75",
        ),
        HouseRule("infieldInR2MayFollow", "Can the runner on second follow one sent home?", NO_OR_YES, "AM-76"),
    ),
    "Endings, and rest between games": (
        HouseRule(
            "autoRunnerFromInning",
            "When do halves start with a runner on second?",
            {"10": "From the 10th", "0": "Never", "11": "From the 11th", "12": "From the 12th"},
            "AM-78",
        ),
        HouseRule(
            "walkoffRuns",
            "Runs on a walk-off hit",
            {"baseball": "Only the winning run", "allOnPlay": "All runs on the play"},
            "AM-79",
            "A home run always scores everybody.",
        ),
        HouseRule("tiredGameCountsAsRest", "Does a game worked tired count as rest?", NO_OR_YES, "AM-81"),
        HouseRule(
            "ibbOnlyIsRest",
            "Has a pitcher rested who only walked batters intentionally?",
            YES_OR_NO,
            "AM-82",
            "If so, only pitches to a batter count for more innings.",
        ),
    ),
}

HOUSE_RULES = tuple(replace(rule, under=heading) for heading, rules in _RULES_BY_HEADING.items() for rule in rules)

PACES = (
    GamePace("quick", "Player cards only, from the 7th inning on", 130, {"level": "players", "startInning": "7"}),
    GamePace("classic", "All cards, from the 4th inning on", 360, {"level": "full", "startInning": "4"}),
    GamePace("box", "All cards, nine innings", 480, {"level": "full", "startInning": "1"}),
)
