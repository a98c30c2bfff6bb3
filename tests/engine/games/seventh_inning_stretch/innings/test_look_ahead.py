"""Choices that are none: moot answers, some of them checked by playing every other answer to its end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.asks import Choose
from engine.cards import Deck
from engine.games.seventh_inning_stretch.dice.abilities import PHRASES, ability
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import (
    BLANK,
    MAX,
    against,
    at,
    batter_card,
    between,
    deck,
    pitcher_card,
    skip,
    swing,
    team_card,
    true,
    until,
)
from tests.engine.tables import asked, inside, offered, play

BENCH = ("T-11", "T-12")


def moot(table: Table) -> str | None:
    """Return the moot answer to the open question."""
    ((_, ask),) = table.asks()
    found = inside(ask)
    assert isinstance(found, Choose), ask
    return found.moot


# At bat ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "face", "keep"),
    [
        ((0, 0, 1), 6, True),  # Nothing is better than a home run.
        ((0, 0, 1), 5, False),  # A double can become one.
        ((0, 0, 1), 3, False),
        ((0, 0, 1), 2, True),  # A single is two nudges away.
        ((0, 0, 2), 2, False),
        ((0, 1, 0), 1, False),  # Thrown again, it can be anything.
        ((0, 1, 0), 6, True),
    ],
)
def test_a_token_that_cannot_help_is_moot(pool: tuple[int, int, int], face: int, keep: bool) -> None:
    table = swing(at(pool=pool), face)
    assert (("tokens",), "keep" if keep else None) == (asked(table), moot(table))


@pytest.mark.parametrize(("face", "keep"), [(5, True), (6, True), (4, False), (3, True)])
def test_a_token_for_a_steal_is_moot_if_the_runner_is_safe_or_lost(face: int, keep: bool) -> None:
    table = play(at(bases="1", pool=(0, 0, 1)), "steal-second", "1", [face])
    assert (("tokens",), "keep" if keep else None) == (asked(table), moot(table))


def test_a_token_may_still_help_against_an_ability() -> None:
    """A duel's pitcher may answer a home run of one die, but not once he is exhausted."""
    for tired, keep in ((0, None), (2, "keep")):
        table = swing(skip(at(pool=(0, 0, 1), duel=True, tired={"F-PIT": tired}), "relief"), 5, 6)
        assert (("tokens",), keep) == (asked(table), moot(table))


def test_a_blank_card_is_never_moot() -> None:
    table = play(at("F-5", pool=(1, 0, 1), cards=deck(BLANK)), "0", "0", "0", "1", [6])
    assert (("tokens",), None) == (asked(table), moot(table))


@pytest.mark.parametrize(("face", "keep"), [(6, "keep"), (5, None), (3, None), (4, "keep"), (1, "keep")])
def test_a_token_for_a_stars_die_is_moot_if_no_die_is_gained(face: int, keep: str | None) -> None:
    """Its table is 0 0 1 2 2 3."""
    assert keep == moot(play(at("F-7", pool=(0, 0, 1)), [face]))


def test_dice_that_cannot_meet_the_card_are_moot() -> None:
    """One die makes no pair; but with a runner on first, it may steal."""
    cards = deck({"F-0": batter_card("F-0", ["a pair: single"], "1")})
    table = at("F-0", cards=cards)
    assert (("at-bat",), ("1", "0"), "0") == (asked(table), offered(table), moot(table))
    assert None is moot(at("F-0", "1", cards=cards))
    assert None is moot(at("F-0", pool=(1, 0, 0), cards=cards))
    assert None is moot(at("F-5", "", cards=deck(BLANK)))


def test_an_extra_base_without_dice_is_moot() -> None:
    table = swing(at(bases="1", house={"minStealDice": "0"}), 4, 4)
    assert (("extra-base",), ("hold", "0"), "hold") == (asked(table), offered(table), moot(table))


def test_the_better_outcome_is_moot_unless_the_next_batter_looks_at_the_bases() -> None:
    assert ("single", "double") == offered(swing(at("F-TWO", "1"), 5, 5))
    assert "double" == moot(swing(at("F-TWO", "1"), 5, 5))
    watching = deck({"F-MAX": batter_card("F-MAX", MAX, "1 a runner")})
    assert None is moot(swing(at("F-TWO", "1", cards=watching), 5, 5))
    # If the game is won, nobody comes up next.
    assert "double" == moot(swing(at("F-TWO", "2", inning=9, cards=watching), 5, 5))


def test_a_walk_and_a_sacrifice_are_a_choice() -> None:
    cards = deck({"F-0": batter_card("F-0", ["a 6: walk", "a 6: sacrifice"])})
    assert None is moot(swing(at("F-0", "3", cards=cards), 6))
    assert "walk" == moot(swing(at("F-0", "3", 2, cards=cards), 6)), "nobody scores on the third out"


def test_the_runner_who_has_come_least_far_is_out() -> None:
    table = play(swing(at(bases="1", pool=(1, 0, 0)), 4), "1", [1])
    assert (("runner-out",), "F-MAX") == (asked(table), moot(table))
    steal = play(at(bases="12"), "steal-third", "1", [1])
    assert (("runner-out",), "r1") == (asked(steal), moot(steal))
    watching = deck({"F-MAX": batter_card("F-MAX", MAX, "1 a runner")})
    assert None is moot(play(at(bases="12", pool=(1, 0, 0), cards=watching), "steal-third", "1", [1]))


