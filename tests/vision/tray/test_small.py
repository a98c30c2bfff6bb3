"""The measures taken of every frame, which must cost next to nothing."""

import numpy as np
import pytest

from vision.tray.motion import blocks, motion


@pytest.mark.parametrize("wide", [213, 216, 220])
@pytest.mark.parametrize("at", [0, -6])
def test_motion_at_the_very_edge_counts(wide: int, at: int) -> None:
    """The remainder beside the last whole patch counts too; and where only noise differs nothing moves at all."""
    noise = np.random.default_rng(1)
    before, after = (noise.normal(90, 0.5, (163, wide)).astype(np.float32) for _ in range(2))
    assert motion(before, after) == 0
    after[80:90, at : at + 6 or None] += 60
    assert motion(before, after) > 1


def test_shrinking_takes_the_mean_of_whole_blocks() -> None:
    """To a grey level; an incomplete block is left out."""
    picture = np.random.default_rng(2).integers(0, 255, (49, 64), np.uint8)
    for along in (1, 2, 3, 6):
        tall, wide = 49 // along, 64 // along
        means = picture[: tall * along, : wide * along].reshape(tall, along, wide, along).mean((1, 3))
        assert np.abs(blocks(picture, along) - means).max() < 1
