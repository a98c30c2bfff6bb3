"""A throw is distinguished from everything else that happens over a tray."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.tiers import first, rows
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.tray.motion import DetectedThrow, TrayState, TrayWatcher, block_means, motion_px, small_gray_image

FPS = 25
SIZE = (432, 324)
"""As large as the watcher needs: it halves the picture."""
WHITE = SyntheticDie()
DICE = {
    "white": [WHITE, WHITE],
    "mixed": [WHITE, SyntheticDie("red", 16, "white"), SyntheticDie("green", 16, "white")],
    "black": [SyntheticDie("black", 14, "white")],
    "six": [SyntheticDie("ivory", 16)] * 6,
}
Act = Callable[[float], object]


class Evening:
    """A tray under a watcher: events happen at their time, and the watcher's states and throws are recorded."""

    def __init__(self, tray: SyntheticTray, watcher: TrayWatcher | None = None) -> None:
        self.tray, self.watcher = tray, watcher or TrayWatcher()
        self.now = 0.0
        self.said: list[TrayState] = []
        self.throws: list[DetectedThrow] = []
        self.touched: list[DetectedThrow] = []

    def until(self, end: float, *acts: tuple[float, Act]) -> list[TrayState]:
        todo = sorted(acts, key=lambda act: act[0])
        begin = len(self.said)
        while self.now < end:
            while todo and todo[0][0] <= self.now:
                todo.pop(0)[1](self.now)
            self.said.append(self.watcher.process_frame(self.tray.render_frame(self.now), self.now))
            if self.watcher.throw is not None:
                assert self.tray.ground_truth(self.now) is not None, "a moving die or a hand was reported"
                (self.touched if self.watcher.throw.touched else self.throws).append(self.watcher.throw)
            self.now += 1 / FPS
        said = self.said[begin:]
        return [state for state, before in zip(said, [None, *said], strict=False) if state is not before]


def known(seed: int = 1) -> Evening:
    tray = SyntheticTray(SIZE, seed=seed)
    return Evening(tray, TrayWatcher(tray.render_frame(0.0)))


@pytest.mark.parametrize(("dice", "seed"), rows([("mixed", 1), ("white", 2), ("black", 1), ("black", 2), ("six", 1)]))
def test_one_throw(dice: str, seed: int) -> None:
    """A throw is reported once, soon after the dice lie still, with its times and a picture of resting dice."""
    evening = known(seed)
    rest = evening.tray.throw_dice(1.0, DICE[dice])
    assert evening.until(4.0) == [TrayState.UNSURE, TrayState.EMPTY, TrayState.MOVING, TrayState.SETTLED]
    (throw,) = evening.throws
    assert throw.start == pytest.approx(1.0, abs=0.1)
    assert throw.end == pytest.approx(rest, abs=0.15)
    assert throw.first == pytest.approx(throw.end * FPS, abs=1)
    assert 0.35 <= (throw.last - throw.first) / FPS + 1e-6 < 0.45
    assert throw.frame.shape == (324, 432, 3)


@pytest.mark.slow
def test_learns_without_an_empty_picture() -> None:
    """Unsure of its first pictures, the watcher knows the empty tray once dice have come and gone."""
    evening = Evening(SyntheticTray(SIZE, seed=4))
    throw: Act = lambda now: evening.tray.throw_dice(now, DICE["mixed"])  # noqa: E731 - reads as the others do
    assert evening.until(3.5, (1.0, throw)) == [TrayState.UNSURE, TrayState.MOVING, TrayState.SETTLED]
    assert evening.until(6.0, (3.5, evening.tray.pick_up_dice))[-1] is TrayState.EMPTY
    assert len(evening.throws) == 1
    assert evening.until(9.0, (6.0, throw))[-1] is TrayState.SETTLED
    assert len(evening.throws) == 2


