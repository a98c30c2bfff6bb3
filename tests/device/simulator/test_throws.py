"""The demo throws every kind of die that is asked for; the real reader sees it."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from device.simulator.scene import SimulatedDevices, SimulatedTray
from device.storage.store import Store
from device.table.throw_match import match_roll
from engine.asks import Roll
from engine.dice import FACES_BY_KIND, Die
from tests.device.stored_games import Clock, duel
from tests.engine.sample_games import duel_game as rules
from tests.vision.tiers import rows
from vision.reader import Reader
from vision.reading import READABLE_KINDS, Reading
from vision.synthetic.leaning import gap_between, tilt_angle

PITCH = Die("d6", "white", "away"), Die("pitch", "white", "away")


@pytest.mark.slow
@pytest.mark.parametrize(
    "dice",
    [*((Die(kind, "red"),) for kind in sorted(READABLE_KINDS)), PITCH],
    ids=lambda dice: "-".join(d.kind for d in dice),
)
def test_every_kind_is_thrown_and_read(dice: tuple[Die, ...]) -> None:
    """The demo throws the dice asked for, and the real reader sees what they show, each in its place; nothing else
    counts without asking."""
    now, reader, right = 0.0, Reader(), 0
    reader.kinds = frozenset(die.kind for die in dice)
    tray = SimulatedTray(seed=5, clock=lambda: now)
    ask = Roll("away", "why", dice)
    for _ in range(6):
        tray.throw_dice(dice)
        now += 5.0
        reading = reader.read_dice(tray.render_frame(now))
        fit = match_roll(reading, ask)
        truth = match_roll(Reading(tray.resting_dice() or (), None, 0.0), ask).faces
        assert len(dice) == len(truth)
        assert truth == fit.faces or fit.doubt is not None
        assert all(face in FACES_BY_KIND[die.kind] for die, face in zip(dice, fit.faces, strict=False))
        right += truth == fit.faces
    assert right >= 5


RED, ODD = Die("d6", "red"), Die("d20", "blue")


@pytest.mark.parametrize(
    ("what", "asked", "thrown"),
    rows(
        [
            ("cock", (ODD,), ["blue d20"]),
            ("stack", (ODD,), ["blue d20", "blue d20"]),
            ("cock", (RED, *PITCH, ODD), ["blue d20", "red d6", "white d6", "white pitch"]),
            ("stack", (RED, *PITCH, ODD), ["blue d20", "red d6", "white d6", "white pitch"]),
            ("cock", (Die(),) * 12, ["white d6"] * 12),
            ("stack", (Die("d24"), Die("d8"), Die("d10")), ["white d10", "white d24", "white d8"]),
            ("cock", (), ["white d6"]),
            ("stack", (), ["white d6", "white d6"]),
        ]
    ),
)
def test_exactly_the_dice_asked_for_lie_badly(what: str, asked: tuple[Die, ...], thrown: list[str]) -> None:
    """One of them, any of them, leans or lies on another, which it takes two for; nobody could tell what it shows."""
    now, badly = 0.0, set()
    tray = SimulatedTray(seed=3, clock=lambda: now)
    for _ in range(6):
        tray.perform_action(what, asked)
        assert tray.resting_dice() is None
        now += 9
        lie, marks = tray.resting_dice() or (), tray._tray.ground_truth_marks(now)
        assert thrown == sorted(f"{die.colour} {die.kind}" for die in lie)
        assert tray.true_faces() is None
        expected = ["cocked"] if what == "cock" else ["covered", "stacked"]
        assert expected == sorted(mark for mark in marks if mark)
        hidden = [die for die, mark in zip(lie, marks, strict=True) if mark in ("cocked", "covered")]
        assert [None] == [die.value for die in hidden]
        badly.add((hidden[0].colour, hidden[0].kind))
    assert len(badly) > 1 or len(set(asked)) < 2


def test_the_demo_cocks_and_stacks_the_dice_of_the_roll(store: Store, clock: Clock) -> None:
    """They are those that are asked for now."""
    stage, session = SimulatedDevices({}, seed=3), duel(store, clock)
    stage.tray._clock = clock
    for what in ("cock", "stack"):
        stage.simulate_action(what, session)
        clock.now += 9
        assert Counter(die.kind for die in rules.DICE) == Counter(die.kind for die in stage.tray.resting_dice() or ())


@pytest.mark.slow
def test_dice_lie_badly_in_many_ways() -> None:
    """They lean on every wall and on each other, at many tilts, and lie on each other flat and tilted."""
    now, tilts, held, flat = 0.0, [], Counter[str](), Counter[bool]()
    tray = SimulatedTray(seed=1, clock=lambda: now)
    wide, deep = tray._tray._inner
    for _ in range(28):
        tray.perform_action("cock", (Die(), Die()))
        now += 9
        other, last = tray._tray._things
        tilts.append(math.degrees(tilt_angle("d6", last.rest_pose.turn)))
        x, y = last.rest_pose.x, last.rest_pose.y
        far = {"right": wide / 2 - x, "left": wide / 2 + x, "lower": deep / 2 - y, "upper": deep / 2 + y}
        held[
            "other"
            if gap_between(other.die_and_rest_pose, last.die_and_rest_pose) < 0.05
            else min(far, key=lambda name: far[name])
        ] += 1
        tray.perform_action("stack", (Die(), Die()))
        now += 9
        flat[tilt_angle("d6", tray._tray._things[-1].rest_pose.turn) < 0.01] += 1
    assert held.keys() == {"other", "right", "left", "lower", "upper"}
    assert held["other"] > 5
    assert min(tilts) < 18
    assert max(tilts) > 34
    assert min(flat[True], flat[False]) > 5
