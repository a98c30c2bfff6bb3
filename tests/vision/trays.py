"""Drawn trays in their outlines, on felts of several colors."""

import math
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.floor import CameraPose, Floor, Wall
from vision.dice.known_table import KnownTable
from vision.reader import Reader
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.tray.outline import FOUND_OUTLINE_MM, Tray, find_tray

Image = NDArray[np.uint8]
WHITE = SyntheticDie()
FELTS = {"green": (52, 84, 34), "red": (40, 30, 120), "blue": (120, 60, 20), "black": (30, 30, 30), "grey": (150,) * 3}


def drawn(felt: str = "green", size: tuple[int, int] = (640, 480), rim: float = 9.0) -> SyntheticTray:
    return SyntheticTray(size, seed=1, felt=FELTS[felt], rim=rim)


@cache
def empty(felt: str = "green", rim: float = 9.0) -> Image:
    """Return a picture of the empty tray, drawn once."""
    picture = drawn(felt, rim=rim).render_frame(0)
    picture.flags.writeable = False
    return picture


@cache
def calibrated(felt: str = "green", rim: float = 9.0) -> Tray:
    """Return the tray of the empty picture."""
    return tray_of(empty(felt, rim))


@cache
def later(felt: str = "green", rim: float = 9.0) -> Image:
    """Return another picture of the same empty tray, with other noise."""
    scene = drawn(felt, rim=rim)
    scene.render_frame(0)
    picture = scene.render_frame(1)
    picture.flags.writeable = False
    return picture


def tray_of(picture: Image) -> Tray:
    found = find_tray(picture)
    size = picture.shape[1], picture.shape[0]
    return Tray("drawn", size, found.outline, picture, 60.0, doubt=found.doubt)


def place_of(scene: SyntheticTray) -> CameraPose:
    """Return where the camera of a drawn tray is."""
    lens = scene._lens
    right, down, ahead = (float(part) for part in lens.camera_axes @ (0.0, 0.0, -1.0))
    floor = Floor(
        lens.size, lens.pixels_per_mm * lens.height, lens.camera_position.astype(float), lens.camera_axes.astype(float)
    )
    view = 2 * math.degrees(math.atan(lens.view / 2 / lens.height))
    return CameraPose(lens.size[0] / floor.pixels_per_mm, right / ahead, down / ahead, view)


def at_table(scene: SyntheticTray, kinds: frozenset[str] = frozenset({"d6"})) -> Reader:
    """Return a reader as at a calibrated table; nothing lies in the tray yet."""
    reader, bare = Reader(kinds), scene.render_frame(0.0)
    outline = find_tray(bare)
    wall = None if outline.doubt else Wall(outline.outline.astype(float), *FOUND_OUTLINE_MM)
    reader.table = KnownTable(place_of(scene), wall, bare)
    return reader


def warped(picture: Image, right: float = 0, down: float = 0, turn: float = 0, zoom: float = 1) -> Image:
    """Return the picture shifted by shares of its width, turned by degrees, zoomed."""
    tall, wide = picture.shape[:2]
    way = cv2.getRotationMatrix2D((wide / 2, tall / 2), turn, zoom)
    way[:, 2] += right * wide, down * wide
    return cv2.warpAffine(picture, way, (wide, tall), borderMode=cv2.BORDER_REFLECT).astype(np.uint8, copy=False)