@pytest.mark.slow
def test_dice_already_there_are_not_a_throw() -> None:
    # Dice in the tray from the start are not a throw, nor is their removal by a hand.
    evening = Evening(SyntheticTray(SIZE, seed=2))
    evening.tray.place_die(0.0, WHITE, 3, 30, 20, turn=0.3)
    evening.tray.place_die(0.0, WHITE, 5, -40, -20, turn=0.8)
    evening.until(4.0, (1.0, evening.tray.pick_up_dice))
    assert evening.throws == []
    evening.until(7.0, (4.0, lambda now: evening.tray.throw_dice(now, DICE["white"])))
    assert len(evening.throws) == 1
    # With the empty tray's picture, dice that lie there are seen at once, but are not a throw.
    evening = known()
    evening.tray.place_die(0.0, WHITE, 3, 30, 20)
    assert evening.until(1.0) == [TrayState.UNSURE, TrayState.SETTLED]
    assert evening.throws == []
    # A die that becomes visible only when the hand over it leaves may have been there long.
    evening = known()
    evening.tray.place_die(0.0, WHITE, 3, 30, 20)
    evening.tray.show_hand(-0.3, 1.5)
    evening.until(3.0)
    assert (evening.throws, len(evening.touched)) == ([], 1)


@pytest.mark.parametrize(("light", "told"), rows((light, told) for light in (0.5, 0.8, 1.2) for told in (True, False)))
def test_a_jump_of_light_at_the_start_is_not_a_throw(light: float, told: bool) -> None:
    """A camera opened over an old die and then set to its old exposure has not seen a throw."""
    evening = known() if told else Evening(SyntheticTray(SIZE, seed=1))
    evening.tray.place_die(0.0, WHITE, 3, 30, 20)
    evening.tray.light = light
    evening.until(2.0, (0.15, lambda now: setattr(evening.tray, "light", 1.0)))
    assert evening.throws == []


def test_hands_are_not_throws() -> None:
    # A hand over lying dice is shown as a hand, and after it there is no new throw.
    evening = known()
    evening.tray.throw_dice(0.5, DICE["mixed"])
    evening.until(3.0)
    said = evening.until(6.0, (3.2, lambda now: evening.tray.show_hand(now, 1.5)))
    assert TrayState.HAND in said
    assert said[-1] is TrayState.SETTLED
    assert len(evening.throws) == 1
    # A hand that lies still is not a throw.
    evening = known()
    evening.tray.show_hand(0.6, 4.0)
    assert TrayState.SETTLED not in evening.until(4.0)
    assert evening.throws == []
    # Picked up.
    evening = known()
    evening.tray.throw_dice(0.5, DICE["six"])
    evening.until(3.0)
    assert evening.until(5.0, (3.0, evening.tray.pick_up_dice))[-1] is TrayState.EMPTY
    assert len(evening.throws) == 1


@pytest.mark.slow
def test_dice_thrown_from_a_hand() -> None:
    # Dice picked up and thrown again are a new throw, even if the tray was never seen empty for long.
    evening = known()
    evening.tray.throw_dice(0.2, DICE["white"])
    evening.until(2.5)
    evening.until(6.0, (2.5, evening.tray.pick_up_dice), (3.4, lambda now: evening.tray.throw_dice(now, DICE["white"])))
    assert len(evening.throws) == 2
    assert evening.throws[1].start > 3.0
    # Dice shaken in a hand over the tray are not yet thrown: the throw starts when the hand has gone.
    evening = known()
    evening.tray.show_hand(0.5, 2.0)
    evening.tray.throw_dice(2.4, DICE["white"])
    evening.until(5.0)
    (throw,) = evening.throws
    assert throw.start == pytest.approx(2.4, abs=0.2)


@pytest.mark.slow
def test_one_die_removed() -> None:
    """Removing one of several dice is not a new throw; the others are still there."""
    evening = known()
    for spot, value in ((-60, 2), (0, 4), (20, 6)):
        evening.tray.place_die(0.0, WHITE, value, spot, 0)
    evening.until(1.0)
    dice, other = evening.tray, SyntheticTray(SIZE, seed=1)
    other.place_die(0.0, WHITE, 2, -60, 0)
    other.place_die(0.0, WHITE, 4, 0, 0)
    dice.show_hand(1.0, 1.0)
    evening.until(1.4)
    other.show_hand(1.0, 1.0)
    evening.tray = other
    assert evening.until(3.5)[-1] is TrayState.SETTLED
    assert evening.throws == []


