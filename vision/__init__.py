"""Vision: pictures in, dice out. A reading is certain, or it names its doubt.

From low to high: `reading` and `weights`, `cameras`, `dice`, `reader` and `matching`, `tray`, `board`, then `throws`
and `annotate`. `drawn` is on top of all and serves only the simulator, tests and training.
"""

import os

MAX_IMAGE_PIXELS = 32_000_000
"""Pixels that a picture may have: with 16 bits for a color they take 200 MB."""

# OpenCV reads it once, when it is first imported. Its own limit is a thousand million pixels, which take gigabytes.
os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MAX_IMAGE_PIXELS)
