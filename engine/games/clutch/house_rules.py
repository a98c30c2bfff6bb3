"""House rules of Clutch: what a table agrees on, and rulings where the rulebook is silent. Defaults come first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.game import HouseRule

YES, NO = ("true", "false"), ("false", "true")


def _rule(
    key: str, values: tuple[str, ...] | Mapping[str, str], meaning: str, asked: str = "", title: str = ""
) -> HouseRule:
    """Return a house rule; a mapping gives each value its label."""
    return HouseRule(key, (*values,), asked, meaning, title, (*values.values(),) if isinstance(values, Mapping) else ())


_BY_HEADING = {
    "What is played": (
        _rule(
            "level",
            {"full": "Everything", "players": "Player cards only", "basic": "The basic game"},
            "All there is; or player cards alone; or those without intentional walks, bunts, infield in and "
            "tiredness from one game to the next.",
            title="What do you play with?",
        ),
        _rule(
            "hands",
            {"dealt": "The phones", "real": "Real cards on the table"},
            "The machine shuffles and deals to the phones; or the decks lie on the table, and cards played are named.",
            title="Who holds the strategy cards?",
        ),
        _rule(
            "windows",
            {"usable": "Who can play one", "always": "Everybody, each time"},
            "Who holds cards is asked where one of them can be played; or every time, so that nobody learns "
            "anything from who is asked.",
            title="Who is asked about cards?",
        ),
        _rule(
            "format",
            {
                "26-man": "26 players for 6000",
                "20-man": "20 players for 5000",
                "all-star": "30 players at any price",
                "open": "As they are",
            },
            "Rosters of 26 for 6000, of 20 for 5000, of 30 at any price, or as they are.",
            title="Rosters",
        ),
        _rule(
            "leagueOnly",
            {"off": "All", "on": "Those of leagues only"},
            "All cards may be used, or only those of sets that a league allows.",
            title="Card sets",
        ),
        _rule(
            "series",
            {
                "1": "One",
                "2": "2 at most",
                "3": "Best of 3",
                "4": "4 at most",
                "5": "Best of 5",
                "6": "6 at most",
                "7": "Best of 7",
            },
            "How many games a series has at most; it is over once a manager has won more than half of them.",
            title="How many games?",
        ),
        _rule(
            "weather",
            {"off": "None", "on": "A card before the game"},
            "No weather; or a card of it is drawn before a game, and says how long it lasts.",
            "AM-51",
            "Weather",
        ),
    ),
    "The order of things, and who comes in": (
        _rule(
            "ibbWindow",
            {"afterSubs": "Once it is known who bats", "beforeBox": "Before the batter steps in"},
            "An intentional walk is decided when it is known who bats, or before the batter steps in.",
            "AM-01",
        ),
        _rule(
            "buntAfterStealCards",
            YES,
            "Whether a bunt is still open after a steal on which cards were played.",
            "AM-02",
        ),
        _rule(
            "lateSubReplies",
            {"oneEach": "One each", "unlimited": "Any number", "none": "None"},
            "After a card of the other side each side may answer with one substitution in an at-bat, with any "
            "number, or with none.",
            "AM-03",
        ),
        _rule(
            "returnedCardCountsAsPlayed",
            NO,
            "Whether a card that went back to its hand still counts as played in this at-bat.",
            "AM-04",
        ),
        _rule(
            "subLockInning",
            {"4": "The fourth", "0": "No waiting"},
            "The inning with which substitutions begin; with 0 there is no waiting.",
            "AM-05",
        ),
        _rule(
            "subLockExempt",
            {"opAndAnyTired": "Openers and all tired pitchers", "opAndTiredSp": "Openers and tired starters"},
            "Who may come out before that: openers and every tired pitcher, or openers and tired starters alone.",
            "AM-05",
        ),
        _rule(
            "positionMovesBefore4th",
            YES,
            "Whether fielders may trade places while substitutions have to wait.",
            "AM-06",
        ),
        _rule(
            "ibbCountsAsFaced",
            YES,
            "Whether a batter walked intentionally is one of the three a pitcher has to face.",
            "AM-07",
        ),
        _rule("opRequiresBp", YES, "Whether only a bulk pitcher may follow an opener.", "AM-08"),
        _rule(
            "rotationMayRelieve",
            {"never": "Never", "ifRpRole": "Where the card has a limit for it"},
            "Pitchers of the rotation never relieve, or do where their card has an inning limit for it.",
            "AM-09",
        ),
        _rule(
            "emptyBullpen",
            {"stays": "He stays in", "forfeit": "The game is lost"},
            "Who is taken out by a card stays in if there is nobody to relieve him; or the game is lost.",
        ),
        _rule("positionPlayerPitching", ("false",), "Only pitchers pitch: nobody else has a chart for it.", "AM-10"),
        _rule("outOfPositionRating", ("-3",), "How well anybody fields where his card does not have him.", "AM-11"),
        _rule(
            "dhMayField",
            {"never": "Always out of the field", "toAvoidForfeit": "Unless the game were lost"},
            "The designated hitter stays out of the field always, or unless the game would be lost for lack of "
            "fielders.",
            "AM-12",
        ),
        _rule("twoWay", ("linkedFaces",), "Who hits and pitches has a card for each, and is one person.", "AM-13"),
        _rule(
            "tiredStarter",
            {"onlyIfNoneFresh": "Only if nobody is fresh", "always": "Whenever his manager likes"},
            "Who still owes rest starts only where no starter is fresh, or whenever his manager likes.",
            "AM-14",
        ),
    ),
    "Getting ready": (
        _rule(
            "starter",
            {"agree": "The manager names him", "d20": "A d20 picks him"},
            "Each manager names his starter, or a d20 picks from his rotation.",
            "AM-16",
        ),
        _rule(
            "maxMulligans",
            ("5", "4", "3", "2", "1", "0"),
            "How often a first hand can be put back for another.",
            "AM-18",
        ),
        _rule(
            "drawPerHalf",
            {"each": "Both", "sideThatBatted": "The one whose side batted"},
            "After a half-inning both managers draw a card, or the one whose side batted.",
            "AM-19",
        ),
        _rule("minBullpen", {"0": "Any number", "7": "7"}, "The fewest pitchers in a bullpen.", "AM-21"),
        _rule(
            "maxBattery",
            {"none": "As much as there is"} | {str(most): str(most) for most in range(8, 17)},
            "The most that catcher and pitcher count for together, before cards.",
            "AM-23",
        ),
        _rule(
            "maxInfield",
            {"none": "As much as there is"} | {str(most): str(most) for most in range(6, 15)},
            "The most that the infield counts for, before cards.",
            "AM-23",
        ),
        _rule(
            "maxOutfield",
            {"none": "As much as there is"} | {str(most): str(most) for most in range(4, 13)},
            "The most that the outfield counts for, before cards.",
            "AM-23",
        ),
    ),
    "Numbers, and tiredness in a game": (
        _rule(
            "cap",
            {"3": "3", "none": "As far as they say"},
            "How far one manager's cards move a number; or as far as they say.",
            "AM-26",
        ),
        _rule("capSingleCard", YES, "Whether that binds a single card that says more.", "AM-26"),
        _rule("capCountsStadium", NO, "Whether what stadium and weather add is bound by it too.", "AM-26"),
        _rule(
            "capMode",
            {"perDirection": "Each by itself", "net": "What remains of both"},
            "What cards add and what they take is bound each by itself, or what remains of both.",
            "AM-26",
        ),
        _rule(
            "commandFloorAfterCards",
            {"false": "Before", "true": "After"},
            "Command stops at 0 before cards change it, or after.",
            "AM-28",
        ),
        _rule(
            "tiredStep",
            {"byOuts": "With every three outs", "byInning": "With every inning begun"},
            "A tired pitcher gets worse with every three outs, or with every inning he begins.",
            "AM-29",
        ),
        _rule(
            "ipCardUntires",
            YES,
            "Whether a card that gives innings helps a pitcher who is past his limit already.",
            "AM-31",
        ),
        _rule(
            "enterTiredStack",
            {"add": "Both", "zeroIp": "Past his limit at once", "max": "Only the worse"},
            "Who comes in tired and passes his limit suffers both; or counts as past his limit from the first "
            "pitch; or suffers only the worse.",
            "AM-32",
        ),
        _rule(
            "qaInCap", NO, "Whether the inning for a Quality Appearance counts among those that cards may add.", "AM-33"
        ),
        _rule(
            "ipCapScope",
            {"pitcher": "For each pitcher", "manager": "For all of a side"},
            "How many innings cards may add is counted for each pitcher, or for all of a side together.",
            "AM-33",
        ),
        _rule(
            "qaRuns",
            {"allCharged": "All charged", "earned": "The earned ones"},
            "A Quality Appearance looks at all runs charged to the pitcher, or at the earned ones.",
            "AM-34",
        ),
    ),
    "Cards": (
        _rule(
            "changeLimitScope",
            {"atBatResult": "The at-bat's result", "anyResult": "Any result"},
            "In an at-bat a manager changes its result once; or only one of all, those of throws and checks among "
            "them.",
            "AM-39",
        ),
        _rule(
            "changePriority",
            {"defense": "The side in the field", "sideHarmed": "The side it is bad for"},
            "Who may change a result first: always the side in the field, or the one it is bad for.",
            "AM-40",
        ),
        _rule("hbpIsWalk", YES, "Whether a batter hit by a pitch was walked, for cards that wait for a walk."),
        _rule(
            "benchCoachHalves",
            {"currentPlusOne": "This half and the next", "twoFull": "This half and two more"},
            "A bench coach helps in the rest of this half-inning and the next, or in this rest and two more.",
            "AM-41",
        ),
        _rule(
            "coachUses",
            {"1": "Once", "unlimited": "As often as one likes"},
            "How often a coach can be used in a game.",
            "AM-42",
        ),
    ),
    "Fielding and running": (
        _rule("extraBaseLimit", ("1",), "How many bases more a runner may try for on a hit.", "AM-53"),
        _rule(
            "thirdOutRuns",
            {"timePlay": "The runs of the others count", "none": "None counts"},
            "Where a runner thrown out is the third out, the runs of the others count, or none does.",
            "AM-59",
        ),
        _rule(
            "gbThirdOutScores",
            NO,
            "Whether a run counts on a ground ball that ends the inning at first base or with a double play.",
            "AM-60",
        ),
        _rule(
            "dpAuto",
            {"true": "Wherever possible", "false": "The defence is asked"},
            "A double play is tried wherever one is possible, or the defence is asked each time.",
            "AM-61",
        ),
        _rule(
            "infieldInHomeBonus",
            ("3", "6"),
            "What a runner has on top of his speed when he is sent home against infielders who play in.",
            "AM-63",
        ),
    ),
    "Steals, walks, bunts, infield in": (
        _rule(
            "csLeadoff",
            {"sameBatter": "The same batter", "nextBatter": "The one after him"},
            "After a failed steal for the third out the same batter leads off the next time, or the one after him.",
            "AM-68",
        ),
        _rule(
            "stealsPerAtBat",
            {"1": "Once", "unlimited": "As often as one likes"},
            "How often runners may be sent to steal in an at-bat.",
            "AM-69",
        ),
        _rule(
            "ibbRowBonusGrows",
            NO,
            "Whether a third and further intentional walks in a row give the next batter still more.",
            "AM-70",
        ),
        _rule(
            "buntNeedsAdvance",
            {"true": "With a runner who can move up", "false": "Always"},
            "A bunt needs a runner who can move up by it and fewer than two outs; or is always open.",
            "AM-72",
        ),
        _rule("buntSoChangeable", YES, "Whether cards may change the strikeout after three missed bunts.", "AM-73"),
        _rule(
            "infieldInConcede",
            {"batterOut": "Out", "batterSafe": "Safe"},
            "Where infielders who play in do not throw at the runner going home, the batter is out at first, or safe.",
            "AM-75",
        ),
        _rule(
            "infieldInR2MayFollow",
            NO,
            "Whether the runner on second may follow the one who is sent home with the infield in.",
            "AM-76",
        ),
    ),
    "The end, and from game to game": (
        _rule(
            "autoRunnerFromInning",
            {"10": "The 10th", "0": "Never", "11": "The 11th", "12": "The 12th"},
            "The inning from which each half begins with a runner on second; with 0 none does.",
            "AM-78",
        ),
        _rule(
            "walkoffRuns",
            {"baseball": "Only the run that wins", "allOnPlay": "All on the play"},
            "The winning hit brings only the run that wins, unless it is a home run; or all that score on it.",
            "AM-79",
        ),
        _rule(
            "tiredGameCountsAsRest",
            NO,
            "Whether a game in which a pitcher was used tired counts as one he rested.",
            "AM-81",
        ),
        _rule(
            "ibbOnlyIsRest",
            YES,
            "Whether who only walks batters intentionally has rested; and only pitches to a batter count for more "
            "innings.",
            "AM-82",
        ),
    ),
}

HOUSE_RULES = tuple(replace(rule, under=heading) for heading, rules in _BY_HEADING.items() for rule in rules)