def turned(tray: SyntheticTray, value: int, right: float = 0, down: float = 0) -> Act:
    """Turn the first die to a value, in place or some mm toward the middle."""

    def act(now: float) -> None:
        thing = tray._things.pop(0)
        pose = thing.track.pose_after(np.inf)
        tray.place_die(
            now, thing.die, value, pose.x - np.copysign(right, pose.x), pose.y - np.copysign(down, pose.y), turn=0.4
        )

    return act


@pytest.mark.parametrize(
    ("way", "count", "seed"), rows([((0, 0), 1, 1), ((15, 5), 2, 1), ((50, 20), 1, 2), ((0, 0), 2, 2)])
)
def test_a_die_turned_by_hand_is_not_a_throw(way: tuple[float, float], count: int, seed: int) -> None:
    """After a hand turns or moves a die the tray needs a new reading, but nothing was thrown."""
    evening, dice = known(seed), [WHITE] * count
    evening.tray.throw_dice(0.2, dice, [3] * count)
    evening.until(2.5)
    evening.until(5.0, (2.5, lambda now: evening.tray.show_hand(now, 1.0)), (3.0, turned(evening.tray, 5, *way)))
    assert (len(evening.throws), len(evening.touched)) == (1, 1)
    evening.until(9.0, (5.0, evening.tray.pick_up_dice), (6.0, lambda now: evening.tray.throw_dice(now, dice)))
    assert (len(evening.throws), len(evening.touched)) == (2, 1)


@pytest.mark.slow
def test_a_turn_too_fine_for_the_small_picture_is_not_missed() -> None:
    """However few pixels a face changes from far away, the tray needs a new reading after any hand."""
    tray = SyntheticTray(SIZE, seed=1, view=400, height=700)
    evening = Evening(tray, TrayWatcher(tray.render_frame(0.0)))
    tray.place_die(0.0, WHITE, 6, 10, 5, turn=0.4)
    evening.until(1.0)
    for count, value in enumerate((1, 6, 2, 5, 3, 4), start=1):
        now = evening.now
        evening.until(now + 2, (now, lambda now: tray.show_hand(now, 1.0)), (now + 0.5, turned(tray, value)))
        assert (evening.throws, len(evening.touched)) == ([], count)


@pytest.mark.slow
@pytest.mark.parametrize("way", [(0, 0), (8, 0), (30, 40)], ids=str)
def test_nudged_die(way: tuple[float, float]) -> None:
    """A die nudged by a cable or a bumped table needs a new reading and was not thrown."""
    evening = known()
    evening.tray.throw_dice(0.2, [WHITE], [2])
    evening.until(2.2)
    evening.until(3.5, (2.2, turned(evening.tray, 4, *way)))
    assert (len(evening.throws), len(evening.touched)) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("fast", [45, 60])
