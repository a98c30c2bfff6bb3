"""Drawn dice in the bytes of a picture, as a phone sends them."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from vision.synthetic.tray import SyntheticDie, SyntheticTray

ORIENTATION_TAG = 0x0112
"""EXIF tag of how a picture is to be turned; 6 is a quarter to the right."""


def drawn_dice(*values: int) -> Image.Image:
    """A picture of white dice with these values, at most three."""
    scene = SyntheticTray(seed=1)
    for place, value in enumerate(values):
        scene.place_die(0.0, SyntheticDie(), value, 40 * place - 45, 5 * place, turn=0.3 + place)
    return Image.fromarray(scene.render_frame(0.0)[:, :, ::-1])


def file_bytes(picture: Image.Image, form: str = "JPEG", orientation: int = 1, **more: Any) -> bytes:
    """The bytes of a file with this picture."""
    data, exif = io.BytesIO(), Image.Exif()
    exif[ORIENTATION_TAG] = orientation
    picture.save(data, form, exif=exif, **more)
    return data.getvalue()


def photograph(*values: int) -> bytes:
    """The bytes of a photograph of dice with these values."""
    return file_bytes(drawn_dice(*values))


def container(brand: bytes) -> bytes:
    """The first bytes of a file in the container of HEIC, AVIF and videos."""
    return b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0mif1heic" + bytes(64)
