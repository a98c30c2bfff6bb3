"""What a newcomer to Clutch reads."""

from __future__ import annotations

from engine.games.clutch.cards.baseball_terms import RESULT_NAMES
from engine.games.clutch.cards.card_types import ClutchBatter, ClutchPitcher
from engine.games.clutch.cards.effects import RESULT_GROUPS
from engine.games.clutch.cards.result_chart import ResultChart
from engine.games.clutch.state import State
from engine.lessons.baseball_words import baseball_words
from engine.lessons.lesson import ChartRow, Lesson, LessonCard, LessonPicture


def build_cards(s: State) -> tuple[LessonCard, ...]:
    rosters = list(s.box.rosters.values())
    batter, pitcher = s.box.batters[rosters[0].order[0]], s.box.pitchers[rosters[-1].rotation[0]]
    return _dice_card(batter, pitcher), _cost_card(s), _winning_card(s)


def _dice_card(batter: ClutchBatter, pitcher: ClutchPitcher) -> LessonCard:
    """Return the card of the two rolls, with the printed numbers of two players."""
    least = max(batter.on_base - pitcher.command, pitcher.x_zone) + 1
    return LessonCard(
        "One roll to pitch, one to swing",
        f"The pitcher adds his Command to the first roll and must beat the batter's On-Base: with {pitcher.command} "
        f"against {batter.on_base}, {least} or more does it. The second roll is read on the winner's chart.",
        LessonPicture(dice=((least, ""), (12, "")), chart=_chart_rows(batter.chart)),
    )


def _chart_rows(chart: ResultChart) -> tuple[ChartRow, ...]:
    rows = str(chart).split(", ")
    return tuple(
        ChartRow(span, RESULT_NAMES[code], code not in RESULT_GROUPS["out"]) for span, code in map(str.split, rows)
    )


def _cost_card(s: State) -> LessonCard:
    tired = "A pitcher gets tired after his innings, and then every batter swings with a bigger die."
    if s.house["level"] != "full":
        return LessonCard(
            "Everybody has limits",
            f"{tired} Bring in a reliever in time, but who leaves the game can't come back.",
            LessonPicture(
                dice=((20, ""), (24, "")),
                chart=(ChartRow("fresh", "swing with 20 sides", True), ChartRow("tired", "swing with 24 sides", False)),
            ),
        )
    return LessonCard(
        "Cards and pitchers run out",
        f"A strategy card works once, and new ones come mostly between half-innings. {tired}",
        LessonPicture(
            chart=(
                ChartRow("play a card", "one card fewer in your hand", False),
                ChartRow("pass", "keep it for a better time", True),
            )
        ),
    )


def _winning_card(s: State) -> LessonCard:
    games = int(s.house["series"])
    teams = [roster.name for roster in s.box.rosters.values()][:2]
    series = f" Win {games // 2 + 1} games to take the series." if games > 1 else " If the score is tied, play on."
    return LessonCard(
        "More runs win the game",
        f"The team with more runs after nine innings wins.{series}",
        LessonPicture(score=tuple(zip(teams, (4, 3), strict=False))),
    )