def test_a_dragged_die_or_a_shaking_camera_is_not_a_throw(fast: float) -> None:
    """Long motion is not a throw if it is slow, or if everything lies where it lay in the end."""
    evening = known()
    evening.tray.place_die(0.0, WHITE, 4, -40, 0)
    evening.until(1.0)
    for step in range(FPS):
        away = step / FPS * fast if fast < 50 else 4 * np.sin(2.5 * step)
        evening.tray.clear_tray()
        evening.tray.place_die(evening.now, WHITE, 4, -40 + away, 0)
        evening.until(evening.now + 1 / FPS)
    evening.tray.clear_tray()
    evening.tray.place_die(evening.now, WHITE, 3, -40 + away, 3)
    evening.until(3.5)
    assert (evening.throws, len(evening.touched)) == ([], 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_some_dice_thrown_again(seed: int) -> None:
    """One of three dice taken out and thrown in again is a throw; the other two lie where they lay."""
    evening = known(seed)
    for x, value in ((-60, 2), (-30, 4), (80, 6)):
        evening.tray.place_die(0.0, WHITE, value, x, 40)
    evening.until(1.0)
    kept = evening.tray._things[:2]

    def taken(now: float) -> None:
        evening.tray._things = kept

    def thrown(now: float) -> None:
        evening.tray.throw_dice(now, [WHITE], [5])
        evening.tray._things += kept

    evening.until(3.5, (1.0, lambda now: evening.tray.show_hand(now, 1.0)), (1.4, taken))
    assert (evening.throws, len(evening.touched)) == ([], 1)
    evening.until(6.0, (3.5, thrown))
    assert (len(evening.throws), len(evening.touched)) == (1, 1)


@pytest.mark.slow
def test_light_that_drifts_or_is_switched() -> None:
    # Brighter and darker by a third, slowly, is neither motion nor a throw.
    evening = known()
    evening.tray.throw_dice(0.2, DICE["mixed"])
    evening.until(2.5)
    for step in range(80):
        evening.tray.light = 1 + 0.33 * np.sin(step / 12)
        assert evening.until(evening.now + 1 / FPS) == [TrayState.SETTLED]
    assert len(evening.throws) == 1
    # Light switched.
    evening = known()
    evening.tray.throw_dice(0.2, DICE["mixed"])
    evening.until(2.5)
    evening.tray.light = 0.6
    assert evening.until(4.5)[-1] is TrayState.SETTLED
    assert len(evening.throws) == 1


@pytest.mark.slow
def test_soft_shadow() -> None:
    """A person's shadow across a good part of the tray is not a hand, and dice thrown under it are still reported."""
    tray = SyntheticTray(SIZE, seed=5)
    watcher = TrayWatcher(tray.render_frame(0.0))
    x = np.linspace(0, 1, SIZE[0], dtype=np.float32)[None, :, None]
    shade = 1 - 0.5 / (1 + np.exp((x - 0.35) * 22))
    told, said = 0, set()
    tray.throw_dice(2.0, DICE["mixed"])
    for step in range(4 * FPS):
        deep = np.clip(step / FPS - 0.8, 0, 0.25) * 4
        frame = (tray.render_frame(step / FPS) * (1 - deep * (1 - shade))).astype(np.uint8)
        said.add(watcher.process_frame(frame, step / FPS))
        told += watcher.throw is not None
    assert told == 1
    assert TrayState.HAND not in said


@pytest.mark.parametrize("seed", first(range(4)))
def test_slow_camera(seed: int) -> None:
    """At eight frames a second too, only resting dice are reported, each throw once, after the five required frames."""
    tray = SyntheticTray(SIZE, seed=seed)
    watcher = TrayWatcher(tray.render_frame(0.0))
    tray.throw_dice(0.55, DICE["mixed"])
    told = []
    for step in range(30):
        watcher.process_frame(tray.render_frame(step / 8), step / 8)
        if watcher.throw is not None:
            assert tray.ground_truth(step / 8) is not None
            assert not watcher.throw.touched
            told.append(watcher.throw.last - watcher.throw.first)
    assert told == [4]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "rate"), [(0, 4), (1, 5), (2, 6), (3, 4), (0, 5), (1, 6)])
def test_slow_camera_beside_old_dice(seed: int, rate: int) -> None:
    """At a few frames a second, a throw among dice at rest counts; a die turned under a hand does not."""
    tray = SyntheticTray(SIZE, seed=seed)
    watcher = TrayWatcher(tray.render_frame(0.0))
    acts: list[tuple[float, Act]] = [
        (1.0, lambda now: tray.throw_dice(now, [WHITE])),
        (4.0, lambda now: tray.throw_dice(now, [WHITE])),
        (10.0, lambda now: tray.show_hand(now, 1.0)),
        (10.5, lambda now: turned(tray, 7 - (tray._things[0].facet or 1))(now)),
    ]
    told = []
    for step in range(14 * rate):
        while acts and acts[0][0] <= step / rate:
            acts.pop(0)[1](step / rate)
        watcher.process_frame(tray.render_frame(step / rate), step / rate)
        if watcher.throw is not None:
            told.append((watcher.throw.touched, step / rate > 10))
    assert told == [(False, False), (False, False), (True, True)]


