"""Facets are seen head-on, and those beside the top support what it shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.facets import (
    SIGNS_BY_SHAPE,
    combine_sign_probabilities,
    facet_corners,
    facets_in_sight,
    symmetry_permutations,
    warp_to_square,
)
from vision.dice.floor import CameraPose
from vision.dice.pose import DiePose
from vision.synthetic.shapes import lying_rotation, solid_of_kind

FLOOR = CameraPose(246.0).floor_for_size((640, 480))


@pytest.mark.parametrize(
    ("shape", "many"), [("d6", 24), ("d8", 24), ("d10", 10), ("d20", 60), ("d24", 24), ("tetrakis", 24)]
)
def test_a_solid_comes_onto_itself_in_so_many_ways(shape: str, many: int) -> None:
    assert len(symmetry_permutations(shape)) == many
    assert all(sorted(row) == list(range(len(row))) for row in symmetry_permutations(shape).tolist())


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_the_top_comes_first_and_its_picture_is_upright(value: int) -> None:
    """A mark in the right upper corner of a facet is in the right upper corner of its view."""
    pose = DiePose(lying_rotation("d6", value, 0.7), FLOOR.point_at_height(np.array([200.0, 300.0]), 8.0), 0.0)
    facets = facets_in_sight("d6", 16.0, pose, FLOOR)
    assert solid_of_kind("d6").tile[facets[0]] == value - 1
    square = facet_corners("d6", facets[0], 0.0, 1.0) * 8.0 @ pose.turn.T + pose.place
    spots = FLOOR.project_points(square)
    picture = np.zeros((480, 640, 3), np.uint8)
    mark = 0.5 * spots[1] + 0.5 * spots.mean(axis=0)
    cv2.circle(picture, (round(mark[0]), round(mark[1])), 4, (255, 255, 255), -1)
    rows, columns = np.nonzero(warp_to_square(picture, spots)[..., 0] > 128)
    assert columns.mean() == pytest.approx(29.5, abs=1.5)
    assert rows.mean() == pytest.approx(9.5, abs=1.5)


def test_the_facets_beside_it_decide_what_a_blurred_top_shows() -> None:
    """On a d20 as most are numbered, unless nothing is known of its numbering."""
    numbers = [int(tile) for tile in solid_of_kind("d20").tile]
    pose = DiePose(lying_rotation("d20", 14, 0.2), FLOOR.point_at_height(np.array([320.0, 240.0]), 10.0), 0.0)
    facets = facets_in_sight("d20", 20.0, pose, FLOOR)
    many = len(SIGNS_BY_SHAPE["d20"])
    chances = np.full((len(facets), many + 1), 0.1 / many)
    for row, facet in zip(chances[1:], facets[1:], strict=True):
        row[numbers[facet]] = 0.9
    chances[0, [13, 4]] = 0.45
    believed = combine_sign_probabilities("d20", facets, chances, [np.array(numbers)], 0.8)
    assert believed[13] > 0.95
    unknown = combine_sign_probabilities("d20", facets, chances, [np.array(numbers)], 0.0)
    assert unknown[13] == pytest.approx(unknown[4])
