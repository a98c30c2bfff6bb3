"""The printed sheet gives the scale, and is true to size."""

import cv2
import numpy as np
import pytest

from tests.vision.trays import Image, drawn, warped
from vision.dice.floor import CameraPose
from vision.tray.calibration_sheet import (
    MARKER_EDGE_MM,
    PAGE_CORNERS_MM,
    PAGE_SIZE_MM,
    PRINT_DPI,
    camera_pose_from_sheet,
    draw_sheet,
    page_pixels,
    scale_from_sheet,
)
from vision.tray.outline import TrayError


def printed(width: int, across: float) -> Image:
    """Return the sheet in a picture `width` pixels wide; the paper's width is the share `across` of it."""
    wide = round(width * across)
    less = cv2.resize(
        draw_sheet(), (wide, round(wide * PAGE_SIZE_MM[1] / PAGE_SIZE_MM[0])), interpolation=cv2.INTER_AREA
    )
    picture = np.full((round(width * 0.75), width, 3), 70, np.uint8)
    top = round(0.25 * less.shape[0])
    part = less[top : top + picture.shape[0]]
    picture[: len(part), 20 : 20 + wide] = part[..., None]
    return picture


@pytest.mark.parametrize(("width", "across"), [(320, 0.8), (640, 0.5), (640, 0.9), (1280, 0.6)])
def test_scale_from_the_sheet(width: int, across: float) -> None:
    """The printed sheet gives the scale to within 3 %, and so does a turned one."""
    picture = printed(width, across)
    for turn in (0, 33):
        ground = warped(picture, turn=turn, zoom=0.8 if turn else 1)
        true = width * across / PAGE_SIZE_MM[0] * (0.8 if turn else 1)
        assert scale_from_sheet(ground) == pytest.approx(true, rel=0.03)


def test_a_sheet_seen_aslant_or_not_at_all_is_refused() -> None:
    """A camera that looks at a slant is refused; with a slight tilt the sheet is measured."""
    picture = printed(640, 0.8)
    corners = np.array([(0, 0), (640, 0), (640, 480), (0, 480)], np.float32)
    for squeeze, well in ((8, True), (90, False)):
        aslant = corners + np.array([(squeeze, 0), (-squeeze, 0), (0, 0), (0, 0)], np.float32)
        tilted = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, aslant), (640, 480))
        if well:
            assert scale_from_sheet(tilted) > 0
        else:
            with pytest.raises(TrayError, match="straight down"):
                scale_from_sheet(tilted)
    with pytest.raises(TrayError, match="No sheet found"):
        scale_from_sheet(drawn().render_frame(0))


@pytest.mark.parametrize("place", [CameraPose(300.0), CameraPose(280.0, 0.1, -0.05), CameraPose(260.0, -0.02, 0.16)])
def test_the_sheet_shows_where_the_camera_is(place: CameraPose) -> None:
    """To within two degrees."""
    floor = place.floor_for_size((1280, 960))
    middle = floor.point_at_height(np.array([640.0, 480.0]), 0.0)[:2]
    corners = np.column_stack([PAGE_CORNERS_MM - np.array(PAGE_SIZE_MM) / 2 + middle, np.zeros(4)])
    page = draw_sheet()
    ends = (PAGE_CORNERS_MM * PRINT_DPI / 25.4).astype(np.float32)
    way = cv2.getPerspectiveTransform(ends, floor.project_points(corners).astype(np.float32))
    seen = cv2.GaussianBlur(cv2.warpPerspective(page, way, (1280, 960), borderValue=90.0), (0, 0), 1)
    found = camera_pose_from_sheet(seen)
    assert found.across == pytest.approx(place.across, rel=0.02)
    assert [found.right, found.down] == pytest.approx([place.right, place.down], abs=0.035)


def test_the_sheet_is_true_to_size() -> None:
    """The line on the sheet is 100 mm long, a marker 30 mm wide, and the frame to cut along is dark enough to print."""
    page = draw_sheet()
    row = page[round(215 / 25.4 * PRINT_DPI)]
    dark = np.flatnonzero(row < 128)
    assert (dark[-1] - dark[0]) / PRINT_DPI * 25.4 == pytest.approx(100, abs=0.5)
    frame = np.flatnonzero(page[round(78 / 25.4 * PRINT_DPI)] < 128)
    assert (frame[-1] - frame[0]) / PRINT_DPI * 25.4 == pytest.approx(120, abs=0.5)
    top = page[round(89 / 25.4 * PRINT_DPI), page_pixels(50) : page.shape[1] // 2]
    dark = np.flatnonzero(top < 128)
    assert (dark[-1] - dark[0] + 1) / PRINT_DPI * 25.4 == pytest.approx(MARKER_EDGE_MM, abs=0.2)
