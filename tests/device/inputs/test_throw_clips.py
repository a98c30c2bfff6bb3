"""Clips of throws, from the camera's frames to the throw that the session gets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.device.inputs.scenes import WHITE, Filmed
from tests.device.inputs.test_dice_camera import play
from vision import clips
from vision.clips import decode_animation
from vision.synthetic.tray import SyntheticTray


def test_a_throw_brings_its_clip(tmp_path: Path) -> None:
    """It shows the die moving, and nothing was encoded while the camera only watched."""
    session, _ = play(Filmed(SyntheticTray(seed=4), 160).throw(30, 5), tmp_path)
    (seen,) = session.seen
    assert seen.clip is not None
    assert seen.clip._webp is None
    frames, _ = decode_animation(seen.clip.encode_webp())
    assert len(frames) > 6
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 100


def test_two_throws_have_their_own(tmp_path: Path) -> None:
    """The second clip begins with the first die lying there, not with the first throw."""
    scene = SyntheticTray(seed=4)
    session, _ = play(Filmed(scene, 320).throw(30, 5).throw(170, 2), tmp_path)
    first, second = (decode_animation(seen.clip.encode_webp())[0] for seen in session.seen)
    assert not any(np.array_equal(one, other) for one in first for other in second)


def test_dice_that_were_only_touched_have_none(tmp_path: Path) -> None:
    scene = SyntheticTray(seed=4)
    source = Filmed(scene, 380).throw(20, 5)

    def turn() -> None:
        (thing,) = scene._things
        pose = thing.track.pose_after(np.inf)
        scene.clear_tray()
        scene.place_die(270 * source.pace, WHITE, 6, pose.x, pose.y)

    source.acts[260] = lambda: scene.show_hand(260 * source.pace, 1.0)
    source.acts[270] = turn
    session, _ = play(source, tmp_path)
    assert [(False, True), (True, False)] == [(seen.touched, seen.clip is not None) for seen in session.seen]


def test_watching_encodes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty tray, a hand, and a throw that is read: no animation is made of any of it."""
    monkeypatch.setattr(clips, "encode_animation", lambda pictures, lasts: pytest.fail("encoded"))
    scene = SyntheticTray(seed=4)
    source = Filmed(scene, 160).throw(80, 5)
    source.acts[10] = lambda: scene.show_hand(10 * source.pace, 1.0)
    session, _ = play(source, tmp_path)
    assert 1 == len(session.seen)
