"""One table for a whole evening: its camera, tray, ground, light and dice stay as the seed chose them."""

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

Seen = tuple[str, str | None]  # a die as rules ask for it: its kind, and its color or None

USUAL = (640, 480)  # size of most pictures, in pixels
OFTEN = 0.15  # share of cameras with larger pictures that are taken
ASLANT = 8.0  # most degrees by which a camera that should point straight down does not
VIEWS = (210.0, 300.0)  # width that the camera sees, in mm, from and to
MARGIN = 3.0  # least distance of the tray's rim from the picture's edge, in pixels
CALIBRATING = 16.0  # size of the die that is laid down for the calibration, in mm
SHAPES = {"d6": ("d6", "d6", "d6", "d6", "numeral"), "d24": ("d24", "tetrakis")}  # what a kind may look like
LEANS = {"d20": (10.0, 20.0), "d24": (10.0, 20.0)}  # degrees by which a kind leans when cocked; others:
LEAN = (10.0, 45.0)
REASONS = {"cocked": "cocked", "stacked": "stacked", "covered": "hand"}  # the doubt that each trouble should raise
SUPPORTS = ("wall", "die")  # what a die of one or several leans on
SHOWN = 1 / 3  # least share of the lower die of a stack that the picture shows
SORTS = ("usual", "metal", "large", "logo", "harsh")  # dice of an evening
LARGE = (1.25, 1.55)  # how many times larger than usual large dice are
TRIES = 60  # how often a scene is built before giving up


@dataclass(frozen=True)
class Table:
    """The table of an evening, by its seed. `fonts` are the files of typefaces to choose from.

    Typefaces, grounds and finishes are those kept apart for measuring, except for dice whose color a game prescribes.
    `relight` chooses another light; a person would move the lamp. `sort` is one of `SORTS`: dice of metal (but those of
    a prescribed color), large ones, some with a logo in place of their highest value, or with ink nearly as light as
    their bodies.
    """

    seed: int
    fonts: tuple[str, ...]
    relight: int = 0
    sort: str = "usual"
    _looks: dict[Seen, StudioDie] = field(default_factory=dict, repr=False)

    @cached_property
    def camera(self) -> Camera:
        """The camera, which points down nearly straight. Its lamps do not flicker."""
        rng = Random(f"{self.seed} camera")
        while True:
            view = rng.uniform(*VIEWS)
            camera = cameras.hang(rng, view)
            size = camera.lens.size
            if size == USUAL or rng.random() < OFTEN:
                return replace(camera, lens=Lens(size, view, camera.lens.height, rng.uniform(0, ASLANT)), flicker=0.0)

    @cached_property
    def tray(self) -> Tray:
        """The tray, the whole of which the camera sees."""
        rng, lens = Random(f"{self.seed} tray"), self.camera.lens
        edge = np.array(lens.size) - 1 - MARGIN
        while True:
            tray = scenes.tray(rng, lens.view)
            spots = lens.project_points(tray.rim)
            if spots.min() >= MARGIN and (spots <= edge).all():
                return tray

    @cached_property
    def light(self) -> Light:
        """The light."""
        return lights.shine(Random(f"{self.seed} light {self.relight}"))

    def look(self, seen: Seen, place: int = 0) -> StudioDie:
        """Return a die of this table: the first, second ... (`place` from 0) of a kind and color. They differ only in
        the swirls of their bodies."""
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
        """Return the empty tray."""
        return Scene("empty", self.camera, self.tray)

    def calibrating(self) -> Scene:
        """Return one d6 with pips that lies in the middle."""
        die = self.look(("d6", None))
        if die.kind != "d6":
            die = dice.invent(Random(f"{self.seed} calibrating"), "d6", self.fonts, held=True)

        def fill(builder: Builder) -> None:
            builder.flat(near=0.25)

        return self._built("die", [replace(die, size=CALIBRATING)], fill)

    def showing(self, seen: Seen, face: Face, turn: int) -> Scene:
        """Return a die that lies flat with this face up, as in round `turn` of teaching, from 0. If two facets show the
        face, each round shows another."""
        die = self.look(seen)
        facets = [facet for facet in range(len(die.values)) if die.face(facet) == face]
        tile = int(die.shape.tile[facets[turn % len(facets)]])

        def fill(builder: Builder) -> None:
            one = builder.make()
            way = builder.rng.uniform(0, 6.283)
            builder.put(one, builder.spot(one.body, lying_rotation(one.kind, tile + 1, way), near=0.75))

        return self._built(f"teach {seen[0]} {face} {turn}", [die], fill)

    def thrown(self, name: str, asked: Sequence[Seen], trouble: str | None) -> tuple[Scene, list[int]]:
        """Return dice as they lie after a throw, and for each the place among those asked for. `name` stands for the
        throw; `trouble` is one of `REASONS`, or None if all lie flat."""
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
        """Return a scene with these dice, in which `fill` lays them in any order."""
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
        """Return what is stored with the pictures: the seed, and what it takes to develop them."""
        camera, settings = asdict(self.camera), asdict(locks)
        return {"seed": self.seed, "dice": self.sort, "relight": self.relight, "camera": camera, "locks": settings}


def shows(scene: Scene, found: dict[str, Any]) -> bool:
    """True if the camera sees the trouble of a scene with this truth: enough of the lower die of a stack, or a hand
    over a die. Scenes without trouble always do."""
    below = [found["dice"][die["upon"]]["visible"] for die in found["dice"] if die["upon"] is not None]
    return bool(found["reason"] == scene.reason and min(below, default=1.0) >= SHOWN)
