"""A file with an image and other data: a PNG, a line of JSON, and a checksum of both."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from vision.cameras.frames import Image


def encode_png_file(picture: Image, about: Mapping[str, object]) -> bytes:
    body = cv2.imencode(".png", picture)[1].tobytes() + b"\n" + json.dumps(about).encode()
    return body + b"\n%08x" % zlib.crc32(body)


def decode_png_file(data: bytes) -> tuple[Image, Any]:
    """Decode the image and the data. The data's structure is not checked. Raises ValueError if the file is damaged."""
    body, _, check = data.rpartition(b"\n")
    if check != b"%08x" % zlib.crc32(body):
        raise ValueError("it has changed since it was saved")
    png, _, tail = body.rpartition(b"\n")
    try:
        return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8), json.loads(tail)
    except (TypeError, cv2.error) as error:
        raise ValueError(f"it contains no picture: {error}") from error