def test_a_fully_covered_picture_means_a_hand() -> None:
    """A thing that fills the whole picture has no outline and is taken for a hand."""
    tray = SyntheticTray(SIZE, seed=1)
    watcher = TrayWatcher(tray.render_frame(0.0))
    watcher.process_frame(tray.render_frame(0.0), 0.0)
    rows = np.array([0, 128, 255], np.uint8)[np.arange(SIZE[1]) // 4 % 3]
    book = np.tile(rows[:, None, None], (1, SIZE[0], 3))
    for step in range(1, 12):
        watcher.process_frame(book, step / FPS)
    assert watcher.state is TrayState.HAND


@pytest.mark.slow
@pytest.mark.parametrize("seed", [8, 31, 36])
def test_grainy_dark_pictures(seed: int) -> None:
    """Small, dark, noisy pictures make no throws from noise: one throw is reported, and the tray is empty after it."""
    tray = SyntheticTray((320, 240), seed=seed, felt=(30, 40, 26), view=160, noise=6)
    evening = Evening(tray)
    tray.throw_dice(0.8, [SyntheticDie("purple", 12)])
    evening.until(3.0)
    said = evening.until(7.0, (3.0, lambda now: tray.show_hand(now, 0.8)), (5.0, tray.pick_up_dice))
    assert said[-1] is TrayState.EMPTY
    assert len(evening.throws) == 1


@pytest.mark.slow
def test_sun_wanders() -> None:
    """A patch of sun that slowly grows on the felt is not a throw, even after a hand was in."""
    tray = SyntheticTray(SIZE, seed=1)
    watcher = TrayWatcher(tray.render_frame(0.0))
    sun = np.zeros((*SIZE[::-1], 1), np.float32)
    sun[100:155, 135:223] = 0.8
    told = 0
    tray.show_hand(6.0, 1.0)
    for step in range(8 * FPS):
        frame = tray.render_frame(step / FPS) * (1 + sun * min(step / FPS / 5, 1.0))
        watcher.process_frame(np.clip(frame, 0, 255).astype(np.uint8), step / FPS)
        told += watcher.throw is not None
    assert told == 0
    assert watcher.state is TrayState.EMPTY


def test_a_short_stop_is_not_rest() -> None:
    """A die that stops for less than the required time and then falls over is reported once, where it stays."""
    evening = known()
    evening.until(0.6)
    places = [(10 * step, 4) for step in range(5)] + [(40, 4)] * 7 + [(47, 3), (54, 2)] + [(56, 2)] * 30
    for x, value in places:
        evening.tray.clear_tray()
        evening.tray.place_die(evening.now, WHITE, value, x, 0)
        evening.until(evening.now + 1 / FPS)
    (throw,) = evening.throws
    assert throw.start == pytest.approx(0.6, abs=0.1)
    assert throw.first == len(evening.said) - 29


@pytest.mark.slow
def test_large_still_thing_is_relearned() -> None:
    """A moved tray looks like a hand at first; after `patience` it is learned, and throws count again."""
    evening = Evening(
        SyntheticTray(SIZE, seed=1), TrayWatcher(SyntheticTray(SIZE, seed=1).render_frame(0.0), patience=1.0)
    )
    evening.until(0.6)
    evening.tray = SyntheticTray(SIZE, seed=7, felt=(60, 60, 190), rim=30)
    said = evening.until(3.0)
    assert said[0] is TrayState.MOVING or said[0] is TrayState.HAND
    assert said[-1] is TrayState.UNSURE
    evening.until(6.0, (3.0, lambda now: evening.tray.throw_dice(now, DICE["white"])))
    assert len(evening.throws) == 1


def test_asks_once_and_learns() -> None:
    """The watcher asks once whether the first still tray is empty, and then knows."""
    tray = SyntheticTray(SIZE, seed=1)
    watcher = TrayWatcher()
    wondered = []
    for step in range(30):
        watcher.process_frame(tray.render_frame(step / FPS), step / FPS)
        if watcher.unsure_if_empty:
            wondered.append(step)
            watcher.learn_empty_tray(tray.render_frame(step / FPS))
    assert wondered == [9]
    assert watcher.state is TrayState.EMPTY


@pytest.mark.slow
def test_frames_of_other_sizes_and_colours() -> None:
    # A picture of another size restarts the watch without a throw.
    evening = known()
    evening.until(0.6)
    evening.tray = SyntheticTray((320, 240), seed=1)
    assert evening.until(1.2) == [TrayState.UNSURE]
    assert evening.throws == []
    # The brightness plane of a camera serves as well as color.
    tray = SyntheticTray(SIZE, seed=3)
    watcher = TrayWatcher()
    tray.throw_dice(0.5, DICE["mixed"])
    told = 0
    for step in range(3 * FPS):
        watcher.process_frame(cv2.cvtColor(tray.render_frame(step / FPS), cv2.COLOR_BGR2GRAY), step / FPS)
        told += watcher.throw is not None
    assert told == 1
    # The frame is not changed.
    tray = SyntheticTray(SIZE, seed=3)
    frame = tray.render_frame(0.0)
    before = frame.copy()
    watcher = TrayWatcher(frame)
    for step in range(12):
        watcher.process_frame(frame, step / FPS)
    assert np.array_equal(frame, before)


@pytest.mark.parametrize("moved", [1, 2, 3])
def test_motion_is_in_pixels(moved: int) -> None:
    """Motion depends on the pixels moved, whatever the die's contrast, and noise alone is not motion."""
    tray = SyntheticTray(seed=3, noise=0)
    tray.place_die(0.0, WHITE, 1, 0, 0)
    grey = small_gray_image(tray.render_frame(0.0))
    tray.clear_tray()
    tray.place_die(0.1, WHITE, 1, moved * 250 / grey.shape[1], 0)
    away = small_gray_image(tray.render_frame(0.1))
    assert 0.6 * moved < motion_px(grey, away) < 1.4 * moved
    assert motion_px(grey * 0.4, away * 0.4) == pytest.approx(motion_px(grey, away), rel=0.35)
    noisy = SyntheticTray(seed=3, noise=4)
    assert motion_px(small_gray_image(noisy.render_frame(0.0)), small_gray_image(noisy.render_frame(0.1))) < 0.3


@pytest.mark.parametrize("wide", [213, 216, 220])
@pytest.mark.parametrize("at", [0, -6])
def test_motion_at_the_very_edge_counts(wide: int, at: int) -> None:
    """The remainder beside the last whole patch counts too; and where only noise differs nothing moves at all."""
    noise = np.random.default_rng(1)
    before, after = (noise.normal(90, 0.5, (163, wide)).astype(np.float32) for _ in range(2))
    assert motion_px(before, after) == 0
    after[80:90, at : at + 6 or None] += 60
    assert motion_px(before, after) > 1


def test_shrinking_averages_whole_blocks() -> None:
    """Each block gives one gray level; an incomplete block is left out."""
    picture = np.random.default_rng(2).integers(0, 255, (49, 64), np.uint8)
    for along in (1, 2, 3, 6):
        tall, wide = 49 // along, 64 // along
        means = picture[: tall * along, : wide * along].reshape(tall, along, wide, along).mean((1, 3))
        assert np.abs(block_means(picture, along) - means).max() < 1


def test_a_hand_that_was_taken_for_the_tray_is_forgotten_when_it_leaves() -> None:
    """As one may be that lay still, without an outline, at the edge of a tray on a table with a grain."""
    bare = SyntheticTray(SIZE, seed=3).render_frame(0.0)
    grain = np.random.default_rng(1).integers(120, 255, (27, 10), np.uint8)
    bare[:, :120] = cv2.resize(grain, (120, bare.shape[0]), interpolation=cv2.INTER_NEAREST)[..., None]
    hidden = bare.copy()
    hidden[:, :120] = 60
    watcher = TrayWatcher(bare)
    watcher._empty = small_gray_image(hidden)
    assert [watcher.process_frame(bare, number / FPS) for number in range(20)][-1] is TrayState.EMPTY
