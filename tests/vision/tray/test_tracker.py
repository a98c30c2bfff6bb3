"""Single dice tracked from reading to reading: at rest, moving, hidden, or thrown again while the other stays."""

import math
from dataclasses import replace

import pytest

from tests.vision.tints import die
from vision.matching import WantedDie
from vision.reader import Reader
from vision.reading import DieReading, Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.tray.tracker import DIE_GONE, DIE_MOVING, DIE_UNSURE, LOST_TIMEOUT_S, DiceTracker, RestingFace, ShownDie

RED, WHITE = SyntheticDie("red", pips="white"), SyntheticDie("white", pips="black")
WANTED = {"home": WantedDie("d6", "red", "home"), "away": WantedDie("d6", "white", "away")}
PACE = 0.08
"""Seconds from one reading to the next."""


def seen_in(dice: list[DieReading]) -> Reading:
    return Reading(tuple(dice), None, 1.0)


def doubted(one: DieReading, doubt: str) -> DieReading:
    return replace(one, doubt=doubt)


def follow(*readings: list[DieReading]) -> list[tuple[ShownDie, ShownDie]]:
    """Return what home's red die and away's white die show, reading by reading, a second apart."""
    follower = DiceTracker(WANTED)
    told = []
    for when, dice in enumerate(readings):
        shown = follower.process_reading(seen_in(dice), float(when))
        told.append((shown["home"], shown["away"]))
    return told


def home(*readings: list[DieReading]) -> list[ShownDie]:
    """Return what home's red die shows; away's is out of the way."""
    return [shown for shown, _ in follow(*readings)]


def red(value: int, x: int = 0) -> DieReading:
    return die(value, "red", x=x)


def test_a_die_is_at_rest_once_two_readings_agree() -> None:
    # The first sight of a die proves nothing; the second tells since when it lies.
    assert [DIE_UNSURE, RestingFace(5, 0.0), RestingFace(5, 0.0)] == home([red(5)], [red(5, 2)], [red(5, 1)])
    # In its new place it must again be seen twice.
    seen = home([red(5)], [red(5)], [red(5, 30)], [red(5, 60)], [red(5, 60)])
    assert [DIE_UNSURE, RestingFace(5, 0.0), DIE_MOVING, DIE_MOVING, RestingFace(5, 3.0)] == seen
    # A lying die may be found slightly elsewhere, but one that moves on each time is rolling; small steps add up.
    assert [DIE_UNSURE, *[DIE_MOVING] * 19] == home(*[[red(5, 5 * step)] for step in range(20)])
    assert [DIE_UNSURE, *[RestingFace(5, 0.0)] * 4, DIE_MOVING] == home(*[[red(5, 3 * step)] for step in range(6)])
    # In the air, in a hand or blurred: it counts as thrown until it was seen to lie twice.
    seen = home([red(5)], [red(5)], [], [red(2, 90)], [red(2, 90)])
    assert [DIE_UNSURE, RestingFace(5, 0.0), DIE_MOVING, DIE_MOVING, RestingFace(2, 3.0)] == seen


