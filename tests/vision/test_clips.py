"""Clips of throws: few bytes while watching, and an animation in which the dice roll and come to rest."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from tests.device.inputs.scenes import Filmed
from vision.cameras.frames import Image
from vision.clips import (
    LAST_FRAME_MS,
    MAX_BUFFER_BYTES,
    MAX_CLIP_BYTES,
    MAX_EDGE_PX,
    MAX_FRAME_PIXELS,
    MAX_FRAME_RATE_HZ,
    MAX_FRAMES,
    MAX_MOTION_S,
    SLOW_MOTION_FACTOR,
    RecentFrames,
    ThrowClip,
    decode_animation,
    encode_animation,
    freeze_still_pixels,
)
from vision.synthetic.tray import SyntheticTray
from vision.tray.motion import TrayWatcher
from vision.tray.outline import Tray

SIZES: dict[str, tuple[int, ...]] = {
    "usb": (480, 640, 3),
    "wide": (1080, 1920, 3),
    "square": (900, 900, 3),
    "tall": (1280, 720, 3),
}
SIZES |= {"gray": (480, 640), "odd": (301, 403, 3), "tiny": (2, 3, 3)}


@pytest.mark.parametrize("shape", SIZES.values(), ids=SIZES)
def test_memory_is_bounded(shape: tuple[int, ...]) -> None:
    """However long the camera runs, and whatever its pictures are, the frames stay few and small."""
    recent = RecentFrames()
    for number in range(4 * MAX_FRAMES):
        recent.add_frame(np.zeros(shape, np.uint8), number / MAX_FRAME_RATE_HZ)
        assert len(recent) <= MAX_FRAMES
        assert recent.total_bytes <= MAX_BUFFER_BYTES
    assert MAX_FRAMES == len(recent)
    clip = recent.throw_clip(0, 4 * MAX_FRAMES / MAX_FRAME_RATE_HZ)
    assert clip is not None
    (first, *_), _ = decode_animation(clip.encode_webp() or b"")
    tall, wide = first.shape[:2]
    assert max(tall, wide) <= MAX_EDGE_PX
    assert tall * wide <= MAX_FRAME_PIXELS
    assert tall <= shape[0]


@pytest.mark.parametrize("fps", [10, 15, 25, 30, 60])
def test_no_more_frames_than_needed(fps: int) -> None:
    """A fast camera's frames are skipped, a slow camera's are all kept."""
    recent = RecentFrames()
    for number in range(fps):
        recent.add_frame(np.zeros((48, 64, 3), np.uint8), number / fps)
    assert min(fps, MAX_FRAME_RATE_HZ) - 3 <= len(recent) <= min(fps, MAX_FRAME_RATE_HZ)


def test_other_pictures_start_over() -> None:
    """After another camera, another size or a clock set back, no frame from before is left."""
    recent = RecentFrames()
    for shape, when in (((48, 64, 3), 5.0), ((48, 64, 3), 6.0), ((48, 64), 7.0), ((48, 64), 1.0)):
        recent.add_frame(np.zeros(shape, np.uint8), when)
    assert 1 == len(recent)


def test_only_the_tray_is_kept() -> None:
    """Of a calibrated tray, the part of the picture around it; a gray picture may be smaller than the full one."""
    outline = np.array([[320, 240], [640, 240], [640, 480], [320, 480]], np.int32)
    tray = Tray("drawn", (1280, 960), outline, np.zeros((4, 4, 3), np.uint8), 90.0)
    recent = RecentFrames()
    recent.crop_to_tray(tray)
    for number in range(3):
        picture = np.zeros((480, 640), np.uint8)
        picture[120:240, 160:320] = 200
        recent.add_frame(picture, float(number))
    clip = recent.throw_clip(0.0, 2.0)
    assert clip is not None
    (shown, *_), _ = decode_animation(clip.encode_webp() or b"")
    assert 0.8 < (shown > 150).mean() < 0.95


def thrown(scene: SyntheticTray) -> tuple[RecentFrames, TrayWatcher, Filmed]:
    """Film a throw of one die that shows 5 until it has come to rest."""
    source, recent, watcher = Filmed(scene, 200).throw(30, 5), RecentFrames(), TrayWatcher(scene.render_frame(0.0))
    while watcher.throw is None:
        frame = source.read_frame()
        assert frame is not None
        recent.add_frame(frame.picture, frame.when)
        watcher.process_frame(frame.picture, frame.when)
    return recent, watcher, source


def small(picture: Image) -> MatLike:
    return cv2.resize(picture, (320, 240), interpolation=cv2.INTER_AREA)


def apart(one: MatLike, other: MatLike) -> int:
    """How many pixels of two pictures differ by more than noise and compression."""
    return int(
        (cv2.absdiff(cv2.GaussianBlur(one, (5, 5), 0), cv2.GaussianBlur(other, (5, 5), 0)).max(axis=2) > 40).sum()
    )


def test_a_throw_rolls_and_comes_to_rest() -> None:
    """The first frame shows the empty tray, the next ones the die elsewhere each time, the last one where it lies."""
    scene = SyntheticTray(seed=4)
    empty = scene.render_frame(0.0)
    recent, watcher, source = thrown(scene)
    assert watcher.throw is not None
    clip = recent.throw_clip(watcher.throw.start, watcher.throw.end)
    assert clip is not None
    frames, lasts = decode_animation(clip.encode_webp() or b"")
    assert len(frames) > 6
    assert [] == [at for at in range(1, len(frames)) if np.array_equal(frames[at], frames[at - 1])]
    assert 0 == apart(frames[0], small(empty))
    assert all(apart(frame, frames[-1]) > 50 for frame in frames[:4])
    rest = scene.render_frame(source.number * source.pace)
    assert 0 == apart(frames[-1], small(rest)), "it ends before the die lies"
    assert lasts[-1] >= LAST_FRAME_MS
    assert 1.0 * SLOW_MOTION_FACTOR < sum(lasts[:-1]) / 1000 < 3.0 * SLOW_MOTION_FACTOR


def test_of_a_long_throw_the_end_is_shown() -> None:
    """Dice that rolled on and on: the last seconds, slowed down."""
    recent = RecentFrames()
    for number in range(60):
        recent.add_frame(np.full((48, 64, 3), 200 * (number % 2), np.uint8), number / 10)
    clip = recent.throw_clip(0.0, 5.0)
    assert clip is not None
    _, lasts = decode_animation(clip.encode_webp() or b"")
    assert [300] * round((MAX_MOTION_S + 0.4) * 10) == lasts[:-1]
    assert recent.throw_clip(9.0, 9.5) is None, "no frame of it is left"


def test_noise_costs_nothing() -> None:
    """What moves is shown as it is; what only flickers stays as it was."""
    rng = np.random.default_rng(1)
    felt = np.full((48, 64, 3), 90, np.int16)
    pictures = [(felt + rng.integers(-4, 5, felt.shape)).astype(np.uint8) for _ in range(3)]
    pictures[2][20:28, 20:28] = 255
    still = freeze_still_pixels(pictures)
    assert np.array_equal(still[0], still[1])
    assert (255, 255) == (still[2][20:28, 20:28].min(), still[2][20:28, 20:28].max())
    assert np.array_equal(still[0][:, 40:], still[2][:, 40:])


@pytest.mark.slow
def test_an_animation_is_never_large() -> None:
    """Where nothing is still, frames lose quality; no clip is made where even that is too large."""
    rng = np.random.default_rng(1)
    storm = [rng.integers(0, 256, (240, 320, 3)).astype(np.uint8) for _ in range(MAX_FRAMES)]
    assert encode_animation(storm, [200] * MAX_FRAMES) is None
    rough = [cv2.GaussianBlur(one, (9, 9), 0) for one in storm]
    data = encode_animation(rough, [200] * MAX_FRAMES)
    assert data is not None
    assert len(data) <= MAX_CLIP_BYTES


def test_it_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call gives the same bytes, and the frames are dropped with the first."""
    clip = ThrowClip([(at / 10, np.full((48, 64), 90 * at, np.uint8)) for at in range(2)], gray=True)
    first = clip.encode_webp()
    monkeypatch.setattr("vision.clips.encode_animation", lambda pictures, lasts: pytest.fail("encoded again"))
    assert clip.encode_webp() is first
    assert clip._frames == []
    assert (first or b"")[:4] == b"RIFF"
    assert b"ANIM" in (first or b"")


@pytest.mark.parametrize("data", [b"", b"RIFF", b"GIF89a", bytes(100)])
def test_other_data_has_no_frames(data: bytes) -> None:
    assert ([], []) == decode_animation(data)
