"""Photographs of dice that people take with a phone: bytes in, a proposed roll out."""

from __future__ import annotations

import io
import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from device.inputs.camera_thread import encode_jpeg
from device.storage.roll_pictures import with_comment
from device.table.session import GameSession
from device.table.throw_match import SeenThrow
from engine.errors import InvalidAnswer

if TYPE_CHECKING:
    from vision.cameras.frames import Image

log = logging.getLogger("dugout.photographs")

DECODED_EDGE_PX = 1280
"""Larger pictures are reduced by a whole factor while both edges stay at least this long. The reader needs no more."""

MAX_JPEG_PIXELS = 64_000_000
"""Pixels of a baseline JPEG, which is decoded row by row at reduced size."""

MAX_PIXELS = 13_000_000
"""Pixels of any other picture, which is decoded whole. Takes 100 MB, and a small Pi has little more to spare."""

MAX_JPEG_SCANS = 100
"""Scans of a JPEG. A camera writes a dozen at most; each of many takes as long to decode as a picture."""

CUBES = ("d6", "pitch")
"""Kinds of dice whose top can be told from a side in a single picture, unless it was taken from far below 45°. The
facets of other dice are so close that the one toward the camera looks like the top."""

FORMATS = ("JPEG", "PNG", "WEBP")
"""Formats that are decoded, by Pillow's names. Strangers' files reach no other decoder."""

TAKE_AGAIN = "take a new picture, or type the roll."
"""What always helps."""

HEIC_SENTENCE = (
    "This is a HEIC picture, which the table can't open. iPhone: choose Settings > Camera > Formats > Most Compatible. "
    f"Android: turn off high-efficiency (HEIF) pictures in the camera's settings. Then {TAKE_AGAIN}"
)
VIDEO_SENTENCE = f"This is a video. Switch the camera to photo, then {TAKE_AGAIN}"
RAW_SENTENCE = f"This is a raw or TIFF picture, which the table can't open. Set the camera to JPEG, then {TAKE_AGAIN}"
NO_DICE_SENTENCE = (
    "No dice were found in this picture. Hold the phone above them, near enough that they fill a third of the picture, "
    f"and {TAKE_AGAIN}"
)
OTHER_SENTENCE = f"The table can't open this file. It reads JPEG, PNG and WebP pictures: {TAKE_AGAIN}"

HEIF_BRANDS = ("heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1")
"""Major brands of HEIC and HEIF files, in the bytes 8 to 12."""

SENTENCES_BY_START = (
    (b"%PDF", f"This is a PDF: {TAKE_AGAIN}"),
    (b"GIF8", f"This is a GIF: {TAKE_AGAIN}"),
    (b"\x1aE\xdf\xa3", VIDEO_SENTENCE),  # Matroska and WebM
    (b"\x00\x00\x01\xba", VIDEO_SENTENCE),  # MPEG
    (b"II*\x00", RAW_SENTENCE),
    (b"MM\x00*", RAW_SENTENCE),
    (b"II", RAW_SENTENCE),  # raw files of some cameras
    (b"FUJIFILM", RAW_SENTENCE),
)
"""Why a file with these first bytes is rejected."""


class PhotographError(InvalidAnswer):
    """A photograph that can't be opened, or that shows no dice. The message says what to do."""

    kind = "photograph"


