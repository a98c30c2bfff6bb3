"""What a newcomer to Bottom of the 9th reads."""

from __future__ import annotations

from engine.games.bottom_of_the_9th.state import State
from engine.lessons.baseball_words import baseball_words
from engine.lessons.lesson import ChartRow, Lesson, LessonCard, LessonPicture

WHITE = "white"
"""Color of the dice of the pitcher."""
RED = "red"
"""Color of the die of the batter."""


def build_cards(s: State) -> tuple[LessonCard, ...]:
    return (
        LessonCard(
            "Two dice pitch, one die swings",
            "The white dice give a number, the control, and a letter. Then the batter rolls the red die against the "
            "control, and the letter says what wins.",
            LessonPicture(
                dice=((4, WHITE), ("S", WHITE), (5, RED)),
                chart=(
                    ChartRow("B", "swing lower or equal: ball", True),
                    ChartRow("S", "swing higher: contact", True),
                    ChartRow("C", "swing equal: contact", True),
                ),
            ),
        ),
        LessonCard(
            "Guess the pitch",
            "Before the dice, the pitcher chooses one of four pitches, and the batter guesses it. Each half guessed "
            "right earns the batter a token, each other half the pitcher.",
            LessonPicture(
                chart=(
                    ChartRow("Inside, low", "thrown", True),
                    ChartRow("Inside", "guessed: the batter's token", True),
                    ChartRow("High", "missed: the pitcher's token", False),
                )
            ),
        ),
        LessonCard(
            "One run wins it",
            "It is the last half-inning, and the score is tied. One run wins for the home team, three outs without a "
            "run win for the visitors.",
            LessonPicture(
                outs=2,
                score=((s.seat_name("away", "Visitors"), 0), (s.seat_name("home", "Home"), 1)),
            ),
        ),
    )


LESSON = Lesson(
    cards=build_cards,
    words=baseball_words(
        "base, bat, batter, batting order, bullpen, double, fielder, half-inning, hit, home run, inning, on deck, "
        "run, runner, single, triple, walk, WPA"
    )
    | {
        "ability, abilities": "What a card can do to the dice. A token, the ace pitch or a good guess switches it on "
        "for one pitch.",
        "ace, ace pitch": "The pitch that a pitcher throws best. It can switch on an ability, but each time it tires "
        "him.",
        "at-bat, at-bats, at bat": "One batter's turn. It lasts until the batter is out or stands on a base.",
        "ball, balls": "A pitch too bad to swing at. Four of them are a walk.",
        "bonus": "The second roll of the red die after the ball was crushed.",
        "both guessed, MVP": "An ability that works only if the batter guessed both halves of the pitch.",
        "contact": "The batter hits the ball, but not well enough. Now both sides race: the batter to first base, the "
        "fielders to throw him out.",
        "control": "The number on the white die. The swing is compared with it.",
        "count": "The balls and strikes against this batter so far.",
        "crush, crushes, crushed": "The red die showed a 6. Roll it again: 1 or 2 is contact, 3 or 4 a single, 5 a "
        "double, 6 a home run.",
        "direction": "Half of a pitch: inside is close to the batter, away is far from him.",
        "fatigue, tired, exhausted": "Each ace pitch moves its tokens down a row. In the last row the pitcher is too "
        "tired to throw that half of it.",
        "fielding": "With this a 4 also wins the race for the pitcher.",
        "fooled": "The batter guessed both halves of the pitch wrong, and the pitcher has both tokens.",
        "foul": "The swing equals the control on an S. It counts as a strike, but never as the third.",
        "home, plate": "The home team bats in this game, and the visitors pitch. A runner who comes home to the plate "
        "scores the run that wins.",
        "inside, away": "Inside is close to the batter, away is far from him. That is the direction of a pitch.",
        "letter": "What the second white die shows: B, S or C. It says how the swing and the control are compared.",
        "location": "Half of a pitch: high or low.",
        "mound": "Where the pitcher stands.",
        "out, outs, OUT": "A batter or runner who is out leaves the field. Three outs end the game.",
        "pitch, pitches, pitched, pitching": "A throw to the batter. There are four: inside or away, and high or low.",
        "pitcher, pitchers": "The player of the visitors who throws the ball to the batter.",
        "race": "Both sides roll a die over and over. The first to see a winning number, a 5 or a 6, calls SAFE or "
        "OUT.",
        "reliever, relievers, relief, relieves": "Relief lets the pitcher rest after an at-bat. The reliever is the "
        "second pitcher, who can come in once.",
        "rest, rests, rested": "After an at-bat the tokens may move up, one row for each base without a runner. Then "
        "the pitcher is less tired.",
        "row, rows": "A step of the pitcher's tiredness. 0 is fresh, and in the last row that half of the ace pitch is "
        "closed.",
        "safe, SAFE": "Not out: the player may stay on the base.",
        "speed": "With this a 4 also wins the race for the batter.",
        "strike, strikes": "A pitch on which the batter failed. Three of them are a strikeout.",
        "strikeout, strikes out": "Three strikes: the batter is out. Runners stay where they are.",
        "swing, swings": "The batter tries to hit the pitch: the roll of the red die.",
        "token, tokens": "One for each half of a pitch. Who holds it can use what his card has for that half.",
        "trait, traits": "What a card can do at any time, without a token.",
        "unopposed, rolls alone, rolls alone first, roll alone": "One roll before the race, with nobody against it. If "
        "it fails, the race begins.",
        "visitors": "The side that pitches. It wins with three outs before a run scores.",
    },
)
"""The lesson of Bottom of the 9th."""
