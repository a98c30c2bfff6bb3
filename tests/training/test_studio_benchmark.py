"""The benchmark of rendered dice counts readings as its table says."""

from typing import Any

import pytest

from benchmarks.studio import count_reading, row_names
from vision.reading import DieReading, Reading


def row(scene: str, reason: str | None, **changes: Any) -> dict[str, Any]:
    """The truth of a picture with one d6 that shows 4, at the left."""
    die = {"kind": "d6", "shape": "d6", "value": 4, "tilt": 0.0, "visible": 1.0, "box": [10, 10, 40, 40], "upon": None}
    return {"scene": scene, "reason": reason, "dice": [die | changes]}


def reading(value: int, doubt: str | None, x: int = 10) -> Reading:
    return Reading((DieReading("d6", value, None, (x, 10, 40, 40), 0.99),), doubt, 1.0)


@pytest.mark.parametrize(
    ("truth", "seen", "counted"),
    [
        (row("flat", None), reading(4, None), {"right"}),
        (row("flat", None), reading(3, None), {"silent"}),
        (row("flat", None), reading(3, "unclear"), {"asked"}),
        (row("leaning", "cocked"), reading(4, None), {"right", "unfair", "believed", "reasons"}),
        (row("leaning", "cocked"), reading(3, None), {"silent", "unfair", "believed", "reasons"}),
        (row("leaning", "cocked"), reading(4, "cocked"), {"right", "asked", "unfair", "reasons", "named"}),
        (row("leaning", "cocked"), reading(4, "edge"), {"right", "asked", "unfair", "reasons"}),
        (row("edge", "edge", visible=0.5), reading(4, None, 300), {"right", "unfair", "believed", "reasons", "passed"}),
        (row("edge", "edge", visible=0.9), reading(4, None, 300), {"right", "unfair", "believed", "reasons"}),
        (row("glare", "glare"), reading(4, None), {"right", "reasons"}),
        (row("covered", None), reading(4, None), {"right"}),
    ],
)
def test_a_reading_counts_as(truth: dict[str, Any], seen: Reading, counted: set[str]) -> None:
    """Right, asked, believed, silent, passed over and the right reason are counted apart."""
    assert {name for name, many in count_reading(truth, seen).items() if many} == counted | {"pictures"}


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (row("flat", None, shape="d24"), ["flat: d24"]),
        (row("leaning", "cocked", tilt=12.0), ["leaning", "– by 10 to 20°"]),
        (row("stacked", "stacked", upon=0, visible=0.4), ["stacked", "– a third or more of the lower die in sight"]),
        (row("edge", "edge"), ["edge"]),
    ],
)
def test_a_picture_counts_in_the_rows(truth: dict[str, Any], expected: list[str]) -> None:
    """Leaning dice count by their tilt as well, stacks by how much of the lower die is in sight."""
    assert row_names(truth) == expected
