"""The value of one die with pips."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.faces import DARK, WHITE, Ink, felt, lay
from vision.dice.classify_pips import CLOSE, SIDE, Crop, CropNet, PipClassifier, crop_place, crop_views
from vision.dice.defects import FLAGS, DefectNet
from vision.dice.detect import Candidate
from vision.drawn.tray import DrawnDie, DrawnTray

RED: Ink = (40, 30, 200)


@pytest.fixture(scope="module")
def classifier() -> PipClassifier:
    return PipClassifier()


def look(classifier: PipClassifier, frame: NDArray[np.uint8], *places: Candidate) -> NDArray[np.float64]:
    """Return the classifier's output for these places of a frame."""
    return classifier.classify([crop_views(frame, one) for one in places])


@pytest.mark.parametrize(("body", "pip"), [(WHITE, DARK), (DARK, WHITE), (RED, WHITE), (WHITE, RED)])
@pytest.mark.parametrize("size", [24, 48, 120])
def test_every_value_is_read_in_both_polarities(classifier: PipClassifier, body: Ink, pip: Ink, size: int) -> None:
    """Dark pips on light and light pips on dark are read alike, small and large."""
    frame = felt(1200, 300)
    places = [Candidate(100 + 190 * i, 150, size, 1.0) for i in range(6)]
    for value, place in enumerate(places, 1):
        lay(frame, value, place.x, place.y, size, body, pip)
    chances = look(classifier, frame, *places)
    assert list(chances.argmax(axis=1)) == [1, 2, 3, 4, 5, 6]


def test_what_is_not_a_face(classifier: PipClassifier) -> None:
    # Felt is not a face.
    assert look(classifier, felt(300, 300), Candidate(150, 150, 50, 1.0)).argmax() == 0
    # A sugar cube is white and square and has no value.
    frame = felt(300, 300)
    frame[125:175, 125:175] = WHITE
    assert look(classifier, frame, Candidate(150, 150, 50, 1.0)).argmax() == 0
    # A face is read the same alone as among places of bare felt, which are classified only once.
    frame = felt(400, 200)
    lay(frame, 5, 100, 100, 48)
    die, bare = Candidate(100, 100, 48, 1.0), Candidate(300, 100, 48, 1.0)
    alone, among = look(classifier, frame, die), look(classifier, frame, bare, die, bare)
    assert among[1] == pytest.approx(alone[0], abs=1e-4)
    assert among[0].argmax() == among[2].argmax() == 0
    # Chances are probabilities.
    rows = look(classifier, felt(200, 200), Candidate(60, 60, 30, 1.0), Candidate(120, 90, 30, 1.0))
    assert rows.shape == (2, 7)
    assert [pytest.approx(1), pytest.approx(1)] == list(rows.sum(axis=1))
    assert classifier.classify([]).shape == (0, 7)


def test_only_what_is_in_doubt_is_turned_and_seen_closely(
    classifier: PipClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Felt is classified once, a clear face in two turns, a blurred one in all four, and then closely."""
    frame = felt(600, 200)
    for x in (100, 300):
        lay(frame, 5, x, 100, 48)
    cv2.ellipse(frame, (300, 100), (14, 26), 20, 0, 360, WHITE, -1)
    asked: list[tuple[int, int]] = []
    ask = CropNet.classify

    def counted(net: CropNet, crops: Sequence[Crop]) -> NDArray[np.float64]:
        asked.append((len(crops), crops[0].shape[0]))
        return ask(net, crops)

    monkeypatch.setattr(CropNet, "classify", counted)
    clear, smudged, bare = look(classifier, frame, *(Candidate(x, 100, 48, 1.0) for x in (100, 300, 500)))
    assert clear.max() > 0.99 > smudged.max()
    assert bare.argmax() == 0
    assert asked == [(3, SIDE), (2, SIDE), (2, SIDE), (4, CLOSE)]


def test_the_close_look_settles_what_the_first_left_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts as much as the first look, changes nothing clear, and is not used on a clear die's pips."""
    vague, close, plain = [0.1, 0, 0, 0.5, 0, 0.4, 0], [0.1, 0, 0, 0, 0, 0.9, 0], np.eye(7)[6]

    def ask(net: CropNet, crops: Sequence[Crop]) -> NDArray[np.float64]:
        return np.array([plain if one.mean() > 128 else close if len(one) == CLOSE else vague for one in crops])

    monkeypatch.setattr(CropNet, "classify", ask)
    frame = felt(400, 200)
    frame[:, 200:] = 255
    doubt, clear = look(PipClassifier(), frame, *(Candidate(x, 100, 48, 1.0) for x in (100, 300)))
    assert doubt == pytest.approx([1 / 7, 0, 0, 0, 0, 6 / 7, 0])
    assert clear == pytest.approx(plain)
    seen = [crop_views(frame, Candidate(x, 100, 48, 1.0)) for x in (100, 300)]
    pip, clear = PipClassifier().classify(seen, [1, None])
    assert pip == pytest.approx(vague)
    on_vague, _ = PipClassifier().classify([seen[0], seen[0]], [1, None])
    assert on_vague == pytest.approx(doubt)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (199, 99), (-30, 50), (260, 130), (100, 50)])
def test_a_crop_at_the_edge_repeats_the_edge(x: float, y: float) -> None:
    """Crops have one size wherever the candidate is, and invent no color beyond the frame."""
    frame = np.full((100, 200, 3), (10, 120, 230), np.uint8)
    seen = crop_place(frame, Candidate(x, y, 40, 1.0))
    assert seen.shape == (SIDE, SIDE, 3)
    assert {(10, 120, 230)} == {tuple(int(v) for v in pixel) for pixel in seen.reshape(-1, 3)}


@pytest.fixture(scope="module")
def flagger() -> DefectNet:
    return DefectNet()


def test_flags_are_independent_probabilities(flagger: DefectNet) -> None:
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
