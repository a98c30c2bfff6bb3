"""Computer vision: images in, dice out. A reading is certain or names its doubt.

Layers from low to high: `reading` and `weights`, `cameras`, `dice`, `reader` and `matching`, `tray`, `board`, then
`throws` and `annotate`. `synthetic` is on top and serves only the simulator, tests and training.
"""

import os

MAX_IMAGE_PIXELS = 32_000_000
"""Maximum size of an image, in pixels. At 16 bits per channel that takes 200 MB."""

# OpenCV reads this variable at import. Its own limit of 10^9 pixels would allow images of several gigabytes.
os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MAX_IMAGE_PIXELS)