# In the field --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "inning", "runs", "enough"),
    [
        ((1, 1, 6), 8, (0, 0), True),  # No runs to take away.
        ((2, 4, 6), 8, (0, 0), False),
        ((2, 4, 6), 9, (5, 0), True),  # The game is won in any case,
        ((2, 4, 6), 9, (2, 0), False),
        ((1, 6, 6), 9, (0, 0), True),  # or lost: two uses leave a run.
    ],
)
def test_an_ability_that_changes_nothing_is_moot(
    faces: tuple[int, ...], inning: int, runs: tuple[int, int], enough: bool
) -> None:
    table = play(against(home=False, inning=inning, runs=runs), list(faces))
    assert (("ability",), "enough" if enough else None) == (asked(table), moot(table))


def test_an_ability_is_moot_against_a_batter_who_is_out() -> None:
    batter = skip(at(duel=True), "relief")
    assert "enough" == moot(swing(batter.clone(), 3))
    assert None is moot(swing(batter, 4))


def test_fewer_dice_are_moot_once_the_game_is_decided() -> None:
    """At most five runs with three dice: six ahead in the ninth is enough, five is not a loss either."""
    for ahead, answer in ((6, "enough"), (5, None), (0, None)):
        assert answer == moot(against("F-CUT", home=False, inning=9, runs=(ahead, 0)))
    assert None is moot(against("F-CUT", home=False, inning=8, runs=(6, 0)))


def test_relief_is_moot_without_anybody_fresh() -> None:
    worn = {"T-11": 2, "T-12": 2}
    assert (("relief",), "stays") == (asked(table := against(pitchers=BENCH, tired=worn)), moot(table))
    assert None is moot(against(pitchers=BENCH, tired=worn | {"T-12": 1}))
    assert "stays" == moot(against(pitchers=BENCH, home=False, inning=9, runs=(6, 0)))
    banned = deck(forces={("semifinals", 3): "no pitcher abilities"})
    assert "stays" == moot(against(pitchers=BENCH, phase="semifinals", cards=banned))
    # In a duel an ability for a team's roll is of no use.
    for name, answer in (("F-CUT", "stays"), ("T-11", None)):
        assert answer == moot(at(duel=True, pitchers=(name,), tired={"U-11": 2}))


def test_the_only_fresh_pitcher_starts() -> None:
    for tired, name in (({}, None), ({"F-PIT": 2}, "F-CUT"), ({"F-PIT": 2, "F-CUT": 3}, None)):
        assert name == moot(until(between("semifinals", schedule=("U-1", "U-2"), tired=tired), "pitcher"))


def test_the_pitching_coach_helps_the_only_tired_pitcher() -> None:
    for tired, name in (({"F-PIT": 2}, "F-PIT"), ({"F-PIT": 2, "F-CUT": 1}, None)):
        season = between("first", {"coach": "pitching"}, schedule=("T-1", "T-2", "T-3"), tired=tired)
        assert name == moot(until(season, "pitching-coach"))


# Every other answer, played to its end -------------------------------------------------------------------------------


@cache
def cards_with(phrase: str) -> Deck:
    """Return a deck whose F-PIT has this ability, and whose team scores in several ways."""
    runs = "the difference of the two lowest; 3 for a pair of 6; the highest less 4"
    return deck({"F-PIT": pitcher_card("F-PIT", phrase), "team T-1": team_card("T1", 2, 3, runs)})


def ends(table: Table, why: str) -> Iterator[Table]:
    """Yield the table after every row of answers to questions of this kind."""
    if asked(table) != (why,):
        yield table
        return
    for option in offered(table):
        twin = table.clone()
        ((n, ask),) = twin.asks()
        twin.answer(ask.seat, n, option)
        yield from ends(twin, why)


PHRASED = [one for one in PHRASES.examples if "reroll" not in one and not ability(one).before]


@pytest.mark.parametrize("phrase", PHRASED)
def test_an_ability_is_moot_if_no_use_takes_a_run(phrase: str) -> None:
    """It is moot exactly if no row of uses ends with fewer runs than none at all."""
    chance = random.Random(phrase)
    for _ in range(6):
        faces = [chance.randint(1, 6) for _ in range(3)]
        table = play(against(cards=cards_with(phrase)), faces)
        if asked(table) != ("ability",):
            continue
        answer = moot(table)
        scores = [true(end).score[0] for end in ends(table, "ability")]
        assert (answer is None) is (min(scores) < scores[0]), (faces, scores)


TRICKY: list[Any] = ["a pair: single", "sum 9: triple", "straight of 2: walk", "lowest 5+: home-run"]


def test_a_token_is_moot_if_no_row_of_nudges_helps() -> None:
    """It is moot exactly if no row of nudges ends with more than keeping the dice."""
    chance = random.Random(5)
    cards = deck({"F-0": batter_card("F-0", TRICKY)})
    rank = ("home-run", "triple", "single", "walk", "out")
    seen = set()
    for _ in range(40):
        faces = [chance.randint(1, 6) for _ in range(2)]
        table = swing(at("F-0", "2", pool=(0, 0, 2), cards=cards, house={"conditionChoice": "best"}), *faces)
        answer = moot(table)
        results = [next(one.code for one in end.lines() if one.code in rank) for end in ends(table, "tokens")]
        assert (answer is None) is (min(map(rank.index, results)) < rank.index(results[0])), (faces, results)
        seen.add(answer)
    assert {None, "keep"} == seen
