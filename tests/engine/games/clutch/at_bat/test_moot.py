"""Choices of Clutch that are none: a throw that gets nobody, fielders who are best where they are, a walk that loses.

The last tests play each at-bat to its end in every way, and rate the positions after it at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.asks import Choose
from engine.games.clutch.cards.card_types import FIELD_POSITIONS
from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import at, options, pitched, run, state, until, up, upto
from tests.engine.games.clutch.fixture import batter
from tests.engine.games.contract.exact_play import ExactPlay, is_never_worse
from tests.engine.tables import asked, inside


def moot(table: Table, why: str, *script: str) -> str | None:
    """Return the answer that the rules propose."""
    ask = inside(upto(table, why, *script))
    assert isinstance(ask, Choose)
    return ask.moot_option


SLOW, FAST = 11, 25


@each("level", ["players", "full"])
@each(
    ("speed", "outfield", "why", "script", "answer"),
    [
        # A try and an out are choices: they may bring up another batter in the next half-inning.
        (SLOW, 11, "extra-base", ("1B!",), None),
        (FAST, -6, "extra-base", ("1B!",), None),
        (15, 4, "extra-base", ("1B!",), None),
        (15, 4, "throw-at", ("1B!", "to-third"), None),
        (FAST, -6, "throw-at", ("1B!", "to-third"), "no-throw"),
    ],
)
def test_a_throw_that_gets_nobody_needs_no_question(
    level: str, speed: int, outfield: int, why: str, script: tuple[str, ...], answer: str | None
) -> None:
    """Cards could change all of it, so nothing is taken for granted with them."""
    cards = {"A-RF": batter("A-RF", "RF +1", baserunning=speed), "H-CF": batter("H-CF", f"CF {outfield - 2:+}")}
    assert (answer if level == "players" else None) == moot(at("T5 0o 1--", cards=cards, level=level), why, *script)


def test_a_throw_is_a_choice_if_it_gets_one_of_two_runners() -> None:
    assert None is moot(at("T5 0o 12-", level="players"), "throw-at", "1B!", "to-third-home")
    fast = {"A-CF": batter("A-CF", "CF +2", baserunning=FAST)}
    assert None is moot(at("T5 0o 12-", level="players", cards=fast), "throw-at", "1B!", "to-third-home")


def test_the_batter_or_a_runner_is_a_choice() -> None:
    assert None is moot(at("T5 0o -2-", level="players"), "throw-or-batter", "GB!", "to-third")
    fast = {"A-CF": batter("A-CF", "CF +2", baserunning=FAST), "H-SS": batter("H-SS", "SS -2")}
    fast |= {spot: batter(spot, f"{spot[2:]} -2") for spot in ("H-1B", "H-2B", "H-3B")}
    assert None is moot(at("T5 0o -2-", level="players", cards=fast), "throw-or-batter", "GB!", "to-third")


@each(
    ("level", "where", "gloves", "answer"),
    [
        ("basic", "T2 0o ---", {}, "pitch"),
        ("basic", "T2 0o --3", {}, "pitch"),
        ("basic", "T2 2o 12-", {}, "pitch"),
        # A double play, or a throw to third, may fail with other fielders.
        ("basic", "T2 1o 1--", {}, None),
        ("basic", "T2 0o -2-", {}, None),
        # From the fourth inning on there are substitutions, and with more rules a walk.
        ("basic", "T5 0o ---", {}, None),
        ("players", "T2 0o ---", {}, None),
        # Two who would be better in each other's place; three who would be in a ring, though no two are.
        ("basic", "T2 0o ---", {"H-SS": "SS +2 2B +4", "H-2B": "2B +2 SS +2"}, None),
        ("basic", "T2 0o ---", {"H-SS": "SS +0 2B +4", "H-2B": "2B +0 3B +4", "H-3B": "3B +0 SS +4"}, None),
        ("basic", "T2 0o ---", {"H-SS": "SS +2 2B +2", "H-2B": "2B +2 SS +2"}, "pitch"),
    ],
)
def test_moving_fielders_needs_a_question_only_if_it_helps(
    level: str, where: str, gloves: dict[str, str], answer: str | None
) -> None:
    cards = {}
    for name, spots in gloves.items():
        words = spots.split()
        cards[name] = batter(name, *(f"{spot} {rating}" for spot, rating in zip(words[::2], words[1::2], strict=True)))
    table = at(where, level=level, cards=cards)
    assert answer == moot(table, "defence")
    assert "positions" in options(upto(table, "defence"))


@each(
    ("where", "score", "answer"),
    [
        ("B9 0o 123", (3, 3), "pitch"),
        ("B9 0o 12-", (3, 3), None),
        ("B9 0o 123", (4, 3), None),
        ("T9 0o 123", (3, 3), None),
    ],
)
def test_nobody_walks_in_the_run_that_loses_the_game(where: str, score: tuple[int, int], answer: str | None) -> None:
    """The walk ends the game at once."""
    table, side = at(where, score, level="players"), "H" if where[0] == "B" else "A"
    assert answer == moot(table, "walk", "pitch", "pinch-hitter", f"{side}-CA2")
    assert bool(run(table, "walk").outcome) == (answer is not None)


def test_what_is_moot_is_only_proposed() -> None:
    """Every other option is still there, and can be taken."""
    cards = {"A-RF": batter("A-RF", "RF +1", baserunning=FAST), "H-CF": batter("H-CF", "CF -9")}
    table = at("T5 0o 1--", cards=cards, level="players")
    assert ("at-third", "no-throw") == options(upto(table, "throw-at", "1B!", "to-third"))
    run(table, "at-third", "D20")
    assert "A-RF" == state(table).bases[2].name  # type: ignore[union-attr]
    assert 5 == pitched(table)[0]


# Every way to play on ------------------------------------------------------------------------------------------------


def exact_play(seat: Seat, table: Table, seed: float, horizon: Callable[[Table], bool]) -> ExactPlay:
    """Return exact values to a horizon, for random values of the positions there. The game may end before it."""

    def worth(then: Table) -> float | None:
        if not then.outcome and not horizon(then):
            return None
        s = state(then)
        bases = [runner and runner.name for runner in s.bases]
        return random.Random(f"{seed} {asked(then)} {s.clock} {s.score} {s.outs} {bases} {then.outcome}").random()

    return ExactPlay(seat, worth, lambda then: object())


@each("seed", range(3))
@each(
    ("where", "script"),
    [
        ("T5 0o 1--", ("1B!", "to-third")),
        ("T5 1o 12-", ("1B!", "to-third-home")),
        ("T5 2o -2-", ("1B!", "to-home")),
        ("T5 0o --3", ("FB!", "to-home")),
        ("T5 0o 1--", ("steal-second",)),
    ],
)
def test_a_throw_that_gets_nobody_changes_nothing(seed: int, where: str, script: tuple[str, ...]) -> None:
    cards = {f"A-{spot}": batter(f"A-{spot}", f"{spot} +1", baserunning=40, stealing=40) for spot in FIELD_POSITIONS}
    table = at(where, level="players", cards=cards)
    assert "no-throw" == moot(table, "throw-at", *script)
    found = exact_play("home", table, seed, lambda then: asked(then) != ("throw",)).option_values(table)
    assert all(is_never_worse(found, option) for option in found), found


PLAYS = (("1B!",), ("2B!",), ("FB!",), ("GB!",), ("steal-second", "1B!"), ("steal-third", "FB!"))


def next_at_bat(table: Table) -> Callable[[Table], bool]:
    """Return a horizon at the end of this at-bat."""
    number = up(table)
    return lambda then: up(then) != number


def menu(table: Table) -> tuple[str, ...]:
    """Return what the side at bat may do once the defense pitches, if it is asked."""
    ask = inside(until(table.clone(), "pitch"))
    return ask.options if isinstance(ask, Choose) else ()


def check_positions(seed: int) -> None:
    """Check that no trade of positions makes an at-bat worth more, whatever its dice, where none is asked for."""
    chance, tried = random.Random(seed), 0
    speed = {"baserunning": chance.choice((11, 15, 18)), "stealing": chance.choice((11, 15, 18))}
    cards = {f"A-{spot}": batter(f"A-{spot}", f"{spot} +1", **speed) for spot in FIELD_POSITIONS}
    gloves = {f"H-{spot}": batter(f"H-{spot}", f"{spot} {chance.randint(1, 4):+}") for spot in FIELD_POSITIONS}
    while tried < 8:
        where = f"T2 {chance.choice('012')}o {chance.choice(('---', '--3', '1--', '-2-', '1-3', '12-', '-23'))}"
        table = at(where, level="basic", cards=cards | gloves)
        if moot(table, "defence") != "pitch":
            continue
        one, other = chance.sample(FIELD_POSITIONS, 2)
        play = chance.choice(PLAYS)
        if play[0].startswith("steal") and play[0] not in menu(table):
            continue
        tried += 1
        worth = []
        for change in ((), ("positions", f"H-{one}", other)):
            then = table.clone()
            until(then, *change, "pitch", *play)
            worth.append(exact_play("home", then, seed, next_at_bat(table)).value(then))
        assert worth[0] >= worth[1] - 1e-9, (where, one, other, play, worth)


@each("seed", range(4))
def test_other_positions_make_no_at_bat_worth_more(seed: int) -> None:
    check_positions(seed)


@pytest.mark.slow
@each("seed", range(4, 30))
def test_other_positions_make_none_of_many_at_bats_worth_more(seed: int) -> None:
    check_positions(seed)
