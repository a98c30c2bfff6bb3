"""One table for an evening: camera, tray, ground, light and dice are determined by a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from scripts.training.studio import cameras, dice, lights, scenes
from scripts.training.studio.cameras import Camera, Locks
from scripts.training.studio.dice import BODIES, StudioDie
from scripts.training.studio.lights import Light
from scripts.training.studio.placing import Builder, NoRoomError, Scene, Tray
from vision.reading import Face
from vision.synthetic.paint import Lens
from vision.synthetic.shapes import lying_rotation

Seen = tuple[str, str | None]  # a die as the rules request it: its kind, and its color or None

USUAL = (640, 480)  # resolution of most images
OFTEN = 0.15  # probability of accepting a camera with a higher resolution
ASLANT = 8.0  # maximum tilt in degrees of a camera that should point straight down
VIEWS = (210.0, 300.0)  # range of the field of view's width, in mm
MARGIN = 3.0  # minimum distance of the tray's rim from the image edge, in pixels
CALIBRATING = 16.0  # size of the calibration die, in mm
SHAPES = {"d6": ("d6", "d6", "d6", "d6", "numeral"), "d24": ("d24", "tetrakis")}  # possible appearances of a kind
LEANS = {"d20": (10.0, 20.0), "d24": (10.0, 20.0)}  # ranges of tilt of cocked dice by kind, in degrees
LEAN = (10.0, 45.0)  # the default
REASONS = {"cocked": "cocked", "stacked": "stacked", "covered": "hand"}  # the doubt that each trouble should raise
SUPPORTS = ("wall", "die")  # supports of a single die, or one of several
SHOWN = 1 / 3  # minimum visible share of the lower die in a stack
SORTS = ("usual", "metal", "large", "logo", "harsh")  # sorts of dice of an evening
LARGE = (1.25, 1.55)  # scale of large dice
TRIES = 60  # attempts to build a scene


@dataclass(frozen=True)
class Table:
    """The table of an evening.

    fonts: font files to choose from.
    relight: index of the light. A person would move the lamp.
    sort: one of `SORTS`: metal dice (except with a prescribed color), large ones, some with a logo instead of the
        highest value, or ink nearly as light as the body.
    Typefaces, grounds and finishes are held out for evaluation, except for dice with a prescribed color.
    """

    seed: int
    fonts: tuple[str, ...]
    relight: int = 0
    sort: str = "usual"
    _looks: dict[Seen, StudioDie] = field(default_factory=dict, repr=False)

    @cached_property
    def camera(self) -> Camera:
        """The camera, pointing nearly straight down. Its lamps don't flicker."""
        rng = Random(f"{self.seed} camera")
        while True:
            view = rng.uniform(*VIEWS)
            camera = cameras.hang(rng, view)
            size = camera.lens.size
            if size == USUAL or rng.random() < OFTEN:
                return replace(camera, lens=Lens(size, view, camera.lens.height, rng.uniform(0, ASLANT)), flicker=0.0)

    @cached_property
    def tray(self) -> Tray:
        """The tray, fully visible to the camera."""
        rng, lens = Random(f"{self.seed} tray"), self.camera.lens
        edge = np.array(lens.size) - 1 - MARGIN
        while True:
            tray = scenes.tray(rng, lens.view)
            spots = lens.project_points(tray.rim)
            if spots.min() >= MARGIN and (spots <= edge).all():
                return tray

    @cached_property
    def light(self) -> Light:
        return lights.shine(Random(f"{self.seed} light {self.relight}"))

    def look(self, seen: Seen, place: int = 0) -> StudioDie:
        """Return a die of this table by kind and color. Dice with different `place` (from 0) differ only in their
        swirls."""
        if seen not in self._looks:
            self._looks[seen] = self._invented(*seen)
        return replace(self._looks[seen], swirl=self._looks[seen].swirl + place)

    def _invented(self, kind: str, color: str | None) -> StudioDie:
        rng = Random(f"{self.seed} die {kind} {color}")
        shape = rng.choice(SHAPES.get(kind, (kind,)))
        contrast = dice.HARSH if self.sort == "harsh" else dice.CONTRAST
        while True:
            if self.sort == "metal" and color not in BODIES:
                die = dice.invent(rng, shape, self.fonts, held=None, finishes=("metal",))
            else:
                die = dice.invent(rng, shape, self.fonts, color is None or rng.random() < 0.25, contrast)
            finish, body = die.name.split(",")[0].split(" ")
            if color not in BODIES or (color == body and finish in ("plain", "pearlescent")):
                break
        if self.sort == "large":
            larger = Random(f"{self.seed} larger").uniform(*LARGE)
            return replace(die, size=die.size * larger, edge=die.edge * larger, cut=die.cut * larger)
        if self.sort == "logo":
            return replace(die, logo=len(set(die.values)), art=rng.choice(dice.HELD_ARTS))
        return die

    # --- what lies there

    def empty(self) -> Scene:
        return Scene("empty", self.camera, self.tray)

    def calibrating(self) -> Scene:
        """Return a scene with one d6 with pips at the center."""
        die = self.look(("d6", None))
        if die.kind != "d6":
            die = dice.invent(Random(f"{self.seed} calibrating"), "d6", self.fonts, held=True)

        def fill(builder: Builder) -> None:
            builder.flat(near=0.25)

        return self._built("die", [replace(die, size=CALIBRATING)], fill)

    def showing(self, seen: Seen, face: Face, turn: int) -> Scene:
        """Return a scene with a flat die and this face up, as in round `turn` of teaching, from 0. If two facets show
        the face, rounds alternate."""
        die = self.look(seen)
        facets = [facet for facet in range(len(die.values)) if die.face(facet) == face]
        tile = int(die.shape.tile[facets[turn % len(facets)]])

        def fill(builder: Builder) -> None:
            one = builder.make()
            way = builder.rng.uniform(0, 6.283)
            builder.put(one, builder.spot(one.body, lying_rotation(one.kind, tile + 1, way), near=0.75))

        return self._built(f"teach {seen[0]} {face} {turn}", [die], fill)

    def thrown(self, name: str, asked: Sequence[Seen], trouble: str | None) -> tuple[Scene, list[int]]:
        """Return the scene of a throw, and the index of each die among those requested. `trouble` is one of `REASONS`,
        or None if all dice lie flat."""
        dice_thrown = [self.look(seen, list(asked[:place]).count(seen)) for place, seen in enumerate(asked)]

        def fill(builder: Builder) -> None:
            if trouble == "cocked":
                low, high = min((LEANS.get(one.kind, LEAN) for one in dice_thrown), key=lambda lean: lean[1])
                builder.lean(builder.rng.uniform(low, high), builder.rng.choice(SUPPORTS[: len(dice_thrown)]))
            elif trouble == "stacked":
                builder.stack()
            elif trouble == "covered":
                builder.cover()
            while len(builder.scene.dice) < len(dice_thrown):
                builder.flat()

        scene = self._built(name, dice_thrown, fill, REASONS.get(trouble or ""))
        return scene, [next(n for n, one in enumerate(dice_thrown) if one is placed.die) for placed in scene.dice]

    def _built(
        self, name: str, thrown: Sequence[StudioDie], fill: Callable[[Builder], None], reason: str | None = None
    ) -> Scene:
        """Build a scene with these dice, placed by `fill` in random order."""
        rng = Random(f"{self.seed} {name}")
        for _ in range(TRIES):
            left: Iterator[StudioDie] = iter(rng.sample(thrown, len(thrown)))
            scene = Scene(name, self.camera, self.tray, reason=reason)
            try:
                fill(Builder(rng, scene, left.__next__))
            except NoRoomError:
                continue
            return scene
        raise NoRoomError(f"There is no room for {name}.")

    def data(self, locks: Locks) -> dict[str, Any]:
        """Return the metadata of the images: the seed, and what is needed to develop them."""
        camera, settings = asdict(self.camera), asdict(locks)
        return {"seed": self.seed, "dice": self.sort, "relight": self.relight, "camera": camera, "locks": settings}


def shows(scene: Scene, found: dict[str, Any]) -> bool:
    """True if a scene's trouble is visible: enough of a stack's lower die, or a hand over a die. Always true without
    trouble."""
    below = [found["dice"][die["upon"]]["visible"] for die in found["dice"] if die["upon"] is not None]
    return bool(found["reason"] == scene.reason and min(below, default=1.0) >= SHOWN)