class Photographs:
    """Reads photographs of dice for the open rolls of `session`.

    Each photograph has a reader of its own, because no two are taken from the same place. Any thread may call. Not
    checked: that one photograph is read at a time, which takes a second or more of a core, and up to 200 MB.
    """

    def __init__(self, session: GameSession) -> None:
        self._session = session

    def propose_photograph(self, n: int, data: bytes) -> None:
        """Read the photograph `data` and propose its dice for the roll of ask `n`. A person must confirm them.

        Raises PhotographError, StaleAnswer if ask `n` asks for no dice now, or IllegalAnswer if none can be read.
        """
        rolls, began = self._session.rolls, self._session.game.clock()
        kinds = rolls.photographed_kinds(n)
        picture = decode_photograph(data)
        from vision.annotate import crop_dice  # here, because OpenCV takes seconds to load on a small Pi
        from vision.reader import Reader
        from vision.tray.tray_reader import is_blurred

        reading = Reader(kinds).read_dice(picture)
        if not reading.dice:
            raise PhotographError(NO_DICE_SENTENCE)
        if is_blurred(picture, reading):
            reading = replace(reading, doubt="blur", evidence=None)
        elif reading.is_sure and any(die.kind not in CUBES for die in reading.dice):
            reading = replace(reading, doubt="angle")
        if reading.doubt_reason:
            log.info("A photograph is asked about: %s", reading.doubt_reason)
        drawn = encode_jpeg(crop_dice(picture, reading))
        proof = drawn and with_comment(drawn, json.dumps(reading.as_json()))
        rolls.propose_photograph(n, SeenThrow(reading, began, proof, is_photograph=True))


def decode_photograph(data: bytes) -> Image:
    """Decode a photograph as (height, width, 3) BGR bytes, upright by its EXIF orientation, and reduced if it is large.

    The header is checked before any pixel is decoded. Raises PhotographError.
    """
    if not data:
        raise PhotographError(f"The picture is empty: {TAKE_AGAIN}")
    if (sentence := _rejected_format(data)) is not None:
        raise PhotographError(sentence)
    import numpy as np
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            _validate_size(opened, data)
            opened.draft("RGB", (DECODED_EDGE_PX, DECODED_EDGE_PX))
            picture = opened.convert("RGB")
        if (factor := min(picture.size) // DECODED_EDGE_PX) > 1:
            picture = picture.reduce(factor)
        picture = ImageOps.exif_transpose(picture)
    except PhotographError:
        raise
    except UnidentifiedImageError as error:
        raise PhotographError(OTHER_SENTENCE) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PhotographError(_too_large_sentence(MAX_PIXELS)) from error
    except Exception as error:  # decoders raise many kinds of errors for damaged files
        raise PhotographError(f"The picture is damaged or incomplete: {TAKE_AGAIN}") from error
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])


def _rejected_format(data: bytes) -> str | None:
    """The sentence for a file of a known format that is never decoded, or None."""
    brand = data[8:12].decode("latin-1")
    if data[4:8] == b"ftyp":
        if brand in ("avif", "avis"):
            return f"This is an AVIF picture, which the table can't open. Save it as JPEG, or {TAKE_AGAIN}"
        return HEIC_SENTENCE if brand in HEIF_BRANDS else RAW_SENTENCE if brand == "crx " else VIDEO_SENTENCE
    if data[4:8] in (b"moov", b"mdat", b"wide") or (data[:4] == b"RIFF" and brand == "AVI "):
        return VIDEO_SENTENCE
    return next((sentence for start, sentence in SENTENCES_BY_START if data.startswith(start)), None)


def _validate_size(picture: Any, data: bytes) -> None:
    """Check the size of an opened picture before its pixels are decoded. Raises PhotographError."""
    from vision.reader import MIN_EDGE_PX

    (width, height), is_jpeg = picture.size, data.startswith(b"\xff\xd8")
    most = MAX_JPEG_PIXELS if is_jpeg and not picture.info.get("progressive") else MAX_PIXELS
    if width * height > most:
        raise PhotographError(_too_large_sentence(most))
    if min(width, height) < MIN_EDGE_PX:
        raise PhotographError(f"The picture is only {width} × {height} pixels, too small to read dice in: {TAKE_AGAIN}")
    # Within the pixels of a JPEG these bytes only begin a scan.
    if is_jpeg and data.count(b"\xff\xda") > MAX_JPEG_SCANS:
        raise PhotographError(OTHER_SENTENCE)


def _too_large_sentence(most: int) -> str:
    return (
        f"The picture has more than {most // 10**6} million pixels. Set the camera to a smaller picture size, then "
        f"{TAKE_AGAIN}"
    )
