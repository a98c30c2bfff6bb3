"""One reading for each throw, from drawn trays, videos and the real video."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras.files import VideoFile
from vision.cameras.frames import CameraError, Frame, Image
from vision.reading import DieReading, Reading
from vision.synthetic.camera import SyntheticCamera
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.throws import MAX_AVERAGED_FRAMES, ThrowReading, read_throws
from vision.tray.motion import TrayState, TrayWatcher

pytestmark = pytest.mark.slow

FPS = 25
WHITE = SyntheticDie()
WETZLER = Path(__file__).parents[2].parent / "shared" / "dice" / "measure" / "wetzler" / "throws_1-3.avi"


class _Table:
    """A drawn tray on a clock that stands still between frames, and a reader that knows the truth."""

    def __init__(self, seed: int, frames: int) -> None:
        self.tray = SyntheticTray(seed=seed)
        self.now = 0.0
        self.left = frames
        self.asked: list[float] = []
        self._drawn = SyntheticCamera(self.tray, FPS, clock=lambda: self.now, sleep=self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.now += seconds

    def next(self) -> Frame | None:
        self.left -= 1
        return self._drawn.read_frame() if self.left >= 0 else None

    def look(self, frame: Image) -> Reading:
        self.asked.append(self.now)
        dice = self.tray.ground_truth(self.now)
        assert dice is not None
        assert frame.shape == (480, 640, 3)
        return Reading(dice, None if dice else "none", 1.0)


class _Source:
    def __init__(self, table: _Table) -> None:
        self.read_frame = table.next

    def close(self) -> None:
        raise AssertionError("the source is the caller's to close")


class _Reader:
    def __init__(self, table: _Table) -> None:
        self.read_dice = table.look


def watched(
    table: _Table, *acts: tuple[float, object], whole: bool = False, watcher: TrayWatcher | None = None
) -> list[ThrowReading]:
    """Return what is read from the table; acts, callables of the time, happen at their moment."""
    todo = list(acts)
    source = _Source(table)
    read = source.read_frame

    def act() -> Frame | None:
        while todo and todo[0][0] <= table.now:
            todo.pop(0)[1](table.now)  # type: ignore[operator]
        return read()

    source.read_frame = act
    return list(read_throws(source, _Reader(table), watcher, whole=whole))


def test_one_reading_a_throw() -> None:
    table = _Table(2, 12 * FPS)
    tray = table.tray
    seen = watched(
        table,
        (1.0, lambda now: tray.throw_dice(now, [WHITE, WHITE], [3, 5])),
        (4.0, lambda now: tray.show_hand(now, 1.0)),
        (6.0, tray.pick_up_dice),
        (8.0, lambda now: tray.throw_dice(now, [WHITE], [6])),
    )
    assert [sorted(landing.reading.dice_values) for landing in seen] == [[3, 5], [6]]
    # One reading is for the unknown tray at the start, and one for after the hand, which changed nothing.
    assert len(table.asked) == 4
    for landing, thrown in zip(seen, (1.0, 8.0), strict=True):
        assert landing.throw.start == pytest.approx(thrown, abs=0.1)
        assert landing.first == pytest.approx(landing.throw.end * FPS, abs=1)


def test_the_mean_of_several_frames_is_read() -> None:
    """It has less noise than each of them."""
    table = _Table(2, 5 * FPS)
    table.tray.throw_dice(1.0, [WHITE], [5])
    (landing,) = read_throws(_Source(table), _Reader(table))
    assert landing.last - landing.first >= MAX_AVERAGED_FRAMES - 1
    still = table.tray.render_frame(3.0).astype(float)
    noise = [float(np.std(one - still)) for one in (landing.picture, landing.throw.frame)]
    assert noise[0] < 0.85 * noise[1]


def test_whole_rest() -> None:
    """With `whole` the last frame is the one before the dice move again, or the video's last."""
    table = _Table(2, 9 * FPS)
    tray = table.tray
    seen = watched(
        table,
        (1.0, lambda now: tray.throw_dice(now, [WHITE])),
        (4.0, tray.pick_up_dice),
        (5.5, lambda now: tray.throw_dice(now, [WHITE])),
        whole=True,
    )
    assert [landing.last for landing in seen] == [pytest.approx(4 * FPS, abs=1), 9 * FPS - 1]


