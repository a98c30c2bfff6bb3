"""What is known of a table before its dice are read."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.dice.floor import CameraPose, Wall
from vision.dice.sizes import KnownSizes


class KnownTable(NamedTuple):
    """What a calibration, and the dice that were read since, showed of a table: the `place` of the camera, the `wall`
    on which dice may lean, the picture of the `empty` tray, which shows what else lies there, and the `sizes` of its
    dice. None or nothing where that is not known."""

    place: CameraPose | None = None
    wall: Wall | None = None
    empty: NDArray[np.uint8] | None = None
    sizes: KnownSizes = MappingProxyType({})
