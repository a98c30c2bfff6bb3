"""Prior knowledge of a table."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.dice.floor import CameraPose, Wall
from vision.dice.sizes import KnownSizes


class KnownTable(NamedTuple):
    """Facts about a table, from its calibration and from earlier readings: camera pose, wall that dice may lean on,
    reference image of the empty tray, and known dice sizes. None or empty if unknown."""

    place: CameraPose | None = None
    wall: Wall | None = None
    empty: NDArray[np.uint8] | None = None
    sizes: KnownSizes = MappingProxyType({})