def test_reported_states() -> None:
    table = _Table(3, 3 * FPS)
    table.tray.throw_dice(1.0, [WHITE])
    told: list[TrayState] = []
    list(read_throws(_Source(table), _Reader(table), TrayWatcher(), on_state=told.append))
    assert len(told) == 3 * FPS
    assert told[-1] is TrayState.SETTLED
    assert TrayState.EMPTY in told, "the reader saw no dice at the start, so the watcher knows"


def test_dice_there_from_the_start() -> None:
    """Dice in the tray when watching begins do not become part of the empty tray's picture."""
    table = _Table(3, 3 * FPS)
    table.tray.place_die(0.0, WHITE, 4, 0, 0)
    told: list[TrayState] = []
    assert list(read_throws(_Source(table), _Reader(table), on_state=told.append)) == []
    assert set(told) == {TrayState.UNSURE}


@pytest.mark.parametrize("moved", [1, 2, 3])
def test_one_of_two_dice_removed_and_nudges_are_not_throws(moved: int) -> None:
    """A missing die is reported as touched; a turned die that is nudged again shows nothing new."""
    table = _Table(2, 12 * FPS)
    tray = table.tray
    acts: list[tuple[float, object]] = [
        (0.5, lambda now: tray.throw_dice(now, [WHITE, WHITE], [3, 5])),
        (3.0, lambda now: tray.show_hand(now, 1.0)),
        (3.5, lambda now: tray._things.pop(0)),
        (5.0, lambda now: tray.show_hand(now, 1.0)),
        (5.5, lambda now: turn(tray, 6)),
    ]
    for n in range(1, moved):
        acts += [(5.0 + 2 * n, lambda now: tray.show_hand(now, 1.0)), (5.5 + 2 * n, lambda now: turn(tray, 6))]
    seen = watched(table, *acts)
    _, second, third = seen
    assert (second.throw.touched, second.reading.doubt, len(second.reading.dice)) == (True, None, 1)
    assert (third.reading.doubt, third.reading.dice_values) == ("turned", (6,))


def turn(tray: SyntheticTray, value: int) -> None:
    thing = tray._things.pop()
    pose = thing.track.pose_after(np.inf)
    tray.place_die(0.0, thing.die, value, pose.x, pose.y, turn=0.5)


@pytest.mark.parametrize("hands", [1, 2])
def test_a_die_there_from_the_start_is_turned(hands: int) -> None:
    """Moving a die that the watcher never saw arrive is not a throw; a throw after it was taken away is."""
    table = _Table(3, 12 * FPS)
    tray = table.tray
    tray.place_die(0.0, WHITE, 4, 0, 0)
    over = [(2.0 + 2 * n, lambda now: tray.show_hand(now, 1.0)) for n in range(hands)]
    acts = [(2.5 + 2 * (hands - 1), lambda now: turn(tray, 6)), (7.0, tray.pick_up_dice)]
    seen = watched(table, *over, *acts, (9.5, lambda now: tray.throw_dice(now, [WHITE], [2])))
    assert [landing.throw.touched for landing in seen[:-1]] in ([], [True])
    assert (seen[-1].throw.touched, seen[-1].reading.dice_values) == (False, (2,))


@pytest.mark.parametrize("known", [True, False])
def test_a_book_on_the_tray(known: bool) -> None:
    """A die uncovered by taking a book away was not thrown, nor is it when it is turned later."""
    table = _Table(3, 21 * FPS)
    tray, bare = table.tray, table.tray.render_frame(0.0)
    tray.place_die(0.0, WHITE, 4, 40, 0)
    drawn = tray.render_frame

    def covered(now: float) -> Image:
        picture = drawn(now)
        if 1.5 <= now < 10:
            wide = int(260 * min((now - 1.5) / 0.6, (10 - now) / 0.6, 1))
            cv2.rectangle(picture, (0, 0), (wide, 480), (200, 205, 210), -1)
            cv2.putText(picture, "Book", (wide - 180, 200), 0, 2, (20, 20, 20), 4)
        return picture

    tray.render_frame = covered  # type: ignore[method-assign]
    acts = [
        (12.0, lambda now: tray.show_hand(now, 1.0)),
        (12.5, lambda now: turn(tray, 6)),
        (16.0, tray.pick_up_dice),
        (18.0, lambda now: tray.throw_dice(now, [WHITE], [2])),
    ]
    seen = watched(table, *acts, watcher=TrayWatcher(bare if known else None))
    assert [landing.reading.dice_values for landing in seen if not landing.throw.touched] == [(2,)]


