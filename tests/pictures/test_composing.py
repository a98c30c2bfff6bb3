"""The film of the README: how its pictures are put together, and that the one in the repository keeps its limits."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops

from scripts.pictures import composing
from scripts.pictures.composing import LAYOUTS, SIZE, Box

FILM = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "film.webp"


def plain(colour: str, size: tuple[int, int] = SIZE) -> Image.Image:
    return Image.new("RGB", size, colour)


def noisy(picture: Image.Image, levels: int) -> Image.Image:
    """Return a picture with a camera's noise."""
    chance = Random(1)
    grain = Image.new("L", picture.size)
    grain.putdata([chance.randint(0, levels) for _ in range(picture.width * picture.height)])
    return ImageChops.add(picture, grain.convert("RGB"))


def inside(box: Box) -> bool:
    x, y, wide, high = box
    return x >= 0 and y >= 0 and x + wide <= SIZE[0] and y + high <= SIZE[1]


def outside(box: Box) -> bool:
    return box[0] >= SIZE[0] or box[1] >= SIZE[1]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_panels_are_whole_apart_and_above_the_caption(layout: str) -> None:
    """Or they wait outside of the picture. Only a panel with the caption beside it reaches down."""
    boxes = LAYOUTS[layout]
    assert all(inside(box) or outside(box) for box in boxes.values())
    shown = [box for box in boxes.values() if inside(box)]
    for (x, y, wide, high), (right, down, width, height) in combinations(shown, 2):
        assert x + wide <= right or right + width <= x or y + high <= down or down + height <= y
    assert composing.fits("A caption of some forty letters in a row", boxes)
    assert not composing.fits("A caption that is longer than this picture " * 2, boxes)


def test_a_panel_goes_from_one_layout_to_the_other() -> None:
    """It begins at the first place, ends at the second, and is between them in the middle."""
    assert composing.places("tray", "tv", 0) == LAYOUTS["tray"]
    assert composing.places("tray", "tv") == LAYOUTS["tv"]
    widths = [composing.places("tray", "tv", share / 10)["tv"][2] for share in range(11)]
    assert widths == sorted(widths) != [widths[0]] * 11


def test_a_panel_without_a_picture_is_black() -> None:
    """As a display without power is; the others show what they show."""
    boxes = LAYOUTS["tray"]
    film = composing.compose({"tray": plain("#ff0000", (96, 54)), "display": None}, boxes, "A caption")
    middles = {
        name: film.getpixel((x + wide // 2, y + high // 2))
        for name, (x, y, wide, high) in boxes.items()
        if name != "tv"
    }
    assert (middles["tray"], middles["display"]) == ((255, 0, 0), (0, 0, 0))


def test_equal_pictures_become_one_that_is_shown_for_longer() -> None:
    """Only neighbors, so that nothing changes but the size."""
    kept, shown = composing.merged(plain(colour) for colour in ("red", "red", "blue", "red"))
    assert (len(kept), shown) == (3, [2 * composing.EVERY, composing.EVERY, composing.EVERY])


def test_a_film_that_takes_too_long_loses_time_in_which_nothing_moves() -> None:
    """Pictures that are shown for long give way, moving ones do not; what is short enough stays."""
    assert composing.tightened([100, 2000, 100, 1200], 2400) == [100, 1100, 100, 1100]
    assert composing.tightened([100, 2000, 100], 3000) == [100, 2000, 100]
    assert composing.tightened([100] * 40, 3000) == [100] * 40


def test_noise_of_a_camera_is_no_movement_but_a_die_is() -> None:
    """So a tray that lies still costs nothing."""
    tray = plain("#225533", (640, 480))
    with_die = tray.copy()
    with_die.paste("#ffffff", (300, 200, 340, 240))
    assert not composing.moved(tray, noisy(tray, 12))
    assert composing.moved(tray, with_die)


def test_a_film_is_written_as_long_as_it_was_made(tmp_path: Path) -> None:
    """Read back from the file; and its sheet has a picture for every second."""
    kept, shown = composing.merged(plain(colour) for colour in ["red"] * 30 + ["blue"] * 25)
    composing.write(tmp_path / "film.webp", kept, shown)
    assert composing.seconds(tmp_path / "film.webp") == pytest.approx(5.5)
    wide, high = composing.sheet(kept, shown).size
    assert (wide // (SIZE[0] // 2), high // (SIZE[1] // 2)) == (4, 2)


def test_the_film_of_the_readme_is_short_and_light() -> None:
    """It plays once, and loads on a phone's connection."""
    with Image.open(FILM) as film:
        assert (film.size, film.format, film.info["loop"]) == (SIZE, "WEBP", 1)
    assert 6 <= composing.seconds(FILM) <= 12
    assert FILM.stat().st_size <= 900_000