def test_dice_that_are_hidden_in_doubt_or_alone() -> None:
    # Found in its place with its value, it has lain since then; with another value it was thrown or turned.
    seen = home([red(5)], [red(5)], [], [red(5)], [])
    assert [DIE_UNSURE, RestingFace(5, 0.0), DIE_MOVING, RestingFace(5, 0.0), DIE_MOVING] == seen
    assert [DIE_MOVING, RestingFace(6, 3.0)] == home([red(5)], [red(5)], [], [red(6)], [red(6)])[3:]
    # Half hidden it was once read elsewhere.
    assert [DIE_MOVING, RestingFace(5, 0.0)] == home([red(5)], [red(5)], [red(2, 30)], [red(5)])[2:]
    # A momentary doubt or another value does not restart its rest; before it ever lay still it does.
    doubtful = [doubted(red(5), "unclear")]
    seen = home([red(5)], [red(5)], doubtful, [red(5)], [doubted(red(5, 50), "unclear")], [doubted(red(5, 50), "blur")])
    assert [DIE_UNSURE, RestingFace(5, 0.0), DIE_UNSURE, RestingFace(5, 0.0), DIE_MOVING, DIE_UNSURE] == seen
    assert [DIE_UNSURE, DIE_UNSURE, RestingFace(5, 0.0)] == home([red(5)], [red(5)], [red(3)], [red(3)], [red(5)])[2:]
    assert [DIE_UNSURE, DIE_UNSURE, RestingFace(2, 1.0)] == home([red(5)], [red(2)], [red(2)])
    assert [DIE_UNSURE, RestingFace(5, 1.0)] == home(doubtful, [red(5)], [red(5)])[1:]
    # Its colour alone is enough; the other is away meanwhile, and moving.
    white = die(3, "white", x=200)
    both = follow([red(5), white], [red(5), white], [white], [red(5, 90), white], [red(5, 90)])
    assert [
        (DIE_UNSURE, DIE_UNSURE),
        (RestingFace(5, 0.0), RestingFace(3, 0.0)),
        (DIE_MOVING, RestingFace(3, 0.0)),
    ] == both[:3]
    assert [(DIE_MOVING, RestingFace(3, 0.0)), (RestingFace(5, 3.0), DIE_MOVING)] == both[3:]
    # Where it is first seen it did not move, hidden or not: only from there on. Missing for long, it is gone too.
    assert [DIE_GONE, DIE_UNSURE, RestingFace(5, 1.0)] == home([], [red(5)], [red(5)])
    assert [DIE_GONE, DIE_UNSURE, DIE_MOVING, RestingFace(5, 1.0)] == home([], [red(5)], [], [red(5, 1)])
    assert [DIE_GONE, DIE_UNSURE, DIE_MOVING, RestingFace(5, 2.0)] == home([], [red(5)], [red(5, 60)], [red(5, 60)])
    away = round(LOST_TIMEOUT_S)
    assert [*[DIE_MOVING] * away, DIE_GONE, RestingFace(5, 0.0)] == home(
        [red(5)], [red(5)], *[[]] * (away + 1), [red(5)]
    )[2:]


BEFORE = Reading((red(5), die(3, "white", x=200)), None, 1.0)
LAY = RestingFace(5, -math.inf)


def started(before: Reading, *readings: list[DieReading]) -> list[ShownDie]:
    follower = DiceTracker(WANTED, before)
    return [follower.process_reading(seen_in(dice), float(when))["home"] for when, dice in enumerate(readings)]


def test_what_the_previous_reading_shows() -> None:
    # Hidden at first, and found in its place with its value, it never moved; elsewhere it did.
    assert [LAY, LAY] == started(BEFORE, [red(5)], [red(5)])
    assert [DIE_MOVING, DIE_MOVING, LAY] == started(BEFORE, [], [], [red(5, 2)])
    assert [DIE_MOVING, DIE_MOVING, RestingFace(6, 1.0)] == started(BEFORE, [], [red(6)], [red(6)])
    assert [DIE_MOVING, DIE_MOVING, RestingFace(5, 1.0)] == started(BEFORE, [], [red(5, 60)], [red(5, 60)])
    assert [*[DIE_MOVING] * 4, DIE_GONE] == started(BEFORE, *[[]] * 5)
    # Whatever value is found there lay there.
    doubtful = Reading(BEFORE.dice, "unclear", 1.0)
    assert [RestingFace(6, -math.inf)] * 2 == started(doubtful, [red(6)], [red(6)])
    assert [DIE_MOVING, RestingFace(6, -math.inf)] == started(doubtful, [], [red(6)])
    # It was not in the tray, so wherever it is first found, it came there. An unsure reading knows nothing.
    for doubt, first in ((None, DIE_MOVING), ("unclear", DIE_UNSURE)):
        without = Reading(BEFORE.dice[1:], doubt, 1.0)
        assert [DIE_GONE, first, RestingFace(6, 1.0)] == started(without, [], [red(6)], [red(6)])