LESSON = Lesson(
    cards=build_cards,
    words=baseball_words(
        "at-bat, away, base, bat, batter, batting order, bench, bullpen, caught stealing, double play, error, "
        "fielder, half-inning, hit, home, inning, out, pinch hitter, pitcher, run, runner, safe, strikeout, "
        "visitors, walk, WPA"
    )
    | {
        "advantage": "The next roll is read on the chart of the player who has it. The pitcher has it if his pitch "
        "beats On-Base; if not, the batter has it.",
        "baserunning": "How fast a runner is when he tries for one more base. A throw must beat it.",
        "battery": "The pitcher and the catcher. Their number is added to a throw at a runner who steals.",
        "bulk pitcher, BP": "A pitcher who comes in early, after an opener, and pitches most of the game.",
        "bunt, bunts, squares to bunt": "The batter only taps the ball. On 13 or more he is out, but the runners move "
        "up a base.",
        "catcher, CA": "The player behind home plate, who catches the pitches.",
        "chart": "The table on a player's card. The swing roll is looked up in it, and the row says what happens.",
        "check": "A roll for fielders that a card asks for. With their number added it must reach 20.",
        "clutch": "How a player does when it matters most. Only cards bring this number in.",
        "Clutch Moment": "A close game from the seventh inning on, all bases taken, or two outs with a runner on "
        "second or third.",
        "coach, coaches": "A helper who can be used when the card says so. He is not part of your hand.",
        "Command": "The pitcher's number. It is added to the pitch roll.",
        "d20": "A die with 20 sides.",
        "deck, decks": "Your pile of strategy cards, face down. New cards for your hand come from it.",
        "designated hitter, DH": "A player who only bats, in the pitcher's place.",
        "discard, discards, discarded, discard pile": "To lay a card on your pile of used cards. Most cards stay "
        "there.",
        "double steal": "Two runners steal at once. The other side can throw at only one of them.",
        "double switch": "Two new players come in at once, and you choose who bats where.",
        "double, doubles, 2B": "A hit that takes the batter to second base. Beside a player's name, 2B is the second "
        "baseman.",
        "extra base": "After a hit or a fly ball a runner can try for one more base. The other side may throw at him.",
        "fielder's choice": "The fielders throw at another runner, so that the batter is safe. It is not a hit.",
        "fielding": "How well the players in the field catch and throw, as a number for each group of them.",
        "first baseman, second baseman, third baseman": "The player of the infield who stands at that base.",
        "fly ball, flies out, FB": "The ball is caught in the air. The batter is out, but runners may try for the next "
        "base.",
        "forfeit": "To lose because a team has too few players left.",
        "ground ball, grounds, grounds out, GB": "The ball rolls to the infield. The batter is out at first base, or "
        "with a runner there even two are.",
        "hand, hands": "The strategy cards that you hold. Nobody else sees them.",
        "hit by a pitch, HBP": "The pitch touches the batter, who goes to first base for free.",
        "home run, home runs, HR": "A hit that brings in the batter and every runner.",
        "infield": "The four players near the bases. Their number is added to throws on the ground.",
        "infield back": "The infield stands where it always does. A runner on third base comes home on a ground ball.",
        "infield in": "The infield stands closer, to throw out a runner from third base at home. In return, a ground "
        "ball on the batter's chart is a single.",
        "left fielder, center fielder, right fielder, LF, CF, RF": "The three players of the outfield: left, center "
        "and right, as seen from home.",
        "line drive, lines out, LD": "The ball is hit straight at a fielder. The batter is out, and nobody moves.",
        "manager": "The person who leads a team.",
        "mistake pitch, mistake": "A very low pitch roll. The batter has the advantage and swings with the bigger die.",
        "mulligan, mulligans": "To put back your first hand and draw five new cards. Each time costs a card.",
        "negate, negated": "To stop a card that was just played. It does nothing, but it is used.",
        "offense, defense": "The offense is the side that bats. The defense is in the field.",
        "on purpose, intentionally, intentional": "The batter gets first base without a pitch. Then the next batter's "
        "On-Base is 2 higher.",
        "On-Base, on-base": "The batter's number. A pitch must be higher to give the pitcher the advantage.",
        "opener, OP": "A pitcher who faces only the first batters. A bulk pitcher follows.",
        "out of position": "At a place that is not on the player's card. He counts −3 there.",
        "outfield": "The three players far from home. Their number is added to long throws.",
        "pinch runner, pinch-run": "A player from the bench who runs in a runner's place.",
        "pitch, pitches, pitched, pitching": "The first roll of an at-bat with everything added: Command, and what "
        "cards add.",
        "position, positions": "Where a player stands in the field.",
        "Power Die, power die, d24": "A die with 24 sides. High numbers are the best of a chart, so the batter likes "
        "it.",
        "reliever, relievers, relieves, relieve, RP": "A pitcher who comes in for another one during the game.",
        "roster": "All players of a team.",
        "rotation": "The starting pitchers of a team, who take turns from game to game.",
        "sacrifice bunt, sacrifice": "A bunt that works: the runners move up a base, and only the batter is out.",
        "sacrifice fly": "A fly ball that is caught, after which a runner comes home.",
        "scoring position": "A runner on second or third base, who can come home on a single.",
        "series": "Several games between the same teams. Who wins more than half of them wins it.",
        "shortstop, SS": "The player of the infield between second and third base.",
        "single, singles, 1B": "A hit that takes the batter to first base. Beside a player's name, 1B is the first "
        "baseman.",
        "speed": "How fast a runner is. A throw must beat it to get him out.",
        "squad, squads": "The players of a team and where they are: in the game, on the bench or out of it.",
        "stadium": "The home team's field. What its card says holds for both sides.",
        "starter, starting pitcher, SP": "The pitcher who begins the game.",
        "steal, steals, stealing": "A runner goes for the next base before the pitch. The battery may throw at him.",
        "strategy card, strategy cards": "A card that changes one moment of the game. You play it once.",
        "swing, swings": "The second roll of an at-bat. It is read on the chart of the player with the advantage.",
        "tag up, tags up, tag-up, tag": "After a fly ball is caught, a runner goes for the next base.",
        "throw, throws": "A roll against a runner. With the fielders' number it must beat his speed, or he is safe.",
        "tired, tires": "A pitcher who has used up his innings. His Command drops, and every swing is with the Power "
        "Die.",
        "triple, triples, 3B": "A hit that takes the batter to third base. Beside a player's name, 3B is the third "
        "baseman.",
        "weather": "A card drawn before the game, which holds for both sides.",
    },
)
"""Clutch's lesson."""
