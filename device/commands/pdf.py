"""Save printable pages as a PDF file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.storage import atomic_file

if TYPE_CHECKING:
    from vision.cameras.frames import Image


def save_pdf(pages: Sequence[Image], file: Path) -> None:
    """Write gray pages at `vision.tray.calibration_sheet.PRINT_DPI` as a black-and-white PDF. Raises OSError."""
    from PIL import Image as Picture

    atomic_file.check_target(file)

    from vision.tray.calibration_sheet import PRINT_DPI

    first, *more = [Picture.fromarray(page).point(lambda grey: 255 if grey > 127 else 0, "1") for page in pages]
    first.save(file, "PDF", resolution=PRINT_DPI, save_all=True, append_images=more)
