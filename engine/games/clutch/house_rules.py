"""House rules of Clutch, for variants and where the rulebook is silent. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.game import HouseRule

YES_BY_DEFAULT = ("true", "false")  # Values of a yes-or-no rule that is on unless changed.
NO_BY_DEFAULT = ("false", "true")  # Values of a yes-or-no rule that is off unless changed.


def _build_rule(
    key: str, values: tuple[str, ...] | Mapping[str, str], meaning: str, asked: str = "", title: str = ""
) -> HouseRule:
    """Build a house rule. A mapping of `values` gives each its label."""
    return HouseRule(key, (*values,), asked, meaning, title, (*values.values(),) if isinstance(values, Mapping) else ())


_RULES_BY_HEADING = {
    "What you play": (
        _build_rule(
            "level",
            {"full": "The full game", "players": "Player cards only", "basic": "The basic game"},
            "The full game; or player cards only; or player cards without intentional walks, bunts, infield in and "
            "fatigue between games.",
            title="What do you play with?",
        ),
        _build_rule(
            "hands",
            {"dealt": "Phones", "real": "Real cards on the table"},
            "Dugout shuffles and deals to the phones; or you use real decks and enter each card played.",
            title="Who holds the strategy cards?",
        ),
        _build_rule(
            "windows",
            {"usable": "Anyone who can play one", "always": "Everybody, every time"},
            "A manager with cards is asked only when one can be played; or every time, so that nobody learns "
            "anything from who is asked.",
            title="Who is asked about cards?",
        ),
        _build_rule(
            "format",
            {
                "26-man": "26 players for 6000",
                "20-man": "20 players for 5000",
                "all-star": "30 players at any price",
                "open": "Any roster",
            },
            "Rosters of 26 for 6000, of 20 for 5000, of 30 at any price, or any roster.",
            title="Rosters",
        ),
        _build_rule(
            "leagueOnly",
            {"off": "All", "on": "League sets only"},
            "All cards can be used, or only those from sets that a league allows.",
            title="Card sets",
        ),
        _build_rule(
            "series",
            {
                "1": "One",
                "2": "Up to 2",
                "3": "Best of 3",
                "4": "Up to 4",
                "5": "Best of 5",
                "6": "Up to 6",
                "7": "Best of 7",
            },
            "The most games in a series. It ends once a manager has won more than half of them.",
            title="How many games?",
        ),
        _build_rule(
            "weather",
            {"off": "None", "on": "A card before the game"},
            "No weather; or a weather card is drawn before a game and says how long it lasts.",
            "AM-51",
            "Weather",
        ),
    ),
    "Timing and substitutions": (
        _build_rule(
            "ibbWindow",
            {"afterSubs": "Once the batter is known", "beforeBox": "Before the batter steps in"},
            "An intentional walk is decided once the batter is known, or before the batter steps in.",
            "AM-01",
        ),
        _build_rule(
            "buntAfterStealCards",
            YES_BY_DEFAULT,
            "Whether you can still bunt after a steal on which cards were played.",
            "AM-02",
        ),
        _build_rule(
            "lateSubReplies",
            {"oneEach": "One each", "unlimited": "Any number", "none": "None"},
            "After the other side plays a card, each side can answer with one substitution per at-bat, any number, "
            "or none.",
            "AM-03",
        ),
        _build_rule(
            "returnedCardCountsAsPlayed",
            NO_BY_DEFAULT,
            "Whether a card taken back to the hand still counts as played in this at-bat.",
            "AM-04",
        ),
        _build_rule(
            "subLockInning",
            {"4": "The fourth", "0": "From the start"},
            "The first inning in which substitutions are allowed, or 0 for the whole game.",
            "AM-05",
        ),
        _build_rule(
            "subLockExempt",
            {"opAndAnyTired": "Openers and all tired pitchers", "opAndTiredSp": "Openers and tired starters"},
            "Who can come out before that: openers and every tired pitcher, or only openers and tired starters.",
            "AM-05",
        ),
        _build_rule(
            "positionMovesBefore4th",
            YES_BY_DEFAULT,
            "Whether fielders can swap positions before substitutions are allowed.",
            "AM-06",
        ),
        _build_rule(
            "ibbCountsAsFaced",
            YES_BY_DEFAULT,
            "Whether a batter walked intentionally is one of the three a pitcher has to face.",
            "AM-07",
        ),
        _build_rule("opRequiresBp", YES_BY_DEFAULT, "Whether only a bulk pitcher can follow an opener.", "AM-08"),
        _build_rule(
            "rotationMayRelieve",
            {"never": "Never", "ifRpRole": "If the card has a limit for it"},
            "Pitchers in the rotation never relieve, or can if their card has an inning limit for it.",
            "AM-09",
        ),
        _build_rule(
            "emptyBullpen",
            {"stays": "He stays in", "forfeit": "Forfeit"},
            "A pitcher removed by a card stays in if nobody can relieve him; or his side forfeits.",
        ),
        _build_rule(
            "positionPlayerPitching", ("false",), "Only pitchers can pitch: nobody else has a chart for it.", "AM-10"
        ),
        _build_rule("outOfPositionRating", ("-3",), "The fielding rating of a player out of position.", "AM-11"),
        _build_rule(
            "dhMayField",
            {"never": "Never", "toAvoidForfeit": "Only to avoid a forfeit"},
            "The designated hitter never takes the field, or only when the side would forfeit for lack of fielders.",
            "AM-12",
        ),
        _build_rule("twoWay", ("linkedFaces",), "A two-way player has two cards but counts as one player.", "AM-13"),
        _build_rule(
            "tiredStarter",
            {"onlyIfNoneFresh": "Only if no starter is rested", "always": "Any time"},
            "A tired pitcher can start only if no starter is rested, or any time.",
            "AM-14",
        ),
    ),
    "Setup": (
        _build_rule(
            "starter",
            {"agree": "The manager names him", "d20": "A d20 picks him"},
            "Each manager names his starter, or a d20 picks from his rotation.",
            "AM-16",
        ),
        _build_rule(
            "maxMulligans", ("5", "4", "3", "2", "1", "0"), "How many mulligans each manager can take.", "AM-18"
        ),
        _build_rule(
            "drawPerHalf",
            {"each": "Both", "sideThatBatted": "The side that batted"},
            "After a half-inning, both managers draw a card, or only the one whose side batted.",
            "AM-19",
        ),
        _build_rule("minBullpen", {"0": "Any number", "7": "7"}, "The fewest pitchers in a bullpen.", "AM-21"),
        _build_rule(
            "maxBattery",
            {"none": "No limit"} | {str(most): str(most) for most in range(8, 17)},
            "The highest battery rating (catcher plus pitcher), before cards.",
            "AM-23",
        ),
        _build_rule(
            "maxInfield",
            {"none": "No limit"} | {str(most): str(most) for most in range(6, 15)},
            "The highest infield rating, before cards.",
            "AM-23",
        ),
        _build_rule(
            "maxOutfield",
            {"none": "No limit"} | {str(most): str(most) for most in range(4, 13)},
            "The highest outfield rating, before cards.",
            "AM-23",
        ),
    ),
    "Numbers and fatigue": (
        _build_rule(
            "cap", {"3": "3", "none": "No limit"}, "The most that one manager's cards can move a number.", "AM-26"
        ),
        _build_rule(
            "capSingleCard", YES_BY_DEFAULT, "Whether that cap also applies to a single card that says more.", "AM-26"
        ),
        _build_rule(
            "capCountsStadium",
            NO_BY_DEFAULT,
            "Whether bonuses from stadium and weather count toward that cap.",
            "AM-26",
        ),
        _build_rule(
            "capMode",
            {"perDirection": "Cap each", "net": "Cap the total"},
            "The bonuses and the penalties from cards are capped separately, or their total is.",
            "AM-26",
        ),
        _build_rule(
            "commandFloorAfterCards",
            {"false": "Before", "true": "After"},
            "Command stops at 0 before cards change it, or after.",
            "AM-28",
        ),
        _build_rule(
            "tiredStep",
            {"byOuts": "Every three outs", "byInning": "Every inning started"},
            "A tired pitcher gets worse with every three outs, or with every inning he starts.",
            "AM-29",
        ),
        _build_rule(
            "ipCardUntires",
            YES_BY_DEFAULT,
            "Whether a card that adds innings helps a pitcher who is already past his limit.",
            "AM-31",
        ),
        _build_rule(
            "enterTiredStack",
            {"add": "Both", "zeroIp": "Past his limit at once", "max": "Only the worse"},
            "A pitcher who comes in tired and passes his limit takes both penalties; or counts as past his limit "
            "from the first pitch; or takes only the worse penalty.",
            "AM-32",
        ),
        _build_rule(
            "qaInCap",
            NO_BY_DEFAULT,
            "Whether the inning from a Quality Appearance counts toward the cap on innings from cards.",
            "AM-33",
        ),
        _build_rule(
            "ipCapScope",
            {"pitcher": "Per pitcher", "manager": "Per side"},
            "The cap on innings from cards is per pitcher, or per side.",
            "AM-33",
        ),
        _build_rule(
            "qaRuns",
            {"allCharged": "All runs charged", "earned": "Earned runs"},
            "A Quality Appearance looks at all runs charged to the pitcher, or only at earned runs.",
            "AM-34",
        ),
    ),
    "Cards": (
        _build_rule(
            "changeLimitScope",
            {"atBatResult": "The at-bat's result", "anyResult": "Any result"},
            "In an at-bat, a manager can change its result once; or only one result of any kind, including throws "
            "and checks.",
            "AM-39",
        ),
        _build_rule(
            "changePriority",
            {"defense": "The side in the field", "sideHarmed": "The side it hurts"},
            "Who can change a result first: always the side in the field, or the side it hurts.",
            "AM-40",
        ),
        _build_rule("hbpIsWalk", YES_BY_DEFAULT, "Whether a hit batter counts as walked, for cards that need a walk."),
        _build_rule(
            "benchCoachHalves",
            {"currentPlusOne": "This half and the next", "twoFull": "This half and the next two"},
            "A bench coach helps for the rest of this half-inning and the next one, or the next two.",
            "AM-41",
        ),
        _build_rule(
            "coachUses",
            {"1": "Once", "unlimited": "Any number of times"},
            "How often a coach can be used in a game.",
            "AM-42",
        ),
    ),
    "Fielding and running": (
        _build_rule("extraBaseLimit", ("1",), "How many extra bases a runner can try for on a hit.", "AM-53"),
        _build_rule(
            "thirdOutRuns",
            {"timePlay": "Other runs count", "none": "No runs count"},
            "When a runner is thrown out for the third out, the other runners' runs count, or no runs do.",
            "AM-59",
        ),
        _build_rule(
            "gbThirdOutScores",
            NO_BY_DEFAULT,
            "Whether a run counts on a ground ball that ends the inning at first base or with a double play.",
            "AM-60",
        ),
        _build_rule(
            "dpAuto",
            {"true": "Whenever possible", "false": "The defense decides"},
            "A double play is tried whenever one is possible, or the defense decides each time.",
            "AM-61",
        ),
        _build_rule(
            "infieldInHomeBonus",
            ("3", "6"),
            "A runner's speed bonus when he is sent home with the infield in.",
            "AM-63",
        ),
    ),
    "Steals, walks, bunts, infield in": (
        _build_rule(
            "csLeadoff",
            {"sameBatter": "The same batter", "nextBatter": "The next batter"},
            "After a failed steal for the third out, the same batter leads off the next time, or the next batter does.",
            "AM-68",
        ),
        _build_rule(
            "stealsPerAtBat",
            {"1": "Once", "unlimited": "Any number of times"},
            "How often runners can try to steal in an at-bat.",
            "AM-69",
        ),
        _build_rule(
            "ibbRowBonusGrows",
            NO_BY_DEFAULT,
            "Whether a third or later intentional walk in a row gives the next batter an even bigger bonus.",
            "AM-70",
        ),
        _build_rule(
            "buntNeedsAdvance",
            {"true": "With a runner who can move up", "false": "Always"},
            "A bunt needs fewer than two outs and a runner it can move up; or is always allowed.",
            "AM-72",
        ),
        _build_rule(
            "buntSoChangeable",
            YES_BY_DEFAULT,
            "Whether cards can change the strikeout after three missed bunts.",
            "AM-73",
        ),
        _build_rule(
            "infieldInConcede",
            {"batterOut": "Out", "batterSafe": "Safe"},
            "With the infield in, if the throw doesn't go home, the batter is out at first, or safe.",
            "AM-75",
        ),
        _build_rule(
            "infieldInR2MayFollow",
            NO_BY_DEFAULT,
            "Whether the runner on second can follow a runner sent home with the infield in.",
            "AM-76",
        ),
    ),
    "Endings, and rest between games": (
        _build_rule(
            "autoRunnerFromInning",
            {"10": "The 10th", "0": "Never", "11": "The 11th", "12": "The 12th"},
            "The first inning in which each half starts with a runner on second, or 0 for never.",
            "AM-78",
        ),
        _build_rule(
            "walkoffRuns",
            {"baseball": "Only the winning run", "allOnPlay": "All runs on the play"},
            "A walk-off hit scores only the winning run, unless it is a home run; or every run on the play.",
            "AM-79",
        ),
        _build_rule(
            "tiredGameCountsAsRest",
            NO_BY_DEFAULT,
            "Whether a game in which a pitcher worked tired counts as rest.",
            "AM-81",
        ),
        _build_rule(
            "ibbOnlyIsRest",
            YES_BY_DEFAULT,
            "Whether a pitcher who only issues intentional walks has rested, and only pitches to a batter count for "
            "more innings.",
            "AM-82",
        ),
    ),
}

HOUSE_RULES = tuple(replace(rule, under=heading) for heading, rules in _RULES_BY_HEADING.items() for rule in rules)
