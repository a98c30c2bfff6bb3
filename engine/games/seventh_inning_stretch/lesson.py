"""What a newcomer to 7th Inning Stretch reads."""

from __future__ import annotations

from itertools import product

from engine.games.seventh_inning_stretch.cards import StretchBatter
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts, met_outcomes
from engine.games.seventh_inning_stretch.state import State
from engine.games.seventh_inning_stretch.words import MANAGER_TEAM_NAME, TEAM_NAMES
from engine.lessons.baseball_words import baseball_words
from engine.lessons.lesson import ChartRow, Lesson, LessonCard, LessonPicture
from engine.seats import SEATS

DIE_FACES = range(1, 7)
"""Faces of each die."""

EXAMPLE_DICE = 2
"""Dice of the example, as many as most batters of tier 1 bring."""


def build_cards(s: State) -> tuple[LessonCard, ...]:
    batter = next((card for card in s.box.batters.values() if card.lines), None)
    return (
        LessonCard(
            "Dice for your batters",
            f"Each batter brings dice, and the card says what they must show. "
            f"{_example(batter) if batter else 'What they show decides how far the batter gets.'}",
            LessonPicture(
                dice=((6, ""), (3, "")),
                chart=tuple(_row(line.text) for line in batter.lines) if batter else (),
            ),
        ),
        LessonCard(
            "Dice are gone once rolled",
            "You decide how many dice to roll, and they are gone whatever they show. What you save helps the next "
            "batter, but the third out takes it away.",
            LessonPicture(
                outs=2,
                chart=(
                    ChartRow("Roll 2 of 3 dice", "1 die for the next batter", True),
                    ChartRow("Roll no dice", "an out", False),
                ),
            ),
        ),
        _winning_card(s),
    )


def _example(batter: StretchBatter) -> str:
    """Return the share of rolls with which a batter is not out, with a usual number of dice and nobody on base."""
    rolls = list(product(DIE_FACES, repeat=EXAMPLE_DICE))
    good = sum(bool({*met_outcomes(batter.lines, faces, GuardFacts())} - {"sacrifice"}) for faces in rolls)
    return f"With {EXAMPLE_DICE} dice, {good} of {len(rolls)} rolls bring {batter.name} on base."


def _row(text: str) -> ChartRow:
    needed, _, outcome = text.partition(": ")
    return ChartRow(needed, outcome.replace("-", " "), True)


def _winning_card(s: State) -> LessonCard:
    if s.duel:
        sides = tuple((s.seat_name(seat, TEAM_NAMES[seat]), runs) for seat, runs in zip(SEATS, (4, 5), strict=True))
        return LessonCard(
            "More runs in nine innings",
            "Two coaches draft players and play one game. More runs after nine innings win it.",
            LessonPicture(score=sides),
        )
    wins = 4 if s.has_long_playoffs else 2
    return LessonCard(
        "Win games, then two series",
        f"A season is six short games, and wins earn stars. With three stars you reach the playoffs, where {wins} wins "
        "take each of two series.",
        LessonPicture(score=((s.seat_name("home", MANAGER_TEAM_NAME), 3), ("Opponent", 2))),
    )


LESSON = Lesson(
    cards=build_cards,
    words=baseball_words(
        "at-bat, away, base, bat, batter, batting order, bench, bullpen, caught stealing, double, hit, home, home "
        "run, leads off, on deck, out, pitch, reliever, run, runner, safe, single, triple, walk, WPA"
    )
    | {
        "ability, abilities": "What a pitcher can do to the other side's dice. Each use costs him an exhaustion token.",
        "coach, coaches": "The person who leads a team in a duel. An assistant coach helps a team during a season.",
        "condition": "What the dice must show for a line of a card.",
        "deadline, trade deadline": "The break after three games of a season, in which three stronger players join.",
        "deficit": "The runs by which you are behind before the game begins.",
        "draft": "To pick players in turn, one at a time.",
        "due up, due": "Next to bat.",
        "duel": "One game between two coaches, nine innings long.",
        "dugout": "Where players sit who were replaced. They cannot come back in this game.",
        "exhaustion, tired": "Each use of his ability makes a pitcher more tired. At his stamina he cannot use it "
        "again.",
        "extra base": "After a hit you can spend dice to send the other runners one base further. If it fails, one is "
        "out.",
        "finals, final": "The second series of the playoffs. Who wins it has won the season.",
        "half, half-inning, half-innings": "One side's turn in an inning. You bat until three are out; an opponent's "
        "card bats with one roll. A season also has two halves.",
        "highest, lowest": "The highest or lowest number that the dice of a roll show.",
        "Hitting Coach": "An assistant who adds a die to your rolls.",
        "Home Field": "More games of a series at home, where you bat last.",
        "inning, innings": "Each side has one turn in an inning. A season's games begin in the bottom half of the "
        "seventh.",
        "level": "How hard a playoff card makes a series. Stars lower it.",
        "line, lines": "One row of a card: what the dice must show, and what it brings.",
        "nudge, nudges, nudged, +/-1": "A token that turns one die up or down by one, as from a 5 to a 6.",
        "of a kind": "Dice that show the same, as three 4s are three of a kind.",
        "opponent, opponents": "The team that you play against. It bats with the dice on its card.",
        "outcome": "What a line of a card brings, such as a single.",
        "pair, pairs": "Two dice that show the same.",
        "pinch hitter, pinch hit": "A player from the bench who bats in another one's place. The other one is out of "
        "this game.",
        "pitcher, pitchers": "The player who holds the opponent back. He has an ability, and tires when he uses it.",
        "Pitching Coach": "An assistant who takes exhaustion off a pitcher after a game.",
        "playoff, playoffs": "The two series after the season's six games. You need three stars to get there.",
        "pool": "The dice and tokens that you can use now. It is empty at the start of each half-inning.",
        "recover, recovered, injured": "Before the playoffs, players who were hurt can join your roster.",
        "regular season": "The six games before the playoffs.",
        "reroll, rerolls, rerolled": "To roll some of the dice again. Each time costs a token.",
        "roster": "All players of a team, also those who are not in the game.",
        "sacrifice, sacrifices": "The batter is out, but every runner moves up a base.",
        "schedule": "The teams that you still have to play.",
        "season": "A whole year of games, played by one person.",
        "semifinal, semifinals": "The first series of the playoffs.",
        "series": "Games against one group of opponents, until one side has won enough of them.",
        "spread": "The highest die minus the lowest one.",
        "spring training": "Before the season three players join your roster, and you learn whom you will face.",
        "stamina": "How often a pitcher can use his ability before he needs a rest.",
        "star, stars": "What a won game earns. Stars open the playoffs and make them easier.",
        "steal, steals, stealing": "A runner goes for the next base before the batter rolls. It costs dice: second "
        "base needs a 5 or 6, third base a 6.",
        "straight": "Dice that follow each other, such as 2, 3 and 4.",
        "supply": "The dice and tokens that nobody has now.",
        "tier": "How strong a card is: 1 is the start of a season, 3 is the strongest.",
        "token, tokens": "A piece that you spend to reroll dice or to change one by one.",
        "veteran": "A level that adds one die to your pool, a few times in a season.",
        "visitors": "The side that bats first in a duel.",
    },
)
"""The lesson of 7th Inning Stretch."""
