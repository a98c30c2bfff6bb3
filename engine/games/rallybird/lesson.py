"""What a newcomer to RallyBird reads."""

from __future__ import annotations

from itertools import product

from engine.games.rallybird.cards import AtBatCard
from engine.games.rallybird.state import State
from engine.games.rallybird.words import TEAM_NAMES, describe_result
from engine.lessons.baseball_words import baseball_words
from engine.lessons.lesson import ChartRow, Lesson, LessonCard, LessonPicture
from engine.seats import SEATS

DIE_FACES = range(1, 7)
"""Faces of each of the two dice."""


def build_cards(s: State) -> tuple[LessonCard, ...]:
    innings = "after the ninth inning"
    bird = " The RallyBird lets a side that is behind in the ninth roll again." if s.house["rallyBird"] == "on" else ""
    readable = [card for card in s.box.cards.values() if card.results and card.tests]
    gloves = list(s.box.gloves.values())
    worn = gloves[0]
    return (
        LessonCard(
            "Two dice against the Gloves",
            f"A card says which zones of the field it tests, and the Gloves there are what the dice must beat. "
            f"{_example(s, readable[0]) if readable else 'More than their sum is best.'}",
            LessonPicture(dice=((5, ""), (4, "")), chart=_results(readable[0]) if readable else ()),
        ),
        LessonCard(
            "Every success wears a Glove",
            "After a success, a Glove that was tested is turned over, or leaves the field if it was turned before. "
            "After three outs the other side bats, and all Gloves are fresh.",
            LessonPicture(
                outs=1,
                chart=(
                    ChartRow(f"Glove {worn.name}, front", f"counts {worn.front}", True),
                    ChartRow("turned over", f"counts {worn.back}", worn.back > worn.front),
                ),
            ),
        ),
        LessonCard(
            "More runs win",
            f"The game begins in inning {s.house['startInning']}, and the side with more runs {innings} wins.{bird}",
            LessonPicture(
                score=tuple(
                    (s.seat_name(seat, TEAM_NAMES[seat]), runs) for seat, runs in zip(SEATS, (2, 3), strict=True)
                )
            ),
        ),
    )


def _example(s: State, card: AtBatCard) -> str:
    """Return the number of rolls that beat a card if each zone that it tests has a Glove of the middle value."""
    values = sorted(glove.front for glove in s.box.gloves.values())
    target = values[len(values) // 2] * len(card.tests)
    rolls = [sum(faces) for faces in product(DIE_FACES, repeat=2)]
    return f"If they add up to {target}, {sum(roll > target for roll in rolls)} of {len(rolls)} rolls are more."


def _results(card: AtBatCard) -> tuple[ChartRow, ...]:
    best = "more"
    return tuple(
        ChartRow(compare, describe_result(result), compare == best) for compare, result in card.results.items()
    )


LESSON = Lesson(
    cards=build_cards,
    words=baseball_words(
        "at-bat, away, base, bat, batter, double, half-inning, hit, home, home run, inning, out, run, runner, safe, "
        "single, triple, visitors, walk"
    )
    | {
        "advance": "To move up to the next base.",
        "At Bat card": "A card of the batting side. It says which zones it tests, and what comes of less, equal and "
        "more.",
        "baseball": "Two Gloves have a baseball on them. One of these two is left out in each half-inning.",
        "Defense": "The side in the field, which lays the Gloves. The other side bats.",
        "double play": "Two players are out at once.",
        "Glove, Gloves": "A piece of the side in the field, with a number on each side. It makes a zone hard to beat.",
        "lead runner": "The runner who is closest to home.",
        "left out, leave out": "Out of the game for this half-inning.",
        "RallyBird": "A side that is behind in the ninth inning can roll again with it. If the new roll fails, it is "
        "lost.",
        "sits out, set aside": "A card that cannot be played in this half-inning. Only the batting side knows which.",
        "success, succeeded, succeeds": "A roll that brings somebody forward. It wears a Glove that was tested.",
        "target, to beat": "The sum of the zones that a card tests. The dice are compared with it.",
        "test, tests, tested": "A card tests zones: their Gloves are added up, and the dice are compared with the sum.",
        "turned over, turn over": "A Glove that lost once shows its back, with another number, for this half-inning.",
        "zone, zones": "A part of the field, A to F. One Glove can lie on it; without a Glove its printed number "
        "counts.",
    },
)
"""RallyBird's lesson."""
