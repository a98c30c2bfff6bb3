"""Every doubt about dice by its name: a drawn scene that must raise it, and a similar scene that is read unasked.

Elsewhere: no dice and a die cut off by the picture's edge are in `test_reader`; the limits of each doubt in
`test_decide`; hands and moving dice in `test_motion`; how far a tray may move and its light change
in `test_drift`.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from device.table.throw_match import match_roll
from engine.asks import Roll
from engine.dice import D6
from tests.vision.tiers import rows
from tests.vision.trays import at_table, warped
from vision.reader import Reader
from vision.reading import READABLE_KINDS, Reading
from vision.synthetic.tray import GlareSpot, SyntheticDie, SyntheticTray
from vision.tray.drift import DriftWatcher
from vision.tray.outline import Tray, find_tray
from vision.tray.tray_reader import TrayDiceReader

NOW = 5.0
LOOKS = (
    SyntheticDie(),
    SyntheticDie("red", 16, "white"),
    SyntheticDie("black", 16, "white"),
    SyntheticDie("ivory", 18),
    SyntheticDie("blue", 14, "white"),
    SyntheticDie("green", 20, "white"),
)
Scene = Callable[[SyntheticTray, SyntheticDie], object]


def scene(look: SyntheticDie, seed: int, *acts: Scene, plain: int = 2) -> tuple[SyntheticTray, Reader]:
    """Return a calibrated tray with `plain` dice thrown into it, and then changed by `acts`, and its reader."""
    tray = SyntheticTray(seed=seed)
    reader = at_table(tray)
    tray.throw_dice(0.0, [look] * plain)
    for act in acts:
        act(tray, look)
    return tray, reader


def values(tray: SyntheticTray) -> list[int]:
    return sorted(die.value for die in tray.ground_truth(NOW) or () if isinstance(die.value, int))


def odd(kind: str) -> Scene:
    """Put a thing of this kind in a free place."""

    def put(tray: SyntheticTray, look: SyntheticDie) -> None:
        thing = replace(look, kind=kind)
        if kind == "sugar":
            thing = SyntheticDie("white", look.size, kind=kind, gloss=0.0)
        elif kind == "coin":
            thing = SyntheticDie("silver", look.size + 4, kind=kind)
        x, y = free(tray, thing)
        tray.place_die(NOW, thing, None, x, y, turn=look.size)

    return put


def free(tray: SyntheticTray, die: SyntheticDie) -> tuple[float, float]:
    spots = [(x, y) for x in range(-90, 91, 30) for y in range(-60, 61, 30)]
    boxes = [die.box for die in tray.ground_truth(NOW) or ()]
    middles = [((x + wide / 2 - 320) / 2.56, (y + tall / 2 - 240) / 2.56) for x, y, wide, tall in boxes]
    return max(spots, key=lambda spot: min((math.dist(spot, middle) for middle in middles), default=0.0))


def glint(tray: SyntheticTray, look: SyntheticDie) -> None:
    """Put down a polished die with the lamp along its upper edge, beside the pips."""
    x, y = free(tray, look)
    turn, away = 0.5, 0.42 * look.size
    light = GlareSpot(away * math.sin(turn), -away * math.cos(turn), 0.5 * look.size, 0.09 * look.size, turn)
    tray.place_die(NOW, replace(look, gloss=1.5), 4, x, y, turn=turn, glare=light)


def upon(lower: float, upper: float) -> Scene:

    def put(tray: SyntheticTray, look: SyntheticDie) -> None:
        x, y = free(tray, look)
        tray.place_die(NOW, replace(look, size=lower), 5, x, y, turn=0.3)
        tray.place_die(NOW, replace(look, size=upper), 3, x + 0.2 * lower, y - 0.1 * lower, turn=1.1, z=lower)

    return put


def of_two_sizes(tray: SyntheticTray, look: SyntheticDie) -> None:
    for size in (20, 14):
        die = replace(look, size=size)
        x, y = free(tray, die)
        tray.place_die(NOW, die, 6, x, y, turn=0.9)


def mixed(tray: SyntheticTray, look: SyntheticDie) -> None:
    for body, ring in (("marbled", False), ("clear", False), ("plain", True)):
        die = replace(look, body=body, ring=ring)
        x, y = free(tray, die)
        tray.place_die(NOW, die, 3 + ring, x, y, turn=0.8)


def beside(gap: float) -> Scene:
    """Put a die flat beside another, `gap` mm away."""

    def put(tray: SyntheticTray, look: SyntheticDie) -> None:
        x, y = free(tray, look)
        for step, value in ((0, 6), (1, 2)):
            away = step * (look.size + gap)
            tray.place_die(NOW, look, value, x + away * math.cos(0.4), y + away * math.sin(0.4), turn=0.4)

    return put


RAISED: dict[str, tuple[str, int, Scene]] = {
    "leans on the wall": ("cocked", 1, lambda tray, look: tray.place_cocked_die(NOW, look)),
    "plus or minus": ("symbol", 4, odd("sign")),
    "a letter": ("symbol", 3, odd("pitch")),
    "glare": ("glare", 3, lambda tray, look: tray.place_glaring_die(NOW, look)),
}
"""By name: the doubt, in how many of the six LOOKS it must be raised by its name, and the scene."""

STACKS: dict[str, tuple[int, Scene]] = {
    "on another": (3, lambda tray, look: tray.place_stacked_die(NOW, look)),
    "on another color": (
        3,
        lambda tray, look: tray.place_stacked_die(
            NOW, SyntheticDie("yellow", 16) if look.colour == "white" else SyntheticDie()
        ),
    ),
    "small on large": (4, upon(20, 13)),
}
"""By name: how many dice lie there, and the scene with a die on another, of which little is in sight."""

NEAR: dict[str, tuple[int, Scene]] = {
    "flat by the wall": (6, lambda tray, look: tray.place_die(NOW, look, 4, 0, -75 + look.size / 2, turn=0.1)),
    "flat against another": (6, lambda tray, look: tray.place_touching_die(NOW, look)),
    "nearly touching": (4, beside(1.0)),
    "small beside large": (6, of_two_sizes),
    "unusual looks": (3, mixed),
    "a small light": (6, glint),
    "soft": (6, lambda tray, look: setattr(tray, "blur", 1.2)),
    "warm light": (6, lambda tray, look: setattr(tray, "warmth", 0.6)),
    "cold light": (6, lambda tray, look: setattr(tray, "warmth", -0.6)),
    "uneven light": (6, lambda tray, look: setattr(tray, "uneven", 0.6)),
}
"""By name: in how many of the six LOOKS it must be read exactly and unasked, and the scene."""

PIPS = frozenset({"d6"})
NOT_DICE = ("sugar", "coin", "d20", "sign", "pitch")


@cache
def read(name: str, seed: int) -> tuple[Reading, list[int]]:
    """Return the reading of a scene of these names with one of the LOOKS, and the values that lie there."""
    act = RAISED[name][2] if name in RAISED else {**STACKS, **NEAR}[name][1]
    tray, reader = scene(LOOKS[seed], seed, act)
    return reader.read_dice(tray.render_frame(NOW)), values(tray)


@pytest.mark.parametrize("name", RAISED)
def test_a_doubt_is_raised(name: str) -> None:
    """A die that cannot be read, or easily misread, is asked about by name."""
    assert read(name, int(name == "glare"))[0].doubt == RAISED[name][0]


@pytest.mark.parametrize("name", STACKS)
def test_a_stack_is_asked_about_or_a_die_is_missed(name: str) -> None:
    """Which the table notices: it asked for more dice."""
    reading, _ = read(name, 0)
    assert not reading.is_sure or len(reading.dice) < STACKS[name][0]


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_is_read(name: str) -> None:
    """A merely unusual die is read exactly and without a question."""
    reading, there = read(name, 0)
    assert (reading.doubt, sorted(reading.dice_values)) == (None, there)


@pytest.mark.slow
@pytest.mark.parametrize("name", RAISED)
def test_a_doubt_is_raised_with_most_looks(name: str) -> None:
    """docs/evidence/vision.md gives the rates too."""
    doubt, least, _ = RAISED[name]
    doubts = [read(name, seed)[0].doubt for seed in range(len(LOOKS))]
    assert doubts.count(doubt) >= least, doubts


@pytest.mark.slow
@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_is_read_with_most_looks(name: str) -> None:
    """With the others it is asked about."""
    known = [read(name, seed) for seed in range(len(LOOKS))]
    assert [] == [
        (reading, there) for reading, there in known if reading.is_sure and sorted(reading.dice_values) != there
    ]
    assert sum(reading.is_sure for reading, _ in known) >= NEAR[name][0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", NOT_DICE)
def test_a_thing_that_is_not_a_die_has_no_value(kind: str) -> None:
    """A thing that is not a d6 never gets a value silently: it is ignored, or asked about. A reader of all kinds does
    not take it for a die of another kind either.
    """
    for seed, look in enumerate(LOOKS):
        tray, reader = scene(look, seed, odd(kind))
        frame = tray.render_frame(NOW)
        for reader.kinds in (PIPS, READABLE_KINDS) if seed == 0 and kind in ("sugar", "coin", "sign") else (PIPS,):
            reading = reader.read_dice(frame)
            assert not reading.is_sure or sorted(reading.dice_values, key=str) == values(tray), look


@pytest.mark.slow
@pytest.mark.parametrize("wide", [4, 2], ids=["row", "block"])
def test_touching_dice(wide: int) -> None:
    """Four small dice flat against each other are separated or asked about, in all LOOKS but at most one."""
    told = 0
    for seed, look in enumerate(LOOKS):
        tray = SyntheticTray(seed=seed, view=450, height=770)
        reader = at_table(tray)
        for place, value in enumerate((4, 4, 6, 1)):
            right, down = (place % wide - 0.6) * look.size, (place // wide - 0.4) * look.size
            x, y = right * math.cos(seed) - down * math.sin(seed), right * math.sin(seed) + down * math.cos(seed)
            tray.place_die(NOW, look, value, x, y, turn=seed)
        reading = reader.read_dice(tray.render_frame(NOW))
        told += not reading.is_sure or sorted(reading.dice_values) == values(tray)
    assert told >= len(LOOKS) - 1


# In the tray, and as many as asked for -------------------------------------------------------------------------------

CASES = pytest.mark.parametrize(("look", "seed"), rows((look, seed) for seed, look in enumerate(LOOKS)))
HALF = pytest.mark.parametrize(("look", "seed"), rows((look, seed) for seed, look in enumerate(LOOKS[:3])))


def known(tray: SyntheticTray) -> tuple[Tray, Reader]:
    empty = tray.render_frame(0.0)
    found = find_tray(empty)
    assert found.doubt is None
    return Tray("drawn", (640, 480), found.outline, empty, 60.0), at_table(tray)


@CASES
def test_outside(look: SyntheticDie, seed: int) -> None:
    """A die partly over the wall is asked about; near the wall it is read, and out on the rim it is not a die."""
    tray = SyntheticTray(seed=seed, rim=30)
    calibrated, reader = known(tray)
    within = TrayDiceReader(reader, calibrated)
    for far, doubt, read in ((-0.25, "outside", [3, 5]), (-0.75, None, [3, 5]), (0.8, None, [3])):
        tray.clear_tray()
        tray.place_die(NOW, look, 3, 10, 20, turn=seed)
        tray.place_die(NOW, look, 5, -95 - far * look.size, -10)
        reading = within.read_dice(tray.render_frame(NOW))
        assert (reading.doubt, sorted(reading.dice_values)) == (doubt, read), far


@CASES
def test_blur(look: SyntheticDie, seed: int) -> None:
    """Blurred dice are not believed, and where they are still detected the doubt is blur; slightly soft dice are
    read."""
    tray = SyntheticTray(seed=seed, noise=0.5)
    calibrated, reader = known(tray)
    within = TrayDiceReader(reader, calibrated)
    tray.throw_dice(0.0, [look] * 3)
    tray.blur = 1.2
    reading = within.read_dice(tray.render_frame(NOW))
    assert (reading.doubt, sorted(reading.dice_values)) == (None, values(tray))
    tray.blur = 6.0
    reading = within.read_dice(tray.render_frame(NOW))
    assert not reading.is_sure
    assert reading.doubt == "blur" or not reading.dice


@HALF
def test_a_moved_tray(look: SyntheticDie, seed: int) -> None:
    """A pushed tray with dice in it is asked about; a nudged one is read."""
    tray = SyntheticTray(seed=seed)
    calibrated, reader = known(tray)
    tray.throw_dice(0.0, [look] * 3)
    still = tray.render_frame(NOW)
    for far, doubt in ((0.004, None), (0.03, "moved-tray")):
        drift, within = DriftWatcher(calibrated), TrayDiceReader(reader, calibrated)
        frame = warped(still, far)
        for second in range(5):
            drift.process_frame(frame, second)
        assert drift.doubt == doubt
        within.moved = drift.doubt == "moved-tray"
        reading = within.read_dice(frame)
        assert sorted(reading.dice_values) == values(tray)
        assert reading.is_sure == (doubt is None)


@HALF
def test_changed_light(look: SyntheticDie, seed: int) -> None:
    """Another lamp is named while dice lie in the tray, and they are read all the same; a cloud is not named."""
    tray = SyntheticTray(seed=seed)
    calibrated, reader = known(tray)
    tray.throw_dice(0.0, [look] * 3)
    for what, much, doubt in (
        ("light", 0.45, "light"),
        ("light", 0.85, None),
        ("warmth", 0.9, "light"),
        ("warmth", 0.15, None),
        ("uneven", 0.25, None),
    ):
        usual = getattr(tray, what)
        setattr(tray, what, much)
        drift = DriftWatcher(calibrated)
        for second in range(5):
            drift.process_frame(tray.render_frame(NOW), second)
        assert drift.doubt == doubt, (what, much)
        reading = reader.read_dice(tray.render_frame(NOW))
        assert (reading.doubt, sorted(reading.dice_values)) == (None, values(tray)), (what, much)
        setattr(tray, what, usual)


@CASES
def test_as_many_as_asked_for(look: SyntheticDie, seed: int) -> None:
    """If one die more is asked for, they are too few; if one less, they are too many, any of which may go; else they
    are taken as read.
    """
    tray, reader = scene(look, seed)
    reading = reader.read_dice(tray.render_frame(NOW))
    assert reading.is_sure
    shown = values(tray)
    for asked, doubt in ((3, "too-few"), (2, None), (1, "too-many")):
        faces, why, *_ = match_roll(reading, Roll("home", "test", (D6,) * asked))
        assert why == doubt
        taken = shown if asked > 1 else shown[:1] if len(set(shown)) == 1 else []
        assert sorted(int(face) for face in faces) == taken