def test_whose_die_it_is() -> None:
    # Neither red nor white: both are unsure, not away. A green one is neither.
    between = die(5, tint=(60, 20, 20))
    assert [(DIE_UNSURE, DIE_UNSURE)] * 2 == follow([between], [between])
    green = die(5, "green", x=300)
    assert [(DIE_UNSURE, DIE_GONE), (RestingFace(5, 0.0), DIE_GONE)] == follow([red(5), green], [red(5), green])
    # A die with letters in the tray does not compete; two dice that are both sure do.
    lettered = doubted(die(1, "white", x=300), "symbol")
    mine = die(6, "white")
    seen = [away for _, away in follow([mine, lettered], [mine, lettered], [mine, die(2, x=200)])]
    assert [DIE_UNSURE, RestingFace(6, 0.0), DIE_UNSURE] == seen


class Table:
    """A drawn tray under the real reader, and the tracker's states."""

    def __init__(self, seed: int) -> None:
        self.tray, self.reader = SyntheticTray(seed=seed), Reader(kinds=frozenset({"d6"}))
        self.follower = DiceTracker(WANTED)
        self.now = 0.0
        self.told: list[tuple[float, dict[str, ShownDie]]] = []

    def watch(self, until: float) -> dict[str, ShownDie]:
        while self.now < until:
            picture = self.tray.render_frame(self.now)
            self.told.append((self.now, self.follower.process_reading(self.reader.read_dice(picture), self.now)))
            self.now += PACE
        return self.told[-1][1]

    def of(self, seat: str, since: float) -> list[ShownDie]:
        return [shown[seat] for when, shown in self.told if when >= since]


def landed(shown: ShownDie, value: int, at: float) -> bool:
    """Return True if a die has been at rest since about when it really stopped, two readings before or three after."""
    return isinstance(shown, RestingFace) and shown.face == value and at - 2 * PACE <= shown.since <= at + 3 * PACE


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_one_die_is_thrown_again_while_the_other_stays(seed: int) -> None:
    """The resting die is reported at rest since it fell; the other moves, then rests with its new value."""
    table = Table(seed)
    white, first = table.tray.throw_die(0.0, WHITE, 3), table.tray.throw_die(0.0, RED, 6)
    lie = table.watch(max(white, first) + 0.6)["away"]
    assert isinstance(lie, RestingFace)
    assert landed(table.told[-1][1]["home"], 6, first)
    again = table.tray.throw_die(table.now, RED, 5)
    begun = table.now
    shown = table.watch(again + 0.6)
    assert landed(shown["home"], 5, again)
    assert DIE_MOVING in table.of("home", begun)
    assert {6} & {one.face for one in table.of("home", begun + PACE) if isinstance(one, RestingFace)} == set()
    assert {lie} >= {one for one in table.of("away", begun) if one != DIE_UNSURE}


@pytest.mark.slow
def test_both_roll_at_once() -> None:
    table = Table(7)
    table.watch(0.3)
    white = table.tray.throw_die(table.now, WHITE, 2)
    table.watch(0.7)
    red_ = table.tray.throw_die(table.now, RED, 6)
    shown = table.watch(max(white, red_) + 0.6)
    assert landed(shown["home"], 6, red_)
    assert landed(shown["away"], 2, white)


@pytest.mark.slow
def test_a_hand_over_the_tray_is_not_a_roll() -> None:
    """Whatever is reported while the hand covers them, afterwards both dice have lain since they first did."""
    table = Table(5)
    table.tray.place_die(0.0, RED, 5, -50, 10)
    table.tray.place_die(0.0, WHITE, 6, 50, -20)
    before = table.watch(0.5)
    assert {"home": RestingFace(5, 0.0), "away": RestingFace(6, 0.0)} == before
    table.tray.show_hand(table.now, 1.0)
    assert before == table.watch(2.2)
    seen = [one for seat in WANTED for one in table.of(seat, 0.1)]
    assert {DIE_MOVING} < {*seen} <= {*before.values(), DIE_MOVING, DIE_UNSURE}


def test_a_doubt_about_the_whole_picture_applies_to_each_die() -> None:
    """In a moved tray nothing is sure, nor in a blurred picture; another doubt is that of one die."""
    for doubt, shown in (("moved-tray", DIE_UNSURE), ("blur", DIE_UNSURE), ("unclear", RestingFace(5, 0.0))):
        follower = DiceTracker(WANTED)
        seen = [follower.process_reading(Reading((red(5),), doubt, 1.0), float(when))["home"] for when in range(2)]
        assert seen[1] == shown
