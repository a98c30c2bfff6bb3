"""Measure and name the colour of one die."""

import cv2
import numpy as np
import pytest

from tests.vision.faces import DARK, WHITE, Ink, felt, lay
from vision.dice.color import measure_tint
from vision.dice.color_names import COLOR_LOOKS_RGB, NEUTRAL_LAMP, color_distance, color_name
from vision.dice.detect import Candidate


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("white", (235, 238, 240)),
        ("ivory", (175, 215, 235)),
        ("black", (30, 28, 25)),
        ("red", (40, 30, 200)),
        ("blue", (190, 80, 30)),
        ("green", (60, 150, 40)),
        ("yellow", (30, 210, 230)),
        ("purple", (140, 40, 110)),
        ("grey", (110, 110, 110)),
        ("pink", (170, 150, 230)),
        ("orange", (30, 110, 226)),
        ("brown", (40, 66, 104)),
    ],
)
@pytest.mark.parametrize("value", [1, 6])
def test_the_body_names_the_colour(name: str, body: Ink, value: int) -> None:
    """The color word is the body's, not the pips', for few pips and many."""
    frame = felt(200, 200)
    pip = DARK if sum(body) > 400 else WHITE
    lay(frame, value, 100, 100, 60, body, pip)
    assert name == color_name(measure_tint(frame, Candidate(100, 100, 60, 1.0)))


@pytest.mark.parametrize("pip", [(40, 30, 200), (200, 200, 200)])
def test_pips_of_another_colour_do_not_stain_the_body(pip: Ink) -> None:
    """Six large red pips leave a black die black."""
    frame = felt(200, 200)
    lay(frame, 6, 100, 100, 60, (30, 28, 25), pip)
    assert color_name(measure_tint(frame, Candidate(100, 100, 60, 1.0))) == "black"


def test_clean_pips_do_not_outweigh_a_mottled_body() -> None:
    """The body is most of the die, even if its pips are more uniform in colour."""
    frame = felt(200, 200)
    lay(frame, 6, 100, 100, 60, (40, 40, 190), WHITE)
    mottle = np.random.default_rng(1).integers(-30, 30, (200, 200, 1))
    body = (frame[..., 2] > 100) & (frame[..., 0] < 100)
    frame[body] = np.clip(frame.astype(int) + mottle, 0, 255)[body]
    assert color_name(measure_tint(frame, Candidate(100, 100, 60, 1.0))) == "red"


@pytest.mark.parametrize(("x", "y", "size"), [(0, 0, 40), (199, 199, 40), (-30, 100, 20), (100, 260, 30), (50, 50, 1)])
def test_a_die_at_the_edge_has_a_color_too(x: float, y: float, size: float) -> None:
    """The visible part of the die is measured, as OpenCV would."""
    bgr = np.full((200, 200, 3), (10, 120, 230), np.uint8)
    expected = cv2.cvtColor((bgr[:1, :1] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0, 0]
    assert np.allclose(measure_tint(bgr, Candidate(x, y, size, 1.0)), expected, atol=0.01)


@pytest.mark.parametrize("name", COLOR_LOOKS_RGB)
def test_a_color_word_is_nearest_to_its_own_look(name: str) -> None:
    """The computed look of each color agrees with OpenCV's measure."""
    for red, green, blue in COLOR_LOOKS_RGB[name]:
        bgr = np.full((40, 40, 3), (blue, green, red), np.uint8)
        seen = measure_tint(bgr, Candidate(20, 20, 40, 1.0))
        assert color_distance(seen, name, NEUTRAL_LAMP) < 0.5
        assert color_name(seen) == name
