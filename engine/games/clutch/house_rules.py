"""House rules of Clutch: what a table agrees on, and rulings where the rulebook is silent. Defaults come first."""

from __future__ import annotations

from dataclasses import replace

from engine.game import HouseRule

YES, NO = ("true", "false"), ("false", "true")

_BY_HEADING = {
    "What is played": (
        HouseRule(
            "level",
            ("full", "players", "basic"),
            "",
            "All there is; or player cards alone; or those without intentional walks, bunts, infield in and tiredness "
            "from one game to the next.",
            title="What do you play with?",
            labels=("Everything", "Player cards only", "The basic game"),
        ),
        HouseRule(
            "hands",
            ("dealt", "real"),
            "",
            "The machine shuffles and deals to the phones; or the decks lie on the table, and cards played are named.",
            title="Who holds the strategy cards?",
            labels=("The phones", "Real cards on the table"),
        ),
        HouseRule(
            "windows",
            ("usable", "always"),
            "",
            "Who holds cards is asked where one of them can be played; or every time, so that nobody learns anything "
            "from who is asked.",
            title="Who is asked about cards?",
            labels=("Who can play one", "Everybody, each time"),
        ),
        HouseRule(
            "format",
            ("26-man", "20-man", "all-star", "open"),
            "",
            "Rosters of 26 for 6000, of 20 for 5000, of 30 at any price, or as they are.",
            title="Rosters",
            labels=("26 players for 6000", "20 players for 5000", "30 players at any price", "As they are"),
        ),
        HouseRule(
            "leagueOnly",
            ("off", "on"),
            "",
            "All cards may be used, or only those of sets that a league allows.",
            title="Card sets",
            labels=("All", "Those of leagues only"),
        ),
        HouseRule(
            "series",
            ("1", "2", "3", "4", "5", "6", "7"),
            "",
            "How many games a series has at most; it is over once a manager has won more than half of them.",
            title="How many games?",
            labels=("One", "2 at most", "Best of 3", "4 at most", "Best of 5", "6 at most", "Best of 7"),
        ),
        HouseRule(
            "weather",
            ("off", "on"),
            "AM-51",
            "No weather; or a card of it is drawn before a game, and says how long it lasts.",
            title="Weather",
            labels=("None", "A card before the game"),
        ),
    ),
    "The order of things, and who comes in": (
        HouseRule(
            "ibbWindow",
            ("afterSubs", "beforeBox"),
            "AM-01",
            "An intentional walk is decided when it is known who bats, or before the batter steps in.",
            labels=("Once it is known who bats", "Before the batter steps in"),
        ),
        HouseRule(
            "buntAfterStealCards",
            YES,
            "AM-02",
            "Whether a bunt is still open after a steal on which cards were played.",
        ),
        HouseRule(
            "lateSubReplies",
            ("oneEach", "unlimited", "none"),
            "AM-03",
            "After a card of the other side each side may answer with one substitution in an at-bat, with any number, "
            "or with none.",
            labels=("One each", "Any number", "None"),
        ),
        HouseRule(
            "returnedCardCountsAsPlayed",
            NO,
            "AM-04",
            "Whether a card that went back to its hand still counts as played in this at-bat.",
        ),
        HouseRule(
            "subLockInning",
            ("4", "0"),
            "AM-05",
            "The inning with which substitutions begin; with 0 there is no waiting.",
            labels=("The fourth", "No waiting"),
        ),
        HouseRule(
            "subLockExempt",
            ("opAndAnyTired", "opAndTiredSp"),
            "AM-05",
            "Who may come out before that: openers and every tired pitcher, or openers and tired starters alone.",
            labels=("Openers and all tired pitchers", "Openers and tired starters"),
        ),
        HouseRule(
            "positionMovesBefore4th",
            YES,
            "AM-06",
            "Whether fielders may trade places while substitutions have to wait.",
        ),
        HouseRule(
            "ibbCountsAsFaced",
            YES,
            "AM-07",
            "Whether a batter walked intentionally is one of the three a pitcher has to face.",
        ),
        HouseRule("opRequiresBp", YES, "AM-08", "Whether only a bulk pitcher may follow an opener."),
        HouseRule(
            "rotationMayRelieve",
            ("never", "ifRpRole"),
            "AM-09",
            "Pitchers of the rotation never relieve, or do where their card has an inning limit for it.",
            labels=("Never", "Where the card has a limit for it"),
        ),
        HouseRule(
            "positionPlayerPitching", ("false",), "AM-10", "Only pitchers pitch: nobody else has a chart for it."
        ),
        HouseRule("outOfPositionRating", ("-3",), "AM-11", "How well anybody fields where his card does not have him."),
        HouseRule(
            "dhMayField",
            ("never", "toAvoidForfeit"),
            "AM-12",
            "The designated hitter stays out of the field always, or unless the game would be lost for lack of "
            "fielders.",
            labels=("Always out of the field", "Unless the game were lost"),
        ),
        HouseRule("twoWay", ("linkedFaces",), "AM-13", "Who hits and pitches has a card for each, and is one person."),
        HouseRule(
            "tiredStarter",
            ("onlyIfNoneFresh", "always"),
            "AM-14",
            "Who still owes rest starts only where no starter is fresh, or whenever his manager likes.",
            labels=("Only if nobody is fresh", "Whenever his manager likes"),
        ),
    ),
    "Getting ready": (
        HouseRule(
            "starter",
            ("agree", "d20"),
            "AM-16",
            "Each manager names his starter, or a d20 picks from his rotation.",
            labels=("The manager names him", "A d20 picks him"),
        ),
        HouseRule(
            "maxMulligans",
            ("5", "4", "3", "2", "1", "0"),
            "AM-18",
            "How often a first hand can be put back for another.",
        ),
        HouseRule(
            "drawPerHalf",
            ("each", "sideThatBatted"),
            "AM-19",
            "After a half-inning both managers draw a card, or the one whose side batted.",
            labels=("Both", "The one whose side batted"),
        ),
        HouseRule("minBullpen", ("0", "7"), "AM-21", "The fewest pitchers in a bullpen.", labels=("Any number", "7")),
        HouseRule(
            "maxBattery",
            ("none", "8", "9", "10", "11", "12", "13", "14", "15", "16"),
            "AM-23",
            "The most that catcher and pitcher count for together, before cards.",
            labels=("As much as there is", "8", "9", "10", "11", "12", "13", "14", "15", "16"),
        ),
        HouseRule(
            "maxInfield",
            ("none", "6", "7", "8", "9", "10", "11", "12", "13", "14"),
            "AM-23",
            "The most that the infield counts for, before cards.",
            labels=("As much as there is", "6", "7", "8", "9", "10", "11", "12", "13", "14"),
        ),
        HouseRule(
            "maxOutfield",
            ("none", "4", "5", "6", "7", "8", "9", "10", "11", "12"),
            "AM-23",
            "The most that the outfield counts for, before cards.",
            labels=("As much as there is", "4", "5", "6", "7", "8", "9", "10", "11", "12"),
        ),
    ),
    "Numbers, and tiredness in a game": (
        HouseRule(
            "cap",
            ("3", "none"),
            "AM-26",
            "How far one manager's cards move a number; or as far as they say.",
            labels=("3", "As far as they say"),
        ),
        HouseRule("capSingleCard", YES, "AM-26", "Whether that binds a single card that says more."),
        HouseRule("capCountsStadium", NO, "AM-26", "Whether what stadium and weather add is bound by it too."),
        HouseRule(
            "capMode",
            ("perDirection", "net"),
            "AM-26",
            "What cards add and what they take is bound each by itself, or what remains of both.",
            labels=("Each by itself", "What remains of both"),
        ),
        HouseRule(
            "commandFloorAfterCards",
            NO,
            "AM-28",
            "Command stops at 0 before cards change it, or after.",
            labels=("Before", "After"),
        ),
        HouseRule(
            "tiredStep",
            ("byOuts", "byInning"),
            "AM-29",
            "A tired pitcher gets worse with every three outs, or with every inning he begins.",
            labels=("With every three outs", "With every inning begun"),
        ),
        HouseRule(
            "ipCardUntires",
            YES,
            "AM-31",
            "Whether a card that gives innings helps a pitcher who is past his limit already.",
        ),
        HouseRule(
            "enterTiredStack",
            ("add", "zeroIp", "max"),
            "AM-32",
            "Who comes in tired and passes his limit suffers both; or counts as past his limit from the first pitch; "
            "or suffers only the worse.",
            labels=("Both", "Past his limit at once", "Only the worse"),
        ),
        HouseRule(
            "qaInCap", NO, "AM-33", "Whether the inning for a Quality Appearance counts among those that cards may add."
        ),
        HouseRule(
            "ipCapScope",
            ("pitcher", "manager"),
            "AM-33",
            "How many innings cards may add is counted for each pitcher, or for all of a side together.",
            labels=("For each pitcher", "For all of a side"),
        ),
        HouseRule(
            "qaRuns",
            ("allCharged", "earned"),
            "AM-34",
            "A Quality Appearance looks at all runs charged to the pitcher, or at the earned ones.",
            labels=("All charged", "The earned ones"),
        ),
    ),
    "Cards": (
        HouseRule(
            "changeLimitScope",
            ("atBatResult", "anyResult"),
            "AM-39",
            "In an at-bat a manager changes its result once; or only one of all, those of throws and checks "
            "among them.",
            labels=("The at-bat's result", "Any result"),
        ),
        HouseRule(
            "changePriority",
            ("defense", "sideHarmed"),
            "AM-40",
            "Who may change a result first: always the side in the field, or the one it is bad for.",
            labels=("The side in the field", "The side it is bad for"),
        ),
        HouseRule(
            "benchCoachHalves",
            ("currentPlusOne", "twoFull"),
            "AM-41",
            "A bench coach helps in the rest of this half-inning and the next, or in this rest and two more.",
            labels=("This half and the next", "This half and two more"),
        ),
        HouseRule(
            "coachUses",
            ("1", "unlimited"),
            "AM-42",
            "How often a coach can be used in a game.",
            labels=("Once", "As often as one likes"),
        ),
    ),
    "Fielding and running": (
        HouseRule("extraBaseLimit", ("1",), "AM-53", "How many bases more a runner may try for on a hit."),
        HouseRule(
            "thirdOutRuns",
            ("timePlay", "none"),
            "AM-59",
            "Where a runner thrown out is the third out, the runs of the others count, or none does.",
            labels=("The runs of the others count", "None counts"),
        ),
        HouseRule(
            "gbThirdOutScores",
            NO,
            "AM-60",
            "Whether a run counts on a ground ball that ends the inning at first base or with a double play.",
        ),
        HouseRule(
            "dpAuto",
            YES,
            "AM-61",
            "A double play is tried wherever one is possible, or the defence is asked each time.",
            labels=("Wherever possible", "The defence is asked"),
        ),
        HouseRule(
            "infieldInHomeBonus",
            ("3", "6"),
            "AM-63",
            "What a runner has on top of his speed when he is sent home against infielders who play in.",
        ),
    ),
    "Steals, walks, bunts, infield in": (
        HouseRule(
            "csLeadoff",
            ("sameBatter", "nextBatter"),
            "AM-68",
            "After a failed steal for the third out the same batter leads off the next time, or the one after him.",
            labels=("The same batter", "The one after him"),
        ),
        HouseRule(
            "stealsPerAtBat",
            ("1", "unlimited"),
            "AM-69",
            "How often runners may be sent to steal in an at-bat.",
            labels=("Once", "As often as one likes"),
        ),
        HouseRule(
            "ibbRowBonusGrows",
            NO,
            "AM-70",
            "Whether a third and further intentional walks in a row give the next batter still more.",
        ),
        HouseRule(
            "buntNeedsAdvance",
            YES,
            "AM-72",
            "A bunt needs a runner who can move up by it and fewer than two outs; or is always open.",
            labels=("With a runner who can move up", "Always"),
        ),
        HouseRule("buntSoChangeable", YES, "AM-73", "Whether cards may change the strikeout after three missed bunts."),
        HouseRule(
            "infieldInConcede",
            ("batterOut", "batterSafe"),
            "AM-75",
            "Where infielders who play in do not throw at the runner going home, the batter is out at first, or safe.",
            labels=("Out", "Safe"),
        ),
        HouseRule(
            "infieldInR2MayFollow",
            NO,
            "AM-76",
            "Whether the runner on second may follow the one who is sent home with the infield in.",
        ),
    ),
    "The end, and from game to game": (
        HouseRule(
            "autoRunnerFromInning",
            ("10", "0", "11", "12"),
            "AM-78",
            "The inning from which each half begins with a runner on second; with 0 none does.",
            labels=("The 10th", "Never", "The 11th", "The 12th"),
        ),
        HouseRule(
            "walkoffRuns",
            ("baseball", "allOnPlay"),
            "AM-79",
            "The winning hit brings only the run that wins, unless it is a home run; or all that score on it.",
            labels=("Only the run that wins", "All on the play"),
        ),
        HouseRule(
            "tiredGameCountsAsRest",
            NO,
            "AM-81",
            "Whether a game in which a pitcher was used tired counts as one he rested.",
        ),
        HouseRule(
            "ibbOnlyIsRest",
            YES,
            "AM-82",
            "Whether who only walks batters intentionally has rested; and only pitches to a batter count for more "
            "innings.",
        ),
    ),
}

HOUSE_RULES = tuple(replace(rule, under=heading) for heading, rules in _BY_HEADING.items() for rule in rules)