@pytest.mark.parametrize("known", [True, False])
def test_a_book_that_hides_the_tray(known: bool) -> None:
    """Dice hidden by a book that was taken for the tray were not thrown when it is taken away; the next throw is."""
    table = _Table(3, 15 * FPS)
    tray, bare = table.tray, table.tray.render_frame(0.0)
    tray.place_die(0.0, WHITE, 4, 40, 0)
    drawn, look = tray.render_frame, table.look

    def covered(now: float) -> Image:
        picture = drawn(now)
        wide = int(640 * max(min((now - 0.6) / 0.6, (8.6 - now) / 0.4, 1), 0))
        cv2.rectangle(picture, (-1, -1), (wide - 1, 480), (200, 205, 210), -1)
        for line in range(60, 480, 40):
            cv2.putText(picture, "Three balls and two strikes", (wide - 600, line), 0, 1, (20, 20, 20), 2)
        return picture

    def hidden(frame: Image) -> Reading:
        return Reading((), "none", 1.0) if 1.2 < table.now < 8.2 else look(frame)

    tray.render_frame = covered  # type: ignore[method-assign]
    table.look = hidden  # type: ignore[method-assign]
    acts = [(10.0, tray.pick_up_dice), (12.5, lambda now: tray.throw_dice(now, [WHITE], [2]))]
    seen = watched(table, *acts, watcher=TrayWatcher(bare if known else None))
    assert [landing.reading.dice_values for landing in seen if not landing.throw.touched] == [(2,)]


def test_camera_dies() -> None:
    table = _Table(3, 100)
    table.tray.unplug_camera()
    with pytest.raises(CameraError):
        list(read_throws(_Source(table), _Reader(table)))


class _Nothing:
    """A reader that sees one die without a value in each picture."""

    def read_dice(self, frame: Image) -> Reading:
        return Reading((DieReading("d6", None, None, (0, 0, 1, 1), 0.0),), "unclear", 0.0)


@pytest.mark.skipif(not WETZLER.exists(), reason="the dice video is not beside the project")
def test_real_throws() -> None:
    """In a real video from a handheld camera exactly the three throws are reported, with their rests."""
    video = VideoFile(WETZLER)
    seen = list(read_throws(video, _Nothing(), TrayWatcher(still=0.15, shake=0.0065, drift=0.015), whole=True))
    video.close()
    spans = [(landing.first, landing.last) for landing in seen]
    assert len(spans) == 3
    assert np.abs(np.subtract(spans, [(9, 20), (45, 56), (80, 86)])).max() <= 3


@pytest.mark.skipif(not WETZLER.exists(), reason="the dice video is not beside the project")
def test_real_throws_are_read() -> None:
    from vision.reader import Reader

    video = VideoFile(WETZLER)
    seen = list(read_throws(video, Reader(frozenset({"d6"})), TrayWatcher(still=0.15, shake=0.0065, drift=0.015)))
    video.close()
    assert [landing.reading.dice_values for landing in seen] == [(4, 1), (3, 5), (1, 5)]
    assert all(landing.reading.is_sure for landing in seen)


def test_drawn_throws_are_read() -> None:
    """Drawn dice are read like real ones: hardly ever unsure, and never wrong and sure."""
    from vision.reader import Reader

    reader, sure = Reader(frozenset({"d6"})), 0
    for seed in range(10):
        tray = SyntheticTray(seed=seed)
        done = tray.throw_dice(0.0, [WHITE, SyntheticDie("red", 16, "white"), SyntheticDie("blue", 16, "white")])
        reading = reader.read_dice(tray.render_frame(done))
        if reading.is_sure:
            sure += 1
            assert reading.dice_values == tuple(die.value for die in tray.ground_truth(done) or ())
    assert sure >= 8
