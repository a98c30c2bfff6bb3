"""What a newcomer to Small Ball reads."""

from __future__ import annotations

from engine.games.small_ball.state import State
from engine.games.small_ball.words import RESULT_NAMES
from engine.lessons.baseball_words import baseball_words
from engine.lessons.lesson import ChartRow, Lesson, LessonCard, LessonPicture

ON_BASE_RESULTS = ("1B", "2B", "3B", "HR", "BB")
"""Results with which the batter is not out."""


def build_cards(s: State) -> tuple[LessonCard, ...]:
    team = next(iter(s.teams.values()))
    batter = team.players[0]
    good = [result in ON_BASE_RESULTS for result in batter.results]
    chart = [
        ChartRow(str(face), RESULT_NAMES[result], on)
        for face, (result, on) in enumerate(zip(batter.results, good, strict=True), 1)
    ]
    return (
        LessonCard(
            "Roll one die for each batter",
            f"The batter's card says what each number brings. For {batter.name}, {sum(good)} of 6 numbers are good.",
            LessonPicture(dice=((good.index(True) + 1 if any(good) else 1, ""),), chart=tuple(chart)),
        ),
        LessonCard(
            "Stop, or dare another roll",
            "Runs are at stake until you bank them, and banking ends your half-inning. If you bat on and make the "
            "third out, they are lost.",
            LessonPicture(
                outs=2,
                chart=(
                    ChartRow("Bank 2 runs", "2 runs are yours", True),
                    ChartRow("Third out", "no runs", False),
                ),
            ),
        ),
        LessonCard(
            "Bank more runs in nine innings",
            "Both sides bat nine times, and the side with more banked runs wins. If the score is tied then, play on.",
            LessonPicture(score=tuple((one.name, runs) for one, runs in zip(s.teams.values(), (5, 3), strict=True))),
        ),
    )


LESSON = Lesson(
    cards=build_cards,
    words=baseball_words(
        "at-bat, away, base, bat, batter, double, extra innings, fielder, flyout, hit, home, home run, inning, "
        "lineout, on deck, out, pitch, run, runner, safe, single, strikeout, triple, walk, WPA"
    )
    | {
        "bank, banks, banked, banking": "To put the runs at stake on the board, where they stay. It ends your "
        "half-inning.",
        "bust, busts": "Three outs before you banked. The runs of this half-inning are lost; those banked before stay.",
        "caught, caught stealing": "A runner who tried to steal and is out, as on a 5 or a 6.",
        "double play, double plays, doubled up, DP": "One roll puts two players out. With one out before it, that ends "
        "the half-inning.",
        "double steal": "The runners on first and second both steal. On 1 to 4 both are safe; on 5 or 6 the one in "
        "front is out.",
        "groundout, grounds out, grounds, GO": "The batter is out at first base. If a runner stands there, that runner "
        "is out too; if not, all runners move up.",
        "half-inning, half-innings": "One side's turn to bat. It ends when you bank, or with the third out.",
        "hit-and-run": "The runner on first starts early. A single takes the runner to third and a groundout becomes a "
        "single, but a flyout or strikeout puts both out.",
        "ON-BASE": "A kind of pinch hitter: it turns a strikeout into a single.",
        "pinch hitter, pinch hitters, pinch hit": "A helper for one at-bat, once in a game. The batter's own card is "
        "read, and the helper makes some results better.",
        "POWER": "A kind of pinch hitter: it turns a single into a triple and a double into a home run.",
        "sacrifice, sacrifices": "Roll the die without reading the card. The batter is out, but on 1 to 4 every runner "
        "moves up a base.",
        "stake, at stake": "Runs that came home in this half-inning and are not banked yet. Three outs lose them.",
        "steal, steals, stealing": "A runner goes for the next base before the batter's roll. It works on a 1, 2, 3 or "
        "4; otherwise that runner is out.",
    },
)
"""Small Ball's lesson."""
