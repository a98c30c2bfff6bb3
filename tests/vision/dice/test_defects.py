"""What else may be wrong with a die."""

import numpy as np
import pytest

from tests.vision.faces import felt
from vision.dice.defects import FLAGS, DefectNet
from vision.dice.detect import Candidate
from vision.drawn.tray import DrawnDie, DrawnTray


@pytest.fixture(scope="module")
def flagger() -> DefectNet:
    return DefectNet()


def test_flags_are_probabilities_each_for_itself(flagger: DefectNet) -> None:
    rows = flagger.classify(felt(200, 200), [Candidate(60, 60, 30, 1.0), Candidate(120, 90, 30, 1.0)])
    assert rows.shape == (2, len(FLAGS))
    assert np.all((rows >= 0) & (rows <= 1))
    assert flagger.classify(felt(200, 200), []).shape == (0, len(FLAGS))


@pytest.mark.parametrize("colour", ["white", "red", "blue"])
def test_the_right_flag_is_raised(flagger: DefectNet, colour: str) -> None:
    """A plus sign is a symbol, and a die with pips is not."""
    tray = DrawnTray(seed=4)
    tray.lay(0.0, DrawnDie(colour, 16, "black" if colour == "white" else "white"), 5, -40, 0, turn=0.3)
    tray.lay(0.0, DrawnDie(colour, 16, "black" if colour == "white" else "white", "sign"), None, 40, 0, turn=0.3)
    frame = tray.frame(0.0)
    boxes = [die.box for die in tray.truth(0.0) or ()]
    plain, sign = flagger.classify(frame, [Candidate(x + w / 2, y + h / 2, (w + h) / 2, 1.0) for x, y, w, h in boxes])
    assert sign[FLAGS.index("symbol")] > 0.5 > plain.max()
