"""An evening in drawn pictures instead of rendered ones."""

from __future__ import annotations

from random import Random

import numpy as np

from benchmarks.evening import plan
from benchmarks.evening.clips import Clip, Evening, Shot
from engine.dice import Face
from vision.cameras.frames import Image
from vision.synthetic.tray import SyntheticDie, SyntheticTray

GAME = "rallybird"  # each of its rolls is one of two d6
EXPOSURE, NOISE = 0.01, 2.5  # how far frames differ, as a share and in gray levels


def shot(picture: Image) -> Shot:
    """Return a still scene as a camera sees it: frames that differ in noise and exposure."""

    def frame(seed: int) -> Image:
        rng = np.random.default_rng(seed)
        grain = rng.standard_normal(picture.shape, np.float32) * np.float32(NOISE) + np.float32(0.5)
        return np.clip(picture * np.float32(1 + rng.uniform(-EXPOSURE, EXPOSURE)) + grain, 0, 255).astype(np.uint8)

    return frame


def unseen_evening(key: str, seed: int, count: int) -> Evening:
    """Return an evening of any game at which the camera sees an empty tray only, and people type all dice."""
    rng, clips, values = Random(seed), list[Clip](), list[Face]()
    picture = SyntheticTray(seed=seed, view=230.0).render_frame(0.0)
    played = plan.planned_throws(key, seed, count)
    while True:
        try:
            throw = played.send(values) if clips else next(played)
        except StopIteration:
            return Evening("unseen", key, lambda _: picture, lambda _: picture, (), clips)
        values = [rng.choice(die.faces) for die in throw.dice]
        about = (throw.game, throw.n, throw.seat, tuple(values), throw.before, None)
        clips.append(Clip(f"{throw.number}", *about, lambda _: picture))


def drawn_evening(seed: int, count: int) -> Evening:
    """Return an evening of `count` throws; those in trouble are stacked, whatever the plan says."""
    rng, tray = Random(seed), SyntheticTray(seed=seed, noise=0.0, view=230.0)
    empty = shot(tray.render_frame(0.0))
    tray.place_die(0.0, SyntheticDie(size=16), 4, 8.0, -5.0, turn=0.3)
    die, clips = shot(tray.render_frame(0.0)), list[Clip]()
    played = plan.planned_throws(GAME, seed, count)
    values: tuple[Face, ...] | None = None
    while True:
        try:
            throw = next(played) if values is None else played.send(values)
        except StopIteration:
            return Evening("drawn", GAME, empty, die, (), clips)
        dice = [SyntheticDie() for _ in throw.dice]
        about = (throw.game, throw.n, throw.seat)
        if throw.trouble is not None:
            tray.clear_tray()
            tray.place_stacked_die(0.0)
            clips.append(
                Clip(f"{throw.number} stacked", *about, (), throw.before, "stacked", shot(tray.render_frame(0.0)))
            )
        values = tuple(rng.randint(1, 6) for _ in dice)
        end = tray.throw_dice(0.0, dice, values)
        clips.append(Clip(f"{throw.number}", *about, values, throw.before, None, shot(tray.render_frame(end))))
